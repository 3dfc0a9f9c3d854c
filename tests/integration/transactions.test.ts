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
