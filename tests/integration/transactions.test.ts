import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import pg from 'pg'
import { oneOff, type Sql, sqlFaultOf, statement } from '../../core/sql.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let pool: pg.Pool
let sql: Sql

const write = statement('write', 'INSERT INTO things VALUES ($1)')
const own = statement('own', 'SELECT pg_backend_pid(), pg_current_xact_id()')
const divide = statement('divide', 'SELECT 1 / $1::int')
const things = async () => (await sql.rows(statement('things', 'SELECT n FROM things'))).flat()
const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => sqlFaultOf(error)?.state,
  )
/** PostgreSQL answers each of these two messages by itself, and what was sent before them with it. */
function countRoundTrips() {
  const sent = [
    jest.spyOn(pg.Connection.prototype, 'sync'),
    jest.spyOn(pg.Connection.prototype, 'query'),
  ]
  return () => sent.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

beforeAll(async () => {
  database = await createDatabase()
})
beforeEach(async () => {
  // One connection, so that each transaction follows on the one before.
  pool = createPool(database.url, 1, () => {})
  sql = createSql(pool)
  await pool.query('DROP TABLE IF EXISTS things')
  await pool.query('CREATE TABLE things (n int PRIMARY KEY)')
  await sql.transaction((tx) => tx.rows(own))
})
afterEach(async () => {
  jest.restoreAllMocks()
  await pool.end()
})
afterAll(() => database.drop())

describe('a transaction', () => {
  it('takes a round trip for each statement and one to commit', async () => {
    const roundTrips = countRoundTrips()
    await sql.transaction(async (tx) => {
      await tx.rows(write, [1])
      await tx.rows(write, [2])
    })
    expect(roundTrips()).toBe(3)
    expect(await things()).toEqual(['1', '2'])
  })

  it('asks nothing of PostgreSQL when nothing is asked in it', async () => {
    const roundTrips = countRoundTrips()
    expect(await sql.transaction(() => Promise.resolve('nothing'))).toBe('nothing')
    await expect(sql.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(roundTrips()).toBe(0)
  })

  it('holds its first statement like all others, also where the connection is new', async () => {
    for (const fresh of [false, true]) {
      const other = createPool(database.url, 1, () => {})
      const [first, second] = await (fresh ? createSql(other) : sql).transaction(async (tx) => [
        await tx.rows(own),
        await tx.rows(own),
      ])
      expect(second).toEqual(first)
      await other.end()
    }
  })

  it('leaves nothing of its first statement when it is given up', async () => {
    const givenUp = sql.transaction(async (tx) => {
      await tx.rows(write, [1])
      throw new Error('never mind')
    })
    await expect(givenUp).rejects.toThrow('never mind')
    expect(await things()).toEqual([])
  })

  it.each([
    ['its first statement', []],
    ['a later one', [1]],
  ])('leaves nothing, and its connection to the next, when %s fails', async (_which, before) => {
    const [[pid] = []] = await sql.rows(own)
    const failing = sql.transaction(async (tx) => {
      for (const n of before) await tx.rows(write, [n])
      await tx.rows(divide, [0])
    })
    expect(await stateOf(failing)).toBe('22012')
    expect(await things()).toEqual([])
    expect(await sql.transaction((tx) => tx.rows(divide, [1]))).toEqual([['1']])
    expect((await sql.rows(own))[0]?.[0]).toBe(pid)
  })

  it('leaves nothing begun when the values of its first statement cannot be sent', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const echo = statement('echo', 'SELECT $1::jsonb')
    await expect(sql.transaction((tx) => tx.rows(echo, [circle]))).rejects.toThrow(/circular/)
    await sql.rows(write, [1])
    const apart = new pg.Client({ connectionString: database.url })
    await apart.connect()
    expect((await apart.query('SELECT n FROM things')).rows).toEqual([{ n: 1 }])
    await apart.end()
  })

  it.each([
    ['prepared', write, [1]],
    ['sent as it is', oneOff('INSERT INTO things VALUES (1)'), []],
  ])(
    'fails where the session was told to forget and its first statement is %s, and the next one gets another',
    async (_how, first, values) => {
      const [[pid] = []] = await sql.rows(own)
      await sql.transaction((tx) => tx.rows(oneOff('DEALLOCATE ALL')))
      expect(await stateOf(sql.transaction((tx) => tx.rows(first, values)))).toBe('26000')
      await sql.transaction((tx) => tx.rows(write, [2]))
      expect(await things()).toEqual(['2'])
      expect((await sql.rows(own))[0]?.[0]).not.toBe(pid)
    },
  )
})

describe('work that a transaction makes', () => {
  it('is told of once it is committed, and never when it is not', async () => {
    const heard: string[] = []
    const stop = sql.onAnnounced('deliveries', () => heard.push('deliveries'))
    const announcing = (work: () => Promise<unknown>) =>
      sql.transaction(async (tx) => {
        tx.announce('deliveries')
        await tx.rows(write, [1])
        await work()
        expect(heard).toEqual([])
      })
    await expect(announcing(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await pool.query('ALTER TABLE things DROP CONSTRAINT things_pkey')
    await pool.query('ALTER TABLE things ADD UNIQUE (n) DEFERRABLE INITIALLY DEFERRED')
    await pool.query('INSERT INTO things VALUES (1)')
    expect(await stateOf(announcing(() => Promise.resolve()))).toBe('23505')
    expect(heard).toEqual([])
    await pool.query('DELETE FROM things')
    await announcing(() => Promise.resolve())
    expect(heard).toEqual(['deliveries'])
    stop()
  })
})

describe('a connection of the service', () => {
  it('that has forgotten its statements fails one of them, and the next one gets another', async () => {
    await sql.rows(write, [1])
    await sql.rows(oneOff('DEALLOCATE ALL'))
    expect(await stateOf(sql.rows(write, [2]))).toBe('26000')
    await sql.rows(write, [3])
    expect(await things()).toEqual(['1', '3'])
  })

  it('that breaks while nobody uses it is told of, and the next statement gets another', async () => {
    const told: string[] = []
    const other = createPool(database.url, 1, ({ message }) => told.push(message))
    const [[pid] = []] = await createSql(other).rows(own)
    await sql.rows(oneOff(`SELECT pg_terminate_backend(${pid}, 5000)`))
    await until(() => told.length > 0, 'the pool tells of it')
    expect(told).toEqual([expect.stringContaining('terminating connection')])
    expect((await createSql(other).rows(own))[0]?.[0]).not.toBe(pid)
    await other.end()
  })

  it('is waited for no longer than 5 seconds', async () => {
    const held = await pool.connect()
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
    const refused = expect(sql.rows(own)).rejects.toThrow('timeout exceeded')
    await new Promise(setImmediate)
    jest.advanceTimersByTime(5_000)
    await refused
    jest.useRealTimers()
    held.release()
  })

  it('waits for no statement, no lock and no transaction without end, and tells time in UTC', async () => {
    const settings = statement(
      'settings',
      `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
              current_setting('idle_in_transaction_session_timeout'), current_setting('TimeZone')`,
    )
    expect(await sql.rows(settings)).toEqual([['10s', '5s', '15s', 'UTC']])
  })
})
