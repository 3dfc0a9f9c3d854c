import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'

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
