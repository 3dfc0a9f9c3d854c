import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import { startService } from '../../service.ts'
import { createLocalEgress } from './local-egress.ts'

// A worker that dies, as by a power cut, when it comes to a step of a delivery for the nth time.
const [step, times] = process.argv.slice(2)
let left = Number(times)

/** Dies when the step is the one; else goes on. */
async function reach(reached: string): Promise<void> {
  if (reached !== step || --left > 0) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

function crashing(ctx: Context): Context {
  return {
    ...ctx,
    sql: {
      ...ctx.sql,
      async rows(statement, values) {
        const rows = await ctx.sql.rows(statement, values)
        if (statement.name === 'lease-webhooks' && rows.length > 0) await reach('leased')
        if (statement.name === 'settle-deliveries') await reach('settled')
        return rows
      },
    },
    egress: {
      ...ctx.egress,
      async post(url, request) {
        await reach('before_post')
        const outcome = await ctx.egress.post(url, request)
        await reach('after_post')
        return outcome
      },
    },
  }
}

const config = loadConfig(process.env)
const egress = createLocalEgress([])
const opened = await openContext(config, config.databaseUrl ?? '', { egress })
await startService({ ...opened, ctx: crashing(opened.ctx) })
console.log('started')
