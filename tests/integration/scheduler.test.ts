import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { Context } from '../../core/context.ts'
import { oneOff, type Sql, type Statement, statement } from '../../core/sql.ts'
import { putJobsBack } from '../../jobs/put-back.ts'
import { startJobs } from '../../jobs/scheduler.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const WORKERS = 6
const ROUNDS = 5

let service: TestService

// A worker that has stopped may still be asking for jobs: no test meets those of another one.
beforeEach(async () => {
  service = await startTestService()
})
afterEach(() => service.stop())

const dropTables = statement(
  'test-drop-agenda',
  'DROP TABLE IF EXISTS agenda_jobs, agenda_logs CASCADE',
)

const longerThanAPoll = statement('test-longer-than-a-poll', 'SELECT pg_sleep(1.5)')

// Between two of the looks that Agenda has at a job each half of a lock: one as it ends finds it unlocked, and says so.
const longerThanTwoLocks = statement('test-longer-than-two-locks', 'SELECT pg_sleep(3.25)')

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

const nothing = { count: { every: '1 hour', run: async () => {} } }

it('starts while a backup reads the tables, and holds nobody up', async () => {
  const pool = createPool(service.databaseUrl, 2, () => undefined)
  const first = await startJobs(service.ctx, pool, nothing)
  await first.stop()
  const backup = new pg.Client({ connectionString: service.databaseUrl })
  await backup.connect()
  await backup.query('BEGIN; LOCK TABLE agenda_jobs IN ACCESS SHARE MODE')

  try {
    const second = await startJobs(service.ctx, pool, nothing)
    await second.stop()
  } finally {
    await backup.end()
  }
  await pool.end()
})

it('waits for another worker that is making the tables, whatever is there of them', async () => {
  const { databaseUrl, ctx } = service
  const pool = createPool(databaseUrl, 2, () => undefined)
  const first = await startJobs(ctx, pool, nothing)
  await first.stop()
  let second: ReturnType<typeof startJobs> | undefined
  await inTheWay(databaseUrl, async (query) => {
    await query(`SELECT pg_advisory_xact_lock(hashtextextended('agenda tables', 0))`, [])
    await ctx.sql.rows(dropTables)
    await ctx.sql.rows(oneOff('CREATE TABLE agenda_jobs (LIKE service_settings)'))
    second = startJobs(ctx, pool, nothing)
    await Promise.race([second, untilWaiting(ctx)])
    await ctx.sql.rows(dropTables)
  })
  await (await second)?.stop()
  expect(await ctx.sql.rows(countJobs)).toEqual([['1']])
  await pool.end()
})

it('makes its tables with one connection of the pool, for the others may be in use', async () => {
  const pool = createPool(service.databaseUrl, 1, () => undefined)
  const jobs = await startJobs({ ...service.ctx, sql: createSql(pool) }, pool, nothing)
  await jobs.stop()
  expect(await service.ctx.sql.rows(countJobs)).toEqual([['1']])
  await pool.end()
})

it('fails to start, and does not wait for ever, where its own connection is refused', async () => {
  const pool = createPool('postgresql://service@127.0.0.1:1/service', 2, () => undefined)
  await expect(startJobs(service.ctx, pool, nothing)).rejects.toThrow('ECONNREFUSED')
  await pool.end()
})

it('asks for no jobs after a start that has failed', async () => {
  const pool = createPool(service.databaseUrl, 2, () => undefined)
  const { sql } = service.ctx
  const rows: Sql['rows'] = (asked, values) =>
    asked.name === 'put-jobs-back' ? Promise.reject(new Error('refused')) : sql.rows(asked, values)
  const failed = startJobs({ ...service.ctx, sql: { ...sql, rows } }, pool, nothing)
  await expect(failed).rejects.toThrow('refused')
  // What was under way comes to its end.
  await sql.rows(longerThanAPoll)
  let asked = 0
  pool.on('acquire', () => asked++)
  await sql.rows(longerThanAPoll)
  expect(asked).toBe(0)
  await pool.end()
})

it('counts how each job ends, those that have never failed too, and says why one has failed', async () => {
  const pool = createPool(service.databaseUrl, 2, () => undefined)
  const counted = async () => {
    const { values } = await service.ctx.metrics.jobs.get()
    return values.map(({ labels, value }) => [labels.name, labels.result, Math.min(value, 1)])
  }
  const every = '1 hour'
  const jobs = await startJobs(service.ctx, pool, {
    good: { every, run: async () => {} },
    bad: { every, run: () => Promise.reject(new Error('refused')) },
  })
  const own = async () => (await counted()).filter(([job]) => job === 'good' || job === 'bad')
  await until(async () => (await own()).filter(([, , n]) => n === 1).length === 2, 'both ran')
  expect(await own()).toEqual([
    ['good', 'done', 1],
    ['good', 'failed', 0],
    ['bad', 'done', 0],
    ['bad', 'failed', 1],
  ])
  const why = service.logLines.filter((line) => line.includes('"job.failed"'))
  expect(why.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', job: 'bad', error: { message: 'refused' } },
  ])
  await jobs.stop()
  await pool.end()
})

describe('a job', () => {
  const leaveLocked = statement(
    'test-leave-locked',
    `UPDATE agenda_jobs SET locked_at = now() - interval '1 minute', next_run_at = now() + interval '1 hour'`,
  )
  const atRest = statement(
    'test-jobs-at-rest',
    'SELECT 1 FROM agenda_jobs WHERE last_finished_at IS NOT NULL AND locked_at IS NULL',
  )
  const toldOf = (from: number) =>
    service.logLines.slice(from).filter((line) => line.includes('job.clock_failed'))

  it('that cannot be unlocked as the database fails ends no process: its lock ends by itself', async () => {
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const run = () => Promise.resolve()
    const worker = await startJobs(service.ctx, pool, { hourly: { every: '1 hour', run } })
    // What Agenda still writes of a run would unlock it.
    await until(async () => (await service.ctx.sql.rows(atRest)).length > 0, 'it has run')
    const query = pool.query.bind(pool) as (text: string, values: unknown[]) => Promise<unknown>
    const gone = (text: string, values: unknown[]) =>
      /SET locked_at = NULL\s+WHERE/.test(text)
        ? Promise.reject(new Error('Connection terminated unexpectedly'))
        : query(text, values)
    Object.assign(pool, { query: gone })
    const from = service.logLines.length
    // As a process leaves it that died once the job had run, and could not say so.
    await service.ctx.sql.rows(leaveLocked)
    await until(() => toldOf(from).length > 0, 'it is told of')
    await worker.stop()
    await pool.end()
  })

  it('whose lock cannot be kept as the database fails is waited for all the same', async () => {
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const query = pool.query.bind(pool) as (text: string, values: unknown[]) => Promise<unknown>
    let failures = 0
    let isAway = false
    const gone = (text: string, values: unknown[]) => {
      if (!isAway || !/SET locked_at = \$2/.test(text)) return query(text, values)
      failures++
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    }
    Object.assign(pool, { query: gone })
    // What was told of a moment ago is not told again in the same log.
    const log = Object.create(service.ctx.log) as Context['log']
    const seen: string[] = []
    const run = async () => {
      seen.push('begun')
      isAway = true
      await until(() => failures > 0, 'its lock was to be kept')
      isAway = false
      seen.push('ended')
    }
    const from = service.logLines.length
    const jobs = { hourly: { every: '1 hour', run } }
    const worker = await startJobs({ ...service.ctx, log }, pool, jobs, { lockMs: 3_000 })
    await until(() => seen.length === 2, 'it has ended')
    await worker.stop()
    expect(toldOf(from)).not.toEqual([])
    await pool.end()
  })

  it('that takes longer than a lock lasts is waited for, and is not told of as failed', async () => {
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const from = service.logLines.length
    const seen: string[] = []
    const run = async () => {
      seen.push('begun')
      await service.ctx.sql.rows(longerThanTwoLocks)
      seen.push('ended')
    }
    const jobs = { often: { every: '1 second', run } }
    const worker = await startJobs(service.ctx, pool, jobs, { lockMs: 1_000 })
    await until(() => seen.length > 0, 'it has begun')
    await service.ctx.sql.rows(longerThanAPoll)
    await worker.stop()
    expect(seen).toEqual(['begun', 'ended'])
    expect(toldOf(from)).toEqual([])
    await pool.end()
  })
})

describe('jobs that a clock which had leapt has put off, or locked', () => {
  const EIGHT_DAYS = "interval '8 days'"
  const putOff = statement(
    'test-put-jobs-off',
    `UPDATE agenda_jobs SET next_run_at = now() + ${EIGHT_DAYS}`,
  )
  const lockAhead = statement(
    'test-lock-jobs-ahead',
    `UPDATE agenda_jobs SET locked_at = now() + ${EIGHT_DAYS}`,
  )
  const countAhead = statement(
    'test-count-jobs-ahead',
    `SELECT count(*) FROM agenda_jobs
      WHERE next_run_at > now() + interval '1 hour' OR locked_at > now()`,
  )
  const countIdle = statement(
    'test-count-idle-jobs',
    'SELECT count(*) FROM agenda_jobs WHERE locked_at IS NULL AND last_finished_at IS NOT NULL',
  )
  const count = async (of: Statement) => Number((await service.ctx.sql.rows(of))[0]?.[0])

  it.each([
    ['put off', putOff],
    ['locked', lockAhead],
  ])('are due again at the start, %s', async (_, leap) => {
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const run = () => Promise.resolve()
    const jobs = { hourly: { every: '1 hour', run } }
    const worker = await startJobs(service.ctx, pool, jobs)
    await until(async () => (await count(countIdle)) === 1, 'the job has run')
    await worker.stop()
    await service.ctx.sql.rows(leap)
    const next = await startJobs(service.ctx, pool, jobs)
    expect(await count(countAhead)).toBe(0)
    await next.stop()
    await pool.end()
  })

  it('are put back alone: what is locked and what is due stay so, and nothing else is locked', async () => {
    const { sql } = service.ctx
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const worker = await startJobs(service.ctx, pool, nothing)
    await worker.stop()
    await pool.end()
    const hours = (n: number | null) => (n === null ? 'NULL' : `now() + interval '${n} hours'`)
    /** How many hours from now the job is due, and locked, once jobs were put back. */
    const after = async (dueIn: number | null, lockedIn: number | null) => {
      await sql.rows(oneOff('DELETE FROM agenda_jobs'))
      await sql.rows(
        oneOff(`INSERT INTO agenda_jobs (name, next_run_at, locked_at)
          VALUES ('hourly', ${hours(dueIn)}, ${hours(lockedIn)})`),
      )
      await putJobsBack(service.ctx, { hourly: { every: '1 hour', run: async () => {} } })
      const [row = []] = await sql.rows(
        oneOff(`SELECT round(extract(epoch FROM next_run_at - now()) / 3600),
          round(extract(epoch FROM locked_at - now()) / 3600) FROM agenda_jobs`),
      )
      return row.map((value) => (value === null ? null : Number(value)))
    }
    expect(await after(48, null)).toEqual([1, null])
    expect(await after(-3, 48)).toEqual([-3, 0])
    expect(await after(null, 48)).toEqual([null, 0])
    expect(await after(48, -3)).toEqual([1, -3])
  })

  it('are due again while workers run, and no longer looked at once they have stopped', async () => {
    const pool = createPool(service.databaseUrl, 2, () => undefined)
    const run = () => Promise.resolve()
    const jobs = { hourly: { every: '1 hour', run } }
    const { sql } = service.ctx
    let asked = 0
    const rows: Sql['rows'] = (one, values) => {
      if (one.name === 'put-jobs-back') asked++
      return sql.rows(one, values)
    }
    const counted = { ...service.ctx, sql: { ...sql, rows } }
    const worker = await startJobs(counted, pool, jobs, { putBackMs: 20 })
    await until(async () => (await count(countIdle)) === 1, 'the job has run')
    await sql.rows(putOff)
    await until(async () => (await count(countAhead)) === 0, 'no job is further off than that')
    await worker.stop()
    const before = asked
    await sql.rows(longerThanAPoll)
    expect(asked).toBe(before)
    await pool.end()
  })
})
