import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { tellSeldom } from '../../core/seldom.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'

// Bytes and rows cannot be written in one transaction. So bytes are listed here from before they are stored
// until their row exists, and from when the row is deleted until they are removed; a crash leaves no orphans.
// Ages are measured by the database's clock, since the clocks of processes may differ.
const note = statement(
  'note-loose-bytes',
  'INSERT INTO loose_bytes (store_key, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
)
const own = statement(
  'claim-loose-bytes',
  'DELETE FROM loose_bytes WHERE store_key = $1 AND NOT is_given_up RETURNING 1',
)
const forget = statement('forget-loose-bytes', 'DELETE FROM loose_bytes WHERE store_key = $1')
// Marked before they are removed, in a committed transaction, so that a later claim finds the mark. Failed
// removals come last, and are not marked again; they have no order of their own, or a thousand that keep
// failing would keep all others from being retried.
const giveUpOld = statement(
  'give-up-loose-bytes',
  `WITH old AS (
     SELECT store_key, is_given_up FROM loose_bytes
      WHERE created_at < now() - $1 * interval '1 millisecond'
      ORDER BY is_given_up, CASE WHEN is_given_up THEN random() END, created_at
      LIMIT $2 FOR UPDATE SKIP LOCKED
   ), given_up AS (
     UPDATE loose_bytes SET is_given_up = true
      WHERE store_key IN (SELECT store_key FROM old WHERE NOT is_given_up)
   )
   SELECT store_key FROM old`,
)

const SWEPT_AT_ONCE = 1_000

/** Lists the bytes under a key as owned by nothing yet. */
export async function add(sql: SqlClient, key: string): Promise<void> {
  await sql.rows(note, [key])
}

/**
 * Takes bytes off the list for a row that owns them once the transaction commits. False when they were on it
 * for so long that they are being removed, or are gone: then no row may own them.
 */
export async function claim(tx: SqlClient, key: string): Promise<boolean> {
  const rows = await tx.rows(own, [key])
  return rows.length > 0
}

/** Removes bytes that no row owns or will own; what cannot be removed now is swept later. */
export async function remove(ctx: Context, key: string): Promise<void> {
  try {
    await ctx.mediaStore.remove(key)
    await ctx.sql.rows(forget, [key])
  } catch (error) {
    tellSeldom(ctx.log, 'warn', 'media.bytes_left', { key, error })
  }
}

/** Removes what crashes have left behind, a thousand at a time; uploads under way are younger. */
export async function sweep(ctx: Context): Promise<void> {
  const rows = await ctx.sql.rows(giveUpOld, [LIMITS.uploadFilesKeptMs, SWEPT_AT_ONCE])
  for (const [key] of rows) await remove(ctx, must(key))
}
