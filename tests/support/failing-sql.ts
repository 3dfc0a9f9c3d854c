import type { Sql } from '../../core/sql.ts'

/**
 * The same database, which fails so many of each of these statements, as one does that goes away; `failed`
 * tells how many of one have failed.
 */
export function failing(real: Sql, times: Record<string, number>) {
  const { rows } = real
  const failures = new Map<string, number>()
  const failed = (name: string) => failures.get(name) ?? 0
  const sql: Sql = {
    ...real,
    async rows(statement, values) {
      const { name } = statement
      if (failed(name) >= (times[name] ?? 0)) return rows(statement, values)
      failures.set(name, failed(name) + 1)
      throw new Error('Connection terminated unexpectedly')
    },
  }
  return { sql, failed }
}
