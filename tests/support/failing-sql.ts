import type { Sql, SqlClient, Statement } from '../../core/sql.ts'
import { oneByOne } from './one-by-one.ts'

type Rows = SqlClient['rows']
/** Does a statement, or fails in its place, or after it. */
type Does = (statement: Statement, run: () => ReturnType<Rows>) => ReturnType<Rows>

/** The same database, of whose statements each is done as told, also those of transactions. */
function doing(real: Sql, does: Does): Sql {
  const { rows, transaction } = real
  const over = (run: Rows): Rows => {
    return (statement, values) => does(statement, () => run(statement, values))
  }
  const inTransaction: Sql['transaction'] = (work) =>
    transaction((tx) => work({ ...tx, rows: over(tx.rows) }))
  return {
    ...real,
    rows: over(rows),
    together: oneByOne(inTransaction),
    transaction: inTransaction,
  }
}

/**
 * The same database, which fails so many of each of these statements, as one does that goes away; `failed`
 * tells how many of one have failed.
 */
export function failing(real: Sql, times: Record<string, number>) {
  const failures = new Map<string, number>()
  const failed = (name: string) => failures.get(name) ?? 0
  const sql = doing(real, async ({ name }, run) => {
    if (failed(name) >= (times[name] ?? 0)) return run()
    failures.set(name, failed(name) + 1)
    throw new Error('Connection terminated unexpectedly')
  })
  return { sql, failed }
}

/**
 * The same database, which does the first of these statements and is gone before anybody hears of it; and
 * then fails as `failing` has it.
 */
export function losing(real: Sql, lost: string, times: Record<string, number> = {}): Sql {
  let isLost = false
  return doing(failing(real, times).sql, async ({ name }, run) => {
    if (isLost || name !== lost) return run()
    isLost = true
    await run()
    throw new Error('Connection terminated unexpectedly')
  })
}

/** Does something while a service works over another database. */
export async function through<T>(
  { sql }: { sql: Sql },
  make: (real: Sql) => Sql,
  work: () => Promise<T>,
): Promise<T> {
  const { rows, together, transaction } = sql
  const other = make({ ...sql })
  Object.assign(sql, {
    rows: other.rows,
    together: other.together,
    transaction: other.transaction,
  })
  try {
    return await work()
  } finally {
    Object.assign(sql, { rows, together, transaction })
  }
}
