import { describe, expect, it } from '@jest/globals'
import { type Parts, told } from '../support/contract-documents.ts'

type Case = [guarantee: string, before: object, after: object, lines: string[]]

const query = (name: string, more: object = {}) => ({ name, in: 'query', ...more })
const taking = (...parameters: object[]) => ({ parameters })
const answering = (...statuses: string[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, {}])),
})
const headed = (headers: object) => ({ responses: { '200': { headers } } })
const codes = (...all: string[]) => ({ 'x-error-codes': all })
const scopes = (...all: string[]) => ({ 'x-required-scopes': all })
const limit = (bytes: number, code = 'payload_too_large') => ({ 'x-body-limit': { bytes, code } })
const fault = (code: string) => ({ 'x-body-error-codes': [{ path: 'phone', code }] })
const typed = (...types: string[]) => ({
  responses: { '200': { content: Object.fromEntries(types.map((type) => [type, {}])) } },
})

const CASES: Case[] = [
  [
    'another operationId breaks',
    {},
    { operationId: 'buy' },
    ['! order has the operationId buy, was order'],
  ],
  ['a deprecation does not', {}, { deprecated: true }, ['order is deprecated']],
  ['a scope more breaks', scopes('a'), scopes('a', 'b'), ['! order: scope b is required now']],
  [
    'a scope less does not',
    scopes('a', 'b'),
    scopes('a'),
    ['order: scope b is not required any more'],
  ],
  [
    'a credential where none was due breaks',
    { security: [] },
    { security: [{ key: [] }] },
    ['! order: security asks for another credential'],
  ],
  [
    'another scope of a credential breaks',
    { security: [{ key: ['a'] }] },
    { security: [{ key: ['b'] }] },
    ['! order: security asks for another credential'],
  ],
  [
    'a second way to be let in does not',
    { security: [{ key: [] }] },
    { security: [{ key: [] }, { token: [] }] },
    ['order: security asks for less of a credential'],
  ],
  ['an error code more does not', codes('a'), codes('a', 'b'), ['order: error code b is new']],
  ['an error code less does not', codes('a', 'b'), codes('a'), ['order: error code b is gone']],
  [
    'another code for the same fault breaks',
    fault('invalid_phone'),
    fault('missing_phone'),
    ['! order: error code a fault of phone is no longer refused as invalid_phone'],
  ],
  [
    'a code for a fault without one does not',
    {},
    fault('invalid_phone'),
    ['order: error code a fault of phone is refused as invalid_phone'],
  ],
  ['a lower limit of a body breaks', limit(9), limit(5), ['! order: body may have 5 bytes now']],
  ['a higher limit of a body does not', limit(5), limit(9), ['order: body may have 9 bytes now']],
  [
    'another choice of the project breaks',
    {},
    { 'x-project': 'ignored' },
    ['! order heeds X-Service-Project in another way'],
  ],
  ['a parameter less breaks', taking(query('a')), taking(), ['! order: query parameter a is gone']],
  ['a parameter more does not', taking(), taking(query('a')), ['order: query parameter a is new']],
  [
    'a required parameter more breaks',
    taking(),
    taking(query('a', { required: true })),
    ['! order: query parameter a is new and required'],
  ],
  [
    'a parameter that becomes required breaks',
    taking(query('a')),
    taking(query('a', { required: true })),
    ['! order: query parameter a is required now'],
  ],
  [
    'a parameter that becomes optional does not',
    taking(query('a', { required: true })),
    taking(query('a')),
    ['order: query parameter a is optional now'],
  ],
  [
    'a parameter in another place breaks',
    taking(query('a')),
    taking(query('a', { in: 'header' })),
    ['! order: query parameter a is gone', 'order: header parameter a is new'],
  ],
  [
    'a header in another case changes nothing',
    taking(query('A', { in: 'header' })),
    taking(query('a', { in: 'header' })),
    [],
  ],
  [
    'another way to write a parameter breaks',
    taking(query('a')),
    taking(query('a', { explode: false })),
    ['! order: query parameter a is written differently: explode'],
  ],
  [
    'a parameter whose reserved characters need no escape any more does not',
    taking(query('a')),
    taking(query('a', { allowReserved: true })),
    ['order: query parameter a may hold reserved characters as they are'],
  ],
  [
    'a parameter whose reserved characters need an escape breaks',
    taking(query('a', { allowReserved: true })),
    taking(query('a')),
    ['! order: query parameter a is written differently: allowReserved'],
  ],
  [
    'a parameter that is deprecated does not',
    taking(query('a')),
    taking(query('a', { deprecated: true })),
    ['order: query parameter a is deprecated'],
  ],
  [
    'a narrower parameter breaks',
    taking(query('a', { schema: { maximum: 9 } })),
    taking(query('a', { schema: { maximum: 5 } })),
    ['! order: query parameter a has a maximum of 5, was 9'],
  ],
  [
    'another success breaks',
    answering('200'),
    answering('201'),
    ['! order: status 200 is gone', '! order: status 201 is new'],
  ],
  [
    'a failure more does not',
    answering('200'),
    answering('200', '409'),
    ['order: status 409 is new'],
  ],
  [
    'a failure less does not',
    answering('200', '409'),
    answering('200'),
    ['order: status 409 is gone'],
  ],
  [
    'a header less breaks',
    headed({ ETag: {} }),
    headed({}),
    ['! order: answer header ETag is gone'],
  ],
  [
    'a header more does not',
    headed({}),
    headed({ ETag: {} }),
    ['order: answer header ETag is new'],
  ],
  [
    'a header that may be absent breaks',
    headed({ ETag: { required: true } }),
    headed({ etag: {} }),
    ['! order: answer header ETag is not always there now'],
  ],
  [
    'a type of answer less breaks',
    typed('a/b', 'c/d'),
    typed('a/b'),
    ['! order: answer is no longer c/d'],
  ],
  [
    'a type of answer more does not',
    typed('a/b'),
    typed('a/b', 'c/d'),
    ['order: answer may be c/d, too'],
  ],
  [
    'a body that is no longer taken breaks',
    {},
    { requestBody: undefined },
    ['! order: body is gone'],
  ],
  [
    'a required body where there was none breaks',
    { requestBody: undefined },
    {},
    ['! order: body is new and required'],
  ],
  [
    'a body that may be left out does not',
    {},
    { requestBody: { content: { 'application/json': { schema: {} } } } },
    ['order: body is optional now'],
  ],
  [
    'a summary, a tag or an example is no change',
    { summary: 'a', tags: ['a'] },
    { summary: 'b', tags: ['b'], description: 'c' },
    [],
  ],
]

describe('of an operation', () => {
  it.each(CASES)('%s', (_guarantee, before, after, lines) => {
    expect(told({ operation: before }, { operation: after })).toEqual(lines)
  })
})

describe('of a document', () => {
  const at = (paths: object): Parts => ({ document: { paths } })
  const list = { operationId: 'list', responses: {} }

  it('an operation less breaks, and one more does not', () => {
    expect(told(at({ '/a': { get: list } }), at({ '/b': { get: list } }))).toEqual([
      '! list is gone, GET /a',
      'list is new, GET /b',
    ])
  })

  it('the name of a part of a path is nothing that callers see', () => {
    const path = (name: string) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })
    const of = (name: string) => at({ [`/a/{${name}}`]: { parameters: [path(name)], get: list } })
    expect(told(of('id'), of('slug'))).toEqual([])
  })

  it('an event less breaks, and one more does not', () => {
    const events = (...names: string[]): Parts => ({
      document: { webhooks: Object.fromEntries(names.map((name) => [name, { post: {} }])) },
    })
    expect(told(events('a'), events('b'))).toEqual(['! a is gone, an event', 'b is new, an event'])
  })

  it('what several operations share is told once, of all of them', () => {
    const of = (type: string) => {
      const operation = (operationId: string) => ({
        operationId,
        parameters: [query('a', { schema: { type } })],
      })
      return at({ '/a': { get: operation('list'), post: operation('make') } })
    }
    expect(told(of('number'), of('string'))).toEqual([
      '! list, make: query parameter a is string, was number',
    ])
  })
})

describe('a credential', () => {
  const bearer = { type: 'http', scheme: 'bearer' }
  const inHeader = { type: 'apiKey', in: 'header', name: 'X-Key' }
  const kept = (name: string, scheme: object) => ({
    document: {
      security: [{ [name]: [] }],
      components: { schemas: {}, securitySchemes: { [name]: scheme } },
    },
  })
  it('that is sent in another way breaks, under whatever name', () => {
    for (const name of ['key', 'token']) {
      expect(told(kept('key', bearer), kept(name, inHeader))).toEqual([
        '! order, ordered: security asks for another credential',
      ])
    }
  })

  it('that only has another name or description does not', () => {
    const described = { ...bearer, description: 'A key', bearerFormat: 'opaque' }
    expect(told(kept('key', bearer), kept('token', described))).toEqual([])
  })
})
