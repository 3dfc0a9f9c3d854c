import type { Context, TablesContext } from '../core/context.ts'
import { must, statement } from '../core/sql.ts'
import type { LeasedRun } from './bot-runs.ts'
import { emitCustom } from './custom-events.ts'

/** A run cannot go on: what it did before it was begun again has no outcome so far. */
export const NOT_YET = new Error('The outcome of an earlier try is not known yet')

const claim = statement(
  'claim-bot-call',
  `INSERT INTO bot_calls (run_id, call, answer) VALUES ($1, $2, 'true')
   ON CONFLICT DO NOTHING RETURNING 1`,
)

/**
 * Raises an event of the project's own, once for each call of a run, however often that is begun. Answers
 * whether it was accepted, and never throws.
 */
export async function emitOnce(
  ctx: Context,
  { id, projectId }: LeasedRun,
  call: string,
  name: unknown,
  payload?: unknown,
): Promise<boolean> {
  try {
    return await ctx.sql.transaction(async (tx) => {
      const [claimed] = await tx.rows(claim, [id, call])
      if (!claimed) return true
      const sql = { ...ctx.sql, rows: tx.rows, announce: tx.announce }
      return emitCustom({ ...ctx, sql }, projectId, name, payload)
    })
  } catch (error) {
    ctx.log.error('bot.emit_failed', { project: projectId, run: id, error })
    return false
  }
}

const find = statement(
  'find-bot-call',
  `SELECT transaction_id, pg_xact_status(transaction_id::xid8), answer FROM bot_calls
    WHERE run_id = $1 AND call = $2`,
)
const note = statement(
  'note-bot-call',
  `INSERT INTO bot_calls (run_id, call, transaction_id, answer) VALUES ($1, $2, $3, $4)
   ON CONFLICT (run_id, call) DO UPDATE
     SET transaction_id = excluded.transaction_id, answer = excluded.answer`,
)
const CURRENT = statement('', 'SELECT pg_catalog.pg_current_xact_id()')

/**
 * A context whose writes to the project's tables happen once for a call of a run. A project's role cannot
 * write down that they did, so the service notes their transaction before it ends, and asks PostgreSQL
 * what became of it should the run be begun again.
 */
export function writingOnce<C extends TablesContext>(ctx: C, run: LeasedRun, call: string): C {
  const { tables } = ctx
  const write: typeof tables.write = async (access, work) => {
    const [row] = run.begun > 1 ? await ctx.sql.rows(find, [run.id, call]) : []
    if (row?.[1] === 'in progress') throw NOT_YET
    if (row?.[1] === 'committed')
      return JSON.parse(must(row[2])) as Awaited<ReturnType<typeof work>>
    return tables.write(access, async (tx) => {
      const result = await work(tx)
      const [id] = await tx.rows(CURRENT)
      await ctx.sql.rows(note, [run.id, call, must(id?.[0]), JSON.stringify(result)])
      return result
    })
  }
  return { ...ctx, tables: { ...tables, write } }
}
