import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import { LIMITS } from '../../core/limits.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { allRows, applySql, eq, filtersOf } from '../support/tables.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const MUTATIONS = Number(process.env.MUTATIONS ?? 400)
const HOUR_MS = 60 * 60 * 1000
const SQL = `
  CREATE TABLE t (id integer PRIMARY KEY, name text, n integer);
  INSERT INTO t SELECT g, 'n' || g % 3, g FROM generate_series(1, 9) g;
  CREATE TABLE other AS TABLE t; ALTER TABLE other ADD PRIMARY KEY (id);
  CREATE TABLE long (a text, b text, PRIMARY KEY (a, b));
  INSERT INTO long SELECT repeat('ä', 600) || g, repeat('b', 300) || g FROM generate_series(1, 7) g;`

let service: TestService
let project: TestProject
let stranger: TestProject
const query = { limit: 2 }
const path = { table: 't' }
beforeAll(async () => {
  service = await startTestService({ behindMs: 72 * HOUR_MS })
  project = await service.project()
  stranger = await service.project()
  await applySql(service, project, SQL)
  await applySql(service, project, SQL, 'preview')
  await applySql(service, stranger, SQL)
})
afterAll(() => service.stop())

async function cursorOf(more: Record<string, unknown> = {}, table = 't'): Promise<string> {
  const parts = { path: { table }, query: { ...query, ...more } as never }
  const { pagination } = await project.client.ok('listRows', parts)
  if (pagination.nextCursor === null) throw new Error('There is no second page')
  return pagination.nextCursor
}

const refused = (cursor: string, more: object = {}, client = project.client, table = 't') =>
  client.refused('listRows', 'invalid_cursor', {
    path: { table },
    query: { ...query, ...more, cursor },
  })

const flipped = (text: string, at: number) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const now = letters.indexOf(text[at] ?? '')
  return text.slice(0, at) + letters[now ^ 1] + text.slice(at + 1)
}

describe('a cursor', () => {
  it.each(['', 'x', 'abcdefghij0123456789', '[]', '%00', 'null', '-1', 'x'.repeat(201)])(
    'is refused as %.30j',
    async (cursor) => {
      const parts = { path, query: { ...query, cursor } }
      const { status, body } = await project.client.send('listRows', parts)
      const { code } = (body as { error: { code: string } }).error
      expect([status, code]).toEqual([400, 'invalid_cursor'])
    },
  )

  it('is refused with any bit changed, cut or prolonged', async () => {
    const cursor = await cursorOf()
    for (let at = 0; at < cursor.length; at++) await refused(flipped(cursor, at))
    await refused(cursor.slice(0, -1))
    await refused(cursor.slice(0, -4))
    await refused(`${cursor}A`)
    await refused(`${cursor}=`)
    await refused(` ${cursor}`)
  })

  it('serves its own list alone', async () => {
    const cursor = await cursorOf()
    const changed = [
      ...[{ order_by: 'name' }, { direction: 'desc' }, { schema: 'preview' }],
      ...[{ filters: eq('n', 1) }, { order_by: 'n' }],
    ]
    for (const more of changed) await refused(cursor, more)
    await refused(cursor, {}, project.client, 'other')
    await refused(cursor, {}, stranger.client)
    const parts = { query: { cursor } }
    await project.client.refused('listContacts', 'invalid_cursor', parts)
    const contacts = service.ctx.cursors.encode(['listContacts', project.id, null, null], ['1'])
    await refused(contacts)
  })

  it('goes on where the same order is spelt out, or no longer is', async () => {
    const spelt = { order_by: 'id', direction: 'asc' } as const
    for (const [first, next] of [
      [{}, spelt],
      [spelt, {}],
    ]) {
      const cursor = await cursorOf(first)
      const { rows } = await project.client.ok('listRows', {
        path,
        query: { ...query, ...next, cursor },
      })
      expect(rows.map(({ id }) => id)).toEqual([3, 4])
    }
  })

  it('is refused under a filter of another value or op', async () => {
    const filters = filtersOf({ column: 'n', op: 'gt', value: 0 })
    const cursor = await cursorOf({ filters })
    for (const [op, value] of [
      ['gt', 1],
      ['gte', 0],
      ['gt', '0'],
    ] as const) {
      await refused(cursor, { filters: filtersOf({ column: 'n', op, value }) })
    }
  })

  it('goes on under other columns and another size of page', async () => {
    const cursor = await cursorOf()
    const parts = { path, query: { cursor, limit: 50, columns: 'id' } }
    const { rows } = await project.client.ok('listRows', parts)
    expect(rows.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9])
  })

  it('goes on when its row is gone', async () => {
    const cursor = await cursorOf({ order_by: 'n' })
    await project.client.ok('deleteRows', { path, query: { filters: eq('id', 2) } })
    const parts = { path, query: { ...query, order_by: 'n', cursor } }
    const { rows } = await project.client.ok('listRows', parts)
    expect(rows.map(({ id }) => id)).toEqual([3, 4])
  })

  it('is refused once the column that it stands in has another type', async () => {
    const cursor = await cursorOf({ order_by: 'n' })
    await applySql(service, project, 'ALTER TABLE t ALTER COLUMN n TYPE text')
    await refused(cursor, { order_by: 'n' })
  })

  it('that stands among the nulls is refused once there are none', async () => {
    const table = 'filled'
    await applySql(
      service,
      project,
      `CREATE TABLE filled (id integer PRIMARY KEY, n integer);
       INSERT INTO filled SELECT generate_series(1, 9);`,
    )
    const cursor = await cursorOf({ order_by: 'n' }, table)
    await applySql(
      service,
      project,
      'UPDATE filled SET n = id; ALTER TABLE filled ALTER COLUMN n SET NOT NULL',
    )
    await refused(cursor, { order_by: 'n' }, project.client, table)
  })

  it('is refused once the key has another column', async () => {
    const table = 'other'
    const cursor = await cursorOf({}, table)
    await applySql(
      service,
      project,
      'ALTER TABLE other DROP CONSTRAINT other_pkey, ADD PRIMARY KEY (n, id)',
    )
    await refused(cursor, {}, project.client, table)
  })

  it(`never leads to anything but its own rows, however it is mutated (seed ${SEED})`, async () => {
    const { between, pick } = seededRandom(SEED)
    const cursors = [await cursorOf(), await cursorOf({}, 'long')]
    for (let i = 0; i < MUTATIONS; i++) {
      const cursor = pick(cursors)
      const at = between(0, cursor.length - 1)
      const mutated = pick([
        flipped(cursor, at),
        cursor.slice(at),
        cursor.slice(0, at) + cursor.slice(at + between(1, 3)),
        cursor.slice(0, at) + pick(['A', '-', '+', '/', '\0', '👍', ' ']) + cursor.slice(at),
        Buffer.from(JSON.stringify([pick(['1', "' OR 1=1", null])])).toString('base64url'),
      ])
      if (cursors.includes(mutated)) continue
      const parts = { path, query: { ...query, cursor: mutated } }
      const { status } = await project.client.send('listRows', parts)
      expect(status).toBe(400)
    }
  })
})

describe('a cursor over long keys', () => {
  it('stays short, and leads through all rows in both directions', async () => {
    for (const direction of ['asc', 'desc']) {
      const cursor = await cursorOf({ direction }, 'long')
      expect(cursor.length).toBeLessThanOrEqual(LIMITS.tableCursorCharacters)
      const rows = await allRows(project, 'long', { direction, limit: 2 })
      expect(new Set(rows.map(({ a }) => a)).size).toBe(7)
    }
  })

  it('is kept once, however often the same page is asked for', async () => {
    const count = () => service.ctx.db.rowCursor.count()
    await cursorOf({}, 'long')
    const before = await count()
    await cursorOf({}, 'long')
    expect(await count()).toBe(before)
  })

  it("does not serve another project's table of the same name", async () => {
    await refused(await cursorOf({}, 'long'), {}, stranger.client, 'long')
  })

  it('is refused after a day, and kept no longer', async () => {
    const cursor = await cursorOf({}, 'long')
    const parts = { path: { table: 'long' }, query: { ...query, cursor } }
    service.advance(23 * HOUR_MS)
    expect((await project.client.ok('listRows', parts)).rows).toHaveLength(2)
    service.advance(1.1 * HOUR_MS)
    await refused(cursor, {}, project.client, 'long')
    service.advance(24 * HOUR_MS)
    await retention.pruneExpired(service.ctx)
    expect(await service.ctx.db.rowCursor.count()).toBe(0)
  })

  it('is good for another day when the same page is asked for again', async () => {
    const cursor = await cursorOf({}, 'long')
    service.advance(23 * HOUR_MS)
    expect(await cursorOf({}, 'long')).toBe(cursor)
    service.advance(2 * HOUR_MS)
    const parts = { path: { table: 'long' }, query: { ...query, cursor } }
    expect((await project.client.ok('listRows', parts)).rows).toHaveLength(2)
  })

  it('is not made of more than it is worth keeping', async () => {
    await applySql(
      service,
      project,
      `CREATE TABLE huge (id integer PRIMARY KEY, a text);
       INSERT INTO huge SELECT g, repeat('x', 100000) FROM generate_series(1, 3) g`,
    )
    const parts = { path: { table: 'huge' }, query: { limit: 1, order_by: 'a' } }
    const { message } = await project.client.refused('listRows', 'bad_request', parts)
    expect(message).toContain('too long to page by')
  })
})
