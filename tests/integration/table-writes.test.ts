import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Socket } from 'node:net'
import type { TableStore } from '../../core/ports.ts'
import { oneOff, type Row, type SqlClient, sqlFaultOf } from '../../core/sql.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { createTableStore } from '../../database/table-store.ts'
import { startBetween } from '../support/between.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

const access = { schema: `writes_${process.pid}`, password: 'secret' }
const table = { access, name: 'things', isPartitioned: false }

let database: TestDatabase
let pool: ReturnType<typeof createPool>
let between: Awaited<ReturnType<typeof startBetween>>
let store: TableStore
/** How often something was asked after everything before had been answered, or was being answered. */
let roundTrips = 0

beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2, () => {})
  const sql = createSql(pool)
  between = await startBetween(database.url, (near, far) => {
    let isAsking = false
    const pass = (from: Socket, to: Socket, note: () => void) =>
      from.on('data', (chunk) => {
        note()
        to.write(chunk)
      })
    pass(near, far, () => {
      if (!isAsking) roundTrips++
      isAsking = true
    })
    pass(far, near, () => (isAsking = false))
  })
  store = createTableStore({
    url: between.url,
    sql,
    size: 13,
    onLogin: () => {},
    onError: () => {},
  })
  await sql.transaction((tx) => store.create(tx, access))
  const script = `CREATE TABLE kinds (id integer PRIMARY KEY);
    CREATE TABLE things (n integer PRIMARY KEY, kind integer REFERENCES kinds
      DEFERRABLE INITIALLY DEFERRED)`
  await store.apply(access, script)
})
beforeEach(async () => {
  // From the second one on, they use the same session.
  await store.write(table, (tx) => tx.rows(oneOff(`DELETE FROM ${access.schema}.things`)))
  roundTrips = 0
})
afterAll(async () => {
  await store.close()
  await between.stop()
  await pool.end()
  await database.drop()
})

const add = (tx: SqlClient, n: number, kind = 'NULL') =>
  tx.rows(oneOff(`INSERT INTO ${access.schema}.things VALUES ($1::integer, ${kind}) RETURNING n`), [
    n,
  ])
const things = () =>
  store.read(table, oneOff(`SELECT n FROM ${access.schema}.things ORDER BY n`), [])
const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => sqlFaultOf(error)?.state,
  )

describe('a write to a project’s tables', () => {
  it('takes a round trip for each statement, and one to commit', async () => {
    expect(await store.write(table, (tx) => add(tx, 1))).toEqual([['1']])
    expect(roundTrips).toBe(2)
    await store.write(table, async (tx) => [await add(tx, 2), await add(tx, 3)])
    expect(roundTrips).toBe(5)
    expect(await things()).toEqual([['1'], ['2'], ['3']])
  })

  it('in which nothing is asked for asks nothing of PostgreSQL', async () => {
    expect(await store.write(table, () => Promise.resolve('nothing'))).toBe('nothing')
    const givenUp = store.write(table, () => Promise.reject(new Error('no')))
    await expect(givenUp).rejects.toThrow('no')
    expect(roundTrips).toBe(0)
  })

  it('that is given up, or whose first statement fails, leaves nothing', async () => {
    const givenUp = store.write(table, async (tx) => {
      await add(tx, 1)
      throw new Error('no')
    })
    await expect(givenUp).rejects.toThrow('no')
    await store.write(table, (tx) => add(tx, 2))
    expect(await stateOf(store.write(table, (tx) => add(tx, 2)))).toBe('23505')
    await store.write(table, (tx) => add(tx, 3))
    expect(await things()).toEqual([['2'], ['3']])
  })

  it('that fails as it is committed leaves nothing, and the next one succeeds', async () => {
    expect(await stateOf(store.write(table, (tx) => add(tx, 1, '7')))).toBe('23503')
    await store.write(table, (tx) => add(tx, 2))
    expect(await things()).toEqual([['2']])
  })

  it('finds none of the settings that one before it has left in the session', async () => {
    const alter = oneOff(`SELECT set_config('work_mem', '1MB', false), pg_backend_pid()`)
    const look = oneOff(`SELECT current_setting('work_mem'), pg_backend_pid()`)
    const sessions: Row[] = []
    for (const fails of [false, true]) {
      const altering = store.write(table, async (tx) => {
        sessions.push(...(await tx.rows(alter)))
        if (fails) throw new Error('no')
      })
      await altering.catch(() => {})
      sessions.push(...(await store.write(table, (tx) => tx.rows(look))))
    }
    expect(sessions.map(([memory]) => memory)).toEqual(['1MB', '8MB', '1MB', '8MB'])
    expect(new Set(sessions.map(([, pid]) => pid)).size).toBe(1)
  })
})
