import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

/** CASES=10000 for a longer search; SEED to repeat one that failed. */
const CASES = Number(process.env.CASES ?? 400)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await applySql(
    service,
    project,
    `CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TYPE pair AS (a integer, b text);
     CREATE TABLE canary (
       id integer PRIMARY KEY, name text, v varchar(5), big bigint, n numeric, r real, ok boolean,
       at timestamptz, d date, i interval, jb jsonb, j json, x xml, p point, u uuid, e mood, ip inet,
       bits bit(3), bytes bytea, list integer[], names text[], pair pair, range int4range,
       ts tsvector, money money, oid_ oid, class regclass
     );
     INSERT INTO canary (id, name, ok, jb) SELECT g, 'n' || g, true, '{}' FROM generate_series(1, 5) g;`,
  )
})
afterAll(() => service.stop())

const COLUMNS = [
  ...[
    'id',
    'name',
    'v',
    'big',
    'n',
    'r',
    'ok',
    'at',
    'd',
    'i',
    'jb',
    'j',
    'x',
    'p',
    'u',
    'e',
    'ip',
  ],
  ...['bits', 'bytes', 'list', 'names', 'pair', 'range', 'ts', 'money', 'oid_', 'class'],
]
const OPS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is']
const HOSTILE = [
  ...[
    "'",
    '"',
    '\\',
    '%',
    '_',
    '*',
    ';',
    '--',
    '/*',
    '$1',
    '$$',
    '::int',
    '(',
    '{',
    '[',
    ',',
    '\0',
  ],
  ...["' OR '1'='1", "'); DROP TABLE canary; --", '%\\', '{1,2}', '{"a"', '(1,x)', '[1,2)', 'NaN'],
  ...[
    'infinity',
    '-infinity',
    'now',
    '1e400',
    '0x10',
    '1_000',
    '\\x00',
    '\\xZZ',
    '$.a',
    'pg_class',
  ],
  ...['9223372036854775808', '-1', '', ' ', '\u2028', '\ud800', '👍', 'null', 'NULL', 'true', '<a'],
]

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 5 }).map((parts) => parts.join('')),
)
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.dictionary(text, fc.oneof(text, fc.integer()), { maxKeys: 3 }) },
)
const predicate = fc.record({
  column: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...COLUMNS) },
    { weight: 1, arbitrary: text },
  ),
  op: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...OPS) }, { weight: 1, arbitrary: text }),
  value,
})
const request = fc.record({
  operation: fc.constantFrom(
    'listRows',
    'listRows',
    'listRows',
    'updateRows',
    'deleteRows',
    'insertRows',
  ),
  filters: fc.array(predicate, { minLength: 1, maxLength: 3 }),
  orderBy: fc.option(fc.constantFrom(...COLUMNS), { nil: undefined }),
  row: fc.dictionary(fc.constantFrom(...COLUMNS), value, { minKeys: 1, maxKeys: 4 }),
})

describe(`hostile requests, made from the seed ${SEED},`, () => {
  it('never fail the service, and leave the table as it was', async () => {
    const before = await canary()
    const property = fc.asyncProperty(request, async ({ operation, filters, orderBy, row }) => {
      const isList = operation === 'listRows'
      const isInsert = operation === 'insertRows'
      const never = { column: 'id', op: 'lt', value: 0 }
      const path = { table: 'canary' }
      const query = isInsert
        ? {}
        : {
            // A change that happens to match something would be right to change it.
            filters: JSON.stringify(isList ? filters : [never, ...filters]),
            ...(isList ? { order_by: orderBy } : {}),
          }
      const body = isInsert ? { rows: [{ ...row, id: 1 }] } : { values: row }
      const hasBody = isInsert || operation === 'updateRows'
      const parts = { path, query, ...(hasBody ? { body } : {}) }
      const { status } = await project.client.send(operation, parts)
      expect([200, 400, 409]).toContain(status)
    })
    await fc.assert(property, { numRuns: CASES, seed: SEED })
    expect(await canary()).toEqual(before)
  }, 1_800_000)
})

async function canary() {
  const [row] = await service.ctx.sql.rows({ name: '', text: 'SELECT name FROM table_schemas' })
  const text = `SELECT canary::text FROM ${row?.[0]}.canary ORDER BY id`
  return service.ctx.sql.rows({ name: '', text })
}
