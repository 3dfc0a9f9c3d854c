import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { agreedNow, must, type Statement, statement } from '../core/sql.ts'

const BATCH = 5_000
const BATCHES_MAX = 200

/** One clock that has leapt forward must not delete what is young. */
const BEFORE = `${agreedNow('$1')} - $2::interval`

// By where the rows lie: by their keys, PostgreSQL may go through all that is past its time for each batch of it.
// And from where the batch before ended: what that has deleted is in the index still, until it is vacuumed.
// The time is asked for twice: where PostgreSQL follows a row that is renewed while its deletion waits, it stays.
const prune = (table: string, column: string, condition = 'true') =>
  statement(
    `prune-${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table}
          WHERE ${column} >= $3::timestamptz AND ${column} < ${BEFORE} AND ${condition}
          ORDER BY ${column} LIMIT ${BATCH}
       )) AND ${column} < ${BEFORE} RETURNING ${column} AS at
     ) SELECT count(*), max(at) FROM gone`,
  )

/** What is kept for a while only, and for how long. */
const KEPT = [
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
  {
    sql: prune('deliveries', 'created_at'),
    keptMs: LIMITS.deliveriesKeptMs,
  },
  // After its deliveries, which cannot be told without it.
  { sql: prune('events', 'created_at'), keptMs: LIMITS.deliveriesKeptMs },
  { sql: prune('header_samples', 'expires_at'), keptMs: 0 },
  {
    sql: prune('former_media_copies', 'expires_at'),
    keptMs: LIMITS.formerMediaCopiesKeptMs,
  },
  { sql: prune('media_leases', 'locked_until'), keptMs: 0 },
  {
    sql: prune(
      'code_blobs',
      'used_at',
      `NOT EXISTS (SELECT 1 FROM code_files f
                    WHERE f.project_id = code_blobs.project_id AND f.sha256 = code_blobs.sha256)
       AND NOT EXISTS (SELECT 1 FROM deployment_files f
                    WHERE f.project_id = code_blobs.project_id AND f.sha256 = code_blobs.sha256)`,
    ),
    keptMs: LIMITS.codeBlobsKeptMs,
  },
  { sql: prune('bot_log_lines', 'at'), keptMs: LIMITS.botLogKeptMs },
  // They go with their run; this is for one that was deleted in another way.
  { sql: prune('bot_calls', 'created_at'), keptMs: LIMITS.botLogKeptMs },
  { sql: prune('unread_callbacks', 'received_at'), keptMs: LIMITS.unreadCallbacksKeptMs },
]

/**
 * Deletes what is past its time, in batches that lock nothing for long. A table that cannot be cleared keeps
 * no other from being: it is told of, and throws in the end.
 */
export async function pruneExpired(ctx: Context): Promise<void> {
  const failed: string[] = []
  for (const { sql, keptMs } of KEPT) {
    try {
      await clear(ctx, sql, keptMs)
    } catch (error) {
      failed.push(sql.name)
      ctx.log.error('retention.failed', { statement: sql.name, error })
    }
  }
  if (failed.length > 0)
    throw new Error(`What is past its time could not all be deleted: ${failed.join(', ')}`)
}

async function clear(ctx: Context, sql: Statement, keptMs: number): Promise<void> {
  let from = '-infinity'
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const [row] = await ctx.sql.rows(sql, [ctx.now(), `${keptMs} ms`, from])
    if (Number(row?.[0]) < BATCH) return
    from = must(row?.[1])
  }
}
