import { sqlFaultOf } from '../core/sql.ts'
import { SQL_STATES } from '../core/sql-states.ts'

/** How many locked tables are remembered. */
const KNOWN_MAX = 1_000

/** `probe` ends when the statement that waits for the lock now has its answer. */
type Lock = { error: unknown; probe: Promise<void> | null }

/** `check` throws if the table has turned out to be locked; a probe, which may wait long, is there to find out. */
export type Turn = { isProbe: boolean; check: () => void }

const PROBE: Turn = { isProbe: true, check: () => {} }
/** For statements that no other one's wait concerns. */
export const FREE: Turn = { isProbe: false, check: () => {} }

/**
 * Which tables are locked as a whole, as far as statements have waited for them in vain. One statement at a time
 * then waits for such a table; the others wait for its result without a connection, of which a project has too
 * few for all of them, and which its other tables need.
 */
export function createTableLocks() {
  const locks = new Map<string, Lock>()

  const refuseIfLocked = (key: string) => {
    const lock = locks.get(key)
    if (lock) throw lock.error
  }
  const remember = (key: string, error: unknown) => {
    const lock = locks.get(key)
    if (lock) return void (lock.error = error)
    if (locks.size >= KNOWN_MAX) locks.clear()
    locks.set(key, { error, probe: null })
  }
  const take = async <T>(key: string, turn: Turn, work: (turn: Turn) => Promise<T>): Promise<T> => {
    try {
      const result = await work(turn)
      locks.delete(key)
      return result
    } catch (error) {
      if (isTableLocked(error)) remember(key, error)
      // Those that shared a connection with one that timed out fail as well, and know nothing of the table.
      else if (turn.isProbe) locks.delete(key)
      throw error
    }
  }
  return {
    /**
     * Runs `work`, which calls `check` once it has a connection. Throws PostgreSQL's error when the statement, or
     * the one whose result was waited for, has waited for the table's lock in vain.
     */
    async pass<T>(key: string, work: (turn: Turn) => Promise<T>): Promise<T> {
      const known = locks.get(key)
      if (known && !known.probe) {
        const probe = take(key, PROBE, work)
        const end = () => void (known.probe = null)
        known.probe = probe.then(end, end)
        return probe
      }
      if (known) {
        await known.probe
        refuseIfLocked(key)
      }
      return take(key, { isProbe: false, check: () => refuseIfLocked(key) }, work)
    },
  }
}

/** A wait for a row, or for another table on which a trigger or a policy works, has a context. */
function isTableLocked(error: unknown): boolean {
  const { state, where } = sqlFaultOf(error) ?? {}
  return state === SQL_STATES.lockNotAvailable && where === null
}
