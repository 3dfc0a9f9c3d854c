import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { tellSeldom } from '../../core/seldom.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'

// Bytes and rows cannot be written together. So bytes are on this list from before they are stored until
// the row is there, and from when the row goes until they are removed: a crash leaves no orphans. How long
// they are on it is the database's to say, for the clocks of two processes may be far apart.
const note = statement(
  'note-loose-bytes',
  'INSERT INTO loose_bytes (store_key, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
)
const own = statement(
  'claim-loose-bytes',
  'DELETE FROM loose_bytes WHERE store_key = $1 AND NOT is_given_up RETURNING 1',
)
const forget = statement('forget-loose-bytes', 'DELETE FROM loose_bytes WHERE store_key = $1')
// Said before they are removed, and no transaction waits for that: who claims them later gets nothing. Those
// whose removal has failed come last, and nothing more is said of them; in no order, for a thousand that stay
// would keep all others from ever being tried again.
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

/** Notes that nothing owns the bytes under a key yet. */
export async function add(sql: SqlClient, key: string): Promise<void> {
  await sql.rows(note, [key])
}

/**
 * Takes the bytes off the list for a row that owns them once the transaction commits. False when they
 * were so long on it that they are being removed, or are gone: then nothing may own them.
 */
export async function claim(tx: SqlClient, key: string): Promise<boolean> {
  const rows = await tx.rows(own, [key])
  return rows.length > 0
}

/** Removes bytes that nothing owns or will own; what cannot be removed now is swept later. */
export async function remove(ctx: Context, key: string): Promise<void> {
  try {
    await ctx.mediaStore.remove(key)
    await ctx.sql.rows(forget, [key])
  } catch (error) {
    tellSeldom(ctx.log, 'warn', 'media.bytes_left', { key, error })
  }
}

/** Removes what crashes have left, a thousand at a time; what is being stored now is younger. */
export async function sweep(ctx: Context): Promise<void> {
  const rows = await ctx.sql.rows(giveUpOld, [LIMITS.uploadFilesKeptMs, SWEPT_AT_ONCE])
  for (const [key] of rows) await remove(ctx, must(key))
}
