import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isExact } from '../../capabilities/tables/table-values.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql, eq } from '../support/tables.ts'

let service: TestService
let project: TestProject
let client: TestProject['client']
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  client = project.client
  await applySql(
    service,
    project,
    `CREATE TYPE mood AS ENUM ('sad', 'it''s "fine"');
     CREATE TYPE pair AS (big bigint, what text);
     CREATE DOMAIN exact AS bigint;
     CREATE DOMAIN couple AS pair;
     CREATE DOMAIN document AS jsonb;`,
  )
})
afterAll(() => service.stop())

let made = 0
/** A table with one column of a type, whose one value was written by PostgreSQL itself. */
async function holding(type: string, literal: string): Promise<string> {
  const table = `v${++made}`
  await applySql(
    service,
    project,
    `CREATE TABLE ${table} (id integer PRIMARY KEY, v ${type}); INSERT INTO ${table} VALUES (1, ${literal})`,
  )
  return table
}

async function read(table: string, id = 1): Promise<unknown> {
  const query = { filters: eq('id', id) }
  const { rows } = await client.ok('listRows', { path: { table }, query })
  return rows[0]?.v
}

const AS_TO_JSONB: [string, string][] = [
  ...['text', 'name', 'varchar(9)'].map((type): [string, string] => [type, `'a"\\\\ü 👍'`]),
  ...[`'2026-11-21 09:30:00.12+02'`, `'0044-03-15 10:00:00+00 BC'`, `'infinity'`].map(
    (literal): [string, string] => ['timestamptz', literal],
  ),
  ...[`'2026-11-21 09:30:00.123456'`, `'0044-03-15 10:00:00 BC'`, `'-infinity'`].map(
    (literal): [string, string] => ['timestamp', literal],
  ),
  ...[`'2026-11-21'`, `'0044-03-15 BC'`, `'infinity'`].map((day): [string, string] => [
    'date',
    day,
  ]),
  ['time', `'09:30'`],
  ['timetz', `'09:30+02'`],
  ['interval', `'1 mon 2 days 03:04:05.6'`],
  ['char(4)', `'a'`],
  ['"char"', `'a'`],
  ['boolean', 'true'],
  ['smallint', '-32768'],
  ['integer', '2147483647'],
  ['bigint', '9007199254740991'],
  ['bigint', '9007199254740992'],
  ['numeric', '1.10'],
  ['numeric', '0.1'],
  ['numeric', '-0.000000000000000000000000000001'],
  ['numeric(40,20)', '1.5'],
  ['numeric', `'NaN'`],
  ['numeric', `'-Infinity'`],
  ['real', '1.5'],
  ['real', `'NaN'`],
  ['double precision', '1e300'],
  ['double precision', '-1.5e-07'],
  ['double precision', `'Infinity'`],
  ['double precision[]', `'{1e20,1e300,0.1,NULL,NaN,-Infinity}'`],
  ['real[]', `'{{1e30,0.1},{-1.5e-07,16777216}}'`],
  ['bytea', `'\\xdeadbeef'`],
  ['uuid', `'0f4b6a0c-7a54-4f8e-9a44-0f3f1d1f8a51'`],
  ['inet', `'10.0.0.1/8'`],
  ['macaddr', `'08:00:2b:01:02:03'`],
  ['bit(3)', `'101'`],
  ['money', `'12.34'`],
  ['point', `'(1,2)'`],
  ['xml', `'<a>b</a>'`],
  ['oid', '42'],
  ['regclass', `'pg_catalog.pg_class'`],
  ['tsvector', `'a b'`],
  ['int4range', `'[1,5)'`],
  ['int4multirange', `'{[1,5)}'`],
  ['jsonb', `'{"b": [1, "two", null], "a": {"c": 1.5}}'`],
  ['json', `'{"b": [1, "two", null]}'`],
  ['mood', `'it''s "fine"'`],
  ['mood[]', `'{sad,NULL}'`],
  ['integer[]', `'{{1,2},{3,NULL}}'`],
  ['text[]', `ARRAY['a"', 'b,c', NULL, '']`],
  ['timestamptz[]', `ARRAY['2026-11-21 09:30:00+00'::timestamptz]`],
  ['jsonb[]', `ARRAY['{"a": 1}'::jsonb]`],
  ['pair', `ROW(1, 'one')`],
  ['pair[]', `ARRAY[ROW(1, 'one')::pair]`],
  ['exact', '5'],
  ['int2vector', `'1 -2'`],
  ['oidvector', `'1 2'`],
  ['box[]', `'{(1,1),(0,0);(2,2),(1,1)}'`],
]

// A row is written as PostgreSQL's own text of it, and 2 ** 53 may be what JSON made of its neighbour.
const WRITABLE = AS_TO_JSONB.filter(
  ([type, literal]) => !type.startsWith('pair') && literal !== '9007199254740992',
)

describe('a value', () => {
  it.each(AS_TO_JSONB)("of %s, %s, is as PostgreSQL's own JSON has it", async (type, literal) => {
    const table = await holding(type, literal)
    const access = await accessTo(table)
    const text = `SELECT to_jsonb(v)::text FROM ${access.schema}.${table}`
    const place = { access, name: table, isPartitioned: false }
    const [row] = await service.ctx.tables.read(place, { name: '', text }, [])
    expect(await read(table)).toEqual(JSON.parse(row?.[0] ?? 'null'))
  })

  it.each([
    ['bigint', '9007199254740993', '9007199254740993'],
    ['bigint', '-9223372036854775808', -9223372036854775808],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['exact', '9007199254740993', '9007199254740993'],
    ['numeric', '0.12345678901234567890', '0.12345678901234567890'],
    ['numeric', '1e400', `1${'0'.repeat(400)}`],
    ['numeric', '12345678901234567890.00', '12345678901234567890.00'],
    ['bigint[]', `'{1,9007199254740993}'`, [1, '9007199254740993']],
    ['pair', `ROW(9007199254740993, '9007199254740993')`, pair('9007199254740993')],
    ['pair[]', `ARRAY[ROW(9007199254740993, 'x"1')::pair]`, [pair('9007199254740993', 'x"1')]],
  ])('of %s, %s, that a double cannot hold comes as a string', async (type, literal, value) => {
    expect(await read(await holding(type, literal))).toEqual(value)
  })

  it.each([
    ['json', `'{"a": "\\u0000"}'`, { a: '\0' }],
    ['json', `'{"a": 1, "a": 2}'`, { a: 2 }],
    ['json[]', `ARRAY['{"a": 1}'::json]`, [{ a: 1 }]],
  ])('of %s, %s, is no fault of the service', async (type, literal, value) => {
    expect(await read(await holding(type, literal))).toEqual(value)
  })

  it.each(WRITABLE)('of %s, %s, can be written as it was read', async (type, literal) => {
    const table = await holding(type, literal)
    const value = await read(table)
    await client.ok('insertRows', { path: { table }, body: { rows: [{ id: 2, v: value }] } })
    expect(await read(table, 2)).toEqual(value)
    const body = { values: { v: value } }
    const query = { filters: eq('id', 1) }
    const parts = { path: { table }, query, body }
    expect(await client.ok('updateRows', parts)).toMatchObject({ matched: 1, updated: 1 })
    expect(await read(table, 1)).toEqual(value)
  })

  it.each<[string, unknown, unknown]>([
    ['pair', '(1,"x, y")', { big: 1, what: 'x, y' }],
    ['couple', '(1,)', { big: 1, what: null }],
    ['pair[]', ['(1,x)', '(2,)', null], [pair(1, 'x'), pair(2, null), null]],
    ['document', { a: [1] }, { a: [1] }],
    ['document[]', ['{"a":[1]}', '2'], [{ a: [1] }, 2]],
  ])('of %s is written as %j', async (type, written, value) => {
    const table = await holding(type, 'NULL')
    await client.ok('insertRows', { path: { table }, body: { rows: [{ id: 2, v: written }] } })
    expect(await read(table, 2)).toEqual(value)
  })

  it.each(['1e400', '{"a":[-1e400]}'])(
    'of jsonb that no double holds is refused, and not taken for null: %s',
    async (json) => {
      const table = await holding('jsonb', `'null'`)
      const path = { table }
      const body = `{"rows":[{"id":2,"v":${json}}]}`
      const refused = await client.refused('insertRows', 'bad_request', { path, body })
      expect(refused.details).toEqual({ column: 'v' })

      const filters = `[{"column":"v","op":"eq","value":${json}}]`
      await client.refused('deleteRows', 'bad_request', { path, query: { filters } })
      expect((await client.ok('listRows', { path })).rows).toEqual([{ id: 1, v: null }])
    },
  )

  it('that is null comes and goes as null, in JSON columns too', async () => {
    const table = await holding('jsonb', 'NULL')
    await client.ok('insertRows', { path: { table }, body: { rows: [{ id: 2, v: null }] } })
    expect([await read(table), await read(table, 2)]).toEqual([null, null])
    const query = { filters: JSON.stringify([{ column: 'v', op: 'is', value: null }]) }
    expect((await client.ok('listRows', { path: { table }, query })).rows).toHaveLength(2)
  })
})

describe('whether a double holds a number', () => {
  it.each([
    ...['0', '-0', '1', '0.1', '1.10', '123456789012345', '9007199254740992', '1e22'].map(
      (text): [string, boolean] => [text.replace('1e22', `1${'0'.repeat(22)}`), true],
    ),
    ['0.1234567890123456', true],
    ['9007199254740993', false],
    [`1${'0'.repeat(23)}`, false],
    ['0.12345678901234567', false],
    ['NaN', false],
    ['Infinity', false],
    ['-Infinity', false],
    [`0.${'0'.repeat(400)}1`, false],
  ])('is told of %s', (text, exact) => {
    expect(isExact(text)).toBe(exact)
    if (/^-?\d/.test(text) && exact) expect(Number.isFinite(Number(text))).toBe(true)
  })
})

function pair(big: unknown, what: string | null = '9007199254740993') {
  return { big, what }
}

async function accessTo(table: string) {
  const { describe: described } = await import('../../capabilities/tables/table-catalog.ts')
  const found = await described({ ...service.ctx, project }, table, 'public')
  return found.access
}
