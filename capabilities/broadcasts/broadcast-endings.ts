import type { Context } from '../../core/context.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import * as broadcastAudits from './broadcast-audits.ts'
import { allowAll, holdBroadcast } from './broadcast-counters.ts'

// Held recipients are all canceled; any others that are canceled were queued.
const stopAll = statement(
  'end-broadcast',
  `WITH stopped AS (
     UPDATE broadcast_recipients r
        SET status = 'canceled', held = false, lease_until = NULL, retry_at = NULL
      WHERE r.broadcast_id = $1 AND r.status = 'queued' AND r.dispatched_at IS NULL
     RETURNING 1
   ), number AS (SELECT count(*)::int AS n FROM stopped)
   UPDATE broadcasts b
      SET status = $2, failure_reason = $3, updated_at = $4,
          wave_scheduled_at = NULL, wave_scheduled_count = NULL,
          queued = b.queued - (number.n - b.held), held = 0, canceled = b.canceled + number.n
     FROM number WHERE b.id = $1`,
)

/** How a broadcast ends before all were sent to; `reason` says why it failed, in a sentence. */
export type Ending = { now: Date } & (
  { status: 'canceled'; reason: null } | { status: 'failed'; reason: string }
)

/**
 * Ends a broadcast that the transaction has locked. Recipients who were not sent to become `canceled`; messages
 * under way are settled as their answers arrive.
 */
export async function end(
  tx: SqlClient,
  id: string,
  { status, reason, now }: Ending,
): Promise<void> {
  await allowAll(tx)
  await tx.rows(stopAll, [id, status, reason, now])
}

/**
 * Fails a broadcast that is sending or about to, within the caller's transaction. Answers false, without a
 * change, when it is over already.
 */
export async function failIn(
  tx: SqlClient,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const status = await holdBroadcast(tx, id)
  if (status !== 'sending' && status !== 'scheduled') return false
  await end(tx, id, { status: 'failed', reason, now })
  const act = { broadcastId: id, action: 'failed' as const, actor: 'service' }
  await broadcastAudits.record(tx, { ...act, details: { reason }, at: now })
  return true
}

/** The same in a transaction of its own; the project can read the reason. */
export async function fail(ctx: Context, id: string, reason: string): Promise<void> {
  const isFailed = await ctx.sql.transaction((tx) => failIn(tx, id, reason, ctx.now()))
  if (isFailed) ctx.log.warn('broadcast.failed', { broadcast: id, reason })
}
