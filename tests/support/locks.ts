import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'
import { until } from './deliveries.ts'

const countWaiting = statement(
  'test-count-waiting',
  `SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
)

/**
 * Resolves when so many sessions of the database wait for a lock. It looks by statements of their own:
 * within a transaction, PostgreSQL goes on showing the sessions that there were at the first look.
 */
export async function untilWaiting({ sql }: Pick<Context, 'sql'>, count = 1): Promise<void> {
  await until(
    async () => Number((await sql.rows(countWaiting))[0]?.[0]) === count,
    `${count} waiting for a lock`,
  )
}
