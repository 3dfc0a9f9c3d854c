/** Characters that can control a terminal or reorder text; JSON escapes only the first of them. */
const STEERING = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

/**
 * Like `JSON.stringify`, with escapes for everything that could control the reader's terminal: the text may
 * come from others.
 */
export function harmlessJson(
  value: unknown,
  replace?: (key: string, value: unknown) => unknown,
  indent?: number,
): string {
  return JSON.stringify(value, replace, indent).replace(STEERING, escaped)
}

/** A character as JSON escapes it. */
export function escaped(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
