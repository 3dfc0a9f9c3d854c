import type pg from 'pg'

/** The work of PostgreSQL during a measurement, as counted by pg_stat_statements. */
export type DatabaseWork = { statements: number; busyMs: number }

/** Counts the statements of all clients while `work` runs. */
export async function databaseWorkOf(
  admin: pg.Client,
  work: () => Promise<unknown>,
): Promise<DatabaseWork> {
  await trackStatements(admin, work)
  const { rows } = await admin.query<{ calls: string; ms: number }>(
    'SELECT sum(calls) AS calls, sum(total_exec_time) AS ms FROM pg_stat_statements',
  )
  return { statements: Number(rows[0]?.calls), busyMs: Number(rows[0]?.ms) }
}

/** Makes `pg_stat_statements` record the statements that run during `work`, and no others. */
export async function trackStatements(
  admin: pg.Client,
  work: () => Promise<unknown>,
): Promise<void> {
  const track = async (what: 'top' | 'none') => {
    await admin.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`)
    await admin.query('SELECT pg_reload_conf()')
  }
  await track('top')
  await admin.query('SELECT pg_stat_statements_reset()')
  await work()
  await track('none')
}
