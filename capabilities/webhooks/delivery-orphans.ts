import type { Context } from '../../core/context.ts'
import { plannedOnce, type Statement, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'

/**
 * Cancels, for each registration in `waiting`, a table of (webhook_id), those of its first `most` deliveries
 * that nobody will attempt. Deliveries of an earlier epoch are older than those of the current one, so when the
 * first ones are current there is no need to look at the rest.
 */
const cancel = (name: string, waiting: string, most: number): Statement => {
  const first = (which: string) => `(
         SELECT ctid AS place, epoch FROM deliveries
          WHERE webhook_id = waiting.webhook_id AND status = 'pending' AND ${which}
          ORDER BY next_attempt_at NULLS FIRST, event_id LIMIT ${most})`
  return plannedOnce(
    name,
    `WITH RECURSIVE ${waiting}
     UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, finished_at = $1::timestamptz
      WHERE status = 'pending' AND ctid = ANY (ARRAY(
        SELECT d.place FROM waiting LEFT JOIN webhooks w ON w.id = waiting.webhook_id
         CROSS JOIN LATERAL (
           ${first('next_attempt_at IS NULL')}
           UNION ALL
           ${first('next_attempt_at IS NOT NULL')}) AS d
         WHERE w.id IS NULL OR NOT w.is_active OR w.epoch <> d.epoch))
     RETURNING 1`,
  )
}

const ONE_AT_ONCE = 5_000
const cancelOne = cancel(
  'cancel-deliveries-of-webhook',
  'waiting AS (SELECT $2::text AS webhook_id)',
  ONE_AT_ONCE,
)

// A delivery may have been written in the very moment in which the webhook stopped listening to its event.
const cancelUnwanted = statement(
  'cancel-unwanted-deliveries',
  `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, finished_at = $1::timestamptz
    WHERE status = 'pending' AND ctid = ANY (ARRAY(
      SELECT d.ctid FROM webhooks w
        JOIN deliveries d ON d.webhook_id = w.id AND d.status = 'pending'
        JOIN events e ON e.id = d.event_id
       WHERE w.id = $2 AND e.name <> ALL (w.events)
       ORDER BY d.next_attempt_at NULLS FIRST, d.event_id LIMIT ${ONE_AT_ONCE}))
   RETURNING 1`,
)

const EACH_AT_ONCE = 1_000
// Steps from one registration with waiting deliveries to the next, by one index look-up each.
const cancelAll = cancel(
  'cancel-deliveries',
  `waiting AS (
     (SELECT webhook_id FROM deliveries WHERE status = 'pending'
       ORDER BY webhook_id, next_attempt_at NULLS FIRST LIMIT 1)
     UNION ALL
     SELECT next.webhook_id FROM waiting CROSS JOIN LATERAL (
       SELECT d.webhook_id FROM deliveries d
        WHERE d.status = 'pending' AND d.webhook_id > waiting.webhook_id
        ORDER BY d.webhook_id, d.next_attempt_at NULLS FIRST LIMIT 1) AS next
   )`,
  EACH_AT_ONCE,
)
const ROUNDS_MAX = 200

/**
 * Cancels one batch of the deliveries of a registration that is inactive, was inactive since, or is gone. They
 * would not be attempted in any case; this makes it visible. The sweep cancels the rest.
 */
export async function cancelOrphansOf(ctx: Context, webhookId: string): Promise<void> {
  // A settlement that is written at this moment locks the same rows in another order.
  await pastConflicts(() => ctx.sql.rows(cancelOne, [ctx.now(), webhookId]))
}

/**
 * Cancels one batch of the deliveries of events that a registration does not listen to any more: its address
 * may since have been changed by somebody without the scope of these events. The rest is canceled when its
 * attempt is to begin.
 */
export async function cancelUnwantedOf(ctx: Context, webhookId: string): Promise<void> {
  await pastConflicts(() => ctx.sql.rows(cancelUnwanted, [ctx.now(), webhookId]))
}

/**
 * The periodic safety net: cancels deliveries that were left behind, and has this process look for due ones.
 * Both happen without it too, only later.
 */
export async function sweepDeliveries(ctx: Context): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if ((await ctx.sql.rows(cancelAll, [ctx.now()])).length === 0) break
  }
  ctx.sql.announce('deliveries')
}
