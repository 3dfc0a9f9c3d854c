import { retrying } from '../core/retrying.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'

/** How many attempts are made in all when other transactions are in the way. */
const ATTEMPTS_MAX = 5
/** A deadlock, a snapshot that is too old, a row that is there already. */
const CONFLICTS = [
  SQL_STATES.deadlockDetected,
  SQL_STATES.serializationFailure,
  SQL_STATES.uniqueViolation,
]

/**
 * Runs work that is one transaction or one statement, and runs it again after a deadlock, a serialization
 * failure or a duplicate key: two callers may create the same new customer, or lock rows in different orders. A
 * failed attempt has written nothing. Use it also for work that locks a single row, since others may deadlock
 * around that row.
 */
export function pastConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retrying(ATTEMPTS_MAX, isConflict, work)
}

function isConflict(error: unknown): boolean {
  return hasState(error, ...CONFLICTS)
}
