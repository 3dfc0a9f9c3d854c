import { isDeepStrictEqual } from 'node:util'
import type { Pair, Shift } from './changes.ts'
import { type Fields, listOf, typeListOf } from './documents.ts'
import { patternShift } from './patterns.ts'
import { OPAQUE } from './views.ts'

/** What a keyword's change means for the values that fit. */
export type KeywordChange = { shift: Shift; what: string; isExtension?: boolean }

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array']
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Of these it is known that they restrict, but, beside patterns, not which of two restricts more. */
const RESTRICTING = [
  ...['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'],
  ...['not', 'if', 'then', 'else', 'patternProperties', 'dependentRequired', 'dependentSchemas'],
  ...['prefixItems', 'contains', 'minContains', 'maxContains'],
  ...['unevaluatedProperties', 'unevaluatedItems', OPAQUE],
]

/** The types that a shape allows, `integer` beside `number`. */
export function typesOf(keywords: Fields): Set<string> {
  const types = new Set(saidTypes(keywords) ?? TYPES)
  if (types.has('number')) types.add('integer')
  return types
}

/** The types that a shape names, or that its listed values have; null when it says nothing of either. */
function saidTypes(keywords: Fields): string[] | null {
  const named = typeListOf(keywords)
  if (named || keywords.enum === undefined) return named
  const types = listOf(keywords.enum).map((value) =>
    Array.isArray(value) ? 'array' : typeof value,
  )
  return [...new Set(types)]
}

/** How the types, values and limits of a shape have changed. */
export function keywordChanges(pair: Pair<Fields>): KeywordChange[] {
  return [
    ...typeChanges(pair),
    ...enumChanges(pair),
    ...LOWER.flatMap((key) => limitChanges(key, pair, 1)),
    ...UPPER.flatMap((key) => limitChanges(key, pair, -1)),
    ...RESTRICTING.flatMap((key) => restrictionChanges(key, pair)),
  ]
}

function typeChanges({ before, after }: Pair<Fields>): KeywordChange[] {
  const [old, now] = [typesOf(before), typesOf(after)]
  const [gone, added] = [less(old, now), less(now, old)]
  if (gone.length === 0 && added.length === 0) return []
  const shift = gone.length === 0 ? 'wider' : added.length === 0 ? 'narrower' : 'other'
  const words = (keywords: Fields) => saidTypes(keywords)?.join(' or ') ?? 'anything'
  return [{ shift, what: `is ${words(after)}, was ${words(before)}` }]
}

function enumChanges({ before, after }: Pair<Fields>): KeywordChange[] {
  if (before.enum === undefined && after.enum === undefined) return []
  if (before.enum === undefined) return [{ shift: 'narrower', what: 'takes listed values alone' }]
  if (after.enum === undefined) return [{ shift: 'wider', what: 'takes more than listed values' }]
  const values = (list: unknown) => new Set(listOf(list).map((value) => JSON.stringify(value)))
  const [old, now] = [values(before.enum), values(after.enum)]
  const isExtension = before['x-extensible'] === true
  return [
    ...less(old, now).map((one) => ({ shift: 'narrower' as const, what: `is never ${one} now` })),
    ...less(now, old).map((one) => ({
      shift: 'wider' as const,
      isExtension,
      what: `may be ${one} now`,
    })),
  ]
}

/** `sign` is 1 when a higher number lets fewer values fit, and -1 when more. */
function limitChanges(key: string, { before, after }: Pair<Fields>, sign: 1 | -1): KeywordChange[] {
  const [old, now] = [before[key], after[key]]
  if (typeof old !== 'number' || typeof now !== 'number') {
    return restrictionChanges(key, { before, after })
  }
  if (old === now) return []
  const shift = (now - old) * sign > 0 ? 'narrower' : 'wider'
  return [{ shift, what: `has a ${key} of ${now}, was ${old}` }]
}

function restrictionChanges(key: string, { before, after }: Pair<Fields>): KeywordChange[] {
  const [old, now] = [before[key], after[key]]
  if (isDeepStrictEqual(old, now)) return []
  if (old === undefined) return [{ shift: 'narrower', what: `has a ${key} now${quoted(now)}` }]
  if (now === undefined) return [{ shift: 'wider', what: `has no ${key} any more${quoted(old)}` }]
  const shift = key === 'pattern' ? patternShift({ before: old, after: now }) : 'other'
  return [{ shift, what: `has another ${key}${quoted(now)}` }]
}

function quoted(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `: ${value}` : ''
}

function less<T>(from: Set<T>, other: Set<T>): T[] {
  return [...from].filter((one) => !other.has(one))
}
