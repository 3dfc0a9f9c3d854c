/** JSON escapes only the first of what can steer a terminal, or turn a line around. */
const STEERING = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

/** As `JSON.stringify`, with nothing that steers the terminal of whoever reads it: others may have written it. */
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
