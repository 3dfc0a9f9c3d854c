import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, statement } from '../../core/sql.ts'
import { afterVerdict, type Verdict } from './delivery-schedule.ts'

/** An attempt that ended, in the contract's shape. */
export type EndedAttempt = {
  at: string
  status_code: number | null
  error: string | null
  duration_ms: number
}

/** What is known of a registration while it is leased. */
export type Standing = {
  webhookId: string
  fence: number
  epoch: number
  /** Consecutive failed events, as last written or read; setting the webhook active resets it. */
  failureCount: number
  /** The time of an attempt that is not recorded in the row yet. */
  triggeredAt: Date | null
}

export type Outcome<Lane extends Standing> = {
  lane: Lane
  eventId: number
  attemptsBefore: number
  attempt: EndedAttempt
  verdict: Verdict
}

/** Outcomes that are written together, and what they change in their registrations. */
export type Settlement<Lane extends Standing> = {
  outcomes: Outcome<Lane>[]
  lanes: { lane: Lane; failureCount: number | null; triggeredAt: Date | null }[]
  disabled: Set<Lane>
}

/**
 * Counts outcomes, in their order, for their registrations. Those after the failure that turns a registration
 * off belong to an epoch that is over and are left out. Counters are written only when they change, and
 * `last_triggered_at` only when `isTold` says that it is due.
 */
export function settlementOf<Lane extends Standing>(
  outcomes: Outcome<Lane>[],
  isTold: (lane: Lane) => boolean,
): Settlement<Lane> {
  const counts = new Map<Lane, number>()
  const disabled = new Set<Lane>()
  const counted = outcomes.filter(({ lane, verdict }) => {
    if (disabled.has(lane)) return false
    const { failureCount, isDisabled } = afterVerdict(
      counts.get(lane) ?? lane.failureCount,
      verdict,
    )
    counts.set(lane, failureCount)
    if (isDisabled) disabled.add(lane)
    return true
  })
  const lanes = [...counts].map(([lane, count]) => ({
    lane,
    failureCount: count === lane.failureCount ? null : count,
    triggeredAt: isTold(lane) ? lane.triggeredAt : null,
  }))
  return { outcomes: counted, lanes, disabled }
}

// The fence guards everything: when another process holds the lease, nothing is written. Each outcome carries
// the number of attempts it knew of, so none counts twice. Waiting rows are tested by `finished_at`, not by
// `status`: with `status`, PostgreSQL may choose the partial index of waiting rows and scan a whole backlog per
// batch, where each outcome is one look-up by primary key. A failure count is written only over the count it
// was derived from, or over itself when the answer to an earlier write was lost; otherwise nothing of that
// registration is written. A retry is put off by what is left of its delay, and by no more than that when the
// clock that planned it was ahead. Registrations are locked in the same order everywhere.
const settle = statement(
  'settle-deliveries',
  `WITH changed AS (
     SELECT id FROM webhooks
      WHERE id = ANY (ARRAY(
              SELECT l.id FROM unnest($1::text[], $4::int[], $5::timestamptz[])
                  AS l (id, failure_count, triggered_at)
               WHERE l.failure_count IS NOT NULL OR l.triggered_at IS NOT NULL))
      ORDER BY id FOR NO KEY UPDATE
   ), lane AS (
     SELECT l.* FROM unnest($1::text[], $2::bigint[], $3::int[], $14::int[], $4::int[], $5::timestamptz[])
         AS l (webhook_id, fence, epoch, known_count, failure_count, triggered_at)
       JOIN webhooks w ON w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch
   ), webhook AS (
     UPDATE webhooks w
        SET failure_count = coalesce(l.failure_count, w.failure_count),
            last_triggered_at = greatest(w.last_triggered_at, l.triggered_at),
            is_active = w.is_active AND coalesce(l.failure_count < $6, true),
            epoch = w.epoch + coalesce(l.failure_count >= $6, false)::int,
            updated_at = CASE WHEN l.failure_count >= $6 THEN $7 ELSE w.updated_at END
       FROM lane l
      WHERE w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch
        AND w.id = ANY (ARRAY(SELECT id FROM changed))
        AND (l.failure_count IS NULL OR w.failure_count IN (l.known_count, l.failure_count))
     RETURNING w.id
   )
   UPDATE deliveries d
      SET status = o.status, attempts = d.attempts + 1, attempt_log = d.attempt_log || o.attempt,
          next_attempt_at = ${agreedNow('$7')} + (o.next_attempt_at - $7::timestamptz),
          finished_at = CASE WHEN o.status <> 'pending' THEN $7::timestamptz END
     FROM unnest($8::text[], $9::bigint[], $10::smallint[], $11::text[], $12::timestamptz[], $13::jsonb[])
       AS o (webhook_id, event_id, attempts, status, next_attempt_at, attempt)
     JOIN lane ON lane.webhook_id = o.webhook_id
    WHERE d.webhook_id = o.webhook_id AND d.event_id = o.event_id AND d.finished_at IS NULL
      AND d.attempts = o.attempts AND d.epoch = lane.epoch
      AND (lane.failure_count IS NULL OR lane.webhook_id IN (SELECT id FROM webhook))
   RETURNING d.webhook_id`,
)

const findRestarted = statement(
  'find-restarted-webhooks',
  `SELECT w.id, w.failure_count
     FROM unnest($1::text[], $2::bigint[], $3::int[], $4::int[], $5::int[])
       AS l (webhook_id, fence, epoch, known_count, failure_count)
     JOIN webhooks w ON w.id = l.webhook_id
    WHERE w.fence = l.fence AND w.epoch = l.epoch
      AND w.failure_count NOT IN (l.known_count, l.failure_count)`,
)

/** The registrations whose counts were written, and the current counts of those that were reset meanwhile. */
export type Written = { counted: Set<string>; restarted: Map<string, number> }

/**
 * Writes a settlement in one statement. Of a registration whose count was reset meanwhile nothing is written;
 * its outcomes have to be counted again.
 */
export async function writeSettlement<Lane extends Standing>(
  ctx: Context,
  { outcomes, lanes, disabled }: Settlement<Lane>,
): Promise<Written> {
  const rows = await ctx.sql.rows(settle, [
    lanes.map(({ lane }) => lane.webhookId),
    lanes.map(({ lane }) => lane.fence),
    lanes.map(({ lane }) => lane.epoch),
    lanes.map(({ failureCount }) => failureCount),
    lanes.map(({ lane, triggeredAt }) => (disabled.has(lane) ? lane.triggeredAt : triggeredAt)),
    LIMITS.failedEventsInRow,
    ctx.now(),
    outcomes.map(({ lane }) => lane.webhookId),
    outcomes.map(({ eventId }) => eventId),
    outcomes.map(({ attemptsBefore }) => attemptsBefore),
    outcomes.map(({ verdict }) => verdict.status),
    outcomes.map(({ verdict }) => verdict.nextAttemptAt),
    outcomes.map(({ attempt }) => JSON.stringify(attempt)),
    lanes.map(({ lane }) => lane.failureCount),
  ])
  const counted = new Set(rows.map(([id]) => must(id)))
  const left = lanes.filter(
    ({ lane, failureCount }) => failureCount !== null && !counted.has(lane.webhookId),
  )
  const restarted = await restartedOf(ctx, left)
  const unheard = [...disabled].filter(({ webhookId }) => !counted.has(webhookId))
  for (const id of await turnedOffOf(ctx, unheard)) counted.add(id)
  return { counted, restarted }
}

// Only the holder of a lease turns its registration off for too many failures, so one that was active under
// this fence was turned off by it.
const findTurnedOff = statement(
  'find-webhooks-turned-off',
  `SELECT w.id FROM unnest($1::text[], $2::bigint[], $3::int[]) AS l (webhook_id, fence, epoch)
     JOIN webhooks w ON w.id = l.webhook_id AND w.epoch = l.epoch + 1 AND w.fence = l.fence
    WHERE NOT w.is_active AND w.failure_count >= $4`,
)

/** Registrations that an earlier try of the same write has turned off, though its answer was lost. */
async function turnedOffOf(ctx: Context, lanes: Standing[]): Promise<string[]> {
  if (lanes.length === 0) return []
  const rows = await ctx.sql.rows(findTurnedOff, [
    lanes.map(({ webhookId }) => webhookId),
    lanes.map(({ fence }) => fence),
    lanes.map(({ epoch }) => epoch),
    LIMITS.failedEventsInRow,
  ])
  return rows.map(([id]) => must(id))
}

async function restartedOf<Lane extends Standing>(
  ctx: Context,
  lanes: Settlement<Lane>['lanes'],
): Promise<Map<string, number>> {
  if (lanes.length === 0) return new Map()
  const rows = await ctx.sql.rows(findRestarted, [
    lanes.map(({ lane }) => lane.webhookId),
    lanes.map(({ lane }) => lane.fence),
    lanes.map(({ lane }) => lane.epoch),
    lanes.map(({ lane }) => lane.failureCount),
    lanes.map(({ failureCount }) => failureCount),
  ])
  return new Map(rows.map(([id, count]) => [must(id), Number(count)]))
}
