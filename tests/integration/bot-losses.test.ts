import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { createCaller } from '../../capabilities/bots/bot-calls.ts'
import type { Production } from '../../capabilities/bots/bot-productions.ts'
import { keepLeases, leaseRuns } from '../../capabilities/bots/bot-leases.ts'
import { finish, type LeasedRun, postpone } from '../../capabilities/bots/bot-runs.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Sql, statement } from '../../core/sql.ts'
import { deployHandlers, logOf, runBots, untilRunAtLast } from '../support/bots.ts'
import { failing } from '../support/failing-sql.ts'
import { betweenTwo, untilWaiting } from '../support/locks.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const expire = statement(
  'test-expire-bot-leases',
  `UPDATE bot_runs SET lease_until = now() - interval '1 ms' WHERE project_id = $1`,
)

const readRuns = statement(
  'test-read-bot-losses',
  'SELECT fence, lease_until, begun, due_at FROM bot_runs WHERE project_id = $1 ORDER BY id',
)

const GIVEN_UP = {
  level: 'error',
  text: `The run was begun ${LIMITS.botBegunMost} times and never ended; it is given up.`,
}

/** A project whose bot logs what it hears, and a customer who has written twice. */
async function projectWithRuns(): Promise<TestProject> {
  const project = await service.project()
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => { await ctx.addTags(['heard']); ctx.log.info(ctx.message.content) }`,
  })
  for (const text of ['one', 'two']) await service.customer(project, { text })
  return project
}

/** Begins the oldest run, as a process does. */
async function lease(): Promise<LeasedRun> {
  const [run] = await leaseRuns(service.ctx, { most: 1, perProject: 1, busy: [] })
  if (!run) throw new Error('No run may begin')
  return run
}

/** Begins the oldest run and dies, so often. */
async function dieWith({ id }: TestProject, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await lease()
    await service.ctx.sql.rows(expire, [id])
  }
}

it('gives up a run that breaks each time what it runs in, says so, and goes on with the next', async () => {
  const project = await projectWithRuns()
  let tries = 0
  await untilRunAtLast(service, project, ({ event }) => {
    if (!event.includes('"one"')) return null
    tries++
    return 'broken'
  })
  expect(tries).toBe(LIMITS.botBegunMost)
  const { values } = await service.ctx.metrics.botRuns.get()
  expect(values).toContainEqual({ labels: { result: 'given_up' }, value: 1 })
  expect(await logOf(service, project)).toEqual([GIVEN_UP, { level: 'info', text: 'two' }])
})

it('has a run wait longer each time that it breaks what it runs in, and less than a clock is wrong by', async () => {
  const project = await projectWithRuns()
  const bots = await runBots(service.ctx, () => 'broken')
  const waits: number[] = []
  for (let time = 1; time <= LIMITS.botBegunMost; time++) {
    let waitMs = 0
    await until(async () => {
      const [run] = await service.ctx.sql.rows(readRuns, [project.id])
      waitMs = Date.parse(run?.[3] ?? '') - service.ctx.now().getTime()
      return run?.[1] === null && waitMs > 0
    }, 'the run is put off')
    waits.push(waitMs)
    service.advance(waitMs)
    bots.wake()
  }
  await bots.stop()
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000])
  expect(Math.max(...waits)).toBeLessThan(LIMITS.botClockAheadMs)
  await untilRunAtLast(service, project)
})

it('gives up a run whose process died each time, and goes on with the next', async () => {
  const project = await projectWithRuns()
  await dieWith(project, LIMITS.botBegunMost)
  await untilRunAtLast(service, project)
  expect(await logOf(service, project)).toEqual([GIVEN_UP, { level: 'info', text: 'two' }])
})

it('runs what was lost less often, and counts no loss for which others are to blame', async () => {
  const project = await projectWithRuns()
  await dieWith(project, LIMITS.botBegunMost - 1)
  let losses = 0
  await untilRunAtLast(service, project, () => (losses++ < 2 * LIMITS.botBegunMost ? 'lost' : null))
  expect((await logOf(service, project)).map(({ text }) => text)).toEqual(['one', 'two'])
})

it('forgets no loss of a run that has waited since', async () => {
  const project = await projectWithRuns()
  await dieWith(project, 2)
  await postpone(service.ctx, await lease(), { until: service.ctx.now(), isCounted: false })
  expect(await lease()).toMatchObject({ projectId: project.id, begun: 3 })
  await service.ctx.sql.rows(expire, [project.id])
  await untilRunAtLast(service, project)
})

const lockContacts = statement(
  'test-lock-contacts',
  'SELECT id FROM contacts WHERE project_id = $1 FOR UPDATE',
)
const lockRuns = statement(
  'test-lock-bot-runs',
  'SELECT id FROM bot_runs WHERE project_id = $1 FOR UPDATE',
)
/** Whether the lease of a project's oldest run lasts. */
const isKept = async ({ id }: TestProject) => {
  const [row] = await service.ctx.sql.rows(readRuns, [id])
  return row?.[1] != null && Date.parse(row[1]) > Date.now()
}
/** Does what a run's bot asks for. */
const callBy = (run: LeasedRun, contactId: number, [op, args]: [string, string]) =>
  new Promise((done, giveBack) => {
    const production = { project: { id: run.projectId } } as Production
    const parties = { run, production, contactId, event: '{}' }
    const caller = createCaller(service.ctx, parties, async () => {}, giveBack)
    caller.call(op, args).then(done, giveBack)
  })
const changeBy = (run: LeasedRun, contactId: number) =>
  callBy(run, contactId, ['addTags', '[["changed"]]'])
/** Begins what may begin, as a process does; the tests before leave nothing behind. */
const leaseAll = () => leaseRuns(service.ctx, { most: 9, perProject: 9, busy: [] })
const forget = async (project: TestProject) => {
  await service.ctx.sql.rows(expire, [project.id])
  await untilRunAtLast(service, project)
}

it('keeps every lease while a bot waits for what somebody else changes, and its run for itself', async () => {
  const [project, other] = [await projectWithRuns(), await projectWithRuns()]
  const runs = await leaseAll()
  const ids = new Set(runs.map(({ id }) => id))
  const run = runs.find(({ projectId }) => projectId === project.id)!
  await service.ctx.sql.rows(expire, [project.id])
  const { changed } = await service.ctx.sql.transaction(async (tx) => {
    const [contact] = await tx.rows(lockContacts, [project.id])
    const changed = changeBy(run, Number(contact?.[0]))
    await untilWaiting(service.ctx)

    expect(await leaseAll()).toEqual([])
    await service.ctx.sql.rows(expire, [other.id])
    expect(await keepLeases(service.ctx, runs)).toEqual(ids)
    expect([await isKept(project), await isKept(other)]).toEqual([true, true])
    await untilWaiting(service.ctx)
    return { changed }
  })
  expect(await changed).toBe('null')
  expect(await leaseAll()).toEqual([])
  for (const each of [project, other]) await forget(each)
})

it('does a change once more that PostgreSQL has ended for others who wait for each other', async () => {
  const project = await projectWithRuns()
  const [run] = await leaseAll()
  const [conversation] = (await project.client.ok('listConversations')).conversations
  const { id, contact } = conversation!
  const rows = {
    first: { table: 'contacts', id: contact.id },
    second: { table: 'conversations', id },
  } as const
  expect(await betweenTwo(service, rows, () => changeBy(run!, contact.id))).toBe('null')
  await forget(project)
})

it('sends nothing for a project that has been paused since the run was begun', async () => {
  const project = await projectWithRuns()
  const [run] = await leaseAll()
  const [conversation] = (await project.client.ok('listConversations')).conversations
  const path = { id: conversation!.id }
  const send = () => callBy(run!, 0, ['send', '[{ "type": "text", "content": "Hello" }]'])
  await projects.setStatus(service.ctx, project.id, 'paused')
  await expect(send()).rejects.toMatchObject({ code: 'project_inactive' })
  await projects.setStatus(service.ctx, project.id, 'active')
  const { messages } = await project.client.ok('listConversationMessages', { path })
  expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'inbound'])
  await forget(project)
})

it('neither keeps, puts off nor ends a run that another process has begun meanwhile', async () => {
  const project = await projectWithRuns()
  const [run] = await leaseAll()
  await service.ctx.sql.rows(expire, [project.id])
  const [again] = await leaseAll()
  expect(again).toMatchObject({ id: run!.id, begun: 2 })
  await postpone(service.ctx, run!, { until: service.ctx.now(), isCounted: false })
  await finish(service.ctx, { ...run!, version: null, lines: [] })
  expect(await isKept(project)).toBe(true)
  await service.ctx.sql.rows(expire, [project.id])
  expect(await keepLeases(service.ctx, [run!])).toEqual(new Set())
  expect(await isKept(project)).toBe(false)
  await forget(project)
})

it('renews no lease that is being given back meanwhile', async () => {
  const project = await projectWithRuns()
  const [run] = await leaseAll()
  await postpone(service.ctx, run!, { until: service.ctx.now(), isCounted: false })
  expect(await keepLeases(service.ctx, [run!])).toEqual(new Set([run!.id]))
  expect(await leaseAll()).toMatchObject([{ id: run!.id, begun: 1, hadLapsed: false }])
  await forget(project)
})

it('gives a run back once, though it is told to again because nobody heard of the first time', async () => {
  const project = await projectWithRuns()
  const [run] = await leaseAll()
  const until = service.ctx.now()
  for (let time = 0; time < 2; time++)
    await postpone(service.ctx, run!, { until, isCounted: false })
  const [row] = await service.ctx.sql.rows(readRuns, [project.id])
  expect(row?.slice(0, 3)).toEqual(['1', null, '0'])
  await forget(project)
})

it('keeps the other leases while the end of a run is being written', async () => {
  const [project, other] = [await projectWithRuns(), await projectWithRuns()]
  const runs = await leaseAll()
  await service.ctx.sql.transaction(async (tx) => {
    await tx.rows(lockRuns, [project.id])
    await service.ctx.sql.rows(expire, [other.id])
    const own = await keepLeases(service.ctx, runs)
    expect(own).toEqual(new Set(runs.map(({ id }) => id)))
    expect(await isKept(other)).toBe(true)
  })
  for (const each of [project, other]) await forget(each)
})

/** The service over another database. */
const over = (sql: Sql): TestService => ({ ...service, ctx: { ...service.ctx, sql } })

it.each([
  'find-bots-in-production',
  'find-messages-of-bot-runs',
  'find-conversations-of-bot-runs',
  'find-code-of-deployment',
])('counts no time that the database failed before the code began: %s', async (name) => {
  const project = await projectWithRuns()
  const { sql, failed } = failing(service.ctx.sql, { [name]: 2 * LIMITS.botBegunMost })
  await untilRunAtLast(over(sql), project)
  expect(failed(name)).toBe(2 * LIMITS.botBegunMost)
  expect((await logOf(service, project)).map(({ text }) => text)).toEqual(['one', 'two'])
})

it('gives back what it could not begin once the database takes it, and stops though it never does', async () => {
  const project = await projectWithRuns()
  const once = failing(service.ctx.sql, { 'find-bots-in-production': 1, 'postpone-bot-run': 1 })
  const bots = await runBots(over(once.sql).ctx)
  await until(async () => {
    const [run] = await service.ctx.sql.rows(readRuns, [project.id])
    return run?.[0] === '1' && run[1] === null && run[2] === '0'
  }, 'the run is given back')
  await bots.stop()
  const statements = { 'find-bots-in-production': 1, 'postpone-bot-run': Infinity }
  const never = failing(service.ctx.sql, statements)
  service.advance(60_000)
  const held = await runBots(over(never.sql).ctx)
  await until(() => never.failed('postpone-bot-run') > 0, 'the run is not taken back')
  await held.stop()
  const [left] = await service.ctx.sql.rows(readRuns, [project.id])
  expect(left).toMatchObject(['2', expect.any(String), '1', expect.any(String)])
  await service.ctx.sql.rows(expire, [project.id])
  await untilRunAtLast(service, project)
})
