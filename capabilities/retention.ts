import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { agreedNow, must, type Statement, statement } from '../core/sql.ts'

const BATCH = 5_000

/** One clock that has leapt forward must not delete what is young. */
const BEFORE = `${agreedNow('$1')} - $2::interval`

// By where the rows lie: by their keys, PostgreSQL may go through all that is past its time for each batch of it.
// And from where the batch before ended: what that has deleted is in the index still, until it is vacuumed.
// The time is asked for twice: where PostgreSQL follows a row that is renewed while its deletion waits, it stays.
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

// Most content has a file for ever: that is told from the rest once, and not gone through again each time. Whoever
// lets go of it says when, in the place of this.
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

type Kept = {
  sql: Statement
  keptMs: number
}

const OLDEST_DELIVERY = "coalesce((SELECT min(created_at) FROM deliveries), 'infinity')"

/** What is kept for a while only, and for how long. */
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
  // They go with their run; this is for one that was deleted in another way.
  { sql: prune('bot_calls', 'created_at'), keptMs: LIMITS.botLogKeptMs },
  { sql: prune('unread_callbacks', 'received_at'), keptMs: LIMITS.unreadCallbacksKeptMs },
]

/**
 * Deletes what is past its time, in batches that lock nothing for long, one of each table in turn: however much
 * one holds, the others do not wait for it. What is left after `runMs` is for the next time, which is soon.
 * A table that cannot be cleared keeps no other from being: it is told of, and throws in the end.
 */
export async function pruneExpired(ctx: Context, runMs: number = LIMITS.pruneRunMs): Promise<void> {
  const startedAt = performance.now()
  const failed: string[] = []
  let left = KEPT.map((kept) => ({ ...kept, from: '-infinity' }))
  do left = await pruneEach(ctx, left, failed)
  while (left.length > 0 && performance.now() - startedAt < runMs)
  if (failed.length > 0)
    throw new Error(`What is past its time could not all be deleted: ${failed.join(', ')}`)
}

/** A table that is not clear yet, and up to when it is. */
type Left = Kept & { from: string }

/** Deletes a batch of each; answers with those of which there is more. */
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
