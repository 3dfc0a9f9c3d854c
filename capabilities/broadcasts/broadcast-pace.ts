import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, type Ask, HURRIED, must, type SqlClient, statement } from '../../core/sql.ts'

/**
 * Places in a number's queue: the first message may leave at `startAt`, `waitMs` after the reservation, and each
 * of the others one interval after the one before.
 */
export type Places = { startAt: number; waitMs: number; intervalMs: number }

/**
 * SQL of whether a number is closed until the instant in the column; the placeholder is the service's clock. An
 * instant further ahead than the longest pause was written by a clock that had leapt; the number is open then.
 */
export function isClosed(column: string, placeholder: string): string {
  // Not now(), the start of the transaction, which may be before the closing that it has waited for.
  const longest = `clock_timestamp() + interval '1 ms' * ${LIMITS.paceClosedMs}`
  return `coalesce(${column} > ${agreedNow(placeholder)} AND ${column} <= ${longest}, false)`
}

// One row is the queue shared by all workers. A worker that comes late may catch up, within a small burst.
const take = statement(
  'take-pace',
  `INSERT INTO channel_paces AS p (phone_number_id, next_at)
   VALUES ($1, $2::timestamptz + $3::int * $4::interval)
   ON CONFLICT (phone_number_id) DO UPDATE
     SET next_at = greatest(least(p.next_at, $2::timestamptz + $6::interval),
                            $2::timestamptz - $5::interval) + $3::int * $4::interval
     WHERE NOT ${isClosed('p.closed_until', '$2')}
   RETURNING extract(epoch FROM next_at - $3::int * $4::interval) * 1000`,
)

/**
 * Reserves places for so many messages in a number's queue, which all workers share; null while the number is
 * closed. Places of a worker that dies stay empty.
 */
export async function reserve(
  ctx: Context,
  phoneNumberId: string,
  count: number,
): Promise<Places | null> {
  const intervalMs = 1_000 / ctx.config.broadcastMessagesPerSecond
  const queueMs = Math.max(LIMITS.paceQueueMs, LIMITS.recipientsUnderWay * intervalMs)
  const now = ctx.now()
  const values = [
    phoneNumberId,
    now,
    count,
    `${intervalMs} ms`,
    `${LIMITS.paceCatchUpMs} ms`,
    `${queueMs} ms`,
  ]
  // Places that a crash of PostgreSQL forgets are given once more: a burst as after a wait, at the most.
  const [, [row] = []] = await ctx.sql.together([HURRIED, { statement: take, values }])
  if (!row) return null
  const startAt = Number(must(row[0]))
  return { startAt, waitMs: startAt - now.getTime(), intervalMs }
}

// Refusals that arrive while the number is closed belong to the same incident.
const shut = statement(
  'close-pace',
  `UPDATE channel_paces
      SET closings = CASE WHEN closed_until + $3::interval < ${agreedNow('$2')} THEN 1 ELSE closings + 1 END,
          closed_until = ${agreedNow('$2')} + least($5::interval, $4::interval * power(2,
            CASE WHEN closed_until + $3::interval < ${agreedNow('$2')} THEN 0 ELSE least(closings, 20) END))
    WHERE phone_number_id = $1 AND NOT ${isClosed('closed_until', '$2')}
   RETURNING closings`,
)

/**
 * Closes a number for `firstMs`, and for twice as long each time that it happens again soon after, up to
 * `longestMs`. Answers whether it was open.
 */
export async function close(
  ctx: { sql: SqlClient; now(): Date },
  phoneNumberId: string,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): Promise<boolean> {
  const rows = await ctx.sql.rows(shut, [
    phoneNumberId,
    ctx.now(),
    `${LIMITS.paceForgivenMs} ms`,
    `${firstMs} ms`,
    `${longestMs} ms`,
  ])
  return rows.length > 0
}

/** Tells the operators that a number was closed: for which broadcast, and what the channel has said. */
export function tellClosed(
  ctx: Context,
  about: { broadcast: string | null; channelCode: number | null },
): void {
  ctx.metrics.broadcastSilences.inc()
  ctx.log.warn('broadcast.silenced', about)
}

// An advisory lock, not the row's: reservations in the queue must not wait for dispatches.
const lock = statement(
  'lock-pace',
  `SELECT pg_advisory_xact_lock(hashtextextended('broadcast ' || $1, 0))`,
)

/** Locks a number for the transaction, so that two workers never write to one customer at the same time. */
export function holding(phoneNumberId: string): Ask {
  return { statement: lock, values: [phoneNumberId] }
}
