import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readContract } from '../../core/contract.ts'
import { compareDocuments } from '../../scripts/contract/compare.ts'
import { reportOf } from '../../scripts/contract/report.ts'
import { documentOf } from '../support/contract-documents.ts'

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const REFERENCES = ['A', 'B', 'C', 'nobody'].map((name) => `#/components/schemas/${name}`)

/** Anything, with the words of a schema in it more often than not. */
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 2 }), tie('object')),
  object: fc.record(
    {
      $ref: fc.constantFrom(...REFERENCES),
      type: fc.oneof(fc.constantFrom('string', 'null', 'object'), fc.jsonValue()),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
      required: fc.array(fc.constantFrom('a', 'b', '__proto__')),
      allOf: fc.array(tie('schema'), { maxLength: 3 }),
      oneOf: fc.array(tie('schema'), { maxLength: 3 }),
      items: tie('schema'),
      additionalProperties: tie('schema'),
      enum: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.jsonValue()),
      const: fc.jsonValue(),
      maxLength: fc.oneof(fc.integer(), fc.jsonValue()),
      nullable: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
}))
const parts = fc.record({
  request: schema,
  answer: schema,
  event: schema,
  schemas: fc.record({ A: schema, B: schema, C: schema }),
})

describe('the comparison', () => {
  it('takes any two values for documents', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(typeof reportOf(compareDocuments({ before, after }))).toBe('string')
      }),
    )
  })

  it('comes to an end for any schemas, and finds no change where there is none', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const [before, after] = [documentOf(one), documentOf(other)]
        expect(Array.isArray(compareDocuments({ before, after }))).toBe(true)
        expect(compareDocuments({ before, after: copy(before) })).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('takes the contract with any part of it replaced, and finds none in a copy of it', () => {
    const contract = copy(readContract())
    expect(compareDocuments({ before: contract, after: copy(contract) })).toEqual([])
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 2, maxLength: 9 }),
        fc.jsonValue(),
        (steps, value) => {
          const after = copy(contract)
          replace(after, steps, value)
          expect(typeof reportOf(compareDocuments({ before: contract, after }))).toBe('string')
        },
      ),
      { numRuns: 8 },
    )
  })
})

/** Puts a value in the place of the part that is found by these turns. */
function replace(document: object, steps: number[], value: unknown): void {
  let at: Record<string, unknown> = document as Record<string, unknown>
  for (const step of steps) {
    const keys = Object.keys(at)
    const key = keys[step % keys.length]
    if (key === undefined) return
    const inner = at[key]
    if (step === steps.at(-1) || typeof inner !== 'object' || inner === null) {
      at[key] = value
      return
    }
    at = inner as Record<string, unknown>
  }
}
