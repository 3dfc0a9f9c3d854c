import { createCloudApi } from '../../channel/cloud-api.ts'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import type { Channel } from '../../core/ports.ts'
import { startService } from '../../service.ts'

// A server that dies, as by a power cut, when a request comes to a step: `before:send` and `after:send` of
// the channel's answer, or of a statement, as `after:begin-sends`. It says where it listens, and waits.
const [step] = process.argv.slice(2)

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

/** Dies before the work, or after it has been done, when that is the step. */
async function reach<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (step === `before:${name}`) return die()
  const result = await work()
  return step === `after:${name}` ? die() : result
}

function crashingChannel(channel: Channel): Channel {
  return {
    ...channel,
    send: (account, request) => reach('send', () => channel.send(account, request)),
  }
}

function crashing({ sql, ...ctx }: Context): Context {
  const rows: typeof sql.rows = (statement, values) =>
    reach(statement.name, () => sql.rows(statement, values))
  const watched = { ...sql, rows }
  return { ...ctx, sql: watched, sqlOf: () => watched }
}

const config = loadConfig(process.env)
const opened = await openContext(config, config.databaseUrl ?? '', {
  channel: crashingChannel(createCloudApi()),
})
const { url } = await startService({ ...opened, ctx: crashing(opened.ctx) })
console.log(JSON.stringify({ url }))
