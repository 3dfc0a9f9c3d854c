/**
 * Whether parsed JSON holds a number that no double does, such as 1e400: it was read as infinity, which would
 * be written as null.
 */
export function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity)
}
