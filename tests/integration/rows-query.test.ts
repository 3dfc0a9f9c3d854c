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
import { HURRIED, oneOff, sqlFaultOf, statement } from '../../core/sql.ts'
import { SESSION, withSettings } from '../../database/connect.ts'
import { createPool } from '../../database/pool.ts'
import { ask, askTogether } from '../../database/rows-query.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: withSettings(database.url, SESSION) })
  await client.connect()
})
afterEach(() => void jest.restoreAllMocks())
afterAll(async () => {
  await client.end()
  await database.drop()
})

const everyKind = statement(
  'every-kind',
  `SELECT 1, 9007199254740993, true, NULL, '', 'Zoë 🚲', '{"a":[1]}'::jsonb, ARRAY['x', NULL],
          timestamptz '2026-11-21 09:30:00.12+00' AT TIME ZONE 'UTC', $1::text, $2::bytea, $3::int[]`,
)

describe('a statement', () => {
  it('answers each value as PostgreSQL prints it, and NULL as null', async () => {
    const values = ['given', Buffer.from([0, 255]), [1, null]]
    const [integer, wide, yes, none, empty, text, json, list, instant, ...given] =
      (await ask(client, everyKind, values))[0] ?? []
    expect([integer, wide, yes, none, empty]).toEqual(['1', '9007199254740993', 't', null, ''])
    expect([text, json, list]).toEqual(['Zoë 🚲', '{"a": [1]}', '{x,NULL}'])
    expect(instant).toBe('2026-11-21 09:30:00.12')
    expect(given).toEqual(['given', '\\x00ff', '{1,NULL}'])
  })

  it('answers in one form, whatever the database is set to print', async () => {
    const other = await createDatabase()
    const { pathname } = new URL(other.url)
    for (const setting of ["DateStyle = 'German'", "bytea_output = 'escape'", "TimeZone = 'Japan'"])
      await client.query(`ALTER DATABASE ${pathname.slice(1)} SET ${setting}`)
    const pool = createPool(other.url, 1, () => {})
    const lent = await pool.connect()

    const printed = oneOff("SELECT timestamptz '2026-11-21 09:30Z', '\\x00ff'::bytea")
    expect(await ask(lent, printed)).toEqual([['2026-11-21 09:30:00+00', '\\x00ff']])
    lent.release()
    await pool.end()
    await other.drop()
  })

  it.each([
    ['is on the disk when it is answered', 'synchronous_commit', 'off', 'on'],
    [
      'sees what others have committed',
      'default_transaction_isolation',
      'serializable',
      'read committed',
    ],
  ])('%s, even in a database that has %s set to %s', async (_, setting, theirs, ours) => {
    const other = await createDatabase()
    const { pathname } = new URL(other.url)
    await client.query(`ALTER DATABASE ${pathname.slice(1)} SET ${setting} = '${theirs}'`)
    const pool = createPool(other.url, 1, () => {})
    const lent = await pool.connect()

    expect(await ask(lent, oneOff(`SHOW ${setting}`))).toEqual([[ours]])
    lent.release()
    await pool.end()
    await other.drop()
  })

  it('answers with no rows when there are none', async () => {
    expect(await ask(client, statement('no-rows', 'SELECT 1 WHERE $1'), [false])).toEqual([])
    expect(await ask(client, oneOff('BEGIN'))).toEqual([])
    expect(await ask(client, oneOff('COMMIT'))).toEqual([])
  })

  it('is prepared once, and its columns are never asked for', async () => {
    const parse = jest.spyOn(pg.Connection.prototype, 'parse')
    const describe = jest.spyOn(pg.Connection.prototype, 'describe')
    const often = statement('often', 'SELECT $1::int + 1')
    for (const n of [1, 2, 3]) expect(await ask(client, often, [n])).toEqual([[String(n + 1)]])
    expect(parse).toHaveBeenCalledTimes(1)
    expect(describe).not.toHaveBeenCalled()
  })

  it('leaves others to ask for theirs over the same connection', async () => {
    await ask(client, statement('one', 'SELECT 1'))
    const { rows } = await client.query<{ one: number }>('SELECT $1::int AS one', [1])
    expect(rows).toEqual([{ one: 1 }])
  })

  it('fails with what PostgreSQL says, and with the place that asked', async () => {
    const divide = statement('divide', 'SELECT 1 / $1::int')
    async function whoeverDivides() {
      return await ask(client, divide, [0])
    }
    const error: unknown = await whoeverDivides().catch((reason: unknown) => reason)
    expect(sqlFaultOf(error)).toMatchObject({ state: '22012', message: 'division by zero' })
    expect((error as Error).stack).toContain('whoeverDivides')
    expect(await ask(client, divide, [1])).toEqual([['1']])
  })

  it('whose values cannot be sent fails alone', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const echo = statement('echo', 'SELECT $1::jsonb')
    await expect(ask(client, echo, [circle])).rejects.toThrow(/circular/)
    expect(await ask(client, statement('next', 'SELECT $1::jsonb'), [{ a: 1 }])).toEqual([
      ['{"a": 1}'],
    ])
  })

  it('fails on a connection that has ended', async () => {
    const gone = new pg.Client({ connectionString: database.url })
    await gone.connect()
    await gone.end()
    await expect(ask(gone, statement('late', 'SELECT 1'))).rejects.toThrow(/closed|connection/i)
  })
})

describe('statements of one session that carries several at a time', () => {
  it('each get their own rows and faults', async () => {
    const shared = new pg.Client({ connectionString: database.url, pipeline: true })
    await shared.connect()
    const divide = statement('divide', 'SELECT 12 / $1::int, $1::int')
    const divisors = [1, 0, 2, 3, 0, 4]
    const answers = await Promise.allSettled(divisors.map((n) => ask(shared, divide, [n])))
    const told = answers.map((one) =>
      one.status === 'fulfilled' ? one.value : sqlFaultOf(one.reason)?.state,
    )
    const right = divisors.map((n) => (n === 0 ? '22012' : [[String(12 / n), String(n)]]))
    expect(told).toEqual(right)
    await shared.end()
  })
})

describe('statements that are sent together', () => {
  const add = statement('add', 'INSERT INTO added VALUES ($1::int) RETURNING n')
  const all = statement('all-added', 'SELECT n FROM added ORDER BY n')
  let own: pg.Client

  beforeEach(async () => {
    own = new pg.Client({ connectionString: database.url })
    own.on('error', () => {})
    await own.connect()
    await client.query('CREATE TABLE added (n int PRIMARY KEY)')
  })
  afterEach(async () => {
    await own.end()
    await client.query('DROP TABLE added')
  })
  const added = (...numbers: number[]) =>
    numbers.map((n) => ({ statement: add, values: [n] as const }))

  it('each answer their rows, in one round trip, prepared before or not', async () => {
    const sync = jest.spyOn(pg.Connection.prototype, 'sync')
    const parse = jest.spyOn(pg.Connection.prototype, 'parse')
    for (const [one, two] of [
      [1, 2],
      [3, 4],
    ] as const) {
      const answers = await askTogether(own, [...added(one, two), { statement: all }])
      expect(answers.slice(0, 2)).toEqual([[[String(one)]], [[String(two)]]])
      expect(answers[2]?.flat().map(Number)).toEqual(Array.from({ length: two }, (_, i) => i + 1))
    }
    expect(sync).toHaveBeenCalledTimes(2)
    expect(parse).toHaveBeenCalledTimes(2)
  })

  it('include those without names and values', async () => {
    const asked = [...added(1), { statement: oneOff('SELECT n + 1 FROM added') }, ...added(2)]
    expect(await askTogether(own, asked)).toEqual([[['1']], [['2']], [['2']]])
    expect(await askTogether(own, [])).toEqual([])
  })

  it('take effect all or not at all', async () => {
    const failed: unknown = await askTogether(own, added(1, 2, 1, 3)).catch((e: unknown) => e)
    expect(sqlFaultOf(failed)?.state).toBe('23505')
    expect(await ask(client, all)).toEqual([])
  })

  it('do not take effect when values of a later one cannot be sent', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const asked = [...added(1), { statement: add, values: [circle] }, ...added(2)]
    await expect(askTogether(own, asked)).rejects.toThrow(/circular/)
    expect(await ask(client, all)).toEqual([])
  })

  it('are committed without a wait for the disk if they are hurried, and others are not', async () => {
    const how = statement('how', 'SHOW synchronous_commit')
    await ask(own, oneOff("SET synchronous_commit = 'on'"))
    expect((await askTogether(own, [HURRIED, { statement: how }]))[1]).toEqual([['off']])
    expect(await ask(own, how)).toEqual([['on']])
  })

  it('see what others have committed while an earlier one waited for a lock', async () => {
    const lock = statement('lock-7', 'SELECT pg_advisory_xact_lock(7)')
    await client.query('BEGIN')
    await ask(client, lock)
    await ask(client, add, [1])
    const answer = askTogether(own, [{ statement: lock }, { statement: all }])
    await client.query('COMMIT')
    expect(await answer).toEqual([[['']], [['1']]])
    expect(await ask(client, oneOff('SELECT pg_try_advisory_lock(7)'))).toEqual([['t']])
  })
})
