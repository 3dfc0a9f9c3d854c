import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { createCaller } from '../../capabilities/bots/bot-calls.ts'
import { emitOnce, failingOnce, writingOnce } from '../../capabilities/bots/bot-effects.ts'
import type { Production } from '../../capabilities/bots/bot-productions.ts'
import { leaseRuns } from '../../capabilities/bots/bot-leases.ts'
import { finish, type LeasedRun } from '../../capabilities/bots/bot-runs.ts'
import { insert } from '../../capabilities/tables/table-changes.ts'
import type { OwnContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { statement } from '../../core/sql.ts'
import {
  deployHandlers,
  failTimes,
  logOf,
  runBots,
  runsLeft,
  untilRunAtLast,
} from '../support/bots.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'
import { allRows, applySql } from '../support/tables.ts'
import { until } from '../support/until.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterAll(() => service.stop())
beforeEach(() => {
  stub.sends.length = 0
  stub.become('accepted')
})

const expire = statement(
  'test-expire-bot-leases',
  `UPDATE bot_runs SET lease_until = now() - interval '1 ms' WHERE project_id = $1`,
)

/**
 * Runs the bot for a customer's message, by a process that does all and cannot write down that it did;
 * then `between`, and the run is begun again, to its end.
 */
async function runTwice(
  project: TestProject,
  code: string,
  between: () => Promise<void> = async () => {},
) {
  await deployHandlers(service, project, { onMessage: code })
  await failTimes(service, project, 'DELETE ON bot_runs', 1)
  await service.customer(project)
  const bots = await runBots(service.ctx)
  const failures = () => service.logLines.filter((line) => line.includes('bot.run_failed')).length
  const before = failures()
  try {
    await until(() => Promise.resolve(failures() > before), 'the run cannot be finished')
    await between()
    await service.ctx.sql.rows(expire, [project.id])
    await until(async () => {
      bots.wake()
      return (await runsLeft(service, project.id)) === 0
    }, 'the run ends')
  } finally {
    await bots.stop()
  }
  return (await logOf(service, project)).map(({ text }) => text)
}

/** Asks again until the channel has taken it, as people write bots. */
const PERSISTENT = `async (ctx) => {
  for (let n = 1; n <= 3; n++) {
    try { return ctx.log.info(n + ' ' + (await ctx.send({ type: 'text', content: 'Hi' })).status) }
    catch (error) { ctx.log.info(n + ' ' + error.code + ' ' + error.details.outcome) }
  }
}`

it('sends once what a bot asked for again, after a refusal, though its run is begun again', async () => {
  const project = await service.project()
  stub.answerEach(() => (stub.sends.length === 1 ? refusal('transient', 131000) : null))
  const log = await runTwice(project, PERSISTENT)
  expect(log).toEqual(['1 upstream_error refused', '2 sent'])
  expect(stub.sends).toHaveLength(2)
})

it('tells a bot whose run is begun again, as before, that the channel may have taken a message', async () => {
  const project = await service.project()
  stub.answerEach(() => {
    const { error } = refusal('transient', null)
    return stub.sends.length === 1 ? { outcome: 'unknown', error } : null
  })
  const log = await runTwice(project, PERSISTENT)
  expect(log).toEqual(['1 upstream_error unknown', '2 sent'])
  expect(stub.sends).toHaveLength(2)
})

it('refuses rows to a bot whose run is begun again that it was refused before', async () => {
  const project = await service.project()
  await applySql(service, project, 'CREATE TABLE seats (number int PRIMARY KEY)')
  await applySql(service, project, 'INSERT INTO seats VALUES (1)')
  const code = `async (ctx) => {
    for (const number of [1, 2]) {
      try { await ctx.table('seats').insert([{ number }]); return ctx.log.info('seat ' + number) }
      catch (error) { ctx.log.info(number + ' ' + error.code + ' ' + error.details.constraint) }
    }
  }`
  const log = await runTwice(project, code, async () => {
    await applySql(service, project, 'DELETE FROM seats WHERE number = 1')
  })
  expect(log).toEqual(['1 constraint_violation seats_pkey', 'seat 2'])
  const { rows } = await project.client.ok('listRows', { path: { table: 'seats' } })
  expect(rows).toEqual([{ number: 2 }])
})

it('shows a bot whose run is begun again the rows that it saw before it changed them', async () => {
  const project = await service.project()
  await applySql(service, project, 'CREATE TABLE greeted (id int PRIMARY KEY)')
  const code = `async (ctx) => {
    const seen = await ctx.table('greeted').rows()
    if (seen.length > 0) return ctx.log.info('greeted before')
    await ctx.table('greeted').insert([{ id: 1 }])
    const now = await ctx.table('greeted').rows()
    ctx.log.info(now.length + ' ' + (await ctx.send({ type: 'text', content: 'Welcome' })).status)
  }`
  const log = await runTwice(project, code, async () => {
    await applySql(service, project, 'INSERT INTO greeted VALUES (2)')
  })
  expect(log).toEqual(['1 sent'])
  expect(stub.sends).toHaveLength(1)
})

it('lets what a bot sent in a row stand when its run is begun again', async () => {
  const project = await service.project()
  const code = `async (ctx) => {
    for (let n = 1; n <= 51; n++) {
      try { await ctx.send({ type: 'text', content: String(n) }) }
      catch (error) { return ctx.log.info(n + ' ' + error.code) }
    }
  }`
  expect(await runTwice(project, code)).toEqual(['51 bad_request'])
  expect(stub.sends).toHaveLength(50)
})

it('answers a bot whose run is begun again, as before, that its event was not accepted', async () => {
  const project = await service.project()
  const code =
    "async (ctx) => ctx.log.info(await ctx.emit('no name!', {}) + ' ' + await ctx.emit('one', {}))"
  expect(await runTwice(project, code)).toEqual(['false true'])
})

it('raises the event of a bot though the database failed while it was written', async () => {
  const project = await service.project()
  const { id } = await subscribe(project, ['one'])
  await failTimes(service, project, 'INSERT ON events', 1)
  await deployHandlers(service, project, {
    onMessage: "async (ctx) => ctx.log.info(await ctx.emit('one', {}))",
  })
  await service.customer(project)
  await untilRunAtLast(service, project)
  expect((await logOf(service, project)).map(({ text }) => text)).toEqual(['true'])
  expect(await toldTo(service, id)).toHaveLength(1)
})

it('does nothing for a run that is another process’s by now', async () => {
  const project = await service.project()
  await deployHandlers(service, project, { onMessage: 'async () => {}' })
  await applySql(service, project, 'CREATE TABLE orders (number int)')
  const { id: webhookId } = await subscribe(project, ['one'])
  await service.customer(project)
  const { ctx } = service
  const lease = async () => (await leaseRuns(ctx, { most: 1, perProject: 1, busy: [] }))[0]!
  const lost = await lease()
  await ctx.sql.rows(expire, [project.id])
  const run = await lease()
  expect(run).toMatchObject({ id: lost.id, projectId: project.id })
  const refusal = new ServiceError('bad_request', 'No.')
  const own = { ...ctx, project: { id: project.id } } as OwnContext
  for (const late of [
    () => emitOnce(ctx, lost, 'emit 0', 'one', {}),
    () => failingOnce(ctx, lost, 'send 0', () => Promise.reject(refusal)),
    () => insert(writingOnce(own, lost, 'insert 0'), 'orders', 'public', [{ number: 1 }]),
  ]) {
    await expect(late()).rejects.toThrow('not known yet')
  }
  expect(await toldTo(service, webhookId)).toEqual([])
  expect(await allRows(project, 'orders')).toEqual([])
  await finish(ctx, { ...run, version: null, lines: [] })
})

it('leaves what people changed since a bot did, when its run is begun again', async () => {
  const project = await service.project()
  const { client } = project
  const code = `async (ctx) => {
    await ctx.setState('ordering')
    await ctx.setAttributes({ plan: 'basic' })
    await ctx.addTags(['new'])
    await ctx.removeTags(['vip'])
    ctx.log.info('done')
  }`
  const { id, contact } = await service.customer(project)
  const [conversation, customer] = [id, contact.id].map((one) => ({ id: String(one) }) as never)
  const log = await runTwice(project, code, async () => {
    await client.ok('updateConversation', { path: conversation!, body: { state: 'handover' } })
    const tags = { add: ['vip'], remove: ['new'] }
    const body = { attributes: { plan: 'gold' }, tags }
    await client.ok('updateContact', { path: customer!, body })
  })
  expect(log).toEqual(['done'])
  const { conversation: now } = await client.ok('getConversation', { path: conversation! })
  expect(now.state).toBe('handover')
  const { contact: changed } = await client.ok('getContact', { path: customer! })
  expect(changed).toMatchObject({ tags: ['vip'], attributes: { plan: 'gold' } })
})

it.each([
  ['setState', 'served'],
  ['setAttributes', { plan: 'gold' }],
  ['addTags', ['vip']],
  ['removeTags', ['vip']],
])('changes nothing by %s for a run that is another process’s by now', async (op, given) => {
  const project = await service.project()
  const { id, contact } = await service.customer(project)
  const path = { id: String(contact.id) } as never
  await project.client.ok('updateContact', { path, body: { tags: { add: ['vip'] } } })
  const before = await seenOf(project, id)
  const run = { id: '999999', fence: '1', conversationId: String(id), isFirst: true } as LeasedRun
  const production = { project: { id: project.id } } as Production
  const parties = { run, production, contactId: contact.id, event: '{}' }
  const why = await new Promise((giveBack) => {
    const caller = createCaller(service.ctx, parties, async () => {}, giveBack)
    caller.call(op, JSON.stringify([given])).then(giveBack, giveBack)
  })
  expect(why).toBe('waits')
  expect(await seenOf(project, id)).toEqual(before)
})

/** A conversation and its customer, as they are now. */
async function seenOf({ client }: TestProject, id: number) {
  const { conversation } = await client.ok('getConversation', { path: { id: String(id) } as never })
  const path = { id: String(conversation.contact.id) } as never
  return { conversation, ...(await client.ok('getContact', { path })) }
}
