import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'

const makeDue = statement(
  'bench-make-due',
  `UPDATE broadcasts SET status = 'sending' WHERE id = $1 AND status = 'scheduled'`,
)

/** The same context, which starts a broadcast long before its time: no worker can be quicker. */
export function makingDue(ctx: Context, id: string): Context {
  const { sql } = ctx
  const transaction: typeof sql.transaction = (work) =>
    sql.transaction(async (tx) => {
      await tx.rows(makeDue, [id])
      return work(tx)
    })
  return { ...ctx, sql: { ...sql, transaction } }
}
