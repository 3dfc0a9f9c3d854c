import { retrying } from '../core/retrying.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'

/** How many attempts are made in all when other transactions are in the way. */
const ATTEMPTS_MAX = 5
/**
 * A deadlock, a snapshot that is too old, a row that is there already, a row that is gone which this one refers
 * to, and one that goes and is referred to.
 */
const CONFLICTS = [
  SQL_STATES.deadlockDetected,
  SQL_STATES.serializationFailure,
  SQL_STATES.uniqueViolation,
  SQL_STATES.foreignKeyViolation,
  SQL_STATES.restrictViolation,
]

/**
 * Runs work that is one transaction or one statement, and runs it again after a deadlock, a serialization
 * failure, a duplicate key or a missing one: two callers may create the same new customer, lock rows in different
 * orders, or join a contact with another. A failed attempt has written nothing. Use it also for work that locks a single row, since others may deadlock
 * around that row.
 */
export function pastConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retrying(ATTEMPTS_MAX, isConflict, work)
}

/** The failure of work that has waited for a row which is gone since: like PostgreSQL's for a snapshot too old. */
export function goneMeanwhile(what: string): Error {
  return Object.assign(new Error(`${what} is gone since it was read`), {
    code: SQL_STATES.serializationFailure,
    severity: 'ERROR',
  })
}

function isConflict(error: unknown): boolean {
  return hasState(error, ...CONFLICTS)
}
