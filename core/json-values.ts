/** Whether a parsed JSON value is an object: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parsed JSON; undefined for malformed text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SPACE = 0x20

function opens(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b
}

function closes(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d
}

/**
 * Whether a JSON text holds more than so many values (texts, numbers, lists, objects, and what these contain).
 * Parsed, each takes up to a hundred times its bytes, and every pass over the body visits each, so they are
 * counted before parsing. The answer for malformed JSON is arbitrary.
 */
export function holdsMoreValues(bytes: Uint8Array, valuesMax: number): boolean {
  let values = 1
  let before = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE) continue
    if (byte === QUOTE) at = endOfText(bytes, at)
    // An empty list or object has nothing after its opening bracket.
    else if (byte === COMMA || opens(byte)) values++
    else if (closes(byte) && opens(before)) values--
    if (values > valuesMax + 1) return true
    before = byte
  }
  return values > valuesMax
}

/**
 * Whether a JSON text has lists and objects within each other on more than so many levels. Some versions of Node
 * write any number of levels, which most others cannot read.
 */
export function nestsDeeper(bytes: Uint8Array, levelsMax: number): boolean {
  let levels = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (opens(byte)) levels++
    else if (closes(byte)) levels--
    if (levels > levelsMax) return true
  }
  return false
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
