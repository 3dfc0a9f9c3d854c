import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Ask, must, type SqlClient, statement } from '../../core/sql.ts'
import { countMoves, holdBroadcast } from './broadcast-counters.ts'

const holdAll = statement(
  'hold-broadcasts-of-attempts',
  `SELECT b.id FROM broadcasts b
    WHERE b.project_id = $1 AND b.id = ANY (ARRAY(
      SELECT DISTINCT r.broadcast_id FROM broadcast_recipients r
       WHERE r.attempt_id = ANY ($2::uuid[])))
    ORDER BY b.id FOR NO KEY UPDATE`,
)

// A recipient that was given up with an unknown outcome takes over the status of its message once that is
// known. Both rows are looked up by key: from messages alone, PostgreSQL may scan all recipients for the
// matching ones.
const copy = statement(
  'follow-messages',
  `WITH message AS MATERIALIZED (
     SELECT r.broadcast_id, r.seq, r.status AS was, m.*
       FROM messages m JOIN broadcast_recipients r ON r.attempt_id = m.attempt_id
      WHERE m.project_id = $1 AND m.attempt_id = ANY ($2::uuid[])
        AND r.attempt_id = ANY ($2::uuid[])
   ), moved AS (
     UPDATE broadcast_recipients r
        SET status = m.status, wamid = m.wamid, error = m.error, sent_at = m.sent_at,
            delivered_at = m.delivered_at, read_at = m.read_at, failed_at = m.failed_at,
            lease_until = NULL
       FROM message m WHERE r.broadcast_id = m.broadcast_id AND r.seq = m.seq
     RETURNING r.broadcast_id, m.was, r.status AS now
   ), counted AS (
     ${countMoves('moved', '$3')}
   )
   SELECT id FROM counted WHERE is_over`,
)

/**
 * Moves recipients to the statuses of their messages, within the transaction that wrote the messages. Answers the
 * ids of the broadcasts that have become complete.
 */
export async function follow(
  tx: SqlClient,
  projectId: string,
  attemptIds: string[],
  now: Date,
): Promise<string[]> {
  if (attemptIds.length === 0) return []
  const held = await tx.rows(holdAll, [projectId, attemptIds])
  if (held.length === 0) return []
  return (await tx.rows(copy, [projectId, attemptIds, now])).map(([id]) => must(id))
}

/**
 * The same for a transaction in one round trip, which holds the broadcast. The rows are the ids of the broadcasts
 * that have become complete.
 */
export function following(projectId: string, attemptIds: string[], now: Date): Ask {
  return { statement: copy, values: [projectId, attemptIds, now] }
}

const LOST_AT_ONCE = 1_000
// A limited number, in the order of the index of recipients under way: PostgreSQL estimates that as many as
// have ever left match, and would scan all waiting ones. The next run finds the rest.
const findLost = statement(
  'find-lost-recipients',
  `SELECT DISTINCT broadcast_id FROM (
     SELECT broadcast_id FROM broadcast_recipients
      WHERE status = 'queued'
        AND dispatched_at < now() - interval '1 ms' * ${LIMITS.recipientUnknownMs}
      ORDER BY contact_id LIMIT ${LOST_AT_ONCE}) AS lost
    LIMIT $1`,
)
const giveUp = statement(
  'give-up-recipients',
  `WITH lost AS (
     UPDATE broadcast_recipients r
        SET status = 'failed', error = $2::jsonb, failed_at = $3::timestamptz, lease_until = NULL
      WHERE r.broadcast_id = $1 AND r.status = 'queued'
        AND r.dispatched_at < now() - interval '1 ms' * ${LIMITS.recipientUnknownMs}
     RETURNING r.broadcast_id, 'queued' AS was, r.status AS now
   ), counted AS (
     ${countMoves('lost', '$3')}
   )
   SELECT id, is_over, (SELECT count(*) FROM lost) FROM counted`,
)

const UNKNOWN_OUTCOME = {
  code: 'unknown_outcome',
  title: 'The channel may have taken the message: it never said, and it was not sent again.',
  details: null,
  retryable: false,
}

/**
 * Gives up recipients whose message left, or may have left before its worker died, and of which nothing was
 * heard: they fail with `unknown_outcome`. A status that the channel reports later still counts.
 */
export async function giveUpLost(ctx: Context): Promise<void> {
  const failed: string[] = []
  const lost = await ctx.sql.rows(findLost, [LIMITS.broadcastsPerRun])
  for (const id of lost.map(([broadcastId]) => must(broadcastId))) {
    try {
      await giveUpOf(ctx, id)
    } catch (error) {
      // Another transaction may hold this broadcast for minutes; the others do not wait for it.
      failed.push(id)
      ctx.log.warn('broadcast.outcomes_unsettled', { broadcast: id, error })
    }
  }
  if (failed.length > 0) throw new Error(`Not settled: the lost recipients of ${failed.join(', ')}`)
}

async function giveUpOf(ctx: Context, id: string): Promise<void> {
  const [given] = await ctx.sql.transaction(async (tx) => {
    await holdBroadcast(tx, id)
    return tx.rows(giveUp, [id, JSON.stringify(UNKNOWN_OUTCOME), ctx.now()])
  })
  if (!given) return
  ctx.log.warn('broadcast.outcomes_unknown', { broadcast: id, recipients: Number(given[2]) })
  if (given[1] === 't') tellComplete(ctx, [id])
}

/** Logs that broadcasts are complete. */
export function tellComplete(ctx: Context, ids: string[]): void {
  for (const id of ids) ctx.log.info('broadcast.completed', { broadcast: id })
}

/** At a start: recipients left behind by a crash are settled at once, not when the job is next due. */
export async function recover(ctx: Context): Promise<void> {
  await giveUpLost(ctx).catch((error: unknown) => ctx.log.warn('broadcast.sweep_failed', { error }))
}
