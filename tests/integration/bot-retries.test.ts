import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { must, statement } from '../../core/sql.ts'
import {
  deployHandlers,
  failTimes,
  logOf,
  runBots,
  untilRun,
  untilRunAtLast,
} from '../support/bots.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'
import { until } from '../support/until.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const lockKeyOfRun = statement(
  'test-lock-bot-key',
  `INSERT INTO idempotency_records (project_id, key, fingerprint, attempt_id, request_id,
                                    locked_until, expires_at)
   SELECT $1, $2, $3, gen_random_uuid(), 'other', now() + interval '1 hour', now() + interval '1 day'`,
)
const unlock = statement(
  'test-unlock-keys',
  `UPDATE idempotency_records SET locked_until = now() WHERE project_id = $1`,
)
const readRuns = statement(
  'test-read-bot-runs',
  'SELECT id, due_at, lease_until, begun FROM bot_runs WHERE project_id = $1 ORDER BY id',
)

/** As a process leaves it that died, or still works, at the first send of a run. */
async function sendElsewhere({ id: projectId }: TestProject): Promise<void> {
  const [run] = await service.ctx.sql.rows(readRuns, [projectId])
  const key = `bot run ${must(run?.[0])} send 0`
  const fingerprint = Buffer.from(hash('sha256', key, 'buffer'))
  await service.ctx.sql.rows(lockKeyOfRun, [projectId, key, fingerprint])
}

/** The run has been begun, and waits until it is begun again. */
function untilPutOff({ id }: TestProject): Promise<void> {
  return until(async () => {
    const [run] = await service.ctx.sql.rows(readRuns, [id])
    return run?.[1] != null && new Date(run[1]) > service.ctx.now() && run[2] === null
  }, 'the run is put off')
}

async function projectWithRun(): Promise<TestProject> {
  const project = await service.project()
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => {
      const sent = ctx.send({ type: 'text', content: 'Hi' })
      ctx.addTags(['greeted'])
      ctx.log.info((await sent).status)
    }`,
  })
  await service.customer(project)
  await sendElsewhere(project)
  return project
}

it('puts off a run whose send another process may still be doing, and runs it when that is settled', async () => {
  const project = await projectWithRun()
  const bots = await runBots(service.ctx)
  try {
    await untilPutOff(project)
    await service.ctx.sql.rows(unlock, [project.id])
    service.advance(60_000)
    bots.wake()
    await untilRun(service, project)
    expect(await logOf(service, project)).toEqual([{ level: 'info', text: 'sent' }])
  } finally {
    await bots.stop()
  }
})

it('does nothing twice in a run that was put off more than once', async () => {
  const project = await service.project()
  const { id: webhookId } = await subscribe(project, ['order.made'])
  await applySql(service, project, 'CREATE TABLE orders (number serial PRIMARY KEY)')
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => {
      const [{ number }] = await ctx.table('orders').insert([{}])
      await ctx.emit('order.made', { number })
      ctx.log.info(number + ' ' + (await ctx.send({ type: 'text', content: 'Hi' })).status)
    }`,
  })
  await service.customer(project)
  await sendElsewhere(project)
  const bots = await runBots(service.ctx)
  try {
    for (let times = 1; times <= 3; times++) {
      await untilPutOff(project)
      if (times === 3) await service.ctx.sql.rows(unlock, [project.id])
      service.advance(60_000)
      bots.wake()
    }
    await untilRun(service, project)
  } finally {
    await bots.stop()
  }
  expect(await logOf(service, project)).toEqual([{ level: 'info', text: '1 sent' }])
  const { rows } = await project.client.ok('listRows', { path: { table: 'orders' } })
  expect(rows).toEqual([{ number: 1 }])
  expect(await toldTo(service, webhookId)).toMatchObject([{ data: { number: 1 } }])
})

it('does not wait for as long as a clock was ahead that put the run off', async () => {
  const project = await projectWithRun()
  const bots = await runBots(service.ctx)
  try {
    service.advance(600_000)
    bots.wake()
    await untilPutOff(project)
    service.advance(-600_000)
    await service.ctx.sql.rows(unlock, [project.id])
    bots.wake()
    await untilRun(service, project)
    expect(await logOf(service, project)).toEqual([{ level: 'info', text: 'sent' }])
  } finally {
    await bots.stop()
  }
})

it('stops at once while such a run is under way, which counts as no loss of it', async () => {
  const project = await projectWithRun()
  const bots = await runBots(service.ctx)
  await until(async () => {
    const [run] = await service.ctx.sql.rows(readRuns, [project.id])
    return run?.[1] != null || run?.[2] != null
  }, 'the run is begun')
  await bots.stop()
  const [run] = await service.ctx.sql.rows(readRuns, [project.id])
  expect(run?.[2]).toBeNull()
  expect(run?.[3]).toBe('0')
})

async function answersAfter(refusals: number) {
  const project = await service.project()
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => {
      try { ctx.log.info((await ctx.send({ type: 'text', content: 'Hi' })).status) }
      catch (error) { ctx.log.info('told: ' + error.code) }
    }`,
  })
  const { id } = await service.customer(project)
  await failTimes(service, project, 'INSERT ON send_attempts', refusals)
  await untilRunAtLast(service, project)
  const path = { id: String(id) } as never
  const { messages } = await project.client.ok('listConversationMessages', { path })
  const sent = messages.filter(({ origin }) => origin === 'bot')
  return { log: await logOf(service, project), sent: sent.map(({ content }) => content) }
}

it('begins a run again that the database failed, and the bot hears nothing of it', async () => {
  const { log, sent } = await answersAfter(2)
  expect([log, sent]).toEqual([[{ level: 'info', text: 'sent' }], ['Hi']])
})

it('tells the bot of a fault of the service that does not go away', async () => {
  const { log, sent } = await answersAfter(1_000)
  expect([log, sent]).toEqual([[{ level: 'info', text: 'told: server_error' }], []])
})

it('tells a run that is begun again what it was told at first, whatever it has changed since', async () => {
  const project = await service.project()
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => {
      if (ctx.conversation.state === 'handover' || ctx.contact.tags.length > 0) return
      await ctx.setState('handover')
      await ctx.addTags(['person'])
      await ctx.send({ type: 'text', content: 'Somebody will answer you.' })
    }`,
  })
  const { id } = await service.customer(project)
  await failTimes(service, project, 'INSERT ON send_attempts', 2)
  await untilRunAtLast(service, project)
  const path = { id: String(id) } as never
  const { messages } = await project.client.ok('listConversationMessages', { path })
  expect(messages[0]?.content).toBe('Somebody will answer you.')
})
