import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import {
  agreedNow,
  isLeapt,
  isoFromSql,
  must,
  plannedOnce,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'
import { longestDelayMs } from './delivery-schedule.ts'

/** A registration that this process alone delivers to until the lease ends. */
export type Leased = {
  webhookId: string
  projectId: string
  /** The number of this lease; outcomes reported under another number are ignored. */
  fence: number
  epoch: number
  url: string
  failureCount: number
  /** Whether the previous lease expired instead of being given back. */
  hadLapsed: boolean
}

/** A delivery with what its attempt needs. */
export type Due = {
  webhookId: string
  /** Gives the order. */
  eventId: number
  id: string
  attempts: number
  name: string
  subject: string | null
  createdAt: string
  /** JSON, byte for byte as it is sent. */
  data: string
}

/** How much may be read of one registration, and which of its events are in memory already. */
export type Room = {
  webhookId: string
  epoch: number
  room: number
  /** The last row of a read may exceed this. */
  bytes: number
  /** Subjects whose events are passed over; without any, what comes next is read. */
  past: string[]
  heldEventIds: number[]
}

// Steps from one registration with waiting deliveries to the next, by one index look-up each: the first row of
// each is its next attempt. SKIP LOCKED leaves out those that another process is leasing at the moment.
const lease = plannedOnce(
  'lease-webhooks',
  `WITH RECURSIVE waiting AS (
     (SELECT webhook_id, next_attempt_at FROM deliveries WHERE status = 'pending'
       ORDER BY webhook_id, next_attempt_at NULLS FIRST LIMIT 1)
     UNION ALL
     SELECT next.* FROM waiting CROSS JOIN LATERAL (
       SELECT d.webhook_id, d.next_attempt_at FROM deliveries d
        WHERE d.status = 'pending' AND d.webhook_id > waiting.webhook_id
        ORDER BY d.webhook_id, d.next_attempt_at NULLS FIRST LIMIT 1) AS next
   ), free AS (
     SELECT w.id, w.lease_until IS NOT NULL AS had_lapsed
       FROM webhooks w JOIN waiting ON waiting.webhook_id = w.id
      WHERE (waiting.next_attempt_at IS NULL OR waiting.next_attempt_at <= ${agreedNow('$1')}
             OR ${isLeapt('waiting.next_attempt_at', "$5::float8 * interval '1 ms'")})
        AND w.is_active AND w.id <> ALL ($2::text[])
        AND (w.lease_until IS NULL OR w.lease_until <= now())
      ORDER BY w.leased_at NULLS FIRST, w.id LIMIT $3::bigint
        FOR NO KEY UPDATE OF w SKIP LOCKED
   )
   UPDATE webhooks w
      SET fence = w.fence + 1, leased_at = now(), lease_until = now() + $4::float8 * interval '1 ms'
     FROM free WHERE w.id = free.id
   RETURNING w.id, w.project_id, w.fence, w.epoch, w.url, w.failure_count, free.had_lapsed`,
)

/**
 * Leases registrations that have something due and no lease, those first that have waited longest for their
 * turn. Leases run by the database's clock; due times by the service's clock, unless that is ahead of the
 * database's. A delivery put off for longer than the longest delay, as a clock that had leapt leaves it, is
 * due.
 */
export async function leaseWebhooks(
  ctx: Context,
  wanted: { except: string[]; most: number; leaseMs: number },
): Promise<Leased[]> {
  const longestMs = longestDelayMs(ctx.config.webhookRetryDelaysMs)
  const values = [ctx.now(), wanted.except, wanted.most, wanted.leaseMs, longestMs]
  const rows = await ctx.sql.rows(lease, values)
  return rows.map(([id, projectId, fence, epoch, url, failureCount, hadLapsed]) => ({
    webhookId: must(id),
    projectId: must(projectId),
    fence: Number(fence),
    epoch: Number(epoch),
    url: must(url),
    failureCount: Number(failureCount),
    hadLapsed: hadLapsed === 't',
  }))
}

/**
 * SQL of the first deliveries that fit into the room `l`; beside those of subjects that are passed over. Each one's
 * subject is looked up: with NOT EXISTS, PostgreSQL may instead gather all events of these subjects in the table.
 */
const first = (which: string) => `
            (SELECT webhook_id, event_id, id, attempts FROM (
               SELECT webhook_id, event_id, id, attempts, next_attempt_at FROM deliveries
                WHERE webhook_id = l.webhook_id AND status = 'pending' AND epoch = l.epoch
                  AND ${which} AND event_id <> ALL (l.held)
                ORDER BY next_attempt_at NULLS FIRST, event_id LIMIT l.passed) AS passed
              WHERE l.past = '{}'
                 OR (SELECT subject FROM events WHERE id = passed.event_id) = ANY (l.past) IS NOT TRUE
              ORDER BY next_attempt_at NULLS FIRST, event_id LIMIT l.room)`

// A separate statement, after the lease: one statement for both would see the deliveries as of before it waited
// for the lease, and would find deliveries waiting that the previous holder has finished. OFFSET 0 makes
// PostgreSQL read `held` once per registration instead of once per row compared with it.
const readDue = plannedOnce(
  'read-due-deliveries',
  `SELECT webhook_id, event_id, id, attempts, name, subject, created_at, data FROM (
     SELECT *, sum(size) OVER (ORDER BY place, event_id, webhook_id) - size AS bytes_before FROM (
       SELECT d.*, e.name, e.subject, e.created_at, e.data, octet_length(e.data) AS size, l.bytes,
              sum(octet_length(e.data)) OVER (PARTITION BY d.webhook_id ORDER BY d.event_id)
                - octet_length(e.data) AS own_bytes_before
         FROM (SELECT webhook_id, epoch, room, bytes, held::bigint[] AS held,
                      ARRAY(SELECT json_array_elements_text(past::json)) AS past,
                      CASE WHEN past = '[]' THEN room ELSE ${LIMITS.deliveriesPassed} END AS passed
                 FROM unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::text[], $9::text[])
                   AS room (webhook_id, epoch, room, bytes, held, past) OFFSET 0) AS l
        CROSS JOIN LATERAL (
          SELECT *, row_number() OVER (ORDER BY event_id) AS place FROM (${first('next_attempt_at IS NULL')}
            UNION ALL ${first(`next_attempt_at <= ${agreedNow('$1')}`)}
            UNION ALL ${first(isLeapt('next_attempt_at', "$8::float8 * interval '1 ms'"))}
          ) AS each_due ORDER BY event_id LIMIT l.room
        ) AS d
         JOIN events e ON e.id = d.event_id
     ) AS fitting WHERE own_bytes_before < bytes
   ) AS due WHERE bytes_before < $7::bigint ORDER BY event_id`,
)

/**
 * Reads what is due of leased registrations and not in memory yet, in the order of events, bounded in bytes.
 */
export async function readDueDeliveries(ctx: Context, rooms: Room[]): Promise<Due[]> {
  const rows = await ctx.sql.rows(readDue, [
    ctx.now(),
    rooms.map(({ webhookId }) => webhookId),
    rooms.map(({ epoch }) => epoch),
    rooms.map(({ room }) => room),
    rooms.map(({ bytes }) => bytes),
    rooms.map(({ heldEventIds }) => `{${heldEventIds.join(',')}}`),
    LIMITS.deliveriesReadBytes,
    longestDelayMs(ctx.config.webhookRetryDelaysMs),
    rooms.map(({ past }) => JSON.stringify(past)),
  ])
  return rows.map(presentDue)
}

function presentDue(row: Row): Due {
  const [webhookId, eventId, id, attempts, name, subject, createdAt, data] = row
  return {
    webhookId: must(webhookId),
    eventId: Number(eventId),
    id: must(id),
    attempts: Number(attempts),
    name: must(name),
    subject: subject ?? null,
    createdAt: isoFromSql(must(createdAt)),
    data: must(data),
  }
}

/** What is to become of a lease: renewed for `leaseMs`, or given back with 0. */
export type Kept = { webhookId: string; fence: number; leaseMs: number; triggeredAt: Date | null }

const keep = statement(
  'keep-webhook-leases',
  `WITH kept AS (
     SELECT id FROM webhooks WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE
   )
   UPDATE webhooks w
      SET lease_until = CASE WHEN l.lease_ms > 0 THEN now() + l.lease_ms * interval '1 ms' END,
          last_triggered_at = greatest(w.last_triggered_at, l.triggered_at)
     FROM unnest($1::text[], $2::bigint[], $3::int[], $4::timestamptz[])
       AS l (webhook_id, fence, lease_ms, triggered_at)
    WHERE w.id = l.webhook_id AND w.fence = l.fence AND w.id = ANY (ARRAY(SELECT id FROM kept))
   RETURNING w.id`,
)

/** Renews leases or gives them back; answers with those that still belonged to this process. */
export async function keepLeases(ctx: Context, kept: Kept[]): Promise<Set<string>> {
  const rows = await ctx.sql.rows(keep, [
    kept.map(({ webhookId }) => webhookId),
    kept.map(({ fence }) => fence),
    kept.map(({ leaseMs }) => leaseMs),
    kept.map(({ triggeredAt }) => triggeredAt),
  ])
  return new Set(rows.map(([id]) => must(id)))
}

const COUNTED_MOST = 100_000
const countDue = statement(
  'count-due-deliveries',
  `SELECT count(*) FROM (
     SELECT FROM deliveries WHERE status = 'pending'
        AND (next_attempt_at IS NULL OR next_attempt_at <= ${agreedNow('$1')}) LIMIT ${COUNTED_MOST}) AS due`,
)

/** How many deliveries could be attempted now; 100,000 when there are more. */
export async function dueCount(sql: SqlClient, now: Date): Promise<number> {
  const [row] = await sql.rows(countDue, [now])
  return Number(row?.[0])
}
