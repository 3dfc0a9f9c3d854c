import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'

const write = statement(
  'write-server-address',
  `INSERT INTO service_settings (name, value) VALUES ('server_url', $1)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
)
const read = statement(
  'read-server-address',
  `SELECT value FROM service_settings WHERE name = 'server_url'`,
)

/** Stores the address of this process, for operators' commands and for the sandbox of a worker. */
export async function note(ctx: Context, url: string): Promise<void> {
  await ctx.sql.rows(write, [url])
}

/** The address of the server that started last; it may have stopped since. */
export async function last(ctx: Context): Promise<string | null> {
  const [row] = await ctx.sql.rows(read)
  return row?.[0] ?? null
}
