import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { agreedNow, type Statement, statement } from '../core/sql.ts'

const BATCH = 5_000
const BATCHES_MAX = 200

/** One clock that has leapt forward must not delete what is young. */
const BEFORE = `${agreedNow('$1')} - $2::interval`

// The time is asked for twice: what is renewed while its deletion waits for it stays.
const prune = (table: string, key: string, column: string, condition = 'true') =>
  statement(
    `prune-${table}`,
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} WHERE ${column} < ${BEFORE} AND ${condition} ORDER BY ${column} LIMIT ${BATCH}
     ) AND ${column} < ${BEFORE} RETURNING 1`,
  )

/** What is kept for a while only, and for how long. */
const KEPT = [
  { sql: prune('send_attempts', 'id', 'created_at'), keptMs: LIMITS.attemptsKeptMs },
  {
    sql: prune('parked_statuses', 'project_id, wamid, status', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  {
    sql: prune('parked_template_statuses', 'project_id, name, language', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  {
    sql: prune('heard_template_news', 'project_id, digest', 'received_at'),
    keptMs: LIMITS.parkedStatusesKeptMs,
  },
  { sql: prune('idempotency_records', 'project_id, key', 'expires_at'), keptMs: 0 },
  { sql: prune('row_cursors', 'id', 'created_at'), keptMs: LIMITS.rowCursorsKeptMs },
  {
    sql: prune('deliveries', 'webhook_id, event_id', 'created_at'),
    keptMs: LIMITS.deliveriesKeptMs,
  },
  // After its deliveries, which cannot be told without it.
  { sql: prune('events', 'id', 'created_at'), keptMs: LIMITS.deliveriesKeptMs },
  { sql: prune('header_samples', 'handle_hash', 'expires_at'), keptMs: 0 },
  {
    sql: prune('former_media_copies', 'project_id, media_id', 'expires_at'),
    keptMs: LIMITS.formerMediaCopiesKeptMs,
  },
  { sql: prune('media_leases', 'project_id, name', 'locked_until'), keptMs: 0 },
  {
    sql: prune(
      'code_blobs',
      'project_id, sha256',
      'used_at',
      `NOT EXISTS (SELECT 1 FROM code_files f
                    WHERE f.project_id = code_blobs.project_id AND f.sha256 = code_blobs.sha256)
       AND NOT EXISTS (SELECT 1 FROM deployment_files f
                    WHERE f.project_id = code_blobs.project_id AND f.sha256 = code_blobs.sha256)`,
    ),
    keptMs: LIMITS.codeBlobsKeptMs,
  },
  { sql: prune('bot_log_lines', 'id', 'at'), keptMs: LIMITS.botLogKeptMs },
  // They go with their run; this is for one that was deleted in another way.
  { sql: prune('bot_calls', 'run_id, call', 'created_at'), keptMs: LIMITS.botLogKeptMs },
  { sql: prune('unread_callbacks', 'id', 'received_at'), keptMs: LIMITS.unreadCallbacksKeptMs },
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
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const { length } = await ctx.sql.rows(sql, [ctx.now(), `${keptMs} ms`])
    if (length < BATCH) return
  }
}
