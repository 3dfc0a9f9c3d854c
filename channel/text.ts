import { isRecord } from '../core/json-values.ts'

/**
 * Removes what PostgreSQL and UTF-8 cannot represent, NUL and halves of surrogate pairs, which would make a
 * customer's message fail further on.
 */
export function cleanText(text: string, lengthMax: number): string {
  return text
    .slice(0, lengthMax)
    .replaceAll('\u0000', '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The same as `cleanText`, on one line and without control characters: for titles and reasons. */
export function cleanLine(text: string, lengthMax: number): string {
  const line = text
    .slice(0, lengthMax * 2)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return cleanText(line, lengthMax)
}

/** A text on one line; null for other values, and for one that is blank. */
export function readLine(value: unknown, lengthMax: number): string | null {
  return typeof value === 'string' ? cleanLine(value, lengthMax) || null : null
}

const depthMax = 32
const stringLengthMax = 65_536
const keyLengthMax = 256
/** Far above real messages: the largest are orders of a thousand items, and hundreds of contacts. */
const valuesMax = 20_000
export const charactersMax = 262_144

/** How much more of a value may be kept: it is read again by lists, bots and webhooks, often many together. */
type Room = { values: number; characters: number }

/**
 * A copy of a parsed JSON value that can be stored; values nested deeper than 32 levels become null, and
 * everything after 20,000 values or 262,144 characters is left out.
 */
export function cleanValue(
  value: unknown,
  depth = 0,
  room: Room = { values: valuesMax, characters: charactersMax },
): unknown {
  room.values--
  if (typeof value === 'string') return cleanWithin(value, stringLengthMax, room)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (depth >= depthMax) return null
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      if (room.values <= 0) break
      items.push(cleanValue(item, depth + 1, room))
    }
    return items
  }
  return isRecord(value) ? cleanRecord(value, depth, room) : null
}

/** The same as `cleanValue`, for a value known to be an object. */
export function cleanRecord(
  value: Record<string, unknown>,
  depth = 0,
  room: Room = { values: valuesMax, characters: charactersMax },
): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const name of Object.keys(value)) {
    if (room.values <= 0) break
    const key = cleanWithin(name, keyLengthMax, room)
    entries.push([key, cleanValue(value[name], depth + 1, room)])
  }
  return Object.fromEntries(entries)
}

function cleanWithin(text: string, lengthMax: number, room: Room): string {
  const clean = cleanText(text, Math.min(lengthMax, room.characters))
  room.characters -= clean.length
  // Without room for characters, any further values would be empty texts.
  if (clean.length < text.length && room.characters <= 0) room.values = 0
  return clean
}
