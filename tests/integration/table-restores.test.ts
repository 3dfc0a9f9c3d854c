import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import * as projects from '../../capabilities/projects/projects.ts'
import { createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, schemaOf } from '../support/tables.ts'

let database: TestDatabase
let admin: pg.Client
let role: string
beforeEach(async () => {
  database = await createDatabase()
  admin = await connected(database.url)
  role = `plain_${randomUUID().slice(0, 8)}`
})
afterEach(async () => {
  await admin.end()
  await database.drop()
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Everything in a schema that has an owner, and is restored one by one. */
const MADE = `
  CREATE TYPE size AS ENUM ('S', 'M');
  CREATE DOMAIN price AS numeric CHECK (VALUE >= 0);
  CREATE TYPE span AS RANGE (subtype = integer);
  CREATE TYPE pair AS (a integer, b text);
  CREATE COLLATION plain (provider = libc, locale = 'C');
  CREATE SEQUENCE numbers;
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, old serial, size size, price price, reach span, two pair);
  CREATE TABLE "Odd ""Name""" (id integer) PARTITION BY LIST (id);
  CREATE VIEW cheap AS SELECT id FROM orders WHERE price < 10;
  CREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM orders;
  CREATE STATISTICS together ON size, price FROM orders;
  CREATE FUNCTION twice(n integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';
  CREATE PROCEDURE nothing(a text, OUT b text) LANGUAGE plpgsql AS $$ BEGIN b := a; END $$;
  CREATE AGGREGATE doubled(integer) (sfunc = int4pl, stype = integer, finalfunc = twice, initcond = '0');
  CREATE OPERATOR !! (rightarg = integer, function = twice);
  CREATE TEXT SEARCH DICTIONARY words (template = simple);
  CREATE TEXT SEARCH CONFIGURATION search (parser = default);
  INSERT INTO orders (size, price) VALUES ('S', 5);`

/** The database as pg_restore leaves it with --no-owner and --no-acl on a server that has none of its roles. */
async function loseRoles(schema: string, client = admin): Promise<void> {
  for (const kind of ['reader', 'writer', 'owner']) {
    const lost = `${schema}_${kind}`
    await client.query(
      `REASSIGN OWNED BY ${lost} TO CURRENT_USER; DROP OWNED BY ${lost}; DROP ROLE ${lost}`,
    )
  }
}

/** All that is in a schema, with its owner; but for the multirange that is part of a range, which PostgreSQL 15 leaves. */
async function owners(schema: string): Promise<unknown[]> {
  const things = [
    'SELECT relname AS name, relnamespace AS place, relowner AS owner FROM pg_class',
    'SELECT typname, typnamespace, typowner FROM pg_type',
    'SELECT proname, pronamespace, proowner FROM pg_proc',
    'SELECT oprname, oprnamespace, oprowner FROM pg_operator',
    'SELECT collname, collnamespace, collowner FROM pg_collation',
    'SELECT stxname, stxnamespace, stxowner FROM pg_statistic_ext',
    'SELECT dictname, dictnamespace, dictowner FROM pg_ts_dict',
    'SELECT cfgname, cfgnamespace, cfgowner FROM pg_ts_config',
  ]
  const text = `SELECT name, pg_get_userbyid(owner) AS owner FROM (${things.join(' UNION ALL ')}) things
    WHERE place = $1::regnamespace AND name !~ 'multirange$' ORDER BY 1, 2`
  return (await admin.query(text, [schema])).rows
}

/** The project over another service on the same database. */
const at = ({ url }: TestService, { key, ...rest }: TestProject): TestProject => ({
  ...rest,
  key,
  client: createClient(url, key),
})

const toldOf = ({ logLines }: TestService, event: string) =>
  logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.event === event)

const start = (url = database.url) => startTestService({ databaseUrl: url })

/** Runs a service until `work` is done. */
async function during<T>(url: string, work: (service: TestService) => Promise<T>): Promise<T> {
  const service = await start(url)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

/** The URL of the database for a role that is no superuser, to which all of it belongs. */
async function asPlain(): Promise<string> {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain' CREATEROLE;
    ALTER DATABASE ${name} OWNER TO ${role}`)
  const { rows } = await admin.query<{ command: string }>(
    `SELECT format('ALTER %s %s OWNER TO ${role}', kind, name) AS command FROM (
       SELECT 'TABLE' AS kind, oid::regclass::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       UNION ALL SELECT 'FUNCTION', oid::regprocedure::text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace) things`,
  )
  await admin.query('ALTER SCHEMA public OWNER TO ' + role)
  for (const { command } of rows) await admin.query(command)
  url.username = role
  url.password = 'plain'
  return url.href
}

describe.each(['a superuser', 'no superuser'])('a backup without roles, restored by %s', (who) => {
  let url: string
  beforeEach(async () => {
    url = who === 'a superuser' ? database.url : await asPlain()
  })

  it('has tables that are read, written and changed again once a server has started', async () => {
    const [project, schema] = await during(url, async (service) => {
      const made = await service.project()
      await applySql(service, made, MADE)
      return [made, await schemaOf(service, made)] as const
    })
    const before = await owners(schema)
    const client = await connected(url)
    await loseRoles(schema, client)
    await client.end()
    expect(await owners(schema)).not.toEqual(before)

    await during(url, async (service) => {
      expect(toldOf(service, 'tables.restored')).toMatchObject([{ sets: 1 }])
      expect(await owners(schema)).toEqual(before)
      const own = at(service, project)
      await own.client.ok('insertRows', {
        path: { table: 'orders' },
        body: { rows: [{ size: 'M' }] },
      })
      const seen = await allRows(own, 'orders')
      expect(seen).toMatchObject([
        { id: 1, old: 1, size: 'S', price: 5 },
        { id: 2, old: 2, size: 'M', price: null },
      ])
      await applySql(
        service,
        own,
        'ALTER TABLE orders ADD note text; CREATE TABLE later (id serial PRIMARY KEY)',
      )
      await own.client.ok('insertRows', { path: { table: 'later' }, body: { rows: [{}] } })
      expect(await allRows(own, 'later')).toEqual([{ id: 1 }])
      await applySql(service, own, 'DROP OWNED BY CURRENT_USER')
    })
    await during(url, async (service) => {
      expect(toldOf(service, 'tables.restored')).toEqual([])
      await projects.setStatus(service.ctx, project.id, 'deleted')
    })
  })
})

describe('a database that lacks something of projects’ tables', () => {
  it('gives no function of a project the rights of the service', async () => {
    const [project, schema] = await during(database.url, async (service) => {
      const made = await service.project()
      await applySql(
        service,
        made,
        `CREATE TABLE spied (id integer, found text);
         CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
           $$ BEGIN SELECT count(*) INTO NEW.found FROM public.api_keys; RETURN NEW; END $$;
         CREATE TRIGGER spy BEFORE INSERT ON spied FOR EACH ROW EXECUTE FUNCTION spy();`,
      )
      return [made, await schemaOf(service, made)] as const
    })
    await loseRoles(schema)

    await during(database.url, async (service) => {
      const { client } = at(service, project)
      const body = { rows: [{ id: 1 }] }
      const { message } = await client.refused('insertRows', 'bad_request', {
        path: { table: 'spied' },
        body,
      })
      expect(message).toContain('permission denied')
    })
  })

  it('gets back the rights of roles that are there, as on the server that it came from', async () => {
    const [project, schema] = await during(database.url, async (service) => {
      const made = await service.project()
      await applySql(service, made, MADE)
      return [made, await schemaOf(service, made)] as const
    })
    const before = await owners(schema)
    for (const kind of ['reader', 'writer', 'owner']) {
      const name = `${schema}_${kind}`
      await admin.query(`REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}`)
    }
    await during(database.url, async (service) => {
      expect(await allRows(at(service, project), 'orders')).toHaveLength(1)
      expect(await owners(schema)).toEqual(before)
    })
  })

  it('has empty sets where their schemas were left out, in which a script can be applied', async () => {
    const [project, schema] = await during(database.url, async (service) => {
      const made = await service.project()
      await applySql(service, made, MADE)
      return [made, await schemaOf(service, made)] as const
    })
    await loseRoles(schema)
    await admin.query(`DROP SCHEMA ${schema} CASCADE`)
    await during(database.url, async (service) => {
      const own = at(service, project)
      expect(await own.client.ok('listTables')).toEqual({ tables: [] })
      await applySql(service, own, MADE)
      expect(await allRows(own, 'orders')).toHaveLength(1)
    })
  })

  it('gets them back by a script, too, before a server has started', async () => {
    await during(database.url, async (service) => {
      const project = await service.project()
      await applySql(service, project, MADE)
      await loseRoles(await schemaOf(service, project))
      await applySql(service, project, 'ALTER TABLE orders ADD note text')
    })
  })

  it('lets the roles of a deleted project log in no more than before', async () => {
    const schema = await during(database.url, async (service) => {
      const project = await service.project()
      await applySql(service, project, MADE)
      await projects.setStatus(service.ctx, project.id, 'deleted')
      return schemaOf(service, project)
    })
    await loseRoles(schema)
    await during(database.url, async (service) => {
      expect(toldOf(service, 'tables.restored')).toMatchObject([{ sets: 1 }])
    })
    const { rows } = await admin.query(
      'SELECT DISTINCT rolcanlogin FROM pg_roles WHERE starts_with(rolname, $1)',
      [schema],
    )
    expect(rows).toEqual([{ rolcanlogin: false }])
  })

  it('gets it back also when several servers start at the same moment', async () => {
    const projects = await during(database.url, async (service) => {
      const made = [await service.project(), await service.project(), await service.project()]
      for (const project of made) {
        await applySql(service, project, MADE)
        await loseRoles(await schemaOf(service, project))
      }
      return made
    })
    const services = await Promise.all([start(), start(), start()])
    try {
      for (const service of services) {
        expect(toldOf(service, 'tables.not_restored')).toEqual([])
        for (const project of projects) {
          expect(await allRows(at(service, project), 'orders')).toHaveLength(1)
        }
      }
    } finally {
      for (const service of services) await service.stop()
    }
  })

  it('starts where something cannot be given back, says so, and gives back the rest', async () => {
    const [lost, kept] = await during(database.url, async (service) => {
      const made = [await service.project(), await service.project()]
      for (const project of made) await applySql(service, project, MADE)
      return made
    })
    await admin.query("UPDATE table_schemas SET password = 'v1.damaged' WHERE project_id = $1", [
      lost?.id,
    ])
    const { rows } = await admin.query<{ name: string }>(
      'SELECT name FROM table_schemas ORDER BY project_id',
    )
    for (const { name } of rows) await loseRoles(name)

    await during(database.url, async (service) => {
      expect(toldOf(service, 'tables.not_restored')).toMatchObject([
        { level: 'error', schema: rows[0]?.name },
      ])
      expect(toldOf(service, 'tables.restored')).toMatchObject([{ sets: 1 }])
      if (kept) expect(await allRows(at(service, kept), 'orders')).toHaveLength(1)
    })
  })
})
