import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { ensure } from '../../capabilities/tables/table-schemas.ts'
import { LIMITS } from '../../core/limits.ts'
import { oneOff, sqlFaultOf } from '../../core/sql.ts'
import { createTableStore } from '../../database/table-store.ts'
import type { Answer } from '../support/responses.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, eq, filtersOf, schemaOf } from '../support/tables.ts'
import { mustComeBefore, until } from '../support/until.ts'

let service: TestService
let project: TestProject
let other: TestProject
beforeAll(async () => {
  service = await startTestService()
  other = await service.project()
  await applySql(service, other, 'CREATE TABLE t (id integer); INSERT INTO t VALUES (1)')
})
// What is known of a project's locks is forgotten only by its next statements.
beforeEach(async () => {
  project = await service.project()
  await applySql(
    service,
    project,
    `CREATE TABLE t (id integer PRIMARY KEY, name text);
     INSERT INTO t SELECT g, 'n' || g FROM generate_series(1, 30) g;
     CREATE TABLE u AS SELECT * FROM t;
     CREATE TABLE free AS SELECT * FROM t;
     CREATE TABLE parts (id integer) PARTITION BY LIST (id);
     CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
     CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);`,
  )
})
afterAll(() => service.stop())

const FOR_ALL = (schema: string) => `LOCK TABLE ${schema}.t IN ACCESS EXCLUSIVE MODE`

/** Runs `work` while another session holds a lock; `release` ends that session. */
async function whileLocked(
  locking: (schema: string) => string,
  work: (release: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(locking(await schemaOf(service, project)))
    await work(() => client.end())
  } finally {
    await client.end()
  }
}

/** One of eight kinds of statements, which share connections as long as they are quick. */
const read = (table: string, kind: number): Promise<Answer> => {
  const filters = filtersOf(...Array(1 + kind).fill({ column: 'id', op: 'gt', value: 0 }))
  return project.client.send('listRows', { path: { table }, query: { filters } })
}
const KINDS = Array.from({ length: 48 }, (_, n) => n % 8)
const reads = (table: string) => KINDS.map((kind) => read(table, kind))

const rename = (table: string, id: number): Promise<Answer> =>
  project.client.send('updateRows', {
    path: { table },
    query: { filters: eq('id', id) },
    body: { values: { name: 'new' } },
  })

const toldOf = ({ status, headers }: Answer) =>
  status === 200 ? '200' : `${status}, again in ${headers.get('retry-after')}`
const allTold = async (answers: Promise<Answer>[]) => [
  ...new Set((await Promise.all(answers)).map(toldOf)),
]

/** Until so many statements of the project wait for a lock in PostgreSQL. */
async function untilWaiting(count: number): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND usename LIKE $1`
  const values = [`${await schemaOf(service, project)}%`]
  const waiting = () => service.ctx.sql.rows({ name: '', text }, values)
  await until(async () => (await waiting()).length >= count, `${count} wait for the lock`)
}

describe('a lock', () => {
  it('is waited for no longer than a second, and then the answer asks to try again', async () => {
    await whileLocked(FOR_ALL, async () => {
      const path = { table: 't' }
      const query = { filters: eq('id', 1) }
      const tries = [
        () => project.client.refused('listRows', 'server_error', { path }),
        () =>
          project.client.refused('insertRows', 'server_error', {
            path,
            body: { rows: [{ id: 99 }] },
          }),
        () => project.client.refused('deleteRows', 'server_error', { path, query }),
      ]
      for (const attempt of tries) {
        const startedAt = performance.now()
        const { status, headers, message } = await attempt()
        expect([status, headers.get('retry-after')]).toEqual([500, '1'])
        expect(message).toContain('lock')
        const waitedMs = performance.now() - startedAt
        expect(waitedMs).toBeGreaterThan(LIMITS.tableLockWaitMs * 0.9)
        expect(waitedMs).toBeLessThan(LIMITS.tableLockWaitMs + 2_000)
      }
    })
    expect(await allRows(project, 't')).toHaveLength(30)
  })

  it('of one project holds up neither the others nor the rest of the service, nor those behind it for long', async () => {
    await Promise.all([...reads('t'), ...reads('free')])
    await whileLocked(FOR_ALL, async () => {
      const startedAt = performance.now()
      const stuck = [...reads('t'), ...reads('t')]
      const beside = reads('free')
      await mustComeBefore(stuck, () => allRows(other, 't'))
      await mustComeBefore(stuck, () => project.client.ok('listContacts'))
      expect(await allTold(beside)).toEqual(['200'])
      expect(await allTold(stuck)).toEqual(['500, again in 1'])
      // Behind another one's wait for the lock, and for the lock.
      expect(performance.now() - startedAt).toBeLessThan(2 * LIMITS.tableLockWaitMs + 2_000)
    })
  })

  it('is not waited for by those who have waited for the connection of one that did so in vain', async () => {
    const limits: { tableReadersOfProject: number } = LIMITS
    jest.replaceProperty(limits, 'tableReadersOfProject', 1)
    const { ctx, databaseUrl: url } = service
    const nothing = () => {}
    const store = createTableStore({
      url,
      size: 10,
      sql: ctx.sql,
      onLogin: nothing,
      onError: nothing,
    })
    const access = await ensure(ctx, project.id, 'public')
    const readOne = () =>
      store
        .read(
          { access, name: 't', isPartitioned: false },
          oneOff(`SELECT 1 FROM ${access.schema}.t`),
          [],
        )
        .catch((error: unknown) => error)
    await whileLocked(FOR_ALL, async () => {
      const first = readOne()
      await untilWaiting(1)
      const second = readOne()
      expect(sqlFaultOf(await first)?.state).toBe('55P03')
      expect(await second).toBe(await first)
    })
    await store.close()
    jest.restoreAllMocks()
  })

  it('leaves the project’s other tables in reach, once a read has waited for it in vain', async () => {
    await whileLocked(FOR_ALL, async () => {
      await project.client.refused('listRows', 'server_error', { path: { table: 't' } })
      const stuck = reads('t')
      await untilWaiting(1)
      await mustComeBefore(stuck, () => Promise.all(reads('free')))
      expect(await allTold(stuck)).toEqual(['500, again in 1'])
    })
    expect(await allTold(reads('t'))).toEqual(['200'])
  })

  it('of several tables holds the others up only until that is known, and then with a time to try again', async () => {
    await Promise.all(['t', 'u', 'free'].flatMap(reads))
    const both = (schema: string) => `LOCK TABLE ${schema}.t, ${schema}.u IN ACCESS EXCLUSIVE MODE`
    await whileLocked(both, async () => {
      const mixed = KINDS.flatMap((kind) => ['t', 'u', 'free'].map((table) => read(table, kind)))
      expect(['200', '500, again in 1']).toEqual(expect.arrayContaining(await allTold(mixed)))
      const stillStuck = ['t', 'u'].flatMap(reads)
      await untilWaiting(2)
      await mustComeBefore(stillStuck, () => Promise.all(reads('free')))
      expect(await allTold(stillStuck)).toEqual(['500, again in 1'])
    })
  })

  it('against writers, such as CREATE INDEX takes, leaves reads and the other tables in reach', async () => {
    const against = (schema: string) => `LOCK TABLE ${schema}.t IN SHARE MODE`
    await whileLocked(against, async () => {
      expect(toldOf(await rename('t', 1))).toBe('500, again in 1')
      const stuck = Array.from({ length: 24 }, (_, n) => rename('t', n + 1))
      await untilWaiting(1)
      await mustComeBefore(stuck, () => Promise.all([1, 2, 3, 4].map((id) => rename('free', id))))
      await mustComeBefore(stuck, () => allRows(project, 't'))
      expect(await allTold(stuck)).toEqual(['500, again in 1'])
    })
    expect(toldOf(await rename('t', 1))).toBe('200')
  })

  it('of one row leaves the others in reach', async () => {
    await whileLocked(
      (schema) => `SELECT FROM ${schema}.t WHERE id = 1 FOR UPDATE`,
      async () => {
        expect(toldOf(await rename('t', 1))).toBe('500, again in 1')
        const stuck = rename('t', 1)
        await untilWaiting(1)
        await mustComeBefore([stuck], () => rename('t', 2))
        expect(toldOf(await stuck)).toBe('500, again in 1')
      },
    )
  })

  it('of one partition leaves the others in reach', async () => {
    const readPart = (id: number) =>
      project.client.send('listRows', {
        path: { table: 'parts' },
        query: { filters: eq('id', id) },
      })
    await whileLocked(
      (schema) => `LOCK TABLE ${schema}.parts_1 IN ACCESS EXCLUSIVE MODE`,
      async () => {
        expect(toldOf(await readPart(1))).toBe('500, again in 1')
        const stuck = readPart(1)
        await untilWaiting(1)
        await mustComeBefore([stuck], () => readPart(2))
        expect(toldOf(await stuck)).toBe('500, again in 1')
      },
    )
  })

  it('that ends within a second holds up nobody any longer', async () => {
    await whileLocked(FOR_ALL, async (release) => {
      await project.client.refused('listRows', 'server_error', { path: { table: 't' } })
      const stuck = reads('t')
      await untilWaiting(1)
      await release()
      expect(await allTold(stuck)).toEqual(['200'])
    })
  })
})
