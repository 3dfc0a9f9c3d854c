import type { Context } from '../core/context.ts'
import type { SqlClient } from '../core/sql.ts'
import * as broadcastAudits from './broadcast-audits.ts'
import { holdBroadcast } from './broadcast-counters.ts'
import * as broadcastEndings from './broadcast-endings.ts'

/**
 * Fails a broadcast that is being sent, or about to be, within the caller's transaction. Answers false,
 * having changed nothing, when it is over already.
 */
export async function failIn(
  tx: SqlClient,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const status = await holdBroadcast(tx, id)
  if (status !== 'sending' && status !== 'scheduled') return false
  await broadcastEndings.end(tx, id, { status: 'failed', reason, now })
  const act = { broadcastId: id, action: 'failed' as const, actor: 'service' }
  await broadcastAudits.record(tx, { ...act, details: { reason }, at: now })
  return true
}

/** The same in a transaction of its own, for a reason that the project is told. */
export async function fail(ctx: Context, id: string, reason: string): Promise<void> {
  const isFailed = await ctx.sql.transaction((tx) => failIn(tx, id, reason, ctx.now()))
  if (isFailed) ctx.log.warn('broadcast.failed', { broadcast: id, reason })
}
