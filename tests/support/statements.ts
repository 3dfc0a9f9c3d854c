import type { SqlClient } from '../../core/sql.ts'
import type { TestService } from './service.ts'

/** The names of the statements that a service makes of its database during some work. */
export async function statementsOf(
  { ctx }: Pick<TestService, 'ctx'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const names: string[] = []
  const { sql } = ctx
  const counted = (client: SqlClient): SqlClient => ({
    ...client,
    rows: (one, values) => {
      names.push(one.name)
      return client.rows(one, values)
    },
  })
  ctx.sql = {
    ...sql,
    ...counted(sql),
    together: (asked) => {
      names.push(...asked.map(({ statement: { name } }) => name))
      return sql.together(asked)
    },
    transaction: (inner) => sql.transaction((tx) => inner(counted(tx))),
  }
  try {
    await work()
  } finally {
    ctx.sql = sql
  }
  return names
}
