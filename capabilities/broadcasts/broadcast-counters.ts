import { LIMITS } from '../../core/limits.ts'
import { type Ask, must, type SqlClient, statement } from '../../core/sql.ts'

/** The counter that a recipient belongs to: its status, except that held ones are counted apart. */
const BUCKETS = ['queued', 'sent', 'delivered', 'read', 'failed', 'canceled', 'held'] as const

const change = (bucket: string) =>
  `count(*) FILTER (WHERE now = '${bucket}') - count(*) FILTER (WHERE was = '${bucket}')`

/**
 * SQL that updates the counters of broadcasts, within the statement that moves their recipients. `moved` is a
 * table of (broadcast_id, was, now) with a row for each recipient; `at` is the placeholder of the present. A
 * broadcast with nobody left to send to becomes complete. The transaction must have locked the broadcasts.
 * Answers the ids of those that have become complete.
 */
export function countMoves(moved: string, at: string): string {
  const left = 'b.queued + d.queued + b.held + d.held'
  const isOver = `b.status = 'sending' AND b.started_at IS NOT NULL AND ${left} = 0`
  return `UPDATE broadcasts b
      SET ${BUCKETS.map((one) => `"${one}" = b."${one}" + d."${one}"`).join(', ')},
          status = CASE WHEN ${isOver} THEN 'completed' ELSE b.status END,
          completed_at = CASE WHEN ${isOver} THEN ${at}::timestamptz ELSE b.completed_at END,
          updated_at = ${at}::timestamptz
     FROM (SELECT broadcast_id, ${BUCKETS.map((one) => `${change(one)} AS "${one}"`).join(', ')}
             FROM ${moved} GROUP BY 1) d
    WHERE b.id = d.broadcast_id
   RETURNING b.id, b.status = 'completed' AND d.queued < 0 AS is_over`
}

const hold = statement(
  'hold-broadcast',
  'SELECT status FROM broadcasts WHERE id = $1 FOR NO KEY UPDATE',
)
const allowLong = {
  ...statement(
    'allow-long-statements',
    `SELECT set_config('statement_timeout', '${LIMITS.broadcastStatementMs}', true)`,
  ),
  allowsMs: LIMITS.broadcastStatementMs,
}

/** Raises the statement timeout of the transaction for statements over all recipients of a broadcast. */
export async function allowAll(tx: SqlClient): Promise<void> {
  await tx.rows(allowLong)
}

/**
 * Locks a broadcast. Whoever changes recipients must do so first, so that changes and counters stay consistent.
 * Answers its status; null when there is none.
 */
export async function holdBroadcast(tx: SqlClient, id: string): Promise<string | null> {
  const [row] = await tx.rows(hold, [id])
  return row ? must(row[0]) : null
}

/** The same for a transaction in one round trip. */
export function holdingBroadcast(id: string): Ask {
  return { statement: hold, values: [id] }
}
