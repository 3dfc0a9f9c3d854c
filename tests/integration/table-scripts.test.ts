import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await apply('CREATE TABLE orders (id integer PRIMARY KEY); CREATE TABLE history (what text)')
})
afterAll(() => service.stop())

const apply = (sql: string) =>
  operate(
    envOf(service),
    ['tables', 'apply', '--project', project.id, '--file', '-'],
    false,
    Readable.from([sql]),
  )

const NAMES = 'Write names without a schema; the script runs in that of its set.'
const OWNER =
  'The role of the script owns what it makes, and knows no other one; leave OWNER TO and GRANT out.'
const DUMP = 'Write INSERT, as pg_dump --inserts does: COPY … FROM stdin works in psql alone.'

describe('operator tables apply says what to do', () => {
  it.each([
    ['names of the set public', 'CREATE TABLE public.bookings (id integer)', NAMES],
    ['names of the set preview', 'CREATE TABLE preview.bookings (id integer)', NAMES],
    ['names of another schema', 'SELECT * FROM public.orders', NAMES],
    [
      'names after those of a dump were emptied',
      `SELECT pg_catalog.set_config('search_path', '', false); CREATE TABLE bookings (id integer)`,
      'Leave out what changes search_path.',
    ],
    [
      'a schema',
      'CREATE SCHEMA shop',
      'A project has its two sets of tables alone; leave CREATE SCHEMA out.',
    ],
    [
      'an extension',
      'CREATE EXTENSION IF NOT EXISTS "uuid-ossp"',
      'A script has the types and functions of PostgreSQL itself, such as gen_random_uuid().',
    ],
    [
      'an index',
      'CREATE INDEX CONCURRENTLY by_what ON history (what)',
      'The script runs in one transaction; leave CONCURRENTLY out.',
    ],
    ['rows', 'COPY orders (id) FROM stdin;\n1\n\\.\n', DUMP],
    [
      'a command of psql',
      '\\restrict x\nSELECT 1',
      'Leave out what begins with a backslash: commands of psql are no SQL.',
    ],
    ['an owner', 'ALTER TABLE orders OWNER TO postgres', OWNER],
    ['a right', 'GRANT SELECT ON orders TO anon', OWNER],
    [
      'a policy',
      'CREATE POLICY own ON orders TO anon USING (true)',
      'The role of the script owns what it makes, and knows no other one; leave OWNER TO and GRANT out.',
    ],
  ])('about %s: %j', async (_what, sql, advice) => {
    const { code, err } = await apply(sql)
    expect(code).toBe(1)
    expect(err).toMatch(/^Nothing was applied: .* \(SQLSTATE [0-9A-Z]{5}\)\. /)
    expect(err.endsWith(`). ${advice}\n`)).toBe(true)
  })

  it('of nothing else than what the script is at fault with', async () => {
    for (const sql of [
      'SELEC 1',
      'SELECT * FROM nowhere',
      'SELECT 1 / 0',
      "SELECT 'public.x' + 1",
    ]) {
      expect((await apply(sql)).err).toMatch(/\(SQLSTATE [0-9A-Z]{5}\)\.\n$/)
    }
  })
})

describe('a function that names tables of its set', () => {
  const made = (name: string, body: string, more = '') =>
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql ${more}
       AS $$ BEGIN ${body}; RETURN NEW; END $$;`

  it('is told of as long as it has no search path of its own, by which requests find them', async () => {
    const sql = made('note', 'INSERT INTO History VALUES (NEW.id)')
    const told =
      'The function note names tables of its set, which requests over the API do not find without ' +
      'a search path of its own: add SET search_path FROM CURRENT to it.\n'
    const first = await apply(sql)
    expect([first.code, first.err]).toEqual([0, told])
    expect(Object.keys(JSON.parse(first.out) as object)).toEqual(['tables'])
    expect((await apply('SELECT 1')).err).toBe(told)
    expect(
      await apply(
        made('note', 'INSERT INTO history VALUES (NEW.id)', 'SET search_path FROM CURRENT'),
      ),
    ).toMatchObject({ err: '' })
  })

  it('is not told of when it names none, or names all of them by its own text', async () => {
    const touched = made('touch', 'NEW.id = NEW.id + length(current_setting($s$orders_x$s$))')
    const early = `CREATE OR REPLACE FUNCTION early() RETURNS bigint
      BEGIN ATOMIC SELECT count(*) FROM orders; END;`
    expect(await apply(`${touched} ${early}`)).toMatchObject({ code: 0, err: '' })
  })

  it('is told of with nothing in its name that steers the terminal', async () => {
    const { err } = await apply(made('"a\u001b[2J"', 'PERFORM FROM orders'))
    expect(err).toContain('The function a\\u001b[2J names tables')
    await apply('DROP FUNCTION "a\u001b[2J"')
  })

  it('is told of with the others, up to twenty', async () => {
    const names = Array.from({ length: 25 }, (_, n) => `many_${String(n).padStart(2, '0')}`)
    const sql = names.map((name) => made(name, 'PERFORM FROM orders')).join('\n')
    const { err } = await apply(sql)
    expect(err.split('\n')).toHaveLength(21)
    await apply(names.map((name) => `DROP FUNCTION ${name};`).join('\n'))
  })
})
