import * as fc from 'fast-check'
import { followed, type Schema } from './document.ts'

/** What of a schema decides which values fit it. */
type Shape = Schema & {
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

const DEPTH_MOST = 6
const TEXT_MOST = 40
const ITEMS_MOST = 4
const SAFE = Number.MAX_SAFE_INTEGER

const text = (maxLength = TEXT_MOST, minLength = 0) =>
  fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, maxLength) })

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  'date-time': fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
}

/** Values that fit a schema, or nearly: what only its description demands is not known here. */
export function fitting(start: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema: Shape = followed(start).schema
  if (depth > DEPTH_MOST) return fc.constant(null)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const kinds = schema.oneOf ?? schema.anyOf
  if (kinds) return fc.oneof(...kinds.map((kind) => fitting(kind, depth + 1)))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...types.map((type) => ofType(type, schema, depth)))
}

function ofType(type: string, schema: Shape, depth: number): fc.Arbitrary<unknown> {
  const { minimum = -SAFE, maximum = SAFE, minItems = 0, maxItems = ITEMS_MOST } = schema
  switch (type) {
    case 'string':
      return ofText(schema)
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items ?? {}, depth + 1), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, ITEMS_MOST)),
      })
    case 'object':
      return ofMembers(schema, depth)
    default:
      return fc.constant(null)
  }
}

function ofText({ pattern, format, minLength = 0, maxLength = TEXT_MOST }: Shape) {
  const known = format === undefined ? undefined : FORMATS[format]
  if (known) return known
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'))
  return text(Math.min(maxLength, TEXT_MOST), minLength)
}

function ofMembers({ properties = {}, required = [], additionalProperties }: Shape, depth: number) {
  const members = Object.entries(properties).map(([name, one]) => [name, fitting(one, depth + 1)])
  const known = fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  })
  if (additionalProperties === false || additionalProperties === undefined) return known
  const free = additionalProperties === true ? {} : additionalProperties
  const more = fc.dictionary(text(), fitting(free, depth + 1), { maxKeys: ITEMS_MOST })
  return fc.tuple(more, known).map(([more, known]) => ({ ...more, ...known }))
}

const HOSTILE_TEXTS = [
  ...['', ' ', '\0', 'a\0b', '\uFEFF', '\u202E', '__proto__', 'constructor', 'toString', '%00'],
  ...["' OR 1=1 --", '"; DROP TABLE x; --', '${7*7}', '{{7*7}}', '../../etc/passwd', '%2e%2e%2f'],
  ...['null', 'true', '-1', '0', '1e309', '0x10', '9007199254740993', 'NaN', '1.0', '[]', '{}'],
  ...['javascript:alert(1)', 'http://127.0.0.1/', 'https://[::1]/', 'file:///etc/passwd'],
  ...[
    '9999-99-99T99:99:99Z',
    '2026-02-30T00:00:00Z',
    '\u{1F468}\u200D\u{1F469}',
    'x'.repeat(5_000),
  ],
]

/** Texts that parsers and databases have tripped over, and any others. */
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: TEXT_MOST }),
)

/** Any JSON at all, and what is odd in JSON. */
export const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, SAFE, SAFE + 1, 1e308, -1e-320, 5e-324),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { $ref: '#' }, { toString: null }),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}')),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
)

/** A value with one or two of its parts taken away, changed, added or multiplied. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.array(fc.nat(), { maxLength: DEPTH_MOST }),
    what: fc.constantFrom('replace', 'remove', 'add', 'multiply' as const),
    by: hostileValue,
    name: hostileText,
  })
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map((changes) => changes.reduce<unknown>((now, one) => changed(now, one.at, one), value))
}

type Change = { what: string; by: unknown; name: string }

function changed(value: unknown, [first, ...rest]: number[], change: Change): unknown {
  if (typeof value !== 'object' || value === null || first === undefined) {
    return change.what === 'multiply' ? Array.from({ length: 101 }, () => value) : change.by
  }
  const entries: [string, unknown][] = Object.entries(value)
  const at = first % (entries.length + 1)
  const chosen = entries[at]
  if (change.what === 'add' || !chosen) entries.push([change.name, change.by])
  else if (change.what === 'remove' && rest.length === 0) entries.splice(at, 1)
  else entries[at] = [chosen[0], changed(chosen[1], rest, change)]
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}
