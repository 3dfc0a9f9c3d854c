import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createClient } from '../support/client.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

const MOST_PROJECTS = 16
const ROUNDS = 10
const AT_ONCE = 4

let service: TestService
let projects: TestProject[]
beforeAll(async () => {
  service = await startTestService()
  projects = []
  for (let n = 0; n < MOST_PROJECTS; n++) {
    const project = await service.project()
    await applySql(service, project, 'CREATE TABLE t (id integer PRIMARY KEY)')
    projects.push(project)
  }
})
afterAll(() => service.stop())

async function loginsOf({ ctx }: TestService): Promise<number> {
  const { values } = await ctx.metrics.tableLogins.get()
  return values[0]?.value ?? 0
}

it.each([
  ['13', 8],
  ['30', MOST_PROJECTS],
])('of TABLE_POOL_SIZE %s keep %d projects that read at once logged in', async (size, count) => {
  const env = { TABLE_POOL_SIZE: size, RATE_LIMIT_PER_MINUTE: '100000' }
  const server = await startTestService({ databaseUrl: service.databaseUrl, env })
  const clients = projects.slice(0, count).map(({ key }) => createClient(server.url, key))
  for (const client of clients) await client.ok('listRows', { path: { table: 't' } })
  expect(await loginsOf(server)).toBe(count)
  for (let round = 0; round < ROUNDS; round++) {
    const asked = Array.from({ length: AT_ONCE }, () => clients).flat()
    await Promise.all(asked.map((client) => client.ok('listRows', { path: { table: 't' } })))
  }
  // Each read that is taken for slow, on a machine that is busy otherwise, costs a few.
  const reads = ROUNDS * AT_ONCE * count
  expect(await loginsOf(server)).toBeLessThan(reads / 4)
  await server.stop()
})
