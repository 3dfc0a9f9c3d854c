import type { Context } from '../core/context.ts'
import { oneOff } from '../core/sql.ts'

/** Fewer rows leave the plans of a small table right enough. */
const NOTICED_FROM = 1_000

/**
 * Has PostgreSQL take note of rows that came to a table all at once. It would by itself, a minute or two
 * later; until then it keeps plans that were right for the few that there were, and reads the whole table
 * for each row. Nothing is lost when this fails.
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
