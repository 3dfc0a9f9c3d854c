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
 * Whether a JSON text holds more values than that: texts, numbers, lists, objects, and what these hold. Each takes
 * a hundred times its bytes of memory, and every look at the body stops at each, so they are counted before
 * anything is made of them. Of what is no JSON, it says something or other.
 */
export function holdsMoreValues(bytes: Uint8Array, valuesMax: number): boolean {
  let values = 1
  let before = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE) continue
    if (byte === QUOTE) at = endOfText(bytes, at)
    // What is empty holds nothing behind its opening.
    else if (byte === COMMA || opens(byte)) values++
    else if (closes(byte) && opens(before)) values--
    if (values > valuesMax + 1) return true
    before = byte
  }
  return values > valuesMax
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
