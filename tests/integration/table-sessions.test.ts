import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type pg from 'pg'
import { isServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { oneOff, type Sql, sqlFaultOf, statement } from '../../core/sql.ts'
import { createPool, createSql } from '../../database/pool.ts'
import {
  openSession,
  type SessionOptions,
  type TableSession,
} from '../../database/table-session.ts'
import { createSchema, roleName, type TableRole } from '../../database/table-roles.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const limits = LIMITS as Record<string, unknown>
const SCHEMA = `sessions_${process.pid}`
const PASSWORD = 'secret'

let database: TestDatabase
let pool: pg.Pool
let sql: Sql
let sessions: TableSession[] = []
let terminated: number[] = []
let timed: [name: string, isQuick: boolean][] = []

beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2, () => {})
  sql = createSql(pool)
  await sql.transaction((tx) => createSchema(tx, SCHEMA, PASSWORD, 'hashed'))
})
afterEach(async () => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  await Promise.all(sessions.map((session) => session.close()))
  sessions = []
  terminated = []
  timed = []
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function open(options: Partial<SessionOptions> = {}): Promise<TableSession> {
  const session = await openSession({
    url: database.url,
    role: of('reader'),
    password: PASSWORD,
    isReadOnly: true,
    terminate: async (pid) => {
      terminated.push(pid)
      await sql.rows(oneOff(`SELECT pg_terminate_backend(${pid})`))
    },
    onTimed: (name, isQuick) => void timed.push([name, isQuick]),
    ...options,
  })
  sessions.push(session)
  return session
}

const nap = (name: string, seconds: number) => statement(name, `SELECT pg_sleep(${seconds})`)
const of = (role: TableRole) => roleName(SCHEMA, role)
const ask = (session: TableSession, text: string) => session.run(oneOff(text), [])

describe('a session of a project’s role', () => {
  it.each(['', '?options=-c%20statement_timeout%3D0%20-c%20default_transaction_read_only%3Doff'])(
    'has limits of its own, also where the address is followed by "%s"',
    async (more) => {
      const session = await open({ url: database.url + more })
      const limited = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
      const bounded = ['work_mem', 'max_parallel_workers_per_gather', 'client_min_messages']
      const names = [...limited, ...bounded, 'default_transaction_read_only']
      const settings = names.map((name) => `current_setting('${name}')`)
      expect(await ask(session, `SELECT ${settings.join()}`)).toEqual([
        ['5s', '1s', '5s', '8MB', '0', 'error', 'on'],
      ])
    },
  )

  it('prints values in one form, whatever the database is set to print', async () => {
    const { pathname } = new URL(database.url)
    const settings = ["DateStyle = 'German'", "IntervalStyle = 'sql_standard'", "xmlbinary = 'hex'"]
    const others = ["bytea_output = 'escape'", "TimeZone = 'Japan'", 'extra_float_digits = 0']
    others.push('array_nulls = off', 'standard_conforming_strings = off')
    for (const setting of [...settings, ...others])
      await sql.rows(oneOff(`ALTER DATABASE ${pathname.slice(1)} SET ${setting}`))
    const session = await open()
    const values = [
      "timestamptz '2026-11-21 09:30Z'",
      "interval '1 day 2 hours'",
      "'\\x00ff'::bytea",
      '0.1::float8 + 0.2',
      "'{a,NULL}'::text[]",
      "length('\\\\n')",
      "query_to_xml('SELECT ''a''::bytea AS b', true, true, '')::text LIKE '%<b>YQ==</b>%'",
    ]
    expect(await ask(session, `SELECT ${values.join()}`)).toEqual([
      [
        ...['2026-11-21 09:30:00+00', '1 day 02:00:00', '\\x00ff', '0.30000000000000004'],
        ...['{a,NULL}', '3', 't'],
      ],
    ])
  })

  it('sees what others have committed, whatever the database is set to', async () => {
    const { pathname } = new URL(database.url)
    const setting = "default_transaction_isolation = 'serializable'"
    await sql.rows(oneOff(`ALTER DATABASE ${pathname.slice(1)} SET ${setting}`))
    const shown = await ask(await open(), 'SHOW transaction_isolation')
    expect(shown).toEqual([['read committed']])
  })

  it('lives on after statements that were answered in time', async () => {
    const session = await open()
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
    await ask(session, 'SELECT 1')
    expect(jest.getTimerCount()).toBe(0)
    expect(terminated).toEqual([])
  })

  it.each<[string, (session: TableSession) => Promise<unknown>]>([
    [
      '200 statements that it keeps',
      async (session) => {
        for (let n = 0; n < 200; n++) await session.run(statement(`kept_${n}`, 'SELECT 1'), [])
      },
    ],
    ['a minute', async () => void jest.advanceTimersByTime(60_000)],
    [
      'a fault of a text that it keeps',
      (session) => ask(session, 'SELECT nothing').catch(() => {}),
    ],
    [
      'a statement that it was made to forget',
      async (session) => {
        await session.run(statement('known', 'SELECT 1'), [])
        await ask(session, 'DEALLOCATE ALL')
        await session.run(statement('known', 'SELECT 1'), []).catch(() => {})
      },
    ],
    [
      'a plan that fits its table no more',
      async (session) => {
        const read = statement('read', `SELECT a FROM ${SCHEMA}.shifting`)
        await sql.rows(oneOff(`CREATE TABLE ${SCHEMA}.shifting (a integer)`))
        await sql.rows(oneOff(`GRANT SELECT ON ${SCHEMA}.shifting TO ${session.role}`))
        await session.run(read, [])
        await sql.rows(oneOff(`ALTER TABLE ${SCHEMA}.shifting ALTER a TYPE text`))
        await session.run(read, []).catch(() => {})
      },
    ],
    ['being retired', async (session) => session.retire()],
    ['its end', async (session) => endOf(session)],
  ])('is given no more work after %s', async (_what, happens) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'] })
    const session = await open()
    await ask(session, 'SELECT 1')
    expect(session.isUsable()).toBe(true)
    await happens(session)
    expect(session.isUsable()).toBe(false)
  })

  it('that ends by itself is broken, and its statement fails', async () => {
    const session = await open()
    await endOf(session)
    expect(session.isBroken()).toBe(true)
    await expect(ask(session, 'SELECT 1')).rejects.toThrow()
  })

  it('is broken as soon as the statement fails that it ends with', async () => {
    const session = await open()
    const [[pid] = []] = await ask(session, 'SELECT pg_catalog.pg_backend_pid()')
    const asleep = session.run(nap('asleep', 60), [])
    const heard = asleep.catch(() => [session.isBroken(), session.isUsable()])
    await sql.rows(oneOff(`SELECT pg_terminate_backend(${pid}, 5000)`))
    await expect(asleep).rejects.toMatchObject({ code: '57P01' })
    expect(await heard).toEqual([true, false])
  })

  it('has each statement wait for those before it, on top of its own time', async () => {
    jest.replaceProperty(limits, 'tableStatementMs', 300)
    const session = await open()
    const naps = Array.from({ length: 8 }, (_, n) => session.run(nap(`nap_${n}`, 0.2), []))
    expect(await Promise.all(naps)).toEqual(Array(8).fill([['']]))
    expect(terminated).toEqual([])
  })

  it('is slow while one statement takes its time, and counts none as slow that waited behind one', async () => {
    const session = await open()
    const slow = session.run(nap('slow', 0.2), [])
    const next = session.run(statement('next', 'SELECT 1'), [])
    await until(() => session.isSlow(), 'it is slow')
    await slow
    expect(session.isSlow()).toBe(false)
    await next
    expect(timed).toEqual([
      ['slow', false],
      ['next', true],
    ])
  })

  it('that ends one of its statements has those behind it sent again, and takes none for quick', async () => {
    const session = await open()
    await ask(session, 'SET statement_timeout = 500')
    const late = session.run(nap('late', 60), [])
    const behind = session.run(nap('behind', 60), []).catch((error: unknown) => error)
    await expect(late).rejects.toMatchObject({ code: '57014' })
    expect(sqlFaultOf(await behind)?.state).not.toBe('57014')
    expect(isServiceError(await behind)).toBe(false)
    expect(session.isUsable()).toBe(false)
    expect(timed).toContainEqual(['late', false])
  })

  it('takes no more reads once code of the project has let it write', async () => {
    const [reader, writer] = [await open(), await open({ isReadOnly: false })]
    for (const [session, isUsable] of [
      [reader, false],
      [writer, true],
    ] as const) {
      expect(session.isUsable()).toBe(true)
      await ask(session, "SELECT set_config('default_transaction_read_only', 'off', false)")
      expect(session.isUsable()).toBe(isUsable)
    }
  })

  it('ends when it is closed', async () => {
    const session = await open()
    const [[pid] = []] = await ask(session, 'SELECT pg_catalog.pg_backend_pid()')
    await session.close()
    const left = oneOff(`SELECT FROM pg_stat_activity WHERE pid = ${pid}`)
    await until(async () => (await sql.rows(left)).length === 0, 'its end')
    expect(terminated).toEqual([])
  })

  it('is ended from outside when nobody waits for it any more, whatever it is doing', async () => {
    const session = await open()
    const [[pid] = []] = await ask(session, 'SELECT pg_catalog.pg_backend_pid()')
    const asked = ask(session, 'SELECT pg_sleep(4)').catch(() => {})
    await session.close()
    await asked
    expect(terminated).toEqual([Number(pid)])
  })
})

describe('the roles of a project', () => {
  /** What each but the owner may do; what it may pass on has a star. */
  async function rightsOn(kind: 'relation' | 'schema', name: string) {
    const catalog = kind === 'schema' ? 'namespace' : 'class'
    const acl = kind === 'schema' ? 'nspacl' : 'relacl'
    const text = `
      SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
             string_agg(privilege_type || CASE WHEN is_grantable THEN '*' ELSE '' END, ' '
               ORDER BY privilege_type)
        FROM (SELECT (aclexplode(${acl})).* FROM pg_${catalog} WHERE oid = '${name}'::reg${catalog})
          AS rights
       WHERE grantee <> grantor GROUP BY grantee`
    return Object.fromEntries(await sql.rows(oneOff(text))) as Record<string, string>
  }

  it('may do what their names say, and let nobody in', async () => {
    const [reader, writer, owner] = [of('reader'), of('writer'), of('owner')]
    const session = await open({ role: owner, isReadOnly: false })
    await ask(session, `CREATE TABLE ${SCHEMA}.counted (id serial)`)
    const [table, sequence] = [`${SCHEMA}.counted`, `${SCHEMA}.counted_id_seq`]

    expect(await rightsOn('schema', SCHEMA)).toEqual({
      [reader]: 'USAGE',
      [writer]: 'USAGE',
      [owner]: 'CREATE USAGE',
    })
    expect(await rightsOn('relation', table)).toEqual({
      [reader]: 'SELECT',
      [writer]: 'DELETE INSERT SELECT UPDATE',
    })
    expect(await rightsOn('relation', sequence)).toEqual({ [writer]: 'USAGE' })
  })
})

async function endOf(session: TableSession): Promise<void> {
  const [[pid] = []] = await ask(session, 'SELECT pg_catalog.pg_backend_pid()')
  await sql.rows(oneOff(`SELECT pg_terminate_backend(${pid}, 5000)`))
  await until(() => session.isBroken(), 'its end has arrived')
}
