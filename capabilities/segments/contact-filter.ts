import type { Schema } from '../../core/contract.ts'
import { type RequestFault, ServiceError } from '../../core/errors.ts'
import { readInstant } from '../../core/instants.ts'
import { normalisePhone, phoneMatchKey } from '../../core/phone.ts'
import { hasTag } from '../tag-search.ts'

export type ContactFilter = Schema<'ContactFilter'>
type Condition = Schema<'ContactCondition'>
type Op = Condition['op']
type Value = Condition['value']

/** The tables that a filter's SQL reads: a contact `k` and its conversation `c`, if any. */
export const CONTACT_TABLES = 'contacts k LEFT JOIN conversations c ON c.contact_id = k.id'

const COMPARISONS: Partial<Record<Op, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'LIKE',
  ilike: 'ILIKE',
}
const PATTERNS: Op[] = ['like', 'ilike']
const ORDERED: Op[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'is']
type Kind = 'text' | 'instant' | 'flag' | 'tags'
const OPS: Record<Kind, Op[]> = {
  text: [...ORDERED, ...PATTERNS],
  instant: ORDERED,
  flag: ['eq', 'neq', 'is'],
  tags: ['contains', 'not_contains'],
}

/** A column that conditions may name, and the kind of its values. */
type Field = { kind: Kind; column: string }
const FIELDS: Record<string, Field> = {
  phone: { kind: 'text', column: 'k.phone' },
  name: { kind: 'text', column: 'coalesce(k.name, k.profile_name)' },
  state: { kind: 'text', column: 'c.state' },
  created_at: { kind: 'instant', column: 'k.created_at' },
  last_inbound_at: { kind: 'instant', column: 'c.last_inbound_at' },
  opted_in: { kind: 'flag', column: 'k.opted_in' },
  tags: { kind: 'tags', column: 'k.tags' },
}
const ATTRIBUTE = 'attributes.'
const DAY = /^\d{4}-\d\d-\d\d$/

/** Adds a value and answers with its placeholder. */
type Place = (value: unknown) => string
/** What is wrong with a condition; the message continues the path of its member. */
type Fault = { member: keyof Condition; message: string; isNull?: boolean }
type Compiled = { sql: string } | Fault

/**
 * Compiles a filter to an SQL condition over `CONTACT_TABLES`, where `$1` is the project. Every value goes
 * through `place`; nothing of the filter becomes text of the statement. Throws `null_filter_value` for null, or
 * the text null, in any operator but `is`, and `invalid_request` for other faults; both carry the path, below
 * `path`.
 */
export function compileFilter(filter: ContactFilter, path: string, place: Place): string {
  const compiled = filter.conditions.map((one) => compileCondition(one, place))
  const faults = compiled.flatMap((one, index) => ('sql' in one ? [] : [{ ...one, index }]))
  const told = faults.map(({ index, member, message }) => ({
    path: `${path}.conditions.${index}.${member}`,
    message,
  }))
  const isNull = faults.some((fault) => fault.isNull)
  if (told.length > 0) throw refusal(told, isNull ? 'null_filter_value' : 'invalid_request')
  if (compiled.length === 0) return 'true'
  const glue = filter.match === 'any' ? ' OR ' : ' AND '
  return `(${compiled.map((one) => ('sql' in one ? `(${one.sql})` : 'false')).join(glue)})`
}

/** A filter with all defaults filled in, as it is stored. */
export function completeFilter(filter: Schema<'ContactFilterRequest'>): ContactFilter {
  return { match: filter.match ?? 'all', conditions: filter.conditions }
}

function refusal(errors: RequestFault[], code: 'null_filter_value' | 'invalid_request') {
  const [first] = errors
  const problem = `The filter does not fit: ${first?.path} ${first?.message}.`
  return new ServiceError(code, problem, { details: { errors } })
}

function compileCondition({ field, op, value }: Condition, place: Place): Compiled {
  if (op === 'is') {
    if (value !== null && typeof value !== 'boolean') return wrongValue('null, true or false')
  } else if (value === null || value === 'null') {
    return { member: 'value', message: 'is null, which only the op is compares', isNull: true }
  }
  if (PATTERNS.includes(op)) {
    const fault = patternFault(value)
    if (fault) return fault
  }
  if (field.startsWith(ATTRIBUTE)) {
    return compileAttribute(field.slice(ATTRIBUTE.length), op, value, place)
  }
  const known = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  if (!known) return { member: 'field', message: 'is not known' }
  if (!OPS[known.kind].includes(op)) {
    return { member: 'op', message: `must be one of ${OPS[known.kind].join(', ')} for ${field}` }
  }
  return compileColumn(field, known, op, value, place)
}

/** Refuses LIKE patterns that PostgreSQL rejects or would read differently from their author. */
function patternFault(value: Value): Fault | null {
  if (typeof value !== 'string') return wrongValue('a text')
  if (value.includes('*')) return wrongValue('a pattern of % and _, without *')
  const [backslashes = ''] = /\\*$/.exec(value) ?? []
  return backslashes.length % 2 === 1 ? wrongValue('a pattern that does not end in \\') : null
}

function compileColumn(
  name: string,
  { kind, column }: Field,
  op: Op,
  value: Value,
  place: Place,
): Compiled {
  if (op === 'is') {
    if (value === null) return { sql: `${column} IS NULL` }
    return kind === 'flag' ? { sql: `${column} IS ${value}` } : wrongValue(`null for ${name}`)
  }
  switch (kind) {
    case 'flag':
      if (typeof value !== 'boolean') return wrongValue('true or false')
      return { sql: `${column} ${COMPARISONS[op]} ${place(value)}::boolean` }
    case 'instant':
      return compileInstant(column, op, value, place)
    case 'tags': {
      if (typeof value !== 'string') return wrongValue('a text')
      const tag = place(value)
      return op === 'contains'
        ? { sql: hasTag(tag) }
        : { sql: `NOT ${column} @> ARRAY[${tag}::text]` }
    }
    case 'text':
      if (typeof value !== 'string') return wrongValue('a text')
      if (name === 'phone' && (op === 'eq' || op === 'neq')) return compilePhone(op, value, place)
      return { sql: compareText(column, op, place(value)) }
  }
}

/** Compares normalised numbers, so that the spelling of either side does not matter. */
function compilePhone(op: Op, value: string, place: Place): Compiled {
  const phone = normalisePhone(value)
  if (phone === null) return wrongValue('a phone number with its country code')
  return { sql: `k.match_key ${COMPARISONS[op]} ${place(phoneMatchKey(phone))}::text` }
}

function compileInstant(column: string, op: Op, value: Value, place: Place): Compiled {
  const text = String(value)
  // A day begins in UTC.
  const instant = readInstant(DAY.test(text) ? `${text}T00:00Z` : text)
  if (!instant) return wrongValue('an instant, in ISO 8601')
  return { sql: `${column} ${COMPARISONS[op]} ${place(instant)}::timestamptz` }
}

/** Compares by code point, which is the same on every PostgreSQL. */
function compareText(column: string, op: Op, placed: string): string {
  const collation = op === 'eq' || op === 'neq' || PATTERNS.includes(op) ? '' : ' COLLATE "C"'
  return `${column}${collation} ${COMPARISONS[op]} ${placed}::text`
}

function compileAttribute(key: string, op: Op, value: Value, place: Place): Compiled {
  const holds = (held: Value) => `k.attributes @> ${place(JSON.stringify({ [key]: held }))}::jsonb`
  const isThere = () => `k.attributes ? ${place(key)}::text`
  if (op === 'is') return { sql: value === null ? `NOT ${isThere()}` : holds(value) }
  if (!COMPARISONS[op]) {
    return { member: 'op', message: `must be one of ${OPS.text.join(', ')} for an attribute` }
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return wrongValue('a finite number')
  if (op === 'eq') return { sql: holds(value) }
  if (op === 'neq') return { sql: `${isThere()} AND NOT ${holds(value)}` }
  if (typeof value === 'boolean') return wrongValue('a text or a number')
  const placed = place(key)
  const held = `k.attributes ->> ${placed}::text`
  const compared =
    typeof value === 'number'
      ? `(${held})::numeric ${COMPARISONS[op]} ${place(String(value))}::numeric`
      : compareText(`(${held})`, op, place(value))
  // Only CASE guarantees that the cast is not evaluated for a text.
  return {
    sql: `CASE WHEN jsonb_typeof(k.attributes -> ${placed}::text) = '${typeof value}' THEN ${compared} END`,
  }
}

function wrongValue(due: string): Fault {
  return { member: 'value', message: `must be ${due}` }
}
