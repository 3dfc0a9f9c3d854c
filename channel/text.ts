/**
 * PostgreSQL refuses NUL in text, and half a surrogate pair cannot be written as UTF-8: either
 * would turn a customer's message into a failure further on.
 */
export function cleanText(text: string, lengthMax: number): string {
  return text
    .slice(0, lengthMax)
    .replaceAll('\u0000', '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}

/** As `cleanText`, on one line and without control characters: for titles and reasons. */
export function cleanLine(text: string, lengthMax: number): string {
  const line = text
    .slice(0, lengthMax * 2)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return cleanText(line, lengthMax)
}

/** What a text says on one line; null for what is none, and for one that says nothing. */
export function readLine(value: unknown, lengthMax: number): string | null {
  return typeof value === 'string' ? cleanLine(value, lengthMax) || null : null
}

const depthMax = 32
const stringLengthMax = 65_536
const keyLengthMax = 256

/** A copy of a parsed JSON value that can be stored; what lies deeper than 32 levels is null. */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value, stringLengthMax)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (depth >= depthMax) return null
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1))
  return isRecord(value) ? cleanRecord(value, depth) : null
}

/** As `cleanValue`, for a value already known to be an object. */
export function cleanRecord(value: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [cleanText(key, keyLengthMax), cleanValue(item, depth + 1)]),
  )
}

/** Whether a parsed JSON value is an object, and neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parsed JSON, or undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
