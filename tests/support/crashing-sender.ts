import { startDue } from '../../capabilities/broadcasts/broadcast-starts.ts'
import { releaseDue } from '../../capabilities/broadcasts/broadcast-waves.ts'
import { startSender } from '../../capabilities/broadcasts/broadcast-sender.ts'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import type { Sql, SqlClient } from '../../core/sql.ts'
import { oneByOne } from './one-by-one.ts'

// A worker that dies, as by a power cut, when it comes to a step of a broadcast for the nth time: before
// the commit of what a statement has done, or after it.
const [step, times] = process.argv.slice(2)
let left = Number(times)

/** Dies when the step is the one; else goes on. */
async function reach(reached: string): Promise<void> {
  if (reached !== step || --left > 0) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

function crashing(ctx: Context): Context {
  const watched = (sql: SqlClient, seen: string[]): SqlClient => ({
    ...sql,
    async rows(statement, values) {
      const rows = await sql.rows(statement, values)
      seen.push(statement.name)
      await reach(`before_commit ${statement.name}`)
      return rows
    },
  })
  const transaction: Sql['transaction'] = async (work) => {
    const seen: string[] = []
    const result = await ctx.sql.transaction((tx) => work(watched(tx, seen)))
    for (const name of seen) await reach(`after_commit ${name}`)
    return result
  }
  return {
    ...ctx,
    sql: {
      ...ctx.sql,
      transaction,
      together: oneByOne(transaction),
      async rows(statement, values) {
        const rows = await ctx.sql.rows(statement, values)
        await reach(`after_commit ${statement.name}`)
        return rows
      },
    },
    channel: {
      ...ctx.channel,
      async send(account, request) {
        await reach('before_send')
        const outcome = await ctx.channel.send(account, request)
        if (outcome.outcome !== 'accepted') process.stderr.write(`${JSON.stringify(outcome)}\n`)
        await reach('after_send')
        return outcome
      },
    },
  }
}

const config = loadConfig(process.env)
const opened = await openContext(config, config.databaseUrl ?? '')
const ctx = crashing(opened.ctx)
await startDue(ctx)
await releaseDue(ctx)
await startSender(ctx, { pollMs: null }).run()
process.exit(0)
