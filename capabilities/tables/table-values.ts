import { holdsInfinity } from '../../core/doubles.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Column, ValueKind } from './table-catalog.ts'

/** Up to this many significant digits always survive in a double. */
const SAFE_DIGITS = 15
/** A number with more digits than that. */
const LONG_NUMBER = /-?\d[\d.eE+-]{15,}/g

/** Makes JSON from a value in PostgreSQL's text format. */
export type Render = (text: string) => string

/** How each kind of value becomes JSON; arrays of JSON documents and of doubles are JSON already. */
export const RENDERERS: Record<ValueKind, Render> = {
  number: (text) => text,
  exact: (text) => (isExact(text) ? text : `"${text}"`),
  float: (text) => (/^[-\d]+(\.\d+)?(e[-+]\d+)?$/.test(text) ? text : `"${text}"`),
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  json: (text) => text,
  instant,
  nested: quoteInexact,
  text: (text) => JSON.stringify(text),
}

/** Whether a double represents the number exactly; NaN and infinities are no JSON numbers. */
export function isExact(text: string): boolean {
  if (text.length <= SAFE_DIGITS) return /^-?\d/.test(text)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return false
  const number = Number(text)
  if (!Number.isFinite(number)) return false
  const [whole = '', fraction = ''] = text.split('.')
  if (/^0*$/.test(fraction)) return BigInt(whole) === BigInt(number)
  return digitsOf(text) === digitsOf(String(number))
}

/** The digits of a decimal and the position of its point, without insignificant zeros. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const leading = whole.length + Number(exponent) - (whole + fraction).length + digits.length
  // A loop from the end: a pattern would backtrack at each of thousands of zeros.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return `${sign}${digits.slice(0, end)}@${leading}`
}

/**
 * Quotes every number that a double would change in the JSON that PostgreSQL makes of an array or a composite
 * value. Strings are skipped from quote to quote: a pattern cannot match one of megabytes, and would stop at
 * each number.
 */
function quoteInexact(json: string): string {
  let quoted = ''
  let at = 0
  while (at < json.length) {
    const opening = json.indexOf('"', at)
    const start = opening < 0 ? json.length : opening
    const plain = json.slice(at, start)
    quoted += plain.replace(LONG_NUMBER, (number) => (isExact(number) ? number : `"${number}"`))
    at = endOfText(json, start)
    quoted += json.slice(start, at)
  }
  return quoted
}

/** The position after the closing quote of the string that begins here. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

function isEscaped(json: string, at: number): boolean {
  let before = at
  while (json[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/

/** PostgreSQL's own JSON has a T between date and time, and minutes in the offset. */
function instant(text: string): string {
  if (IN_UTC.test(text)) return `"${text.slice(0, 10)}T${text.slice(11)}:00"`
  return JSON.stringify(text.replace(' ', 'T').replace(/([+-]\d\d)(?= BC$|$)/, '$1:00'))
}

/**
 * A JSON value in PostgreSQL's text format for the column; null for null. Throws `bad_request`, naming the
 * column, for a value that cannot fit.
 */
export function valueText(column: Column, value: unknown): string | null {
  if (value === null) return null
  if (column.holdsJson && holdsInfinity(value)) throw unfit(column, 'takes no number of that size')
  if (column.holdsJson && !column.isArray) return storable(column, JSON.stringify(value))
  if (Array.isArray(value) && column.isArray) return storable(column, arrayText(column, value))
  return scalarText(column, value)
}

function scalarText(column: Column, value: unknown): string {
  if (typeof value === 'string') return storable(column, value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') {
    throw unfit(column, `takes no ${Array.isArray(value) ? 'array' : 'object'}`)
  }
  if (!Number.isFinite(value)) throw unfit(column, 'takes no number of that size')
  // JSON parsing may have rounded an integer beyond 2^53, which does no harm to a double only.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !column.holdsFloats) {
    throw unfit(column, 'takes a number of that size as a string, so that no digit is lost')
  }
  return String(value)
}

function arrayText(column: Column, items: unknown[]): string {
  const { separator } = column
  if (separator === ' ') return items.map((item) => scalarText(column, item)).join(' ')
  const texts = items.map((item) => {
    if (column.holdsJson) return quotedItem(JSON.stringify(item))
    if (item === null) return 'NULL'
    return Array.isArray(item) ? arrayText(column, item) : quotedItem(scalarText(column, item))
  })
  return `{${texts.join(separator)}}`
}

function quotedItem(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function storable(column: Column, text: string): string {
  if (text.includes('\0') || /[\ud800-\udfff]/u.test(text)) {
    throw unfit(column, 'takes no text with a NUL or a broken surrogate pair')
  }
  return text
}

function unfit({ name }: Column, problem: string): ServiceError {
  return new ServiceError('bad_request', `The column ${name} ${problem}.`, {
    details: { column: name },
  })
}
