import { createSlots } from '../core/slots.ts'
import type { Sql } from '../core/sql.ts'

/** As long as the pool lets anybody wait for a connection. */
const WAIT_MS = 5_000
/** What one project leaves of the connections to all others. */
const LEFT_SHARE = 0.2

/** The same database for whom a statement is asked for. */
export type Shares = {
  sqlOf(owner: string): Sql
  /** How many statements and transactions wait for their owner's turn. */
  waiting(): number
}

/**
 * Shares the pool's connections between those for whom statements are asked: they take turns, and none has
 * all. Without it, requests that wait for each other's rows would hold every connection, and everyone else's
 * would wait behind them. A statement throws when none became free in time. The pool has two connections or more.
 */
export function createShares(sql: Sql, poolSize: number): Shares {
  const slots = createSlots({
    atOnce: poolSize,
    atOnceEach: poolSize - Math.ceil(poolSize * LEFT_SHARE),
    waitingMax: Infinity,
    waitMs: WAIT_MS,
  })

  async function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const giveBack = await slots.take(owner)
    if (!giveBack) throw new Error(`No connection to the database became free in ${WAIT_MS} ms`)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  return {
    waiting: slots.waiting,
    sqlOf: (owner) => ({
      rows: (asked, values) => inTurn(owner, () => sql.rows(asked, values)),
      transaction: (work) => inTurn(owner, () => sql.transaction(work)),
      announce: sql.announce,
      onAnnounced: sql.onAnnounced,
    }),
  }
}
