import { describe, expect, it } from '@jest/globals'
import { told } from '../support/contract-documents.ts'

type Case = [guarantee: string, before: unknown, after: unknown, request: string, answer: string]
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const text = { type: 'string' }
const number = { type: 'integer' }

/** Each change once as that of a request, and once as that of an answer. */
const CASES: Case[] = [
  [
    'a type that takes less',
    { type: 'number' },
    number,
    '! is integer, was number',
    'is integer, was number',
  ],
  [
    'a type that takes more',
    number,
    { type: 'number' },
    'is number, was integer',
    '! is number, was integer',
  ],
  ['another type', text, number, '! is integer, was string', '! is integer, was string'],
  [
    'a second type',
    text,
    { type: ['string', 'integer'] },
    'is string or integer, was string',
    '! is string or integer, was string',
  ],
  [
    'a type where there was none',
    {},
    { type: ['string', 'null'] },
    '! is string, was anything',
    'is string, was anything',
  ],
  ['null allowed', text, { type: ['string', 'null'] }, 'may be null now', '! may be null now'],
  [
    'null allowed no more',
    { type: ['string', 'null'] },
    text,
    '! is never null now',
    'is never null now',
  ],
  [
    'null allowed by a union',
    text,
    { oneOf: [text, { type: 'null' }] },
    'may be null now',
    '! may be null now',
  ],
  [
    'null allowed as in 3.0',
    text,
    { ...text, nullable: true },
    'may be null now',
    '! may be null now',
  ],
  [
    'null among the values',
    { enum: ['a'] },
    { enum: ['a', null] },
    'may be null now',
    '! may be null now',
  ],
  ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, '! is never "b" now', 'is never "b" now'],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'may be "b" now', '! may be "b" now'],
  [
    'a value more where that was announced',
    { enum: ['a'], 'x-extensible': true },
    { enum: ['a', 'b'], 'x-extensible': true },
    'may be "b" now',
    'may be "b" now',
  ],
  [
    'a value more, announced at once',
    { enum: ['a'] },
    { enum: ['a', 'b'], 'x-extensible': true },
    'may be "b" now',
    '! may be "b" now',
  ],
  ['another constant', { const: 'a' }, { const: 'b' }, '! is never "a" now', '! may be "b" now'],
  [
    'values that were free',
    { enum: ['a'] },
    text,
    'takes more than listed values',
    '! takes more than listed values',
  ],
  [
    'free values that are listed',
    text,
    { type: 'string', enum: ['a'] },
    '! takes listed values alone',
    'takes listed values alone',
  ],
  [
    'a lower maximum',
    { maxLength: 9 },
    { maxLength: 5 },
    '! has a maxLength of 5, was 9',
    'has a maxLength of 5, was 9',
  ],
  [
    'a higher maximum',
    { maximum: 5 },
    { maximum: 9 },
    'has a maximum of 9, was 5',
    '! has a maximum of 9, was 5',
  ],
  [
    'a higher minimum',
    { minItems: 1 },
    { minItems: 2 },
    '! has a minItems of 2, was 1',
    'has a minItems of 2, was 1',
  ],
  [
    'a lower minimum',
    { minimum: 1 },
    { minimum: 0 },
    'has a minimum of 0, was 1',
    '! has a minimum of 0, was 1',
  ],
  [
    'a limit where there was none',
    {},
    { maxItems: 5 },
    '! has a maxItems now: 5',
    'has a maxItems now: 5',
  ],
  [
    'no limit any more',
    { maxItems: 5 },
    {},
    'has no maxItems any more: 5',
    '! has no maxItems any more: 5',
  ],
  [
    'another pattern',
    { pattern: '^a$' },
    { pattern: '^b$' },
    '! has another pattern: ^b$',
    '! has another pattern: ^b$',
  ],
  ...(
    [
      ['more characters', '^wh_[0-9a-f]{24}$', '^wh_[0-9A-Za-z_-]{24}$'],
      ['more lengths', '^wh_[0-9a-f]{24}$', '^wh_[0-9a-f]{1,64}$'],
      ['any length', '^[a-z]{2}$', '^[a-z]+$'],
      ['none, too', '^[a-z]+$', '^[a-z]*$'],
      ['one as well as many', '^[a-z]$', '^[a-z]{1,}$'],
    ] as const
  ).flatMap(([name, narrow, wide]): Case[] => [
    [
      `a pattern of ${name}`,
      { pattern: narrow },
      { pattern: wide },
      `has another pattern: ${wide}`,
      `! has another pattern: ${wide}`,
    ],
    [
      `a pattern no longer of ${name}`,
      { pattern: wide },
      { pattern: narrow },
      `! has another pattern: ${narrow}`,
      `has another pattern: ${narrow}`,
    ],
  ]),
  ...(
    [
      ['other characters', '^[a-z]{3}$', '^[0-9]{3}$'],
      ['another beginning', '^a[0-9]{3}$', '^b[0-9]{3}$'],
      ['more characters and fewer lengths', '^[a-z]{1,9}$', '^[a-z0-9]{1,8}$'],
      ['a shape that is not known', '^[a-z]{3}$', '^[a-z]{3}|x$'],
    ] as const
  ).map(([name, before, after]): Case => [
    `a pattern of ${name}`,
    { pattern: before },
    { pattern: after },
    `! has another pattern: ${after}`,
    `! has another pattern: ${after}`,
  ]),
  ['a format', {}, { format: 'uri' }, '! has a format now: uri', 'has a format now: uri'],
  [
    'a format less',
    { format: 'uri' },
    {},
    'has no format any more: uri',
    '! has no format any more: uri',
  ],
  [
    'a condition that is not understood',
    { not: { const: 1 } },
    { not: { const: 2 } },
    '! has another not',
    '! has another not',
  ],
  [
    'another default',
    { default: 1 },
    { default: 2 },
    '! has the default 2, was 1',
    'has the default 2, was 1',
  ],
  [
    'a default more',
    {},
    { default: 2 },
    'has the default 2, was none',
    'has the default 2, was none',
  ],
  [
    'a default less',
    { default: 2 },
    {},
    '! has the default none, was 2',
    'has the default none, was 2',
  ],
  [
    'a member less',
    object({ a: text, b: text }),
    object({ a: text }),
    '! b is gone',
    '! b is gone',
  ],
  ['a member more', object({}), object({ a: text }), 'a is new', 'a is new'],
  [
    'a required member more',
    object({}),
    object({ a: text }, ['a']),
    '! a is new and required',
    'a is new',
  ],
  [
    'a member that becomes required',
    object({ a: text }),
    object({ a: text }, ['a']),
    '! a is required now',
    'a is always there now',
  ],
  [
    'a member that becomes optional',
    object({ a: text }, ['a']),
    object({ a: text }),
    'a is optional now',
    '! a is not always there now',
  ],
  [
    'a member that is required undescribed',
    { type: 'object' },
    { type: 'object', required: ['a'] },
    '! a is required now',
    'a is required now',
  ],
  [
    'a member that changes inside',
    object({ a: object({ b: text }) }),
    object({ a: object({ b: number }) }),
    '! a.b is integer, was string',
    '! a.b is integer, was string',
  ],
  [
    'a member that is deprecated',
    object({ a: text }),
    object({ a: { ...text, deprecated: true } }),
    'a is deprecated',
    'a is deprecated',
  ],
  [
    'an object that is closed',
    { type: 'object' },
    object({}),
    '! takes no other members now',
    'takes no other members now',
  ],
  [
    'an object that is opened',
    object({}),
    { type: 'object' },
    'takes any members now',
    'takes any members now',
  ],
  [
    'described members that become any',
    { additionalProperties: text },
    {},
    'takes any members now',
    '! takes any members now',
  ],
  [
    'described members that change',
    { additionalProperties: text },
    { additionalProperties: number },
    '! * is integer, was string',
    '! * is integer, was string',
  ],
  [
    'a member that is described like the others from now on',
    { properties: { a: text }, additionalProperties: number },
    { additionalProperties: number },
    '! a is integer, was string',
    '! a is integer, was string',
  ],
  [
    'names of members that are bound',
    { propertyNames: { maxLength: 9 } },
    { propertyNames: { maxLength: 8 } },
    '! [name] has a maxLength of 8, was 9',
    '[name] has a maxLength of 8, was 9',
  ],
  [
    'items that change',
    { type: 'array', items: text },
    { type: 'array', items: number },
    '! [] is integer, was string',
    '! [] is integer, was string',
  ],
  [
    'items that are described',
    { type: 'array' },
    { type: 'array', items: {} },
    '! [] is described now',
    '[] is described now',
  ],
]

const linesOf = (place: string, line: string) =>
  line.startsWith('! ') ? `! order: ${place} ${line.slice(2)}` : `order: ${place} ${line}`

describe.each(CASES)('%s', (_guarantee, before, after, inRequest, inAnswer) => {
  it(`in a request: ${inRequest}`, () => {
    expect(told({ request: before }, { request: after })).toContain(linesOf('body', inRequest))
  })

  it(`in an answer: ${inAnswer}`, () => {
    expect(told({ answer: before }, { answer: after })).toContain(linesOf('answer', inAnswer))
  })

  it('is judged in an event as in an answer', () => {
    const inEvent = told({ event: before }, { event: after })
    expect(inEvent).toContain(linesOf('body', inAnswer).replace('order:', 'ordered:'))
  })

  it('is told of nothing that stays as it is', () => {
    expect(told({ request: after, answer: before }, { request: after, answer: before })).toEqual([])
  })
})

describe('a type', () => {
  it.each([
    [{ type: 'boolean', const: true }, { const: true }],
    [{ type: 'string', enum: ['a', 'b'] }, { enum: ['a', 'b'] }],
  ])('may be left to the values that are listed: %j', (before, after) => {
    expect(told({ request: before, answer: before }, { request: after, answer: after })).toEqual([])
  })
})

describe('a member', () => {
  it('may come and go where it is described like the others', () => {
    const others = { type: 'object', additionalProperties: text }
    const named = { ...others, properties: { a: text } }
    expect(told({ request: others, answer: others }, { request: named, answer: named })).toEqual([])
    expect(told({ request: named, answer: named }, { request: others, answer: others })).toEqual([])
  })
})
