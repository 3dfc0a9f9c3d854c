import { randomUUID } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { listenForChanges } from '../../database/listener.ts'
import { oneOff } from '../../core/sql.ts'
import { verifying } from '../../database/connect.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { faultOf } from '../../database/requirements.ts'
import { startBetween } from '../support/between.ts'
import { createAuthority } from '../support/certificates.ts'
import { envOf, operate } from '../support/operator.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts'

let database: TestDatabase
let admin: pg.Client
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

const listProjects = (databaseUrl: string) => operate(envOf({ databaseUrl }), ['project', 'list'])
const refusal = (why: string) => ({
  code: 1,
  out: '',
  err: `The database of DATABASE_URL cannot be used: ${why}.\n`,
})
const POOLER =
  'the connection pooler in front of it does not pass on the settings of sessions; ' +
  'name PostgreSQL itself (each process pools its own connections)'

const OPTIONS = Buffer.from('\0options\0')

/** A session's first words, without the settings among them. */
function withoutOptions(hello: Buffer): Buffer {
  const start = hello.indexOf(OPTIONS) + 1
  const end = hello.indexOf(0, start + OPTIONS.length - 1) + 1
  const rest = Buffer.concat([hello.subarray(0, start), hello.subarray(end)])
  rest.writeInt32BE(rest.length)
  return rest
}

/** As PostgreSQL's protocol has an error at the start of a session. */
function errorOf(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** A pooler that answers a session's settings with an error, or leaves them out where there is none. */
async function startPooler(error: Buffer | null): Promise<string> {
  const { url, stop } = await startBetween(database.url, (near, far) => {
    near.once('data', (hello: Buffer) => {
      const hasSettings = hello.includes(OPTIONS)
      if (hasSettings && error) return near.end(error)
      far.write(hasSettings ? withoutOptions(hello) : hello)
      near.pipe(far)
      far.pipe(near)
    })
  })
  ends.push(stop)
  return url
}

describe('a database that others run', () => {
  it.each([
    ['PgBouncer', '08P01', 'unsupported startup parameter: options'],
    [
      'RDS Proxy',
      '0A000',
      "Feature not supported: RDS Proxy currently doesn't support command-line options.",
    ],
  ])(
    'is refused in one sentence behind a pooler that takes no settings, like %s',
    async (_, code, text) => {
      const url = await startPooler(errorOf(code, text))
      expect(await listProjects(url)).toEqual(refusal(POOLER))
    },
  )

  it('is refused behind a pooler that leaves the settings of sessions out and says nothing', async () => {
    expect(await listProjects(await startPooler(null))).toEqual(refusal(POOLER))
  })

  it('is refused in one sentence if it is too old to know the settings of sessions', async () => {
    const unknown = 'unrecognized configuration parameter "idle_session_timeout"'
    const why = 'it lacks settings that PostgreSQL 15 has, and 15 or newer is needed'
    expect(await listProjects(await startPooler(errorOf('42704', unknown)))).toEqual(refusal(why))
  })

  it('is refused if its encoding lacks most of the letters', async () => {
    const name = `latin_${randomUUID().slice(0, 8)}`
    await admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    ends.push(() => admin.query(`DROP DATABASE ${name}`))
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const why = "its encoding is LATIN1; create one with ENCODING 'UTF8' TEMPLATE template0"
    expect(await listProjects(url.href)).toEqual(refusal(why))
  })

  it('is told whose it must be', async () => {
    const name = `guest_${randomUUID().slice(0, 8)}`
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'guest'`)
    ends.push(() => admin.query(`DROP ROLE ${name}`))
    const url = new URL(database.url)
    url.username = name
    url.password = 'guest'
    const advice =
      '; as an administrator: ALTER DATABASE the_database OWNER TO the_role, after CREATE DATABASE if there is none'
    const none = 'no schema has been selected to create in'
    expect(await listProjects(url.href)).toEqual(refusal(none + advice))
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`)
    ends.unshift(() => admin.query(`DROP DATABASE ${name}`))
    url.pathname = `/${name}`
    const denied = 'permission denied for schema public'
    expect(await listProjects(url.href)).toEqual(refusal(denied + advice))
    url.pathname = `/${name}_too`
    const missing = 'permission denied to create database'
    expect(await listProjects(url.href)).toEqual(refusal(missing + advice))
  })

  it('is told how to be trusted when an authority of its own has certified it', async () => {
    const authority = createAuthority()
    const certificate = authority.issue('IP:127.0.0.1')
    authority.remove()
    const { url, stop } = await startBetween(database.url, (near) => {
      near.once('data', () => {
        near.write('S')
        new TLSSocket(near, { isServer: true, ...certificate }).on('error', () => {})
      })
    })
    ends.push(stop)
    const { err, code } = await listProjects(`${url}?sslmode=require`)
    // Some versions of Node have advice of their own in between.
    const why = 'cannot be used: unable to verify the first certificate; '
    const what =
      "name the file of its authority's certificate with sslrootcert=FILE in the address.\n"
    expect([code, err]).toEqual([1, expect.stringContaining(why)])
    expect(err.endsWith(`; ${what}`)).toBe(true)
  })

  it.each([
    ['sslmode=require', 'sslmode=verify-full'],
    ['sslmode=prefer&connect_timeout=3', 'sslmode=verify-full&connect_timeout=3'],
    ['sslmode=verify-ca', 'sslmode=verify-full'],
    ...['sslmode=verify-full&sslrootcert=%2Fa.pem', 'sslmode=no-verify', 'sslmode=disable', ''].map(
      (same) => [same, same] as const,
    ),
    ...['require', 'prefer'].map((mode) => {
      const same = `sslmode=${mode}&uselibpqcompat=true`
      return [same, same] as const
    }),
  ])('with "%s" is addressed with "%s"', (given, used) => {
    const address = (query: string) => `postgresql://a:b@db.example:5432/c?${query}`
    expect(verifying(address(given))).toBe(address(used))
  })

  const fit = {
    version: '15.0',
    versionNumber: 150_000,
    isStandby: false,
    encoding: 'UTF8',
    idleTimeout: '15s',
  }
  it.each([
    [{}, null],
    [
      { versionNumber: 140_023, version: '14.23' },
      'it is PostgreSQL 14.23, and 15 or newer is needed',
    ],
    [{ isStandby: true }, 'it is a standby, which only reads; name the primary'],
  ])('with %j is told what is wrong with it', (facts, fault) => {
    expect(faultOf({ ...fit, ...facts })).toBe(fault)
  })

  it('holds all that is the service’s in its schema public, whatever other schemas come first', async () => {
    const empty = await createEmptyDatabase()
    ends.push(() => empty.drop())
    const { pathname } = new URL(empty.url)
    await admin.query(`ALTER DATABASE ${pathname.slice(1)} SET search_path = app, public`)
    const inside = new pg.Client({ connectionString: empty.url })
    await inside.connect()
    ends.unshift(() => inside.end())
    await inside.query('CREATE SCHEMA app')
    const create = ['project', 'create', '--name', 'Bikes', '--id', 'bikes']
    expect(await operate(envOf({ databaseUrl: empty.url }), create)).toMatchObject({ code: 0 })
    const { rows } = await inside.query("SELECT tablename FROM pg_tables WHERE schemaname = 'app'")
    expect(rows).toEqual([])
  })

  it('does not change what statements mean by its own settings', async () => {
    const { pathname } = new URL(database.url)
    const odd = { array_nulls: 'off', standard_conforming_strings: 'off' }
    const names = { quote_all_identifiers: 'on' }
    const set = { ...odd, ...names, plan_cache_mode: 'force_generic_plan', jit: 'on' }
    for (const [name, value] of Object.entries(set)) {
      await admin.query(`ALTER DATABASE ${pathname.slice(1)} SET ${name} = ${value}`)
      ends.push(() => admin.query(`ALTER DATABASE ${pathname.slice(1)} RESET ${name}`))
    }
    const pool = createPool(database.url, 1, () => {})
    ends.push(() => pool.end())
    const shown = Object.keys(set).map((name) => `current_setting('${name}') AS ${name}`)
    const { rows } = await pool.query(`SELECT ${shown.join(', ')}`)
    const usual = { array_nulls: 'on', standard_conforming_strings: 'on' }
    const unquoted = { quote_all_identifiers: 'off' }
    expect(rows).toEqual([{ ...usual, ...unquoted, plan_cache_mode: 'auto', jit: 'off' }])
  })

  it("keeps the options of its address, and the service's own settings before them", async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c work_mem=9MB')
    const pool = createPool(url.href, 1, () => {})
    ends.push(() => pool.end())
    const settings = ['TimeZone', 'work_mem', 'synchronous_commit', 'statement_timeout']
    const { rows } = await pool.query(
      `SELECT ${settings.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`,
    )
    expect(rows).toEqual([
      { TimeZone: 'UTC', work_mem: '9MB', synchronous_commit: 'on', statement_timeout: '10s' },
    ])
  })

  it('is listened to without an end, even if it ends sessions that are idle', async () => {
    const { pathname } = new URL(database.url)
    await admin.query(`ALTER DATABASE ${pathname.slice(1)} SET idle_session_timeout = '200ms'`)
    ends.push(() => admin.query(`ALTER DATABASE ${pathname.slice(1)} RESET idle_session_timeout`))
    const heard: boolean[] = []
    const stop = await listenForChanges(database.url, {
      onChange: () => {},
      onWork: () => {},
      onListening: (isListening) => void heard.push(isListening),
    })
    await admin.query('SELECT pg_sleep(0.6)')
    expect(heard).toEqual([true])
    await stop()
  })

  it('may take few connections: whoever finds no room waits for one of those that there are', async () => {
    const name = `small_${randomUUID().slice(0, 8)}`
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'small' CONNECTION LIMIT 2`)
    ends.push(() => admin.query(`DROP ROLE ${name}`))
    const url = new URL(database.url)
    url.username = name
    url.password = 'small'
    const pool = createPool(url.href, 10, () => {})
    ends.unshift(() => pool.end())
    const sql = createSql(pool)
    const nap = oneOff('SELECT pg_backend_pid() FROM pg_sleep(0.02)')
    const work = () => [sql.rows(nap), sql.transaction((tx) => tx.rows(nap))]
    const answers = await Promise.all(Array.from({ length: 10 }, work).flat())
    expect(new Set(answers.map(([row]) => row?.[0])).size).toBeLessThanOrEqual(2)
  })
})
