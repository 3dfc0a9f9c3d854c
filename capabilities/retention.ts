import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { agreedNow, must, type Statement, statement } from '../core/sql.ts'

const BATCH = 5_000

/** The clock that is agreed with the database: a process whose clock is ahead must not delete young rows. */
const BEFORE = `${agreedNow('$1')} - $2::interval`

// Rows are addressed by ctid: by primary key, PostgreSQL may scan everything that has expired once per batch.
// Each batch starts where the one before ended, since deleted rows stay in the index until vacuum. The age is
// checked twice, because a row may be renewed while its deletion waits for a lock.
const prune = (table: string, column: string, where = 'true') =>
  statement(
    `prune-${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table}
          WHERE ${column} >= $3::timestamptz AND ${column} < ${BEFORE} AND ${where}
          ORDER BY ${column} LIMIT ${BATCH}
       )) AND ${column} < ${BEFORE} RETURNING ${column} AS at
     ) SELECT count(*), max(at) FROM gone`,
  )

// Most blobs have a file for ever. They are marked once with `infinity`, so that later runs skip them; the code
// that deletes their last file sets the instant again.
const HAS_FILE = ['code_files', 'deployment_files']
  .map(
    (files) =>
      `EXISTS (SELECT FROM ${files} f WHERE f.project_id = b.project_id AND f.sha256 = b.sha256)`,
  )
  .join(' OR ')
const pruneBlobs = statement(
  'prune-code_blobs',
  `WITH due AS (
     SELECT ctid AS place, used_at AS at FROM code_blobs
      WHERE used_at >= $3::timestamptz AND used_at < ${BEFORE} ORDER BY used_at LIMIT ${BATCH}
   ), kept AS (
     UPDATE code_blobs b SET used_at = 'infinity'
      WHERE ctid = ANY (ARRAY(SELECT place FROM due)) AND used_at < ${BEFORE} AND (${HAS_FILE})
   ), gone AS (
     DELETE FROM code_blobs b
      WHERE ctid = ANY (ARRAY(SELECT place FROM due)) AND used_at < ${BEFORE} AND NOT (${HAS_FILE})
   )
   SELECT count(*), max(at) FROM due`,
)

// Messages have no index of their time. Their ids follow it, but for those that were stored late; so the first step
// without anything to delete is the last.
const pruneMessages = statement(
  'prune-messages',
  `WITH old AS MATERIALIZED (
     SELECT id, ctid AS place FROM messages
      WHERE id > $3::bigint ORDER BY id LIMIT ${BATCH}
   ), gone AS (
     DELETE FROM messages WHERE ctid = ANY (ARRAY(SELECT place FROM old)) AND created_at < ${BEFORE}
     RETURNING project_id, CASE WHEN direction = 'inbound' THEN media ->> 'media_id' END AS media_id
   ), file AS (
     DELETE FROM media d USING gone
      WHERE d.project_id = gone.project_id AND d.inbound_media_id = gone.media_id
     RETURNING d.store_key
   ), loose AS (
     INSERT INTO loose_bytes (store_key, created_at)
     SELECT store_key, now() FROM file WHERE store_key IS NOT NULL ON CONFLICT DO NOTHING
   )
   SELECT CASE WHEN EXISTS (SELECT FROM gone) THEN count(*) ELSE 0 END, max(id) FROM old`,
)

const DAY_MS = 24 * 60 * 60 * 1000

type Kept = {
  sql: Statement
  keptMs: number
}

const OLDEST_DELIVERY = "coalesce((SELECT min(created_at) FROM deliveries), 'infinity')"

/** What is kept for a limited time, and for how long. */
const KEPT: Kept[] = [
  { sql: prune('send_attempts', 'created_at'), keptMs: LIMITS.attemptsKeptMs },
  {
    sql: prune('parked_statuses', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  {
    sql: prune('parked_template_statuses', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  {
    sql: prune('heard_template_news', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  { sql: prune('idempotency_records', 'expires_at'), keptMs: 0 },
  { sql: prune('row_cursors', 'created_at'), keptMs: LIMITS.rowCursorsKeptMs },
  // A delivery that still waits has yet to be attempted, as after days without a worker.
  {
    sql: prune('deliveries', 'created_at', "status <> 'pending'"),
    keptMs: LIMITS.deliveriesKeptMs,
  },
  // A delivery is as old as its event, and cannot be told without it.
  {
    sql: prune('events', 'created_at', `created_at < ${OLDEST_DELIVERY}`),
    keptMs: LIMITS.deliveriesKeptMs,
  },
  { sql: prune('header_samples', 'expires_at'), keptMs: 0 },
  {
    sql: prune('former_media_copies', 'expires_at'),
    keptMs: LIMITS.formerMediaCopiesKeptMs,
  },
  { sql: prune('media_leases', 'locked_until'), keptMs: 0 },
  { sql: pruneBlobs, keptMs: LIMITS.codeBlobsKeptMs },
  { sql: prune('bot_log_lines', 'at'), keptMs: LIMITS.botLogKeptMs },
  // Calls are deleted with their run; this catches those whose run was deleted in another way.
  { sql: prune('bot_calls', 'created_at'), keptMs: LIMITS.botLogKeptMs },
  { sql: prune('unread_callbacks', 'received_at'), keptMs: LIMITS.unreadCallbacksKeptMs },
]

/**
 * Deletes what has expired, in small batches that hold locks only briefly, one batch of each table in turn, so
 * that a large table does not delay the others. What is left after `runMs` is deleted by the next run. A table
 * that fails does not stop the others: it is logged, and an Error that names it is thrown at the end.
 */
export async function pruneExpired(ctx: Context, runMs: number = LIMITS.pruneRunMs): Promise<void> {
  const startedAt = performance.now()
  const failed: string[] = []
  const { messagesKeptDays } = ctx.config
  let left: Left[] = KEPT.map((kept) => ({ ...kept, from: '-infinity' }))
  if (messagesKeptDays !== null) {
    left.push({ sql: pruneMessages, keptMs: messagesKeptDays * DAY_MS, from: '0' })
  }
  do left = await pruneEach(ctx, left, failed)
  while (left.length > 0 && performance.now() - startedAt < runMs)
  if (failed.length > 0)
    throw new Error(`What is past its time could not all be deleted: ${failed.join(', ')}`)
}

/** A table that still has expired rows, and how far its deletion has come. */
type Left = Kept & { from: string }

/** Deletes one batch from each table; answers with the tables that have more. */
async function pruneEach(ctx: Context, tables: Left[], failed: string[]): Promise<Left[]> {
  const left: Left[] = []
  for (const table of tables) {
    const { sql, keptMs, from } = table
    try {
      const [row] = await ctx.sql.rows(sql, [ctx.now(), `${keptMs} ms`, from])
      if (Number(row?.[0]) === BATCH) left.push({ ...table, from: must(row?.[1]) })
    } catch (error) {
      failed.push(sql.name)
      ctx.log.error('retention.failed', { statement: sql.name, error })
    }
  }
  return left
}
