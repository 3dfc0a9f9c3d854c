import type { Context } from '../core/context.ts'
import { oneOff } from '../core/sql.ts'

/** With fewer new rows, plans made for a small table are still good enough. */
const NOTICED_FROM = 1_000

/**
 * Runs ANALYZE after many rows were added to a table at once. Autovacuum would do so a minute or two later;
 * until then PostgreSQL keeps plans made for a nearly empty table, and scans all of it for each row. Failing
 * does no harm.
 */
export async function noteGrowth(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  table: 'broadcast_recipients' | 'contacts',
  rows: number,
): Promise<void> {
  if (rows < NOTICED_FROM) return
  await sql
    .rows(oneOff(`ANALYZE ${table}`))
    .catch((error: unknown) => log.warn('table.growth_unnoted', { table, rows, error }))
}
