import type { Context } from '../../core/context.ts'
import { plannedOnce, type Statement, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'

/**
 * The deliveries of `waiting`, a table of (webhook_id), that nobody will attempt, of the first so many of each
 * registration. A life that is over has begun before the present one, so its deliveries are among the first:
 * where these are all of the present one, the others need no look.
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

// An event may have been written at the very moment at which its name was taken away.
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
// From one registration with something waiting to the next, by one look-up each.
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
 * Cancels what waits for a registration that is off, or was off since, or is gone: it is not attempted in any
 * case, and this tells it to whoever looks. A batch; the rest is swept.
 */
export async function cancelOrphansOf(ctx: Context, webhookId: string): Promise<void> {
  // Outcomes of attempts that have just ended are written in another order.
  await pastConflicts(() => ctx.sql.rows(cancelOne, [ctx.now(), webhookId]))
}

/**
 * Cancels what waits of events that a registration is not for any more: it might have got another address since,
 * from somebody who may not be told of them. A batch; the rest when an attempt of it is to begin.
 */
export async function cancelUnwantedOf(ctx: Context, webhookId: string): Promise<void> {
  await pastConflicts(() => ctx.sql.rows(cancelUnwanted, [ctx.now(), webhookId]))
}

/**
 * Agenda's safety net: cancels what nobody canceled, and has this process look for what is due. Both happen
 * without it too, only later.
 */
export async function sweepDeliveries(ctx: Context): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if ((await ctx.sql.rows(cancelAll, [ctx.now()])).length === 0) break
  }
  ctx.sql.announce('deliveries')
}
