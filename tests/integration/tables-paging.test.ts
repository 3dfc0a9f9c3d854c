import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { oneOff } from '../../core/sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { seededRandom } from '../support/random.ts'
import { allRows, applySql, eq, filtersOf, type TableRow } from '../support/tables.ts'

/** TABLES=1000 for a longer search; SEED to repeat one that failed. */
const TABLES = Number(process.env.TABLES ?? 24)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const { between: within, pick: oneOf } = seededRandom(SEED)
const below = (limit: number) => within(0, limit - 1)
const chance = (percent: number) => below(100) < percent

/** Types with an order, each with values that lie close together or look alike. */
const TYPES: Record<string, string[]> = {
  integer: ['-1', '0', '1', '2', '2147483647'],
  bigint: ['9007199254740992', '9007199254740993', '-9223372036854775808', '0'],
  numeric: ['1', '1.0', '1e-30', '0.1', 'NaN', 'Infinity', '-Infinity', '123456789012345678.9'],
  'double precision': ['0.1', '0.30000000000000004', '0.3', 'NaN', 'Infinity', '-0', '5e-324'],
  real: ['0.1', '1e30', 'NaN', '-Infinity'],
  text: ['', 'a', 'A', 'ä', 'a\n', '\\', '"', "'", 'null', ','.repeat(40), `${'k'.repeat(500)}1`],
  'varchar(9)': ['', ' a', 'a', 'b\t'],
  'char(3)': ['a', 'ab', ''],
  boolean: ['true', 'false'],
  timestamptz: [
    ...['2026-11-21 09:30:00.000001+00', '2026-11-21 09:30:00.000002+00', 'infinity'],
    ...['-infinity', '0044-03-15 10:00:00+00 BC'],
  ],
  timestamp: ['2026-11-21 09:30:00.000001', '2026-11-21 09:30:00.00001', 'infinity'],
  date: ['2026-11-21', '0044-03-15 BC', '-infinity', 'infinity'],
  interval: ['1 mon', '30 days', '1 day 00:00:00.000001', '24:00:00'],
  uuid: [
    '0f4b6a0c-7a54-4f8e-9a44-0f3f1d1f8a51',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '00000000-0000-0000-0000-000000000000',
  ],
  bytea: ['\\x', '\\x00', '\\xff', '\\x5c0a'],
  inet: ['10.0.0.1', '10.0.0.1/8', '::1'],
  'integer[]': ['{}', '{1}', '{1,NULL}', '{1,2}', '{{1},{2}}'],
  mood: ['sad', 'glad', 'so so'],
  felt: ['sad', 'glad', 'so so'],
  felt_twice: ['sad', 'glad'],
  'felt[]': ['{sad}', '{glad,sad}', '{}'],
  positive: ['1', '2', '2147483647'],
  pair: ['(1,a)', '(1,)', '(,)', '(,"x,y")', '(2,"\\"")'],
  couple: ['(1,a)', '(2,)'],
  numbers: ['{}', '{1,2}'],
  span: ['[1,5)', 'empty', '[2,)'],
  jsonb: ['1', '"a"', '{"a": [1, null]}', '[]'],
}
const TYPE_NAMES = Object.keys(TYPES)

type Made = {
  name: string
  key: string[]
  columns: { name: string; type: string; isNullable: boolean }[]
  rows: (string | null)[][]
}

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await applySql(
    service,
    project,
    `CREATE TYPE mood AS ENUM ('glad', 'sad', 'so so');
     CREATE DOMAIN felt AS mood;
     CREATE DOMAIN felt_twice AS felt;
     CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
     CREATE TYPE pair AS (a integer, b text);
     CREATE DOMAIN couple AS pair;
     CREATE DOMAIN numbers AS integer[];
     CREATE DOMAIN span AS int4range;`,
  )
})
afterAll(() => service.stop())

/** A table of random columns; its key has none, one or several of them. */
function invent(index: number): Made {
  const columns = Array.from({ length: 1 + below(3) }, (_, place) => ({
    name: `c${place}`,
    type: oneOf(TYPE_NAMES),
    isNullable: chance(60),
  }))
  const keyLength = oneOf([0, 1, 1, 2])
  const key = ['k', ...columns.filter(() => chance(50)).map(({ name }) => name)]
  const wanted = keyLength === 0 ? [] : key.slice(0, keyLength)
  // The serial makes it unique wherever it stands in the key.
  const ordered = chance(50) ? wanted : wanted.toReversed()
  const rows = Array.from({ length: below(40) }, () =>
    columns.map(({ type, isNullable, name }) =>
      isNullable && !ordered.includes(name) && chance(40) ? null : oneOf(TYPES[type] ?? []),
    ),
  )
  return { name: `t${index}`, key: ordered, columns, rows }
}

async function make({ name, key, columns, rows }: Made): Promise<void> {
  const quoted = (value: string | null) =>
    value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`
  const defined = columns.map(
    (column) => `${column.name} ${column.type}${column.isNullable ? '' : ' NOT NULL'}`,
  )
  const primary = key.length > 0 ? `, PRIMARY KEY (${key.join()})` : ''
  const values = rows.map((row, k) => `(${[String(k), ...row.map(quoted)].join()})`)
  const insert = rows.length > 0 ? `INSERT INTO ${name} VALUES ${values.join()};` : ''
  const index = chance(50) ? `CREATE INDEX ON ${name} (${columns[0]?.name}) WHERE true;` : ''
  const isIndexed = !['jsonb'].includes(columns[0]?.type ?? '')
  await applySql(
    service,
    project,
    `CREATE TABLE ${name} (k integer NOT NULL, ${defined.join()}${primary}); ${insert}
     ${isIndexed ? index : ''}`,
  )
}

/** The order of the rows as PostgreSQL itself has it, by their number. */
async function orderOf({ name, key }: Made, orderBy: string | null, direction: string) {
  const last = key.length > 0 ? key : ['ctid']
  const by = [...(orderBy === null ? [] : [`${orderBy} ${direction} NULLS LAST`])]
  const rest = last.filter((column) => column !== orderBy).map((one) => `${one} ${direction}`)
  const [found] = await service.ctx.sql.rows({
    name: '',
    text: "SELECT name FROM table_schemas WHERE selector = 'public'",
  })
  const text = `SELECT k FROM ${found?.[0]}.${name} ORDER BY ${[...by, ...rest].join(', ')}`
  const rows = await service.ctx.sql.rows({ name: '', text })
  return rows.map(([k]) => Number(k))
}

const numbers = (rows: TableRow[]) => rows.map(({ k }) => Number(k))

describe(`random tables, made from the seed ${SEED},`, () => {
  it('are paged in their order, row for row, whatever the page and the direction', async () => {
    for (let index = 0; index < TABLES; index++) {
      const table = invent(index)
      await make(table)
      for (const direction of ['asc', 'desc'] as const) {
        const columns = table.columns.map((column) => column.name)
        const orderBy = oneOf([null, 'k', ...columns])
        const limit = oneOf([1, 2, 3, 7, 50])
        const query = { order_by: orderBy ?? undefined, direction, limit }
        const seen = numbers(await allRows(project, table.name, query))
        const expected = await orderOf(table, orderBy, direction)
        const what = JSON.stringify({ SEED, table, ...query })
        if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(what)
      }
      await applySql(service, project, `DROP TABLE ${table.name}`)
    }
  }, 1_800_000)

  it('keep every row that stays while others come and go between the pages', async () => {
    for (let index = 0; index < TABLES; index++) {
      const table = { ...invent(index), name: `m${index}` }
      if (table.key.length === 0) continue
      await make(table)
      const path = { table: table.name }
      const direction = oneOf(['asc', 'desc'] as const)
      const orderBy = oneOf([undefined, ...table.columns.map(({ name }) => name)])
      const gone = new Set<number>()
      let added = 1_000
      const seen = await allRows(
        project,
        table.name,
        { order_by: orderBy, direction, limit: 1 + below(4) },
        async () => {
          const victim = below(Math.max(1, table.rows.length))
          gone.add(victim)
          await project.client.ok('deleteRows', { path, query: { filters: eq('k', victim) } })
          const row = Object.fromEntries(
            table.columns.map(({ name, type }) => [name, written(type, oneOf(TYPES[type] ?? []))]),
          )
          if (added++ < 1_010) {
            await project.client.ok('insertRows', { path, body: { rows: [{ k: added, ...row }] } })
          }
        },
      )
      const ks = numbers(seen)
      expect(new Set(ks).size).toBe(ks.length)
      const stayed = table.rows.map((_, k) => k).filter((k) => !gone.has(k))
      const lost = stayed.filter((k) => !ks.includes(k))
      if (lost.length > 0)
        throw new Error(JSON.stringify({ SEED, lost, table, orderBy, direction }))
      await applySql(service, project, `DROP TABLE ${table.name}`)
    }
  }, 1_800_000)
})

/** A value as it is sent: JSON columns take JSON, all others PostgreSQL's own text. */
function written(type: string, value: string): unknown {
  return type === 'jsonb' ? JSON.parse(value) : value
}

describe('a page', () => {
  it('crosses from the last value to the nulls in both directions, where there are ties', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE ties (a integer, k integer, b text, PRIMARY KEY (a, k));
       INSERT INTO ties SELECT g % 3, g, CASE WHEN g % 2 = 0 THEN 'same' END
         FROM generate_series(0, 20) g;`,
    )
    for (const direction of ['asc', 'desc'] as const) {
      const query = { order_by: 'b', direction, limit: 2 }
      const rows = await allRows(project, 'ties', query)
      expect(rows).toHaveLength(21)
      expect(rows.map(({ b }) => b)).toEqual([
        ...Array.from({ length: 11 }, () => 'same'),
        ...Array.from({ length: 10 }, () => null),
      ])
    }
  })

  it('follows a key that is a domain over an enum, which no operator of enums takes by itself', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE moods (k felt_twice PRIMARY KEY, v integer);
       INSERT INTO moods VALUES ('sad', 1), ('glad', 2), ('so so', 3);`,
    )
    const rows = await allRows(project, 'moods', { limit: 1, direction: 'desc' })
    expect(rows.map(({ k }) => k)).toEqual(['so so', 'sad', 'glad'])
    const path = { table: 'moods' }
    const filters = filtersOf({ column: 'k', op: 'gt', value: 'glad' })
    const query = { filters, dry_run: 'true' as never }
    const parts = { path, query, body: { values: { k: 'glad' } } }
    expect(await project.client.ok('updateRows', parts)).toMatchObject({ matched: 2 })
    const change = { path, query: { filters: eq('v', 3) }, body: { values: { k: 'so so' } } }
    expect(await project.client.ok('updateRows', change)).toMatchObject({ updated: 1 })
  })

  it('is led by the key alone, not by what its index includes, which may be null', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE covered (b integer, name text, a integer, PRIMARY KEY (a, b) INCLUDE (name));
       INSERT INTO covered SELECT g, CASE WHEN g % 2 = 0 THEN 'even' END, g FROM generate_series(0, 6) g;`,
    )
    const path = { table: 'covered' }
    const { columns } = await project.client.ok('getTableSchema', { path })
    expect(columns.map((column) => column.is_primary_key)).toEqual([true, false, true])
    const rows = await allRows(project, 'covered', { limit: 2 })
    expect(rows.map(({ a }) => a)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('crosses to nulls from before a NOT NULL that is not valid yet', async () => {
    const [row] = await service.ctx.sql.rows(oneOff('SHOW server_version_num'))
    // Before PostgreSQL 18 there is no such constraint, and the rows are just the same.
    const isKnown = Number(row?.[0]) >= 180_000
    await applySql(
      service,
      project,
      `CREATE TABLE early (k integer PRIMARY KEY, b text);
       INSERT INTO early SELECT g, CASE WHEN g % 2 = 0 THEN 'b' || g END FROM generate_series(0, 6) g;
       ${isKnown ? 'ALTER TABLE early ADD CONSTRAINT given NOT NULL b NOT VALID;' : ''}`,
    )
    const { columns } = await project.client.ok('getTableSchema', { path: { table: 'early' } })
    expect(columns.map(({ nullable }) => nullable)).toEqual([false, !isKnown])
    const up = await allRows(project, 'early', { order_by: 'b', limit: 2 })
    expect(up.map(({ k }) => k)).toEqual([0, 2, 4, 6, 1, 3, 5])
    const query = { order_by: 'b', direction: 'desc', limit: 2 }
    const down = await allRows(project, 'early', query)
    expect(down.map(({ k }) => k)).toEqual([6, 4, 2, 0, 5, 3, 1])
  })

  it('of filtered rows goes on within the filter', async () => {
    const filters = filtersOf({ column: 'b', op: 'is', value: null })
    const rows = await allRows(project, 'ties', { filters, limit: 3, order_by: 'k' })
    expect(numbers(rows)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  })

  it('of a partitioned table without a key keeps rows apart that lie at the same place', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE keyless (k integer) PARTITION BY RANGE (k);
       CREATE TABLE keyless_1 PARTITION OF keyless FOR VALUES FROM (0) TO (10);
       CREATE TABLE keyless_2 PARTITION OF keyless FOR VALUES FROM (10) TO (20);
       INSERT INTO keyless SELECT generate_series(0, 19);`,
    )
    const rows = await allRows(project, 'keyless', { limit: 3 })
    expect(numbers(rows).sort((one, other) => one - other)).toEqual([...Array(20).keys()])
    const filters = eq('k', 12)
    const parts = { path: { table: 'keyless' }, query: { filters } }
    expect(await project.client.ok('deleteRows', parts)).toMatchObject({ matched: 1, deleted: 1 })
    expect(await allRows(project, 'keyless', { limit: 50 })).toHaveLength(19)
  })
})
