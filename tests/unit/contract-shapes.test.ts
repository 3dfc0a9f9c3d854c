import { describe, expect, it } from '@jest/globals'
import { type Parts, told } from '../support/contract-documents.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const number = { type: 'integer' }
const kind = (type: string, more: object = {}) => ({
  type: 'object',
  properties: { type: { const: type }, ...more },
  required: ['type'],
})

/** The same document with another named schema. */
const renamed = (parts: Parts, schemas: object): [Parts, Parts] => [
  parts,
  { ...parts, schemas: { ...parts.schemas, ...schemas } },
]

describe('a reference', () => {
  it('is followed, and what changes is called by its name wherever it is used', () => {
    const answer = { type: 'object', properties: { a: ref('Item'), b: ref('Item') } }
    const Item = { type: 'object', properties: { id: text } }
    const now = { type: 'object', properties: { id: number } }
    expect(told(...renamed({ answer, schemas: { Item } }, { Item: now }))).toEqual([
      '! order: answer Item.id is integer, was string',
    ])
  })

  it('to another name of the same shape changes nothing', () => {
    const schemas = { Item: text, Thing: text }
    expect(told({ answer: ref('Item'), schemas }, { answer: ref('Thing'), schemas })).toEqual([])
  })

  it('in place of the same schema changes nothing', () => {
    const schemas = { Item: text }
    expect(told({ answer: text, schemas }, { answer: ref('Item'), schemas })).toEqual([])
  })

  it('with something beside it means both', () => {
    const schemas = { Item: text }
    const after = { ...ref('Item'), maxLength: 5 }
    expect(told({ request: ref('Item'), schemas }, { request: after, schemas })).toEqual([
      '! order: body Item has a maxLength now: 5',
    ])
  })

  it('that leads nowhere is anything', () => {
    expect(told({ answer: text }, { answer: ref('Nobody') })).toContain(
      '! order: answer Nobody is anything, was string',
    )
  })

  it('to a response, a header or a parameter is followed', () => {
    const components = (schema: object) => ({
      components: {
        parameters: { Page: { name: 'page', in: 'query', schema } },
        headers: { Left: { schema } },
        responses: { Done: { headers: { Left: { $ref: '#/components/headers/Left' } } } },
      },
    })
    const operation = {
      parameters: [{ $ref: '#/components/parameters/Page' }],
      responses: { '200': { $ref: '#/components/responses/Done' } },
    }
    const of = (schema: object) => ({ operation, document: components(schema) })
    expect(told(of(number), of({ type: 'number' }))).toEqual([
      'order: query parameter page is number, was integer',
      '! order: answer header Left is number, was integer',
    ])
  })
})

describe('a schema that contains itself', () => {
  const node = (id: object) => ({
    Node: {
      type: 'object',
      properties: {
        id,
        next: { oneOf: [ref('Node'), { type: 'null' }] },
        all: { type: 'array', items: { allOf: [ref('Node'), { description: 'Inner.' }] } },
      },
    },
  })

  it('is compared to its end, and told once', () => {
    const parts = { answer: ref('Node'), schemas: node(text) }
    expect(told(...renamed(parts, node(number)))).toEqual(
      expect.arrayContaining(['! order: answer Node.id is integer, was string']),
    )
    expect(told(parts, parts)).toEqual([])
  })

  it('is compared when it is nothing but itself', () => {
    const schemas = { A: ref('B'), B: ref('A'), C: { allOf: [ref('C')] } }
    const answer = { anyOf: [ref('A'), ref('C')] }
    expect(told({ answer, schemas }, { answer, schemas })).toEqual([])
  })
})

describe('allOf', () => {
  const base = { type: 'object', properties: { id: text }, required: ['id'] }

  it('is what its parts make together', () => {
    const whole = { ...base, properties: { ...base.properties, name: text } }
    const parts = { allOf: [base, { properties: { name: text } }] }
    expect(told({ answer: whole }, { answer: parts })).toEqual([])
  })

  it('with a part more asks for more', () => {
    const after = { allOf: [base, { type: 'object', required: ['name'] }] }
    expect(told({ request: base }, { request: after })).toEqual([
      '! order: body name is required now',
    ])
  })

  it('takes the narrower of two limits and what two lists share', () => {
    const parts = {
      allOf: [
        { ...text, maxLength: 9, enum: ['a', 'b'] },
        { maxLength: 5, enum: ['b'] },
      ],
    }
    expect(told({ request: { ...text, maxLength: 5, enum: ['b'] } }, { request: parts })).toEqual(
      [],
    )
  })
})

describe('a union', () => {
  const both = { oneOf: [kind('a'), kind('b')] }

  it('may gain a shape in a request, and not in an answer', () => {
    const after = { oneOf: [kind('a'), kind('b'), kind('c')] }
    expect(told({ request: both }, { request: after })).toEqual(['order: body may be type "c" now'])
    expect(told({ answer: both }, { answer: after })).toEqual([
      '! order: answer may be type "c" now',
    ])
  })

  it('may gain a shape in an answer that says so beforehand', () => {
    const open = { ...both, 'x-extensible': true }
    const after = { ...open, oneOf: [...both.oneOf, kind('c')] }
    expect(told({ answer: open }, { answer: after })).toEqual(['order: answer may be type "c" now'])
  })

  it('may lose a shape in an answer, and not in a request', () => {
    const after = { oneOf: [kind('b')] }
    expect(told({ answer: both }, { answer: after })).toEqual([
      'order: answer is never type "a" now',
    ])
    expect(told({ request: both }, { request: after })).toEqual([
      '! order: body is never type "a" now',
    ])
  })

  it('is compared shape by shape, whatever their order', () => {
    const after = { anyOf: [kind('b', { more: text }), kind('a')] }
    expect(told({ answer: both }, { answer: after })).toEqual([
      'order: answer (type "b").more is new',
    ])
  })

  it('says what a list of types says', () => {
    const listed = { type: ['integer', 'string'], minimum: 1, pattern: '^a', description: 'Both.' }
    const apart = (minimum: number) => ({
      anyOf: [
        { type: 'integer', minimum },
        { type: 'string', pattern: '^a' },
      ],
    })
    for (const [before, after] of [
      [listed, apart(1)],
      [apart(1), listed],
    ]) {
      expect(told({ request: before }, { request: after })).toEqual([])
      expect(told({ answer: before }, { answer: after })).toEqual([])
    }
    expect(told({ request: listed }, { request: apart(2) })).toEqual([
      '! order: body (integer) has a minimum of 2, was 1',
    ])
  })

  it('of named schemas calls them by their names', () => {
    const answer = { oneOf: [ref('A'), ref('B')] }
    const parts = { answer, schemas: { A: kind('a', { x: text }), B: kind('b') } }
    expect(told(...renamed(parts, { A: kind('a') }))).toEqual(['! order: answer A.x is gone'])
  })

  it('of more shapes than can be told apart is compared as it is written', () => {
    const many = (last: string) => ({
      oneOf: Array.from({ length: 100 }, (_, i) => ({ const: i === 99 ? last : `${i}` })),
    })
    expect(told({ answer: many('a') }, { answer: many('a') })).toEqual([])
    expect(told({ answer: many('a') }, { answer: many('b') })).toEqual([
      '! order: answer has another union of many shapes',
    ])
  })
})

describe('a schema that is false', () => {
  it('fits nothing', () => {
    expect(told({ request: text }, { request: false })).toEqual([
      '! order: body is never string now',
    ])
  })
})
