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

/**
 * The same database, which does the first of these statements and is gone before anybody hears of it; and
 * then fails as `failing` has it.
 */
export function losing(real: Sql, name: string, times: Record<string, number> = {}): Sql {
  const then = failing(real, times).sql
  let isLost = false
  return {
    ...real,
    async rows(statement, values) {
      if (isLost || statement.name !== name) return then.rows(statement, values)
      isLost = true
      await real.rows(statement, values)
      throw new Error('Connection terminated unexpectedly')
    },
  }
}

/** Does something while a service's statements go over another database; those of its transactions do not. */
export async function through<T>(
  ctx: { sql: Sql },
  make: (real: Sql) => Sql,
  work: () => Promise<T>,
): Promise<T> {
  const { sql } = ctx
  const { rows } = sql
  sql.rows = make({ ...sql }).rows
  try {
    return await work()
  } finally {
    sql.rows = rows
  }
}
