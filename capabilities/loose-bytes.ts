import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { must, type SqlClient, statement } from '../core/sql.ts'

// Bytes and rows cannot be written together. So bytes are on this list from before they are stored until
// the row is there, and from when the row goes until they are removed: a crash leaves no orphans.
const note = statement(
  'note-loose-bytes',
  'INSERT INTO loose_bytes (store_key, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const claimed = statement('claim-loose-bytes', 'DELETE FROM loose_bytes WHERE store_key = $1')
const findOld = statement(
  'find-loose-bytes',
  'SELECT store_key FROM loose_bytes WHERE created_at < $1 ORDER BY created_at LIMIT $2',
)

const SWEPT_AT_ONCE = 1_000

/** Notes that nothing owns the bytes under a key (yet, or any more). */
export async function add(ctx: Context, sql: SqlClient, key: string): Promise<void> {
  await sql.rows(note, [key, ctx.now()])
}

/** Takes the bytes off the list: a row owns them from now on, or they are gone. */
export async function takeOff(sql: SqlClient, key: string): Promise<void> {
  await sql.rows(claimed, [key])
}

/** Removes bytes that nothing owns; what cannot be removed now is swept later. */
export async function remove(ctx: Context, key: string): Promise<void> {
  try {
    await ctx.mediaStore.remove(key)
    await takeOff(ctx.sql, key)
  } catch (error) {
    ctx.log.warn('media.bytes_left', { key, error })
  }
}

/** Removes what crashes have left, a thousand at a time; what is being stored now is younger. */
export async function sweep(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - LIMITS.uploadFilesKeptMs)
  const rows = await ctx.sql.rows(findOld, [before, SWEPT_AT_ONCE])
  for (const [key] of rows) await remove(ctx, must(key))
}
