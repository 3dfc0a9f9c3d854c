import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inTheWay } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** More than a process has connections to PostgreSQL. */
const DEPLOYMENTS = 24
const AT_ONCE_MS = 2_000

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('leaves connections to others while the deployments of one project wait for each other', async () => {
  const [project, other] = [await service.project(), await service.project()]
  await project.client.ok('listFiles')
  const body = { dry_run: true }
  const deploy = async () => (await project.client.send('createDeployment', { body })).status
  let answers: Promise<number[]> = Promise.resolve([])
  await inTheWay(service.databaseUrl, async (query) => {
    await query('SELECT FROM bots WHERE project_id = $1 FOR UPDATE', [project.id])
    answers = Promise.all(Array.from({ length: DEPLOYMENTS }, deploy))
    await pause(AT_ONCE_MS / 4)
    const asked = performance.now()
    await other.client.ok('listContacts')
    expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS)
  })
  const statuses = new Set(await answers)
  expect([...statuses].toSorted()).toEqual([201, 429])
}, 60_000)
