import { types } from 'node:util'
import { retrying } from '../core/retrying.ts'

/** How often work is done again when another transaction was in its way. */
const ATTEMPTS_MAX = 5

/**
 * Does work of one transaction, or of one statement, and does it again when another one was in its way:
 * both name the same new customer, or lock in another order. Then nothing of it was written.
 */
export function pastConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retrying(ATTEMPTS_MAX, isConflict, work)
}

function isConflict(error: unknown): boolean {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001' || code === '23505'
}
