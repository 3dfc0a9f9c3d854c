import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as projects from '../../capabilities/projects/projects.ts'
import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import { oneOff } from '../../core/sql.ts'
import { stopped } from '../../scripts/operator/command.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService } from '../support/service.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { allRows, applySql } from '../support/tables.ts'

let service: TestService
let project: TestProject
let folder: string
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  folder = await mkdtemp(path.join(tmpdir(), 'tables-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const env = () => envOf(service)

async function applied(sql: string, ...more: string[]) {
  const file = path.join(folder, 'x.sql')
  await writeFile(file, sql)
  const argv = ['tables', 'apply', '--project', project.id.toUpperCase(), '--file', file]
  return operate(env(), [...argv, ...more])
}

const find = (text: string, values: unknown[] = []) =>
  service.ctx.sql.rows({ name: '', text }, values)

describe('operator tables apply', () => {
  it('makes tables and answers with all of them, and they can be used at once', async () => {
    const first = await applied(
      'CREATE TABLE a (id serial PRIMARY KEY); CREATE TABLE b (n integer);',
    )
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(first.out)).toEqual({
      tables: ['a', 'b'].map((table) => ({ table, schema: 'public', row_estimate: 0 })),
    })
    const body = { rows: [{}, {}] }
    await project.client.ok('insertRows', { path: { table: 'a' }, body })
    expect(await allRows(project, 'a')).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('makes tables that can be read and written also after a script that dropped all it owned', async () => {
    const own = await service.project()
    const made = (table: string) => `CREATE TABLE ${table} (id serial PRIMARY KEY);`
    await applySql(service, own, made('a'))
    await applySql(service, own, `DROP OWNED BY CURRENT_USER; ${made('b')}`)
    await applySql(service, own, made('c'))

    for (const table of ['b', 'c']) {
      await own.client.ok('insertRows', { path: { table }, body: { rows: [{}] } })
      expect(await allRows(own, table)).toEqual([{ id: 1 }])
    }
    await own.client.refused('listRows', 'table_not_found', { path: { table: 'a' } })
  })

  it('makes functions that name tables when they are called over the API, with SET search_path FROM CURRENT', async () => {
    const noted = (path: string) => `
      CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql ${path} AS
        $$ BEGIN INSERT INTO history VALUES (TG_OP || NEW.id); RETURN NEW; END $$;
      CREATE OR REPLACE TRIGGER note AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION note();`
    const made = 'CREATE TABLE history (what text); CREATE TABLE orders (id integer PRIMARY KEY);'
    const order = (id: number) =>
      project.client.send('insertRows', { path: { table: 'orders' }, body: { rows: [{ id }] } })
    const both = [made + noted(''), noted('SET search_path FROM CURRENT')]
    const statuses: number[] = []
    for (const [id, sql] of both.entries()) {
      expect(await applied(`${sql} INSERT INTO orders VALUES (${-1 - id})`)).toMatchObject({
        code: 0,
      })
      statuses.push((await order(id)).status)
    }
    expect(statuses).toEqual([400, 201])
    const whats = (await allRows(project, 'history')).map(({ what }) => what)
    expect(whats).toEqual(['INSERT-1', 'INSERT-2', 'INSERT1'])
    await applied('DROP TABLE orders, history; DROP FUNCTION note')
  })

  it('works in the preview schema, and from standard input', async () => {
    const argv = ['tables', 'apply', '--project', project.id, '--schema', 'preview', '--file', '-']
    const sql = Readable.from(['CREATE TABLE draft (x text); ', 'INSERT INTO draft VALUES (1)'])
    const { code, out } = await operate(env(), argv, false, sql)
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { tables: [{ table: 'draft', schema: 'preview', row_estimate: expect.any(Number) }] },
    ])
    expect(await allRows(project, 'draft', { schema: 'preview' })).toEqual([{ x: '1' }])
    await project.client.refused('listRows', 'table_not_found', { path: { table: 'draft' } })
  })

  it('applies nothing of a script that fails, and tells where', async () => {
    const { code, out, err } = await applied('CREATE TABLE c (x text);\n\nSELECT nope FROM c;')
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      'Nothing was applied: column "nope" does not exist at line 3, column 8 (SQLSTATE 42703).\n',
    )
    await project.client.refused('listRows', 'table_not_found', { path: { table: 'c' } })
  })

  it('tells of a mistake in the grammar', async () => {
    const { err } = await applied('CREATE TABLE d (\n  x text,,\n)')
    expect(err).toContain('syntax error at or near "," at line 2, column 10 (SQLSTATE 42601)')
  })

  it.each([
    [
      'in Latin-1',
      Buffer.from("\n\nINSERT INTO word VALUES ('Zo\u00eb')", 'latin1'),
      /UTF-8 text \(line 3\)/,
    ],
    [
      'in UTF-16',
      Buffer.from("\ufeffINSERT INTO word VALUES ('Zo')", 'utf16le'),
      /a NUL character.* \(line 1\)/,
    ],
    [
      'with a NUL',
      Buffer.from("INSERT INTO word VALUES ('Zo')\n--\0"),
      /a NUL character.* \(line 2\)/,
    ],
  ])('applies nothing of a script %s, from a file or standard input', async (_, bytes, says) => {
    const owner = await service.project()
    await applySql(service, owner, 'CREATE TABLE word (x text)')
    const file = path.join(folder, 'bytes.sql')
    await writeFile(file, bytes)
    for (const from of [file, '-']) {
      const argv = ['tables', 'apply', '--project', owner.id, '--file', from]
      const { code, out, err } = await operate(env(), argv, false, Readable.from([bytes]))
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(says)])
    }
    expect(await allRows(owner, 'word')).toEqual([])
  })

  it('takes a script that begins with a byte order mark', async () => {
    const owner = await service.project()
    const file = path.join(folder, 'marked.sql')
    await writeFile(file, "\ufeffCREATE TABLE word (x text);\nINSERT INTO word VALUES ('\u00eb')")
    const argv = ['tables', 'apply', '--project', owner.id, '--file', file]
    expect(await operate(env(), argv)).toMatchObject({ code: 0, err: '' })
    expect(await allRows(owner, 'word')).toEqual([{ x: '\u00eb' }])
  })

  it('undoes a script that is stopped, whatever that one catches', async () => {
    const owner = await service.project()
    const sql = `CREATE TABLE half (x text); DO $$ BEGIN LOOP
       BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN OTHERS THEN NULL; END;
       END LOOP; END $$`
    const argv = ['tables', 'apply', '--project', owner.id, '--file', '-']
    const stopping = new AbortController()
    const replaced = { stop: stopping.signal }
    const applying = operate(env(), argv, false, Readable.from([sql]), replaced)
    const asleep = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`
    while ((await find(asleep)).length === 0) await pause(20)
    stopping.abort(stopped(130))
    expect(await applying).toEqual({ code: 130, out: '', err: 'Stopped: nothing was applied.\n' })
    expect(await find(asleep)).toEqual([])
    expect((await owner.client.ok('listTables')).tables).toEqual([])
  })

  it('tells of a mistake with nothing that steers the terminal', async () => {
    const { err } = await applied('SELECT "a\u001b[2J"')
    expect(err).toContain('column "a\\u001b[2J" does not exist')
  })

  it('takes a file that begins with a mark of its encoding, and counts its lines and columns without it', async () => {
    expect(await applied('\ufeffCREATE TABLE marked (x text)')).toMatchObject({ code: 0, err: '' })
    const { err } = await applied('\ufeffSELECT nope FROM marked')
    expect(err).toContain('at line 1, column 8 ')
  })

  it.each([
    [
      "INSERT INTO marked VALUES ('1');\nALTER TABLE marked ADD UNIQUE (x), ADD CHECK (x = '2')",
      '23514',
    ],
    ['SELECT 1;\nDROP TABLE nowhere', '42P01'],
    ["SELECT 1;\nDO $$ BEGIN\n RAISE 'no'; END $$", 'P0001'],
  ])('tells of %j without a line, for PostgreSQL names none', async (sql, state) => {
    const { err } = await applied(sql)
    expect(err).toMatch(new RegExp(`^Nothing was applied: [^\n]* \\(SQLSTATE ${state}\\)\\.\n$`))
    expect(err).not.toContain(' at line ')
  })

  it.each(['BEGIN', 'COMMIT', 'SAVEPOINT s'])('says why a script has no %s', async (command) => {
    const { err } = await applied(`SELECT 1; ${command};`)
    expect(err).toBe(
      'Nothing was applied: the script runs in one transaction of its own; ' +
        'leave BEGIN, COMMIT and the like out (SQLSTATE 0A000).\n',
    )
  })

  it.each(['COMMIT', 'ROLLBACK', 'BEGIN; CREATE TABLE e (x text); COMMIT'])(
    'keeps a script with %s in its one transaction',
    async (end) => {
      const { code, err } = await applied(`CREATE TABLE e (x text); ${end}; SELECT 1 / 0`)
      expect([code, err]).toEqual([1, expect.stringContaining('Nothing was applied')])
      await project.client.refused('listRows', 'table_not_found', { path: { table: 'e' } })
    },
  )

  it.each([
    [['--project', 'nobody', '--file', 'x'], 'There is no project nobody.'],
    [['--project', 'P', '--file', '/nowhere/x.sql'], 'The file /nowhere/x.sql cannot be read'],
    [['--project', 'P', '--file', 'x', '--schema', 'other'], 'one of public, preview'],
    [['--project', 'P'], '--file'],
  ])('refuses %j', async (flags, says) => {
    const argv = flags.map((flag) => (flag === 'P' ? project.id : flag))
    const { code, err } = await operate(env(), ['tables', 'apply', ...argv])
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
  })
})

describe('the schema of a project', () => {
  it('is made once, however many ask for it at once, and for two projects at once', async () => {
    const [one, two] = [await service.project(), await service.project()]
    const sql = (n: number) => `CREATE TABLE t${n} (id integer)`
    await Promise.all(
      [one, two].flatMap((owner) => [1, 2, 3, 4].map((n) => applySql(service, owner, sql(n)))),
    )
    for (const owner of [one, two]) {
      expect((await owner.client.ok('listTables')).tables).toHaveLength(4)
      const rows = await find('SELECT name FROM table_schemas WHERE project_id = $1', [owner.id])
      expect(rows).toHaveLength(1)
    }
  })

  it('is not made by whoever only looks', async () => {
    const owner = await service.project()
    expect(await owner.client.ok('listTables')).toEqual({ tables: [] })
    await owner.client.refused('listRows', 'table_not_found', { path: { table: 't' } })
    expect(await find('SELECT 1 FROM table_schemas WHERE project_id = $1', [owner.id])).toEqual([])
  })

  it('lets nobody in while its project is deleted, and again once it is resumed', async () => {
    const owner = await service.project()
    await applySql(service, owner, 'CREATE TABLE t (id integer)')
    const mayLogIn = async () => {
      const [row] = await find('SELECT name FROM table_schemas WHERE project_id = $1', [owner.id])
      const text = 'SELECT bool_or(rolcanlogin) FROM pg_roles WHERE rolname LIKE $1'
      return (await find(text, [`${row?.[0]}%`]))[0]?.[0]
    }
    expect(await mayLogIn()).toBe('t')
    await projects.setStatus(service.ctx, owner.id, 'deleted')
    expect(await mayLogIn()).toBe('f')
    await projects.setStatus(service.ctx, owner.id, 'active')
    expect(await allRows(owner, 't')).toEqual([])
  })

  it('keeps its password out of the database in the clear', async () => {
    const rows = await find('SELECT password FROM table_schemas')
    expect(rows.every(([password]) => password?.startsWith('v1.'))).toBe(true)
  })
})

describe('a service whose own role is no superuser', () => {
  let url: string
  beforeAll(async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    const name = `plain_${process.pid}`
    const database = `plain_${process.pid}`
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'plain' CREATEROLE`)
    await client.query(`CREATE DATABASE ${database} OWNER ${name} TEMPLATE template0`)
    await client.end()
    const address = new URL(service.databaseUrl)
    address.pathname = `/${database}`
    address.username = name
    address.password = 'plain'
    url = address.href
  })

  it('can do all of it with the right to make roles', async () => {
    const { applyMigrations } = await import('../../database/migrations.ts')
    const { MIGRATIONS } = await import('../../database/open.ts')
    await applyMigrations({ url, folder: MIGRATIONS })
    const plain = await startTestService({ databaseUrl: url })
    try {
      const owner = await plain.project()
      await applySql(plain, owner, 'CREATE TABLE t (id serial PRIMARY KEY)')
      await owner.client.ok('insertRows', { path: { table: 't' }, body: { rows: [{}] } })
      expect(await allRows(owner, 't')).toEqual([{ id: 1 }])
      const spy = applySql(plain, owner, 'SELECT * FROM public.projects')
      await expect(spy).rejects.toThrow('permission denied')
      const temporary = applySql(plain, owner, 'CREATE TEMP TABLE x (id integer)')
      await expect(temporary).rejects.toThrow('permission denied')
      const nap = `CREATE FUNCTION nap() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN LOOP
         BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
         END LOOP; END $$;
         ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY nap ON t USING (nap())`
      await applySql(plain, owner, nap)
      await owner.client.refused('listRows', 'query_timeout', { path: { table: 't' } })
      expect(plain.logLines.join('')).not.toContain('session_not_ended')
    } finally {
      await plain.stop()
    }
  }, 40_000)

  it('says which right it lacks', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    await client.query(`ALTER ROLE plain_${process.pid} NOCREATEROLE`)
    await client.end()
    const plain = await startTestService({ databaseUrl: url })
    try {
      const { id } = await projects.create(plain.ctx, { id: 'late', name: 'Late' })
      const attempt = tableScripts.apply(plain.ctx, id, 'public', 'SELECT 1')
      await expect(attempt).rejects.toThrow(/CREATEROLE; GRANT CREATE ON DATABASE/)
    } finally {
      await plain.stop()
    }
  })
})

it('a row of a script or a request is on the disk when it is answered, even in a database that is set not to wait for that', async () => {
  const other = await startTestService()
  const name = new URL(other.databaseUrl).pathname.slice(1)
  const alter = `ALTER DATABASE "${name}" SET synchronous_commit = off`
  await other.ctx.sql.rows(oneOff(alter))
  const own = await other.project()
  await applySql(
    other,
    own,
    `CREATE TABLE sure (
       id integer PRIMARY KEY, waits text DEFAULT current_setting('synchronous_commit'));
     INSERT INTO sure VALUES (1);`,
  )
  await own.client.ok('insertRows', { path: { table: 'sure' }, body: { rows: [{ id: 2 }] } })

  expect(await allRows(own, 'sure')).toEqual([
    { id: 1, waits: 'on' },
    { id: 2, waits: 'on' },
  ])
  await other.stop()
})
