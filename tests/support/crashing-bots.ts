import { createBotPool } from '../../bot/pool.ts'
import { startBots } from '../../capabilities/bots/bot-dispatcher.ts'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import { readContract } from '../../core/contract.ts'
import { createRequestChecks } from '../../middleware/request-checks.ts'
import { createValidators } from '../../middleware/validate.ts'

// A process that runs bots and dies, as by a power cut, when it comes to a step of a run.
const [step, sandboxUrl = ''] = process.argv.slice(2)

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

type Rows = Context['sql']['rows']

/** Statements, dying after the one that the step names: `after:lease-bot-runs`. */
function dying(rows: Rows, hear: (name: string) => void = () => {}): Rows {
  return async (statement, values) => {
    if (step === `before:${statement.name}`) return die()
    const found = await rows(statement, values)
    const isIdle = statement.name === 'lease-bot-runs' && found.length === 0
    if (step === `after:${statement.name}` && !isIdle) return die()
    hear(statement.name)
    return found
  }
}

/** The context, dying in its step; `committed:move-conversation` is after the commit of such a statement. */
function crashing(ctx: Context): Context {
  const transaction: Context['sql']['transaction'] = async (work) => {
    const names = new Set<string>()
    const hear = (name: string) => void names.add(`committed:${name}`)
    const result = await ctx.sql.transaction((tx) => work({ ...tx, rows: dying(tx.rows, hear) }))
    if (names.has(step ?? '')) return die()
    return result
  }
  const write: Context['tables']['write'] = async (table, work) => {
    const result = await ctx.tables.write(table, async (tx) => {
      const inner = await work(tx)
      if (step === 'before:commit') return die()
      return inner
    })
    if (step === 'after:commit') return die()
    return result
  }
  const rows = dying(ctx.sql.rows)
  return { ...ctx, sql: { ...ctx.sql, rows, transaction }, tables: { ...ctx.tables, write } }
}

const config = loadConfig(process.env)
const channel = createCloudApi({})
const opened = await openContext(config, config.databaseUrl ?? '', {
  channel: {
    ...channel,
    async send(account, request) {
      if (step === 'before:send') return die()
      const outcome = await channel.send(account, request)
      if (step === 'after:send') return die()
      return outcome
    },
  },
})
opened.useSandbox(sandboxUrl)
const document = readContract()
startBots(crashing(opened.ctx), {
  pool: createBotPool(console.error),
  check: createRequestChecks(document, await createValidators(document)),
})
