import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, type SqlClient, statement } from '../../core/sql.ts'

/**
 * When the messages that were asked for may leave: the first at `startAt`, which was so far ahead when it was
 * asked for, the others one by one.
 */
export type Slots = { startAt: number; waitMs: number; intervalMs: number }

/**
 * SQL of whether a number is closed until what the column says; the placeholder has the service's clock.
 * What is closed for longer than any silence lasts was closed by a clock that had leapt, and is open.
 */
export function isClosed(column: string, placeholder: string): string {
  // Not now(), which may be before the closing where a transaction has waited.
  const longest = `clock_timestamp() + interval '1 ms' * ${LIMITS.paceClosedMs}`
  return `coalesce(${column} > ${agreedNow(placeholder)} AND ${column} <= ${longest}, false)`
}

// One row is the queue of all workers. What a worker was late for, it may catch up on: a little.
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
 * Takes places for so many messages in a number's queue, which all workers share; null while the channel
 * wants nothing from the number. A worker that dies leaves its places empty.
 */
export async function reserve(
  ctx: Context,
  phoneNumberId: string,
  count: number,
): Promise<Slots | null> {
  const intervalMs = 1_000 / ctx.config.broadcastMessagesPerSecond
  const queueMs = Math.max(LIMITS.paceQueueMs, LIMITS.recipientsUnderWay * intervalMs)
  const now = ctx.now()
  const [row] = await ctx.sql.rows(take, [
    phoneNumberId,
    now,
    count,
    `${intervalMs} ms`,
    `${LIMITS.paceCatchUpMs} ms`,
    `${queueMs} ms`,
  ])
  if (!row) return null
  const startAt = Number(must(row[0]))
  return { startAt, waitMs: startAt - now.getTime(), intervalMs }
}

// Answers that come while it is closed belong to the same refusal.
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
 * Stops all sending of a number for `firstMs`, and for twice as long each time that it happens again
 * soon after, up to `longestMs`. Answers whether it was open.
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

// Not the row's own lock: nobody who takes a place in the queue is to wait for those who are leaving.
const lock = statement(
  'lock-pace',
  `SELECT pg_advisory_xact_lock(hashtextextended('broadcast ' || $1, 0))`,
)

/** Holds a number for the transaction, so that two workers never write to one customer at a time. */
export async function hold(tx: SqlClient, phoneNumberId: string): Promise<void> {
  await tx.rows(lock, [phoneNumberId])
}
