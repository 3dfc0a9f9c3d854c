import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'

const makeDue = statement(
  'bench-make-due',
  `UPDATE broadcasts SET status = 'sending' WHERE id = $1 AND status = 'scheduled'`,
)

/**
 * The same context, which starts a broadcast before its time, so that no worker can be first. It ends with the
 * commit that creates the recipients, before PostgreSQL's statistics are updated.
 */
export function makingDue(ctx: Context, id: string): Context {
  const { sql } = ctx
  const transaction: typeof sql.transaction = (work) =>
    sql.transaction(async (tx) => {
      await tx.rows(makeDue, [id])
      return work(tx)
    })
  const rows: typeof sql.rows = async (one, values) =>
    one.text.startsWith('ANALYZE') ? [] : sql.rows(one, values)
  return { ...ctx, sql: { ...sql, transaction, rows } }
}
