import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as contacts from '../../capabilities/conversations/contacts.ts'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import type { Data } from '../../core/contract.ts'
import { type Statement, statement } from '../../core/sql.ts'
import { storeContacts } from '../support/broadcasts.ts'
import { betweenTwo, inTheWay, OPEN_CONVERSATION } from '../support/locks.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let id: number
let made = 0

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())
beforeEach(async () => {
  const phone = `+1555666${String(made++).padStart(4, '0')}`
  id = (await service.customer(project, { phone })).contact.id
})

const get = async () => (await project.client.ok('getContact', { path: { id } })).contact
/** The body as text, where an object literal could not say it. */
const patch = async (body: object | string) => {
  const { status, body: answer } = await project.client.send('updateContact', {
    path: { id },
    body,
  })
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return (answer as { data: { contact: Awaited<ReturnType<typeof get>> } }).data.contact
}
const refused = (body: unknown) =>
  project.client.refused('updateContact', 'invalid_request', { path: { id }, body })

describe('the attributes of a contact', () => {
  it('merge: only the keys that are given change, and the answer has them all', async () => {
    await patch({ attributes: { plan: 'gold', seats: 4, trial: true } })
    const contact = await patch({ attributes: { seats: 4.5, 'a.b-c_1': '' } })
    expect(contact.attributes).toEqual({ plan: 'gold', seats: 4.5, trial: true, 'a.b-c_1': '' })
    expect(await get()).toEqual(contact)
  })

  it('lose a key that is set to null, whether it was there or not', async () => {
    await patch({ attributes: { plan: 'gold', seats: 4 } })
    const { attributes } = await patch({ attributes: { plan: null, never: null, seats: 5 } })
    expect(attributes).toEqual({ seats: 5 })
  })

  it('hold texts of 1,000 characters, an emoji counting as one', async () => {
    const long = '😀'.repeat(1_000)
    expect((await patch({ attributes: { long } })).attributes).toEqual({ long })
    await refused({ attributes: { long: 'a'.repeat(1_001) } })
    await refused({ attributes: { long: '😀'.repeat(1_001) } })
    expect((await get()).attributes).toEqual({ long })
  })

  it.each([
    ...['{"a":{"b":1}}', '{"a":[1]}', '{"a":{}}', '{"a":[]}', '[]', '"a"', 'null', '7'],
    ...['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":1e999}', '{"a":-1e999}'],
    ...['{"":1}', '{"1a":1}', '{"a b":1}', '{"é":1}', '{"-a":1}', '{"a\\u0000":1}'],
  ])('refuse %s', async (attributes) => {
    await refused(`{"attributes":${attributes}}`)
    expect((await get()).attributes).toEqual({})
  })

  it('take keys of 64 characters, and no longer ones', async () => {
    const key = 'k'.repeat(64)
    expect((await patch({ attributes: { [key]: 1 } })).attributes).toEqual({ [key]: 1 })
    await refused({ attributes: { [`${key}k`]: 1 } })
    await refused({ attributes: { ['k'.repeat(10_240)]: 1 } })
  })

  it('say which of their keys cannot be one', async () => {
    const attributes = { plan: 'gold', '1st': 1, seats: 4, 'a b': null, long: 'a'.repeat(1_001) }
    const { message, details } = await refused({ attributes })
    const pattern = 'must match pattern "^[A-Za-z_][A-Za-z0-9_.-]{0,63}$"'
    expect(message).toBe(`The body does not match the schema: attributes.1st ${pattern}.`)
    expect(details.errors).toEqual([
      { path: 'attributes.1st', message: pattern },
      { path: 'attributes.a b', message: pattern },
      { path: 'attributes.long', message: 'must NOT have more than 1000 characters' },
    ])
  })

  it('hold 200 keys, and no more', async () => {
    const keys = (from: number, to: number) =>
      Object.fromEntries(
        Array.from({ length: to - from }, (_, index) => [`k${from + index}`, index]),
      )
    await patch({ attributes: keys(0, 150) })
    expect(Object.keys((await patch({ attributes: keys(150, 200) })).attributes)).toHaveLength(200)
    const more = await refused({ attributes: { one_more: 1 }, name: 'Not taken' })
    expect(more.message).toBe('A contact holds at most 200 attributes; it would have 201.')
    expect(more.details.errors).toEqual([{ path: 'attributes', message: expect.any(String) }])
    await refused({ attributes: keys(0, 10_000) })
    expect((await get()).name).not.toBe('Not taken')
    const swapped = await patch({ attributes: { one_more: 1, k0: null } })
    expect(Object.keys(swapped.attributes)).toHaveLength(200)
    const gone = Object.fromEntries(Object.keys(swapped.attributes).map((key) => [key, null]))
    const fresh = await patch({ attributes: { ...gone, ...keys(200, 400) } })
    expect(fresh.attributes).toEqual(keys(200, 400))
  })

  it('may be named like parts of an object, without harm', async () => {
    const { attributes } = await patch(
      '{"attributes":{"__proto__":"polluted","constructor":1,"toString":true}}',
    )
    expect(Object.entries(attributes).toSorted()).toEqual([
      ...[
        ['__proto__', 'polluted'],
        ['constructor', 1],
        ['toString', true],
      ],
    ])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    await refused('{"attributes":{"__proto__":{"polluted":true}}}')
    await patch('{"attributes":{"__proto__":null,"constructor":null,"toString":null}}')
    expect(Object.keys((await get()).attributes)).toEqual([])
  })

  it('lose nothing when 64 changes of different keys come at the same moment', async () => {
    const keys = Array.from({ length: 64 }, (_, index) => `key_${index}`)
    await Promise.all(keys.map((key) => patch({ attributes: { [key]: 1 }, tags: { add: [key] } })))
    const { attributes, tags } = await get()
    expect(Object.keys(attributes).toSorted()).toEqual(keys.toSorted())
    expect(tags).toEqual(keys.toSorted())
    await Promise.all(
      keys.map((key) => patch({ attributes: { [key]: null }, tags: { remove: [key] } })),
    )
    expect(await get()).toMatchObject({ attributes: {}, tags: [] })
  })
})

describe('the tags of a contact', () => {
  it('are sorted and unique, whatever is added and removed', async () => {
    const added = await patch({ tags: { add: ['vip', 'Beta', 'vip', 'äpfel', 'alpha', '_x'] } })
    expect(added.tags).toEqual(['Beta', '_x', 'alpha', 'vip', 'äpfel'])
    const { tags } = await patch({
      tags: { add: ['vip', 'new'], remove: ['alpha', 'never', 'new'] },
    })
    expect(tags).toEqual(['Beta', '_x', 'vip', 'äpfel'])
    expect((await get()).tags).toEqual(tags)
  })

  it('are at most 100, and a change that would hold more changes nothing', async () => {
    const many = Array.from({ length: 99 }, (_, index) => `t${index}`)
    await patch({ tags: { add: many } })
    expect((await patch({ tags: { add: ['t99', 't0'] } })).tags).toHaveLength(100)
    const more = await refused({ tags: { add: ['t100'] }, attributes: { a: 1 } })
    expect(more.message).toBe('A contact holds at most 100 tags; it would have 101.')
    expect(more.details.errors).toEqual([{ path: 'tags', message: expect.any(String) }])
    expect(await get()).toMatchObject({ attributes: {}, tags: { length: 100 } })
    expect((await patch({ tags: { add: ['t100'], remove: ['t0'] } })).tags).toHaveLength(100)
  })

  it.each([
    ...[{ add: [''] }, { add: ['a'.repeat(65)] }, { add: 'vip' }, { add: [7] }, { add: [null] }],
    ...[{ set: ['a'] }, { add: ['a\u0000'] }, {}, [], 'vip', null],
  ])('refuse %j', async (tags) => {
    await refused({ tags })
  })

  it('take 64 characters, an emoji counting as one', async () => {
    const tag = '😀'.repeat(64)
    expect((await patch({ tags: { add: [tag] } })).tags).toEqual([tag])
  })
})

describe('a contact', () => {
  it('is refused a change that is none', async () => {
    for (const body of [{}, [], '""', 'null', '7', { foo: 1 }]) await refused(body)
    await refused({ name: 'A', foo: 1 })
    for (const name of ['', null, 7, 'a'.repeat(257), ['A']]) await refused({ name })
  })

  it('shows the name of its profile until it is given one, whatever the profile says later', async () => {
    const phone = '+15556667777'
    const write = async (name: string) =>
      service.callback(
        project.id,
        inboundCallback({
          account: await service.account(project.id),
          from: { phone, name },
          message: { type: 'text', text: { body: 'Hi' } },
          at: service.ctx.now(),
        }),
      )
    const found = async () => {
      const { contacts } = await project.client.ok('listContacts', { query: { phone } })
      const { conversations } = await project.client.ok('listConversations', { query: { phone } })
      expect(conversations[0]?.contact.name).toBe(contacts[0]?.name)
      return contacts[0]!
    }
    await write('Ana')
    expect((await found()).name).toBe('Ana')
    await write('Ana M.')
    expect((await found()).name).toBe('Ana M.')
    ;({ id } = await found())
    expect((await patch({ name: 'Customer 1' })).name).toBe('Customer 1')
    await write('Ana Maria')
    expect((await found()).name).toBe('Customer 1')
  })

  it('is changed while his conversation is just being opened, and nobody waits for another', async () => {
    const [contactId] = await storeContacts(service, project, [{}])
    id = Number(contactId)
    await inTheWay(service.databaseUrl, async (query) => {
      await query(OPEN_CONVERSATION, [project.id, id])
      expect((await patch({ name: 'Ana' })).name).toBe('Ana')
      await query("UPDATE contacts SET profile_name = 'Ana M.' WHERE id = $1", [id])
    })
  })

  it('is changed though others wait for each other there, and PostgreSQL ends the change for them', async () => {
    const phone = '+15556668888'
    const conversation = await service.customer(project, { phone })
    id = conversation.contact.id
    const rows = {
      first: { table: 'contacts', id },
      second: { table: 'conversations', id: conversation.id },
    } as const
    expect(await betweenTwo(service, rows, () => patch({ name: 'Ana' }))).toMatchObject({
      name: 'Ana',
    })
  })

  it('of another project, or of none, is 404', async () => {
    const foreign = await service.customer(await service.project())
    for (const unknown of [foreign.contact.id, 999_999]) {
      const path = { id: unknown }
      await project.client.refused('getContact', 'not_found', { path })
      await project.client.refused('updateContact', 'not_found', { path, body: { name: 'Mine' } })
    }
    for (const bad of ['abc', '0x1', '1.0', '-1']) {
      const parts = { path: { id: bad }, body: { name: 'A' } }
      await project.client.refused('updateContact', 'invalid_id', parts)
    }
  })
})

type Asked = Statement & { values: readonly unknown[] }

/** The most rows that a step of the statement goes through; of a prepared one, once it has run some times. */
async function mostRowsRead(db: pg.Client, { name, text, values }: Asked): Promise<number> {
  const explain = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)'
  const given = values.map((value) => pg.escapeLiteral(String(value))).join(', ')
  if (name !== '') await db.query(`PREPARE asked AS ${text}`)
  for (let times = 0; name !== '' && times < 8; times++) await db.query(`EXECUTE asked (${given})`)
  const { rows } = name
    ? await db.query(`${explain} EXECUTE asked (${given})`)
    : await db.query(`${explain} ${text}`, [...values])
  if (name !== '') await db.query('DEALLOCATE asked')
  const plan = JSON.stringify(rows)
  const read = plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)
  return Math.max(...[...read].map(([, count]) => Number(count)))
}

describe('GET /v1/contacts', () => {
  const insertMany = statement(
    'test-insert-contacts',
    `INSERT INTO contacts (project_id, phone, match_key, tags)
     SELECT $1, '+' || g.key, g.key, ARRAY[g.tag]
       FROM jsonb_to_recordset($2::jsonb) AS g (key text, tag text)`,
  )

  it('skips and repeats nothing, whatever the limits and the filter', async () => {
    const own = await service.project()
    const random = seededRandom(3)
    const rows = Array.from({ length: 120 }, (_, index) => ({
      key: `1555777${String(index).padStart(4, '0')}`,
      tag: random.pick(['vip', 'trial']),
    }))
    await service.ctx.sql.rows(insertMany, [own.id, JSON.stringify(rows)])
    for (const tag of [undefined, 'vip', 'trial', 'never']) {
      const phones: (string | null)[] = []
      let cursor: string | null = null
      do {
        const limit = random.between(1, 25)
        const query = { limit, ...(tag ? { tag } : {}), ...(cursor ? { cursor } : {}) }
        const page: Data<'listContacts'> = await own.client.ok('listContacts', { query })
        phones.push(...page.contacts.map(({ phone }) => phone))
        cursor = page.nextCursor
      } while (cursor !== null)
      const expected = rows
        .filter((row) => (tag ?? row.tag) === row.tag)
        .map(({ key }) => `+${key}`)
      expect(phones).toEqual(expected.toReversed())
    }
    const { nextCursor } = await own.client.ok('listContacts', { query: { limit: 1 } })
    const query = { cursor: nextCursor!, tag: 'vip' }
    await own.client.refused('listContacts', 'invalid_cursor', { query })
    await project.client.refused('listContacts', 'invalid_cursor', {
      query: { cursor: nextCursor! },
    })
  })

  it('reads few of the contacts, though others’ are newer, and however often it was asked', async () => {
    const [own, other] = [await service.project(), await service.project()]
    const fill = statement(
      'test-fill-contacts',
      `INSERT INTO contacts (project_id, phone, match_key, tags)
       SELECT $1, '+' || n, n, CASE WHEN n % 10 = 0 THEN '{vip}'::text[] ELSE '{}' END
         FROM generate_series(15560000000, 15560000000 + $2::bigint) n`,
    )
    await service.ctx.sql.rows(fill, [own.id, 8_000])
    await service.ctx.sql.rows(fill, [other.id, 2_000])
    const db = new pg.Client({ connectionString: service.databaseUrl })
    await db.connect()
    await db.query('ANALYZE contacts')
    const asked: Asked[] = []
    const rows: typeof service.ctx.sql.rows = (one, values = []) => {
      asked.push({ ...one, values })
      return service.ctx.sql.rows(one, values)
    }
    const ctx = { ...service.ctx, project: { id: own.id }, sql: { ...service.ctx.sql, rows } }
    const { nextCursor } = await contacts.list(ctx as never, {})
    await contacts.list(ctx as never, { cursor: nextCursor! })
    await contacts.list(ctx as never, { tag: 'vip' })
    try {
      expect(asked).toHaveLength(3)
      for (const one of asked) expect(await mostRowsRead(db, one)).toBeLessThan(1_000)
    } finally {
      await db.end()
    }
  })
})
