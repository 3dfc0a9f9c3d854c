import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { statement } from '../../core/sql.ts'
import { startJobs } from '../../jobs/scheduler.ts'
import { createPool } from '../../database/pool.ts'
import { until } from '../support/deliveries.ts'
import { startTestService, type TestService } from '../support/service.ts'

const WORKERS = 6
const ROUNDS = 5

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const dropTables = statement(
  'test-drop-agenda',
  'DROP TABLE IF EXISTS agenda_jobs, agenda_logs CASCADE',
)

const countJobs = statement('test-count-agenda-jobs', 'SELECT count(*) FROM agenda_jobs')

it('starts on any number of workers at the same moment, on a database that has no jobs', async () => {
  const pools = Array.from({ length: WORKERS }, () =>
    createPool(service.databaseUrl, 2, () => undefined),
  )
  for (let round = 0; round < ROUNDS; round++) {
    await service.ctx.sql.rows(dropTables)
    let ran = 0
    const run = () => Promise.resolve(void ran++)
    const workers = await Promise.all(
      pools.map((pool) => startJobs(service.ctx, pool, { count: { every: '1 second', run } })),
    )
    await until(() => Promise.resolve(ran > 0), 'a job has run')
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await service.ctx.sql.rows(countJobs)).toEqual([['1']])
  }
  await Promise.all(pools.map((pool) => pool.end()))
}, 60_000)
