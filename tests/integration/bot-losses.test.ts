import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { type LeasedRun, leaseRuns, postpone } from '../../capabilities/bot-runs.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { deployHandlers, logOf, untilRunAtLast } from '../support/bots.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

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
