import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, eq, filtersOf } from '../support/tables.ts'

let service: TestService
let attacker: TestProject
let victim: TestProject
let theirs: string
beforeAll(async () => {
  service = await startTestService()
  attacker = await service.project()
  victim = await service.project()
  await applySql(service, victim, 'CREATE TABLE secrets (s text); INSERT INTO secrets VALUES (1)')
  await applySql(service, victim, 'CREATE TABLE drafts (s text)', 'preview')
  await applySql(service, attacker, 'CREATE TABLE mine (id integer PRIMARY KEY, s text)')
  await applySql(service, attacker, 'CREATE TABLE drafts (s text)', 'preview')
  theirs = await schemaOf(victim)
})
afterAll(() => service.stop())

async function schemaOf({ id }: TestProject, selector = 'public'): Promise<string> {
  const text = 'SELECT name FROM table_schemas WHERE project_id = $1 AND selector = $2'
  const [row] = await service.ctx.sql.rows({ name: '', text }, [id, selector])
  return row?.[0] ?? ''
}

const failsWith = (sql: string) =>
  applySql(service, attacker, sql).then(
    () => 'it was applied',
    (error: Error) => error.message,
  )

/** As every release of PostgreSQL words it, from 15 on. */
const DENIED = /permission denied|must be superuser|must have admin option/

/** What a project may try, and what PostgreSQL says to it. */
const ATTACKS: [string, () => string, RegExp][] = [
  ['read the service', () => 'SELECT * FROM public.api_keys', /permission denied/],
  ['write the service', () => 'UPDATE public.projects SET name = $$x$$', /permission denied/],
  ['read passwords', () => 'SELECT rolpassword FROM pg_authid', /permission denied/],
  ['read another project', () => `SELECT * FROM ${theirs}.secrets`, /permission denied/],
  ['make a table there', () => `CREATE TABLE ${theirs}.x (a int)`, /permission denied/],
  ['make a table in public', () => 'CREATE TABLE public.x (a int)', /permission denied/],
  ['drop their schema', () => `DROP SCHEMA ${theirs} CASCADE`, /must be owner/],
  [
    'drop its own schema',
    () => 'DO $$ BEGIN EXECUTE format($f$DROP SCHEMA %I$f$, current_schema); END $$',
    /must be owner/,
  ],
  ['become the service', () => 'SET ROLE postgres', /permission denied/],
  ['become another project', () => `SET ROLE ${theirs}_owner`, /permission denied/],
  ['become its preview', () => `SET ROLE ${previewOwner()}`, /permission denied/],
  ['change its session', () => `SET SESSION AUTHORIZATION ${theirs}_owner`, /permission denied/],
  ['make a superuser', () => 'CREATE ROLE x SUPERUSER', DENIED],
  [
    'make itself one',
    () => 'ALTER ROLE CURRENT_USER SUPERUSER',
    /permission denied|must be superuser|SUPERUSER/,
  ],
  ['join a role', () => 'GRANT pg_read_all_data TO CURRENT_USER', DENIED],
  ['make a schema', () => 'CREATE SCHEMA x', /permission denied/],
  ['make a temporary table', () => 'CREATE TEMP TABLE x (a int)', /permission denied/],
  ['load an extension', () => 'CREATE EXTENSION dblink', /permission denied|not available/],
  ['read a file', () => "SELECT pg_read_file('/etc/passwd')", /permission denied/],
  ['list a folder', () => "SELECT pg_ls_dir('/')", /permission denied/],
  ['copy from a file', () => "COPY mine FROM '/etc/passwd'", DENIED],
  ['run a program', () => "COPY mine FROM PROGRAM 'id'", DENIED],
  ['write a file', () => "COPY mine TO '/tmp/x'", DENIED],
  ['import a file', () => "SELECT lo_import('/etc/passwd')", /permission denied/],
  ['make large objects', () => "SELECT lo_from_bytea(0, 'x')", /permission denied/],
  ['lock what the service locks', () => 'SELECT pg_advisory_lock(72707369)', /permission denied/],
  ['lock it for a while', () => 'SELECT pg_try_advisory_xact_lock(20261121)', /permission denied/],
  ['lock a table of others', () => 'LOCK TABLE public.projects', /permission denied/],
  ['flood by function', () => "SELECT pg_notify('credentials_changed', '')", /permission denied/],
  [
    'end other sessions',
    () => 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
    /permission denied/,
  ],
  ['list what others have', () => 'SELECT * FROM pg_class', /permission denied/],
  ['read the functions of others', () => 'SELECT prosrc FROM pg_proc', /permission denied/],
  [
    'have the columns of others named',
    () => 'SELECT pg_describe_object(1259, 1259, 1)',
    /permission denied/,
  ],
  [
    'have the objects of others named',
    () => 'SELECT pg_identify_object_as_address(1259, 1259, 1)',
    /permission denied/,
  ],
  [
    'have the functions of others shown',
    () => "SELECT pg_get_functiondef('now()'::regprocedure)",
    /permission denied/,
  ],
  [
    'have the arguments of functions of others shown',
    () => "SELECT pg_get_function_arguments('now()'::regprocedure)",
    /permission denied/,
  ],
  ['fill the log', () => "SELECT pg_logical_emit_message(false, '', '')", /permission denied/],
  ['hold back the tidying up', () => 'SELECT pg_export_snapshot()', /permission denied/],
  ['read what others ask', () => 'SELECT query FROM pg_stat_activity', /permission denied/],
  [
    'make a C function',
    () => "CREATE FUNCTION x() RETURNS int LANGUAGE c AS 'libc', 'system'",
    /permission denied/,
  ],
  [
    'make an untrusted language',
    () => 'CREATE LANGUAGE plpython3u',
    /permission denied|not available|does not exist/,
  ],
  [
    'watch all commands',
    () => 'CREATE EVENT TRIGGER x ON ddl_command_end EXECUTE FUNCTION now()',
    /permission denied|must be superuser|must return/,
  ],
  ['write the system', () => "UPDATE pg_catalog.pg_class SET relname = 'x'", /permission denied/],
  [
    'make a function in pg_catalog',
    () => 'CREATE FUNCTION pg_catalog.x() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    /permission denied/,
  ],
  ['set for everyone', () => 'ALTER SYSTEM SET fsync = off', /permission denied|cannot run inside/],
  [
    'set for the database',
    () => `ALTER DATABASE ${database()} SET search_path = x`,
    /must be owner/,
  ],
  ['load a library', () => "LOAD '/tmp/x.so'", /./],
  ['skip triggers', () => 'SET session_replication_role = replica', /permission denied/],
  ['end the transaction', () => 'COMMIT', /./],
  ['begin another', () => 'CREATE TABLE kept (a int); COMMIT; BEGIN', /./],
  ['roll back', () => 'ROLLBACK', /./],
]
const database = () => new URL(service.databaseUrl).pathname.slice(1)
let previewName = ''
const previewOwner = () => `${previewName}_owner`

describe('a project’s SQL', () => {
  beforeAll(async () => {
    previewName = await schemaOf(attacker, 'preview')
  })

  it.each(ATTACKS)('cannot %s', async (_name, sql, refusal) => {
    const message = await failsWith(sql())
    expect(message).toMatch(/^Nothing was applied/)
    expect(message).toMatch(refusal)
  })

  it('cannot do from a function, a trigger or a default what it cannot do itself', async () => {
    for (const [name, sql, refusal] of ATTACKS.slice(0, 37)) {
      await applySql(
        service,
        attacker,
        `DROP TABLE IF EXISTS trap CASCADE;
         CREATE TABLE trap (id integer PRIMARY KEY);
         CREATE OR REPLACE FUNCTION spring() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $body$
           BEGIN EXECUTE ${literal(sql())}; RETURN NEW; END $body$;
         CREATE TRIGGER spring BEFORE INSERT ON trap FOR EACH ROW EXECUTE FUNCTION spring();`,
      )
      const parts = { path: { table: 'trap' }, body: { rows: [{ id: 1 }] } }
      const { message } = await attacker.client.refused('insertRows', 'bad_request', parts)
      expect({ name, message }).toEqual({
        name,
        message: expect.stringMatching(`${refusal.source}|security-definer`),
      })
    }
  }, 60_000)

  it('leaves the service and the other projects as they were', async () => {
    expect(await allRows(victim, 'secrets')).toEqual([{ s: '1' }])
    const text = `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relname = 'x'`
    expect(await service.ctx.sql.rows({ name: '', text })).toEqual([['0']])
    expect(await failsWith('SELECT * FROM kept')).toContain('does not exist')
    expect((await attacker.client.ok('ping')).ok).toBe(true)
  })

  it('makes no function for the service to call, in a database that lets everyone do so', async () => {
    const text = 'GRANT CREATE ON SCHEMA public TO PUBLIC'
    await service.ctx.sql.rows({ name: '', text })
    const other = await service.project()
    const trap = `CREATE FUNCTION public.hashtextextended(text, integer) RETURNS bigint LANGUAGE sql
      AS 'SELECT 1'`
    await expect(applySql(service, other, trap)).rejects.toThrow('permission denied')
  })

  it('holds 40 sessions of each of its roles at the most, and 256 MB of files for a statement', async () => {
    const text = `SELECT rolconnlimit, rolconfig FROM pg_roles
       WHERE rolname LIKE $1 || '\\_%' ORDER BY rolname`
    const roles = await service.ctx.sql.rows({ name: '', text }, [await schemaOf(attacker)])
    expect(roles).toEqual(Array(3).fill(['40', '{temp_file_limit=256MB}']))
  })

  it('can grant nobody else a way in', async () => {
    const name = await schemaOf(attacker)
    await failsWith(`GRANT USAGE ON SCHEMA ${name} TO PUBLIC`)
    await failsWith(`GRANT SELECT ON mine TO PUBLIC`)
    const spy = `SELECT * FROM ${name}.mine`
    const message = await applySql(service, victim, spy).then(
      () => 'read',
      (error: Error) => error.message,
    )
    expect(message).toContain('permission denied')
  })
})

describe('a read', () => {
  const EVIL = ['integer', 'bigint', 'text', 'numeric', 'date', 'boolean', 'uuid', 'jsonb']

  it('never picks the operators, functions or casts of a project', async () => {
    const columns = EVIL.map((type, place) => `c${place} ${type}`).join()
    const operators = EVIL.flatMap((type) =>
      ['=', '<>', '<', '>', '<=', '>='].map(
        (op) => `CREATE OPERATOR ${op} (LEFTARG = ${type}, RIGHTARG = ${type}, FUNCTION = evil)`,
      ),
    )
    const functions = EVIL.map(
      (type) =>
        `CREATE FUNCTION evil(${type}, ${type}) RETURNS boolean LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'hijacked'; END $$`,
    )
    await applySql(
      service,
      attacker,
      `CREATE TABLE bait (id integer PRIMARY KEY, ${columns}, v varchar, tags text[]);
       INSERT INTO bait (id, v, tags) VALUES (1, 'a', '{b}');
       ${functions.join(';')};${operators.join(';')};
       CREATE FUNCTION evil(varchar, varchar) RETURNS boolean LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'hijacked'; END $$;
       CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = evil);
       CREATE OPERATOR ~~ (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = evil);
       CREATE FUNCTION to_jsonb(anyelement) RETURNS jsonb LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'hijacked'; END $$;`,
    )
    const values = [1, 1, 'a', 1, '2026-01-01', true, '0f4b6a0c-7a54-4f8e-9a44-0f3f1d1f8a51', {}]
    for (const [place, value] of values.entries()) {
      for (const op of ['eq', 'neq', 'lt', 'gt', 'lte', 'gte']) {
        const filters = filtersOf({ column: `c${place}`, op, value })
        const query = { filters, order_by: `c${place}` }
        expect(
          (await attacker.client.ok('listRows', { path: { table: 'bait' }, query })).rows,
        ).toEqual([])
      }
    }
    const filters = filtersOf(
      { column: 'v', op: 'eq', value: 'a' },
      { column: 'v', op: 'like', value: 'a%' },
    )
    expect(await allRows(attacker, 'bait', { filters })).toHaveLength(1)
    const parts = { path: { table: 'bait' }, query: { filters: eq('v', 'a') } }
    const body = { values: { v: 'b' } }
    expect(await attacker.client.ok('updateRows', { ...parts, body })).toMatchObject({ updated: 1 })
  })

  it('cannot write, whatever a policy tries while it runs', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE log (at timestamptz); GRANT ALL ON log TO PUBLIC;
       CREATE TABLE watched (id integer PRIMARY KEY); INSERT INTO watched VALUES (1);
       CREATE FUNCTION spy() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         PERFORM set_config('transaction_read_only', 'off', true);
         EXECUTE 'INSERT INTO log VALUES (now())';
         RETURN true;
       END $$;
       ALTER TABLE watched ENABLE ROW LEVEL SECURITY;
       CREATE POLICY spy ON watched USING (spy());`,
    )
    const parts = { path: { table: 'watched' } }
    const { message } = await attacker.client.refused('listRows', 'bad_request', parts)
    expect(message).toMatch(/read-only|read-write/)
    expect(await allRows(attacker, 'log')).toEqual([])
  })

  it('of another project is not slowed or changed by settings that a project leaves behind', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE poisoned (id integer PRIMARY KEY, at timestamptz);
       INSERT INTO poisoned VALUES (1, '2026-11-21 09:30:00+00');
       CREATE FUNCTION poison() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
         PERFORM set_config('search_path', 'evil', false);
         PERFORM set_config('DateStyle', 'German', false);
         PERFORM set_config('TimeZone', 'Asia/Tokyo', false);
         PERFORM set_config('statement_timeout', '1', false);
         PERFORM set_config('default_transaction_read_only', 'off', false);
         EXECUTE 'DEALLOCATE ALL';
         RETURN true;
       END $$;
       ALTER TABLE poisoned ENABLE ROW LEVEL SECURITY;
       CREATE POLICY poison ON poisoned USING (poison()) WITH CHECK (poison());`,
    )
    for (let i = 0; i < 5; i++) {
      const { status } = await attacker.client.send('listRows', { path: { table: 'poisoned' } })
      expect(status).toBeLessThan(500)
      expect(await allRows(victim, 'secrets')).toEqual([{ s: '1' }])
    }
  })
})

describe('a write', () => {
  it('leaves nothing behind in its session for the next', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE litter (id integer PRIMARY KEY, path text DEFAULT current_setting('search_path'),
         zone text DEFAULT current_setting('TimeZone'));
       CREATE FUNCTION drop_litter() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM set_config('search_path', 'evil', false);
         PERFORM set_config('TimeZone', 'Asia/Tokyo', false);
         EXECUTE 'LISTEN credentials_changed';
         RETURN NEW;
       END $$;
       CREATE TRIGGER litter BEFORE INSERT ON litter FOR EACH ROW EXECUTE FUNCTION drop_litter();`,
    )
    for (const id of [1, 2, 3]) {
      const parts = { path: { table: 'litter' }, body: { rows: [{ id }] } }
      const { rows } = await attacker.client.ok('insertRows', parts)
      expect(rows).toEqual([{ id, path: 'pg_catalog', zone: 'UTC' }])
    }
  })

  it('cannot make a table or change one', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE builder (id integer PRIMARY KEY);
       CREATE FUNCTION build() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         EXECUTE 'ALTER TABLE ' || TG_TABLE_SCHEMA || '.mine ADD COLUMN more text';
         RETURN NEW;
       END $$;
       CREATE TRIGGER build BEFORE INSERT ON builder FOR EACH ROW EXECUTE FUNCTION build();`,
    )
    const parts = { path: { table: 'builder' }, body: { rows: [{ id: 1 }] } }
    const { message } = await attacker.client.refused('insertRows', 'bad_request', parts)
    expect(message).toContain('must be owner')
  })

  it('that changes the password of its role does not lock the service out', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE locked (id integer PRIMARY KEY);
       CREATE FUNCTION lock_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         EXECUTE 'ALTER ROLE CURRENT_USER PASSWORD ''known''';
         RETURN NEW;
       END $$;
       CREATE TRIGGER lock_out BEFORE INSERT ON locked FOR EACH ROW EXECUTE FUNCTION lock_out();`,
    )
    const insert = (id: number) =>
      attacker.client.ok('insertRows', { path: { table: 'locked' }, body: { rows: [{ id }] } })
    // Two that change a role at the same moment fail each other before PostgreSQL 16.
    for (const id of [1, 2, 3, 4]) await insert(id)
    const role = `${await schemaOf(attacker)}_writer`
    const text = 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1'
    await service.ctx.sql.rows({ name: '', text }, [role])
    expect((await insert(5)).rows).toEqual([{ id: 5 }])
  })

  it('that traps its own cancellation is ended all the same, within its limit', async () => {
    await applySql(
      service,
      attacker,
      `CREATE TABLE stubborn (id integer PRIMARY KEY);
       CREATE FUNCTION resist() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM set_config('statement_timeout', '0', false);
         LOOP
           BEGIN
             PERFORM pg_sleep(60);
           EXCEPTION WHEN query_canceled THEN NULL;
           END;
         END LOOP;
       END $$;
       CREATE TRIGGER resist BEFORE INSERT ON stubborn FOR EACH ROW EXECUTE FUNCTION resist();`,
    )
    const startedAt = performance.now()
    const parts = { path: { table: 'stubborn' }, body: { rows: [{ id: 1 }] } }
    await attacker.client.refused('insertRows', 'query_timeout', parts)
    expect(performance.now() - startedAt).toBeLessThan(LIMITS.tableStatementMs + 4_000)
    const role = `${await schemaOf(attacker)}_writer`
    const text = 'SELECT count(*), pg_sleep(0.02) FROM pg_stat_activity WHERE usename = $1'
    const sessions = async () => (await service.ctx.sql.rows({ name: '', text }, [role]))[0]?.[0]
    for (let tries = 0; tries < 100 && (await sessions()) !== '0'; tries++);
    expect(await sessions()).toBe('0')
  })
})

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
