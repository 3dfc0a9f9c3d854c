import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { LIMITS } from '../../core/limits.ts'
import { oneOff } from '../../core/sql.ts'
import { createClient } from '../support/client.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, eq, filtersOf, schemaOf } from '../support/tables.ts'
import { mustComeBefore, until } from '../support/until.ts'

let service: TestService
let project: TestProject
let other: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  other = await service.project()
  await applySql(
    service,
    project,
    `CREATE TABLE t (id integer PRIMARY KEY, name text);
     INSERT INTO t SELECT g, 'n' || g FROM generate_series(1, 30) g;
     CREATE TABLE slow (id integer PRIMARY KEY, text text);
     INSERT INTO slow SELECT g, repeat('a', 1000000) FROM generate_series(1, 30) g;
     CREATE TABLE large (id integer PRIMARY KEY, text text);
     INSERT INTO large SELECT g, repeat('x', 1000000) FROM generate_series(1, 30) g;
     CREATE TABLE sleepy (id integer PRIMARY KEY); INSERT INTO sleepy VALUES (1);
     CREATE FUNCTION nap() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_sleep(60); RETURN true; END $$;
     ALTER TABLE sleepy ENABLE ROW LEVEL SECURITY;
     CREATE POLICY nap ON sleepy USING (nap());`,
  )
  await applySql(service, other, 'CREATE TABLE t (id integer); INSERT INTO t VALUES (1)')
})
afterAll(() => service.stop())

const limits = LIMITS as Record<string, unknown>

describe('a slow statement', () => {
  let hasty: TestService
  let own: TestProject
  let neighbour: TestProject
  beforeAll(async () => {
    jest.replaceProperty(limits, 'tableStatementMs', 1_500)
    hasty = await startTestService({ databaseUrl: service.databaseUrl })
    own = { ...project, client: createClient(hasty.url, project.key) }
    neighbour = { ...other, client: createClient(hasty.url, other.key) }
  })
  afterAll(async () => {
    await hasty.stop()
    jest.restoreAllMocks()
  })

  it.each(['like', 'ilike'])('by %s is ended with query_timeout', async (op) => {
    const value = `%${'a_'.repeat(1_900)}b`
    const filters = filtersOf({ column: 'text', op, value })
    const startedAt = performance.now()
    const parts = { path: { table: 'slow' }, query: { filters } }
    const { status } = await own.client.refused('listRows', 'query_timeout', parts)
    expect(status).toBe(400)
    expect(performance.now() - startedAt).toBeLessThan(LIMITS.tableStatementMs + 3_000)
  })

  it.each(['updateRows', 'deleteRows'] as const)('of %s changes nothing', async (operation) => {
    // Every row would be seen by the policy, which sleeps.
    const parts = { path: { table: 'sleepy' }, query: { filters: eq('id', 1) } }
    const body = operation === 'updateRows' ? { body: { values: { id: 2 } } } : {}
    await own.client.refused(operation, 'query_timeout', { ...parts, ...body })
  })

  it('in a crowd leaves the other projects and the service as fast as ever', async () => {
    const parts = { path: { table: 'sleepy' } }
    const crowd = Array.from({ length: 64 }, () => own.client.send('listRows', parts))
    await mustComeBefore(crowd, () => allRows(neighbour, 't'))
    await mustComeBefore(crowd, () => own.client.ok('listContacts'))
    const codes = (await Promise.all(crowd)).map(
      ({ body }) => (body as { error: { code: string } }).error.code,
    )
    expect(new Set(codes)).toEqual(new Set(['query_timeout', 'server_error']))
    expect(await allRows(own, 't')).toHaveLength(30)
  })
})

describe('a statement that was quick, and is slow now', () => {
  afterAll(() => void jest.restoreAllMocks())

  it('leaves none that shared its connection without a time to try again', async () => {
    jest.replaceProperty(limits, 'tableStatementMs', 1_000)
    const hasty = await startTestService({ databaseUrl: service.databaseUrl })
    const owner = await service.project()
    const client = createClient(hasty.url, owner.key)
    await applySql(
      hasty,
      owner,
      `CREATE TABLE moods AS SELECT false AS is_slow; CREATE TABLE free (id integer PRIMARY KEY);
       CREATE TABLE moody (id integer PRIMARY KEY); INSERT INTO moody VALUES (1);
       CREATE FUNCTION wait() RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
         IF (SELECT is_slow FROM moods) THEN PERFORM pg_sleep(60); END IF; RETURN true; END $$;
       ALTER TABLE moody ENABLE ROW LEVEL SECURITY; CREATE POLICY wait ON moody USING (wait());`,
    )
    const mixed = () =>
      Array.from({ length: 48 }, (_, n) => {
        const filters = filtersOf(...Array(1 + (n % 8)).fill({ column: 'id', op: 'gt', value: 0 }))
        const send = (table: string) =>
          client.send('listRows', { path: { table }, query: { filters } })
        return [send('moody'), send('free')]
      }).flat()
    await Promise.all(mixed())
    await applySql(hasty, owner, 'UPDATE moods SET is_slow = true')
    const told = (await Promise.all(mixed())).map(({ status, headers }) =>
      status === 500 ? `500, again in ${headers.get('retry-after')}` : `${status}`,
    )
    expect(['200', '400', '500, again in 1']).toEqual(expect.arrayContaining([...new Set(told)]))
    await hasty.stop()
  })
})

describe('a session that ends', () => {
  it('has what it read read again, and nobody notices', async () => {
    const owner = await service.project()
    await applySql(
      service,
      owner,
      `CREATE TABLE drowsy (id integer PRIMARY KEY); INSERT INTO drowsy VALUES (1);
       CREATE FUNCTION doze() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_sleep(2); RETURN true; END $$;
       ALTER TABLE drowsy ENABLE ROW LEVEL SECURITY; CREATE POLICY doze ON drowsy USING (doze());`,
    )
    const rows = allRows(owner, 'drowsy')
    rows.catch(() => {})
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = $1 AND wait_event = 'PgSleep'`
    const role = `${await schemaOf(service, owner)}_reader`
    const end = () => service.ctx.sql.rows({ name: '', text }, [role])
    await until(async () => (await end()).length > 0, 'it has ended')
    expect(await rows).toEqual([{ id: 1 }])
  })
})

describe('a script that catches its own time limit', () => {
  afterAll(() => void jest.restoreAllMocks())

  it('is ended, and no session that it points to in its stead', async () => {
    const bystander = new pg.Client({ connectionString: service.databaseUrl })
    await bystander.connect()
    bystander.on('error', () => {}) // Its next query tells.
    const { rows } = await bystander.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const owner = await service.project()
    await applySql(
      service,
      owner,
      `CREATE FUNCTION pg_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT ${rows[0]?.pid}'`,
    )
    jest.replaceProperty(limits, 'tableScriptMs', 300)
    jest.replaceProperty(limits, 'tableStatementMs', 300)
    const nap = `DO $$ BEGIN LOOP
      BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
      END LOOP; END $$`
    await expect(applySql(service, owner, nap)).rejects.toThrow('timeout')
    const text = 'SELECT 1 FROM pg_stat_activity WHERE usename LIKE $1'
    const values = [`${await schemaOf(service, owner)}%`]
    const left = () => service.ctx.sql.rows({ name: '', text }, values)
    await until(async () => (await left()).length === 0, 'the script ended')
    expect((await bystander.query('SELECT 1')).rowCount).toBe(1)
    await bystander.end()
  })
})

describe('a connection for which PostgreSQL has no room', () => {
  it('is waited for', async () => {
    const owner = await service.project()
    await applySql(service, owner, 'CREATE TABLE t (id integer); INSERT INTO t VALUES (1)')
    const role = `${await schemaOf(service, owner)}_reader`
    const allow = (count: number) =>
      service.ctx.sql.rows(oneOff(`ALTER ROLE ${role} CONNECTION LIMIT ${count}`))
    await allow(0)
    const rows = allRows(owner, 't')
    await service.ctx.sql.rows(oneOff('SELECT pg_sleep(0.3)'))
    await allow(-1)
    expect(await rows).toEqual([{ id: 1 }])
  })
})

describe('a page', () => {
  it('of more than 16 MiB is refused, and its neighbours are answered, and those after it', async () => {
    const path = { table: 'large' }
    const [refusal, ...neighbours] = await Promise.all([
      project.client.refused('listRows', 'bad_request', { path, query: { limit: 30 } }),
      ...Array.from({ length: 8 }, () => allRows(project, 't')),
    ])
    expect(refusal.message).toContain('16 MiB')
    for (const rows of neighbours) expect(rows).toHaveLength(30)
    for (let page = 0; page < 3; page++) {
      const { rows } = await project.client.ok('listRows', { path, query: { limit: 10 } })
      expect(rows).toHaveLength(10)
    }
  })
})

describe('a look at a table', () => {
  it('does not take long, however many domains stand on one another', async () => {
    await applySql(
      service,
      project,
      `DO $$ BEGIN
         CREATE DOMAIN d0 AS integer;
         FOR i IN 1..5000 LOOP EXECUTE format('CREATE DOMAIN d%s AS d%s', i, i - 1); END LOOP;
         EXECUTE 'CREATE TABLE deep (id integer PRIMARY KEY, shallow d20'
           || (SELECT string_agg(format(', c%s d5000', i), '') FROM generate_series(1, 1500) i) || ')';
         INSERT INTO deep (id, shallow) VALUES (1, 7);
       END $$`,
    )
    const path = { table: 'deep' }
    const { columns } = await project.client.ok('getTableSchema', { path })
    expect(columns[2]).toMatchObject({ name: 'c1', type: 'd5000', nullable: true })
    const query = { columns: 'shallow', filters: eq('shallow', 7) }
    expect((await project.client.ok('listRows', { path, query })).rows).toEqual([{ shallow: 7 }])
  }, 30_000)

  it('reads no default value that is longer than anyone writes', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE vast (id integer PRIMARY KEY, n text, o text DEFAULT '${'x'.repeat(9_000)}');
       DO $$ BEGIN
         EXECUTE format('ALTER TABLE vast ALTER n SET DEFAULT %L', repeat('x', 10000000));
       END $$`,
    )
    const { columns } = await project.client.ok('getTableSchema', { path: { table: 'vast' } })
    const shown = columns.map(({ default_value: value }) => value)
    expect(shown).toEqual([null, '…', `'${'x'.repeat(9_000)}'::text`])
  })

  it('keeps no more of wide tables in memory than there is room for', async () => {
    await applySql(
      service,
      project,
      `DO $$ DECLARE columns text; BEGIN
         SELECT string_agg(format('c%s text DEFAULT %L', n, repeat('x', 9900)), ',')
           INTO columns FROM generate_series(1, 550) n;
         EXECUTE format('CREATE TABLE broad1 (%s)', columns);
         EXECUTE format('CREATE TABLE broad2 (%s)', columns);
       END $$`,
    )
    const query = { columns: 'c1' }
    const tables = ['broad1', 'broad2']
    for (const table of tables) await project.client.ok('listRows', { path: { table }, query })
    const kept = tables.filter((table) =>
      service.ctx.cache.get(`table public ${table} ${project.id}`),
    )
    expect(kept).toEqual(['broad2'])
  }, 30_000)
})

describe('a change of a table', () => {
  it('counts from the answer of apply on', async () => {
    await applySql(service, project, 'CREATE TABLE shifting (id integer PRIMARY KEY)')
    const path = { table: 'shifting' }
    for (const [sql, row] of [
      ['INSERT INTO shifting VALUES (1)', { id: 1 }],
      ['ALTER TABLE shifting ADD COLUMN a integer DEFAULT 5', { id: 1, a: 5 }],
      ['ALTER TABLE shifting ALTER COLUMN a TYPE text', { id: 1, a: '5' }],
      ['ALTER TABLE shifting RENAME COLUMN a TO b', { id: 1, b: '5' }],
      ['ALTER TABLE shifting DROP COLUMN b', { id: 1 }],
    ] as const) {
      await applySql(service, project, sql)
      expect((await project.client.ok('listRows', { path })).rows).toEqual([row])
    }
    await applySql(service, project, 'DROP TABLE shifting')
    await project.client.refused('listRows', 'table_not_found', { path })
  })

  it('counts in other processes, too, which have read the table before', async () => {
    const { databaseUrl } = service
    const elsewhere = await startTestService({ databaseUrl })
    try {
      await applySql(service, project, 'CREATE TABLE told (a integer); INSERT INTO told VALUES (1)')
      const there = createClient(elsewhere.url, project.key)
      const rows = async () => (await there.ok('listRows', { path: { table: 'told' } })).rows
      expect(await rows()).toEqual([{ a: 1 }])
      await applySql(service, project, 'ALTER TABLE told ADD COLUMN b integer DEFAULT 2')
      expect(await rows()).toEqual([{ a: 1, b: 2 }])
    } finally {
      await elsewhere.stop()
    }
  })

  it('that nobody told of is noticed by the statement that it breaks', async () => {
    await applySql(
      service,
      project,
      'CREATE TABLE quiet (id integer PRIMARY KEY, a integer); INSERT INTO quiet VALUES (1, 5)',
    )
    const path = { table: 'quiet' }
    const query = { filters: eq('a', 5), order_by: 'a' }
    const name = await schemaOf(service, project)
    const quietly = (text: string) => service.ctx.sql.rows({ name: '', text })
    expect((await project.client.ok('listRows', { path, query })).rows).toEqual([{ id: 1, a: 5 }])
    await quietly(`ALTER TABLE ${name}.quiet ALTER COLUMN a TYPE text`)
    expect((await project.client.ok('listRows', { path, query })).rows).toEqual([{ id: 1, a: '5' }])
    await quietly(`ALTER TABLE ${name}.quiet DROP COLUMN a`)
    await project.client.refused('listRows', 'unknown_column', { path, query })
    expect((await project.client.ok('listRows', { path })).rows).toEqual([{ id: 1 }])
    await quietly(`ALTER TABLE ${name}.quiet ADD COLUMN c integer`)
    const withC = { path, query: { columns: 'c' } }
    expect((await project.client.ok('listRows', withC)).rows).toEqual([{ c: null }])
    await quietly(`DROP TABLE ${name}.quiet`)
    const body = { rows: [{ id: 2 }] }
    await project.client.refused('insertRows', 'table_not_found', { path, body })
  })

  it('at the same time as reads never makes one fail', async () => {
    await applySql(service, project, 'CREATE TABLE busy (id integer PRIMARY KEY, a integer)')
    const path = { table: 'busy' }
    let isDone = false
    const statuses = new Set<number>()
    const reading = Array.from({ length: 4 }, async () => {
      while (!isDone) statuses.add((await project.client.send('listRows', { path })).status)
    })
    for (let turn = 0; turn < 6; turn++) {
      const to = turn % 2 === 0 ? 'text' : 'integer'
      const sql = `ALTER TABLE busy ALTER COLUMN a TYPE ${to} USING a::${to}`
      await applySql(service, project, sql)
    }
    isDone = true
    await Promise.all(reading)
    expect(statuses).toEqual(new Set([200]))
  })
})
