import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { oneOff } from '../../core/sql.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** More than a process has connections to PostgreSQL. */
const WRITES = 24
/** What one project may have of them. */
const SHARE = 8

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('leaves connections to others while the requests of one project wait for each other', async () => {
  const [project, other] = [await service.project(), await service.project()]
  await project.client.ok('listFiles')
  const write = (i: number) =>
    project.client.send('putFile', { path: { path: `code/${i}.ts` }, body: { content: '' } })
  let answers: ReturnType<typeof write>[] = []
  await inTheWay(service.databaseUrl, async (query) => {
    await query('SELECT FROM bots WHERE project_id = $1 FOR UPDATE', [project.id])
    answers = Array.from({ length: WRITES }, (_, i) => write(i))
    await untilWaiting(service.ctx, SHARE)
    await other.client.ok('listContacts')
    const metrics = await service.ctx.metrics.registry.metrics()
    expect(metrics).toContain(`database_connections{state="waiting"} ${WRITES - SHARE}`)
  })
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
})

it('are as many as the setting says, and so is the share of each', async () => {
  const env = { DATABASE_POOL_SIZE: '4' }
  const small = await startTestService({ databaseUrl: service.databaseUrl, env })
  const { ctx } = small
  const wait = oneOff('SELECT pg_advisory_xact_lock(1)')
  let asked: Promise<unknown>[] = []
  await inTheWay(service.databaseUrl, async (query) => {
    await query('SELECT pg_advisory_xact_lock(1)', [])
    asked = Array.from({ length: 4 }, () => ctx.sqlOf('one').rows(wait))
    for (let n = 0; n < 3; n++) asked.push(ctx.sql.rows(wait))
    await until(async () => {
      const metrics = await ctx.metrics.registry.metrics()
      const told = (state: string, count: number) =>
        metrics.includes(`database_connections{state="${state}"} ${count}\n`)
      // One waits for its turn, and two of the others for a connection.
      return told('busy', 4) && told('waiting', 3)
    }, 'all connections are in use')
  })
  await Promise.all(asked)
  await small.stop()
})
