import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { OperationId } from '../../core/contract.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql, eq, filtersOf } from '../support/tables.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await applySql(service, project, SQL)
})
afterAll(() => service.stop())

const LONG = 'c'.repeat(63)
const SQL = `
  CREATE TYPE mood AS ENUM ('sad', 'glad');
  CREATE TYPE point3 AS (x bigint, y numeric, z text);
  CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
  CREATE TABLE t (
    id integer PRIMARY KEY, name text, small smallint, big bigint, amount numeric, ratio double precision,
    ok boolean, at timestamptz, day date, jb jsonb, j json, x xml, p point, u uuid, e mood, ip inet,
    bits bit(3), bytes bytea, v varchar(5), c char(4), place point3, list bigint[], positive positive,
    names text[], "Mixed" text, ${LONG} text
  );
  INSERT INTO t (id, name, small, big, amount, ok, e) VALUES
    (1, 'Ana', 1, 9007199254740993, 1.5, true, 'glad'), (2, 'Bo [x] {y} (z).', 2, 2, 2, false, 'sad'),
    (3, NULL, NULL, NULL, NULL, NULL, NULL), (4, '50%_\\d+', 4, 4, 'NaN', true, 'glad');
  CREATE VIEW v AS SELECT * FROM t;
  CREATE MATERIALIZED VIEW mv AS SELECT id FROM t;
  CREATE SEQUENCE sq;
  CREATE TABLE parts (id integer PRIMARY KEY, at date) PARTITION BY RANGE (id);
  CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
  CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
  INSERT INTO parts VALUES (3, '2026-01-01'), (11, NULL), (4, '2026-01-01'), (12, '2025-01-01');
  CREATE TABLE parent (id integer PRIMARY KEY);
  CREATE TABLE child (more text) INHERITS (parent);
  INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 'not the parent''s');
  CREATE TABLE words (word text PRIMARY KEY);
  INSERT INTO words VALUES ('Ärger'), ('Эхо'), ('arger');
  CREATE TABLE nothing ();
  INSERT INTO nothing DEFAULT VALUES;`

const rows = async (query: Record<string, string | number>, table = 't') => {
  const answer = await project.client.ok('listRows', { path: { table }, query: query })
  return answer.rows
}
const ids = async (query: Record<string, string | number>, table = 't') =>
  (await rows({ columns: 'id', ...query }, table)).map(({ id }) => id)
const refused = (code: 'bad_request', query: Record<string, string>) =>
  project.client.refused('listRows', code, { path: { table: 't' }, query })

describe('the filters', () => {
  it.each<[string, string, unknown, number[]]>([
    ['id', 'eq', 2, [2]],
    ['id', 'eq', '2', [2]],
    ['id', 'neq', 2, [1, 3, 4]],
    ['id', 'gt', 2, [3, 4]],
    ['id', 'gte', 2, [2, 3, 4]],
    ['id', 'lt', 2, [1]],
    ['id', 'lte', 2, [1, 2]],
    ['name', 'eq', 'Ana', [1]],
    ['name', 'eq', 'NULL', []],
    ['name', 'neq', 'Ana', [2, 4]],
    ['name', 'like', 'A%', [1]],
    ['name', 'like', 'a%', []],
    ['name', 'ilike', 'a_a', [1]],
    ['name', 'like', 'Bo [x] {y} (z).', [2]],
    ['name', 'like', '%\\%%', [4]],
    ['name', 'like', '\\d+', []],
    ['name', 'is', null, [3]],
    ['ok', 'is', true, [1, 4]],
    ['ok', 'is', false, [2]],
    ['ok', 'is', null, [3]],
    ['ok', 'eq', true, [1, 4]],
    ['big', 'eq', '9007199254740993', [1]],
    ['amount', 'eq', 'NaN', [4]],
    ['e', 'gt', 'sad', [1, 4]],
    ['at', 'lte', 'now', []],
    ['at', 'lt', 'infinity', []],
    ['day', 'gt', 'epoch', []],
    ['jb', 'eq', { a: [1] }, []],
    ['list', 'eq', [1, null], []],
    ['names', 'eq', ['a"\\', 'b'], []],
    ['Mixed', 'is', null, [1, 2, 3, 4]],
  ])('on %s %s %j finds just those rows', async (column, op, value, found) => {
    expect(await ids({ filters: filtersOf({ column, op, value }) })).toEqual(found)
  })

  it('take letters of any script for the same in both cases by ilike', async () => {
    const words = async (value: string) =>
      (await rows({ filters: filtersOf({ column: 'word', op: 'ilike', value }) }, 'words')).map(
        ({ word }) => word,
      )
    expect(await words('äR%')).toEqual(['Ärger'])
    expect(await words('ЭХО')).toEqual(['Эхо'])
  })

  it('are all to hold', async () => {
    const filters = filtersOf(
      { column: 'id', op: 'gt', value: 1 },
      { column: 'e', op: 'is', value: null },
    )
    expect(await ids({ filters })).toEqual([3])
  })

  const some = (count: number) =>
    Array.from({ length: count }, () => ({ column: 'id', op: 'eq', value: 1 }))

  it('may be twenty, and 4,000 characters in all', async () => {
    expect(await ids({ filters: JSON.stringify(some(20)) })).toEqual([1])
    const long = (more: number) => eq('name', 'x'.repeat(4_000 - eq('name', '').length + more))
    expect(await ids({ filters: long(0) })).toEqual([])
    await refused('bad_request', { filters: long(1) })
  })

  it.each<[OperationId, object]>([
    ['listRows', {}],
    ['updateRows', { body: { values: { name: 'Bo' } } }],
    ['deleteRows', {}],
  ])('are too much for %s when their letters are long ones, percent-encoded', async (id, more) => {
    const query = { filters: eq('name', 'Э'.repeat(3_000)) }
    const asked = { path: { table: 't' }, query, ...more }
    expect(await project.client.refused(id, 'bad_request', asked)).toMatchObject({ status: 431 })
  })

  it.each([
    ...["'); drop table t; --", '$1', "\\'", "E'\\\\x'", '$$', "' OR 1=1 --", '\u202e', ';'],
  ])('take %j for a text like any other', async (value) => {
    expect(await ids({ filters: eq('name', value) })).toEqual([])
    expect(await ids({})).toHaveLength(4)
  })

  it.each([
    ...['', '[', '{}', 'null', '1', '"x"', '[1]', '[null]', '[[]]', 'nope', '[{}]'],
    ...['[{"column":"id","op":"eq"}]', '[{"column":"id","value":1}]', '[{"op":"eq","value":1}]'],
    '[{"column":"id","op":"eq","value":1,"more":1}]',
    '[{"column":"id","op":"eq","value":1,"__proto__":1}]',
    '[{"column":"id","op":"=","value":1}]',
    '[{"column":"id","op":"toString","value":1}]',
    '[{"column":"id","op":["eq"],"value":1}]',
    '[{"column":1,"op":"eq","value":1}]',
    '[{"column":"id","op":"is","value":1}]',
    '[{"column":"id","op":"is","value":"null"}]',
    '[{"column":"ratio","op":"eq","value":1e999}]',
    JSON.stringify(some(21)),
    '['.repeat(1_900),
  ])('are refused as %.60j', async (filters) => {
    await refused('bad_request', { filters })
  })

  it.each([
    ...['id; drop table t', 't.id', 'public.t.id', 'id::text', '(select 1)', "jb->>'a'", '*', ''],
    ...['ctid', 'xmin', 'oid', 'tableoid', 'ID', 'mixed', 'ﬁ', 'id ', `${LONG}cccc`, '__proto__'],
  ])('know no column %j', async (column) => {
    const filters = eq(column, '1')
    const path = { table: 't' }
    const { details } = await project.client.refused('listRows', 'unknown_column', {
      path,
      query: { filters },
    })
    expect(details).toEqual({ column })
  })

  it.each([null, 'null'])('refuse to compare with %j', async (value) => {
    const query = { filters: eq('name', value) }
    await project.client.refused('listRows', 'null_filter_value', { path: { table: 't' }, query })
  })

  it.each<[string, string, unknown]>([
    ['id', 'eq', '99999999999'],
    ['id', 'eq', 99999999999],
    ['id', 'eq', 1.5],
    ['id', 'eq', ''],
    ['id', 'eq', true],
    ['big', 'eq', '9223372036854775808'],
    ['big', 'eq', 9223372036854775808],
    ['amount', 'eq', '1e131073'],
    ['ratio', 'eq', '1e999'],
    ['name', 'eq', 'a\0b'],
    ['name', 'eq', '\ud800'],
    ['name', 'eq', { a: 1 }],
    ['name', 'eq', [1]],
    ['name', 'is', true],
    ['u', 'eq', 'nope'],
    ['e', 'eq', 'zzz'],
    ['ip', 'eq', '999.1.1.1'],
    ['bits', 'eq', '12'],
    ['at', 'eq', 'no day'],
    ['bytes', 'eq', '\\xZZ'],
    ['j', 'eq', '{}'],
    ['x', 'eq', '<a/>'],
    ['p', 'eq', '(1,2)'],
    ['list', 'eq', [[1], [1, 2]]],
    ['list', 'eq', ['x']],
    ['list', 'eq', [{}]],
    ['place', 'eq', { x: 1 }],
    ...['id', 'jb', 'at', 'e', 'u', 'ok', 'list'].map((name): [string, string, unknown] => [
      name,
      'like',
      '1%',
    ]),
    ['name', 'like', '%\\'],
    ['name', 'ilike', '%\\'],
    ['name', 'like', 'a*'],
    ['name', 'like', 1],
    ['positive', 'eq', 'minus one'],
  ])('on %s %s %j are refused by the name of the column', async (column, op, value) => {
    const filters = filtersOf(
      { column: 'id', op: 'gt', value: 0 },
      { column, op, value },
      { column: 'small', op: 'lt', value: 5 },
    )
    const { details, message } = await refused('bad_request', { filters })
    expect({ details, message }).toMatchObject({
      details: { column },
      message: expect.stringContaining(column),
    })
  })
})

describe('the other parameters', () => {
  it.each([
    ...[{ columns: '' }, { columns: 'a,,b' }, { columns: 'id,' }, { columns: ',' }],
    ...[{ columns: 'x'.repeat(2_001) }, { direction: 'ASC' }, { direction: 'desc;' }],
    ...['0', '51', '0x10', '1e1', ' 5', '5.0', '-1', ''].map((limit) => ({ limit })),
    ...['PREVIEW', 'public;', 'other', ''].map((schema) => ({ schema })),
    ...['ID', 'a b', '1', 'a'.repeat(64), 'id desc', ''].map((name) => ({ order_by: name })),
    { 'limit[]': '5' },
  ])('are refused as %j', async (query) => {
    await refused('bad_request', query)
  })

  it.each([{ columns: '*' }, { columns: ' id' }, { columns: 'id,ctid' }, { order_by: 'ctid' }])(
    'know no such column: %j',
    async (query) => {
      const parts = { path: { table: 't' }, query: query as never }
      await project.client.refused('listRows', 'unknown_column', parts)
    },
  )

  it.each(['json', 'point', 'xml'])('order by no column of the type %s', async (type) => {
    const column = { json: 'j', point: 'p', xml: 'x' }[type] ?? ''
    const { details } = await refused('bad_request', { order_by: column })
    expect(details).toMatchObject({ column })
  })

  it('choose columns, each once, in the order in which they are named', async () => {
    const [row] = await rows({ columns: 'name,id,name', limit: 1 })
    expect(Object.entries(row ?? {})).toEqual([
      ['name', 'Ana'],
      ['id', 1],
    ])
  })

  it('order by any column in both directions, what is null last', async () => {
    expect(await ids({ order_by: 'name' })).toEqual(await namesInOrder('ASC'))
    expect(await ids({ order_by: 'name', direction: 'desc' })).toEqual(await namesInOrder('DESC'))
    expect(await ids({ order_by: 'amount', direction: 'desc' })).toEqual([4, 2, 1, 3])
    expect(await ids({ direction: 'desc' })).toEqual([4, 3, 2, 1])
  })

  async function namesInOrder(direction: string) {
    const { rows: found } = await onlySql(
      `SELECT id FROM (VALUES (1, 'Ana'), (2, 'Bo [x] {y} (z).'), (3, NULL), (4, '50%_\\d+'))
         AS v (id, name) ORDER BY name ${direction} NULLS LAST`,
    )
    return found
  }

  const onlySql = async (text: string) => {
    const found = await service.ctx.sql.rows({ name: '', text })
    return { rows: found.map(([id]) => Number(id)) }
  }
})

describe('a table', () => {
  it.each(['v', 'mv', 'sq', 't_pkey', 'mood', 'nope', 'information_schema', 'tables_x'])(
    'is what %s is not',
    async (table) => {
      for (const operation of ['listRows', 'getTableSchema'] as const) {
        await project.client.refused(operation, 'table_not_found', { path: { table } })
      }
    },
  )

  it.each(['contacts', 'messages', 'api_keys', '_prisma_migrations', 'pg_class', 'pg_anything'])(
    'of the platform, such as %s, is refused',
    async (table) => {
      for (const operation of ['listRows', 'getTableSchema'] as const) {
        await project.client.refused(operation, 'platform_table_forbidden', { path: { table } })
      }
      const path = { table }
      const query = { filters: eq('id', 1) }
      const body = { rows: [{ id: 1 }], values: { id: 1 } }
      const { client } = project
      const { rows: inserted, values } = body
      await client.refused('insertRows', 'platform_table_forbidden', {
        path,
        body: { rows: inserted },
      })
      await client.refused('updateRows', 'platform_table_forbidden', {
        path,
        query,
        body: { values },
      })
      await client.refused('deleteRows', 'platform_table_forbidden', { path, query })
    },
  )

  it.each(['T', '1t', 'a-b', 'a.b', 't;', 't"', 'a'.repeat(64), 'ﬁ', 't%', ' t', 'pg_class::text'])(
    'has no such name as %j',
    async (table) => {
      await project.client.refused('listRows', 'invalid_id', { path: { table } })
    },
  )

  it('that is partitioned is read as one', async () => {
    expect(await ids({}, 'parts')).toEqual([3, 4, 11, 12])
    expect(await ids({ order_by: 'at', direction: 'desc' }, 'parts')).toEqual([4, 3, 12, 11])
  })

  it('that others inherit from is read without their rows, which its key does not cover', async () => {
    expect(await rows({}, 'parent')).toEqual([{ id: 1 }])
  })

  it('without a column has rows without members', async () => {
    expect(await rows({}, 'nothing')).toEqual([{}])
  })

  it('is listed with its schema and about how many rows it has', async () => {
    await applySql(service, project, 'CREATE TABLE draft (id integer)', 'preview')
    await applySql(service, project, 'ANALYZE t, parts')
    const all = (await project.client.ok('listTables')).tables
    expect(all).toContainEqual({ table: 't', schema: 'public', row_estimate: 4 })
    expect(all).toContainEqual({ table: 'parts', schema: 'public', row_estimate: 4 })
    expect(all).toContainEqual({ table: 'draft', schema: 'preview', row_estimate: 0 })
    expect(all.map(({ table }) => table)).not.toContain('v')
    const query = { schema: 'preview' as const }
    const preview = await project.client.ok('listTables', { query })
    expect(preview.tables).toEqual([{ table: 'draft', schema: 'preview', row_estimate: 0 }])
  })

  it('tells that a column takes no null where one of its domains takes none', async () => {
    const sql = `CREATE DOMAIN given AS text NOT NULL; CREATE DOMAIN given_again AS given;
      CREATE TABLE asked (a text, b given, c given_again, d positive, e given[]);
      INSERT INTO asked VALUES (NULL, 'b', 'c', NULL, NULL);
      INSERT INTO asked (b, c) VALUES ((SELECT b FROM asked WHERE false), 'no null');`
    await applySql(service, project, sql)
    const { columns } = await project.client.ok('getTableSchema', { path: { table: 'asked' } })
    expect(columns.map(({ nullable }) => nullable)).toEqual([true, false, false, true, true])
    // PostgreSQL checks a domain where a value is made, so that a column of it may hold nothing.
    const ordered = await rows({ order_by: 'b', columns: 'b' }, 'asked')
    expect(ordered).toEqual([{ b: 'b' }, { b: null }])
  })

  it('tells its columns as PostgreSQL has them, and no name of the inside', async () => {
    const path = { table: 't' }
    const { columns } = await project.client.ok('getTableSchema', { path })
    const by = new Map(columns.map((column) => [column.name, column]))
    expect(by.get('id')).toEqual({
      name: 'id',
      type: 'integer',
      nullable: false,
      default_value: null,
      is_primary_key: true,
    })
    expect(by.get('at')?.type).toBe('timestamp with time zone')
    expect(by.get('v')?.type).toBe('character varying(5)')
    expect(by.get('e')?.type).toBe('mood')
    expect(by.get('list')?.type).toBe('bigint[]')
    expect(columns.map(({ name }) => name).at(-1)).toBe(LONG)
    expect(JSON.stringify(columns)).not.toContain('tables_')
  })
})
