import { retrying } from '../core/retrying.ts'
import { sqlFaultOf } from '../core/sql.ts'

/** How often work is done again when another transaction was in its way. */
const ATTEMPTS_MAX = 5
/** A deadlock, a snapshot that is too old, a row that is there already. */
const CONFLICTS = ['40P01', '40001', '23505']

/**
 * Does work of one transaction, or of one statement, and does it again when another one was in its way:
 * both name the same new customer, or lock in another order. Then nothing of it was written. What locks but
 * one row may be in the midst of others who wait for each other there.
 */
export function pastConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retrying(ATTEMPTS_MAX, isConflict, work)
}

function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(sqlFaultOf(error)?.state ?? '')
}
