import type { Context } from '../../core/context.ts'

/** A promise that is kept from outside. */
export function gate<T>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => (open = resolve))
  return { opened, open: (value: T) => open(value) }
}

/** A context whose transactions stop before a statement of that name, while something else is done. */
export function amid(ctx: Context, name: string, work: () => Promise<void>): Context {
  const { sql } = ctx
  const transaction: typeof sql.transaction = (within) =>
    sql.transaction((tx) => {
      const rows: typeof tx.rows = async (asked, values) => {
        if (asked.name === name) await work()
        return tx.rows(asked, values)
      }
      return within({ ...tx, rows })
    })
  return { ...ctx, sql: { ...sql, transaction } }
}
