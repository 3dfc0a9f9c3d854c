import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { holdsMoreValues, nestsDeeper } from '../../core/json-values.ts'

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + countOf(one), 1)
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf))
}

it('knows on how many levels the lists and objects of a JSON text nest', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent))
      const levels = levelsOf(JSON.parse(bytes.toString()))
      expect(nestsDeeper(bytes, levels)).toBe(false)
      expect(nestsDeeper(bytes, levels - 1)).toBe(true)
    }),
  )
})

it('counts the values of a JSON text: those that are lists or objects, and those that these hold', () => {
  const values = fc.jsonValue({ maxDepth: 6 })
  const indents = fc.constantFrom(0, 2)
  fc.assert(
    fc.property(values, indents, (value, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent))
      const count = countOf(JSON.parse(bytes.toString()))
      expect(holdsMoreValues(bytes, count)).toBe(false)
      expect(holdsMoreValues(bytes, count - 1)).toBe(true)
    }),
  )
})

it.each([
  '{"a":"[[[[,,,,","b":"\\"[,[,[,\\\\"}',
  '{"\\\\":"{{{{","\\"":"[,[,"}',
  '["\\\\\\"[,[,[,"," [ , [ "]',
])('what texts and names hold is no value: %s', (text) => {
  expect(holdsMoreValues(Buffer.from(text), 3)).toBe(false)
  expect(holdsMoreValues(Buffer.from(text), 2)).toBe(true)
})

it.each(['[', '{', ',', '[[],', '{"a":', '[{', '"', '\\'])(
  'looks at each byte of what is no JSON once at the most: %s, again and again',
  (unit) => {
    let looked = 0
    const bytes = new Proxy(Buffer.from(unit.repeat(1_000)), {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked++
        return Reflect.get(target, name) as unknown
      },
    })
    holdsMoreValues(bytes, 1_000_000)
    expect(looked).toBeLessThanOrEqual(2 * bytes.length)
  },
)
