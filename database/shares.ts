import { createSlots, withSlot } from '../core/slots.ts'
import type { Sql } from '../core/sql.ts'

/** The same as the pool's own limit for waiting. */
const WAIT_MS = 5_000
/** The share of connections that one project leaves to all others. */
const LEFT_SHARE = 0.2

/** The database on behalf of an owner. */
export type Shares = {
  sqlOf(owner: string): Sql
  /** How many statements and transactions wait for their owner's turn. */
  waiting(): number
}

/**
 * Shares the pool's connections between owners: they take turns, and none can have all. Otherwise, requests
 * that wait for each other's row locks could hold every connection, and everyone else would wait behind them.
 * Throws when no connection becomes free in time. The pool must have at least two connections.
 */
export function createShares(sql: Sql, poolSize: number): Shares {
  const slots = createSlots({
    atOnce: poolSize,
    atOnceEach: poolSize - Math.ceil(poolSize * LEFT_SHARE),
    waitingMax: Infinity,
    waitMs: WAIT_MS,
  })

  const inTurn = <T>(owner: string, work: () => Promise<T>) => withSlot(slots, owner, work, tooLate)

  return {
    waiting: slots.waiting,
    sqlOf: (owner) => ({
      rows: (asked, values) => inTurn(owner, () => sql.rows(asked, values)),
      together: (asked) => inTurn(owner, () => sql.together(asked)),
      transaction: (work) => inTurn(owner, () => sql.transaction(work)),
      announce: sql.announce,
      onAnnounced: sql.onAnnounced,
    }),
  }
}

function tooLate(): Error {
  return new Error(`No connection to the database became free in ${WAIT_MS} ms`)
}
