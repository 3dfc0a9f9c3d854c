import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { statement } from '../../core/sql.ts'
import { deployHandlers, logOf, runBots, runsLeft } from '../support/bots.ts'
import { KILLED, runUntilCrash } from '../support/crashing.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'
import { until } from '../support/until.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const SHORT_LOCK = { IDEMPOTENCY_LOCK_MS: '1500' }

/** The service that survives; what crashes is a process of its own on the same database. */
let service: TestService

beforeAll(async () => {
  service = await startTestService({ env: SHORT_LOCK })
})
afterAll(() => service.stop())

const expire = statement(
  'test-expire-bot-leases',
  `UPDATE bot_runs SET lease_until = now() - interval '1 ms' WHERE project_id = $1`,
)

const BOT = {
  onMessage: `async (ctx) => {
    await ctx.setState('served')
    const { id } = await ctx.send({ type: 'text', content: 'Hi ' + ctx.message.content })
    const [order] = await ctx.table('orders').insert([{ wamid: id }])
    const accepted = await ctx.emit('order.made', { number: order.number })
    ctx.log.info(accepted)
  }`,
}

describe.each([
  'after:lease-bot-runs',
  'after:introduce-conversation-state',
  'before:send',
  'after:send',
  'before:record-sends',
  'before:commit',
  'after:commit',
  'committed:emit-events',
  'committed:move-conversation',
  'before:finish-bot-runs',
  'after:finish-bot-runs',
])('a process that dies in the step %s', (step) => {
  it('leaves runs that come to their end, each in its order, having done everything once', async () => {
    const project = await service.project()
    const { id: webhookId } = await subscribe(project, ['order.made'])
    await applySql(service, project, 'CREATE TABLE orders (number serial PRIMARY KEY, wamid text)')
    await deployHandlers(service, project, BOT)
    await service.customer(project, { text: 'one' })
    const { id } = await service.customer(project, { text: 'two' })
    const args = [step, service.sandbox.url]
    expect(await runUntilCrash(service, 'bots', args, SHORT_LOCK)).toEqual(KILLED)

    const left = await runsLeft(service, project.id)
    expect(left).toBe(step === 'after:finish-bot-runs' ? 1 : 2)
    await service.ctx.sql.rows(expire, [project.id])
    const survivor = await runBots(service.ctx)
    await until(
      async () => {
        service.advance(1_000)
        survivor.wake()
        return (await runsLeft(service, project.id)) === 0
      },
      'the end of the runs',
      30_000,
    ).finally(() => survivor.stop())

    const { client } = project
    const path = { id: String(id) } as never
    const { messages } = await client.ok('listConversationMessages', { path })
    const answers = messages.filter(({ origin }) => origin === 'bot').toReversed()
    const { rows } = await client.ok('listRows', { path: { table: 'orders' } })
    const told = await toldTo(service, webhookId)
    expect(await logOf(service, project)).toEqual(Array(2).fill({ level: 'info', text: 'true' }))
    expect(answers.map(({ content }) => content)).toEqual(['Hi one', 'Hi two'])
    expect(rows.map(({ wamid }) => wamid)).toEqual(answers.map(({ wamid }) => wamid))
    expect(told.map(({ data }) => data)).toEqual(rows.map(({ number }) => ({ number })))
  })
})
