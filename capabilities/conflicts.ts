import { types } from 'node:util'

/** How often work is done again when another transaction was in its way. */
const ATTEMPTS_MAX = 5

/**
 * Does work of one transaction, or of one statement, and does it again when another one was in its way:
 * both name the same new customer, or lock in another order. Then nothing of it was written.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001' || code === '23505'
}
