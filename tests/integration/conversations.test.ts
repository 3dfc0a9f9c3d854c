import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Data, OperationId } from '../../core/contract.ts'
import { statement } from '../../core/sql.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

type Listed = Data<'listConversations'>['conversations'][number]
type Query = Record<string, string | number | undefined>

const list = (query: Query = {}, by = project) => by.client.ok('listConversations', { query })
const move = (id: number, state: string, by = project) =>
  by.client.ok('updateConversation', { path: { id }, body: { state } })

/** Walks every page, the limit chosen anew for each. */
async function walk(by: TestProject, query: Query, limitOf: () => number): Promise<Listed[]> {
  const found: Listed[] = []
  let cursor: string | null | undefined
  do {
    const limit = limitOf()
    const page = await list({ ...query, limit, cursor: cursor ?? undefined }, by)
    expect(page.conversations.length).toBeLessThanOrEqual(limit)
    if (page.nextCursor !== null) expect(page.conversations).toHaveLength(limit)
    found.push(...page.conversations)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

const insertMany = statement(
  'test-insert-conversations',
  `WITH given AS (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (key text, state text, at timestamptz)
   ), contact AS (
     INSERT INTO contacts (project_id, phone, match_key) SELECT $1, '+' || key, key FROM given
     RETURNING id, match_key
   )
   INSERT INTO conversations (project_id, contact_id, state, last_activity_at, updated_at)
   SELECT $1, contact.id, given.state, given.at, given.at
     FROM contact JOIN given ON given.key = contact.match_key`,
)
/** Conversations whose instants of activity often coincide. */
async function fill(by: TestProject, seed: number, count: number) {
  const random = seededRandom(seed)
  const rows = Array.from({ length: count }, (_, index) => ({
    key: `1555${seed}${String(index).padStart(4, '0')}`,
    state: random.pick(['unstructured', 'handover', 'done']),
    at: new Date(service.ctx.now().getTime() - random.between(0, 9) * 7).toISOString(),
  }))
  await service.ctx.sql.rows(insertMany, [by.id, JSON.stringify(rows)])
  return random
}

describe('GET /v1/conversations', () => {
  it('puts the latest activity first, of either side', async () => {
    const own = await service.project()
    const phones = ['+15551111001', '+15551111002', '+15551111003']
    for (const phone of phones) {
      await service.customer(own, { phone, name: phone })
      service.advance(1_000)
    }
    await own.client.ok('sendMessage', { body: { type: 'text', phone: phones[0]!, content: 'Hi' } })
    await service.sandbox.idle()

    const { conversations, nextCursor } = await list({}, own)
    expect(conversations.map(({ contact }) => contact.name)).toEqual([
      phones[0],
      phones[2],
      phones[1],
    ])
    expect(conversations[0]).toMatchObject({
      state: 'unstructured',
      status: 'unstructured',
      unread_count: 0,
      last_message: { direction: 'outbound', type: 'text', content: 'Hi', status: 'read' },
    })
    expect(nextCursor).toBeNull()
  })

  it('skips and repeats nothing, whatever the limits, the filters and the ties', async () => {
    for (const seed of [1, 2, 3]) {
      const own = await service.project()
      const random = await fill(own, seed, 137)
      const everything = await walk(own, {}, () => 100)
      const order = everything.map(({ last_activity_at, id }) => [last_activity_at, id] as const)
      expect(order).toEqual(order.toSorted((a, b) => b[0].localeCompare(a[0]) || b[1] - a[1]))
      expect(new Set(everything.map(({ id }) => id)).size).toBe(137)

      const since = new Date(service.ctx.now().getTime() - 28).toISOString()
      const queries: Query[] = [{}, { state: 'done' }, { updated_since: since }]
      for (const query of [...queries, { state: 'done', updated_since: since }]) {
        const found = await walk(own, query, () => random.between(1, 30))
        const expected = everything.filter(
          ({ state, updated_at }) =>
            (query.state ?? state) === state && (query.updated_since ?? '') <= updated_at,
        )
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        expect(found.every(({ state, status }) => state === status)).toBe(true)
      }
    }
  })

  it('filters by state, number and change, alone and together', async () => {
    const own = await service.project()
    const ana = await service.customer(own, { phone: '+15551120001' })
    const ben = await service.customer(own, { phone: '+15551120002' })
    service.advance(60_000)
    await move(ben.id, 'handover', own)
    const since = service.ctx.now().toISOString()
    const idsOf = async (query: Query) => (await list(query, own)).conversations.map(({ id }) => id)

    expect(await idsOf({ state: 'handover' })).toEqual([ben.id])
    expect(await idsOf({ state: 'never-used' })).toEqual([])
    expect(await idsOf({ phone: '(1) 555 112-0001' })).toEqual([ana.id])
    expect(await idsOf({ phone: '+15551129999' })).toEqual([])
    expect(await idsOf({ updated_since: since })).toEqual([ben.id])
    expect(await idsOf({ updated_since: since.replace('Z', '+00:00') })).toEqual([ben.id])
    const phone = '+15551120002'
    expect(await idsOf({ state: 'handover', phone, updated_since: since })).toEqual([ben.id])
    expect(await idsOf({ state: 'handover', phone: '+15551120001' })).toEqual([])
    expect(await idsOf({ phone: '+15551120001', updated_since: since })).toEqual([])
  })

  it.each<Query>([
    ...[
      { limit: 0 },
      { limit: 101 },
      { limit: -1 },
      { limit: '1.5' },
      { limit: '1e1' },
      { limit: '' },
    ],
    ...[
      { phone: 'abc' },
      { phone: '' },
      { state: '' },
      { state: 'a'.repeat(101) },
      { order: 'asc' },
    ],
    ...[
      { updated_since: 'yesterday' },
      { updated_since: '2026-02-30T00:00:00Z' },
      { updated_since: '' },
      { updated_since: '0000-01-01T00:00:00Z' },
      { updated_since: '9999-12-31T23:59:59-12:00' },
    ],
  ])('refuses %j as bad_request', async (query) => {
    const failure = await project.client.refused('listConversations', 'bad_request', { query })
    expect(failure.status).toBe(400)
    expect(failure.details.errors).toMatchObject([{ path: Object.keys(query)[0] }])
  })

  it.each<[string, number]>([
    ['0001-01-01T00:00:00Z', 200],
    ['9999-12-31T23:59:59Z', 200],
    ['2016-12-31T23:59:60Z', 400],
    ['2026-01-01t00:00:00z', 200],
    ['2026-01-01T00:00:00+23:59', 200],
    ['2026-01-01T00:00:00-23:59', 200],
    ['2026-01-01T00:00:00.123456789Z', 200],
  ])('takes the instant %s, or refuses it, with %i', async (instant, due) => {
    const query = { updated_since: instant }
    const { status } = await project.client.send('listConversations', { query })
    expect(status).toBe(due)
  })

  it.each([
    ['2026-11-21T09:00:00+02:00', 200],
    ['2026-11-21T09:00:00%2B02:00', 200],
    ['2026-11-21T09:00:00.5+00:00', 200],
    ['2026-11-21T09:00:00+', 400],
    ['2026-11-21T09:00:00++02:00', 400],
  ])(
    'takes an instant in the query as it is written, or refuses it: %s, with %i',
    async (since, due) => {
      const address = `/v1/conversations?updated_since=${since}`
      const { status } = await project.client.raw('GET', address)
      expect(status).toBe(due)
    },
  )

  it('reads a raw plus as what it stands for, not as another offset', async () => {
    const own = await service.project()
    await fill(own, 9, 1)
    const [{ updated_at }] = (await list({}, own)).conversations as [Listed]
    const inTwoHours = new Date(Date.parse(updated_at) + 7_200_000).toISOString().slice(0, -1)
    const found = async (offset: string) => {
      const address = `/v1/conversations?updated_since=${inTwoHours}${offset}&limit=1`
      const { body } = await own.client.raw('GET', address)
      return (body as { data: Data<'listConversations'> }).data.conversations.length
    }
    expect([await found('+02:00'), await found('+01:59')]).toEqual([1, 0])
  })

  it('takes a cursor only for the list, the filters and the project that it came from', async () => {
    const own = await service.project()
    await fill(own, 9, 3)
    const { nextCursor } = await list({ limit: 1 }, own)
    const cursor = nextCursor!
    expect((await list({ limit: 2, cursor }, own)).conversations).toHaveLength(2)

    const [{ id }] = (await list({}, own)).conversations as [Listed]
    const refused = (query: Query, operation: OperationId = 'listConversations', by = own) =>
      by.client.refused(operation, 'invalid_cursor', { path: { id }, query })
    const flipped = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)
    for (const altered of [
      flipped,
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      'abc',
      '%',
      '0',
    ]) {
      await refused({ cursor: altered })
    }
    await refused({ cursor, state: 'done' })
    await refused({ cursor, phone: '+15551120001' })
    await refused({ cursor, updated_since: '2020-01-01T00:00:00Z' })
    await refused({ cursor }, 'listContacts')
    await refused({ cursor }, 'listConversationMessages')
    await refused({ cursor }, 'listConversations', project)
  })
})

describe('GET /v1/conversations/{id}/messages', () => {
  it('pages the messages of both sides, newest first, without skip or repetition', async () => {
    const own = await service.project()
    const { id } = await service.customer(own, { text: 'No. 0' })
    for (let i = 1; i < 12; i++) {
      const body = { type: 'text' as const, conversation_id: id, content: `No. ${i}` }
      if (i % 3 === 0) await service.customer(own, { text: `No. ${i}` })
      else await own.client.ok('sendMessage', { body })
    }
    const contents: (string | null)[] = []
    let cursor: string | null | undefined
    do {
      const query = { limit: 5, ...(cursor ? { cursor } : {}) }
      const page = await own.client.ok('listConversationMessages', { path: { id }, query })
      contents.push(...page.messages.map(({ content }) => content))
      cursor = page.nextCursor
    } while (cursor)
    expect(contents).toEqual(Array.from({ length: 12 }, (_, index) => `No. ${11 - index}`))
  })

  it('takes a cursor only for the conversation that it came from', async () => {
    const { id } = await service.customer(project, { text: 'One' })
    await service.customer(project, { text: 'Two' })
    const another = await service.customer(project, { phone: '+15550009999' })
    const query = { limit: 1 }
    const page = await project.client.ok('listConversationMessages', { path: { id }, query })
    const next = { limit: 1, cursor: page.nextCursor! }
    await project.client.ok('listConversationMessages', { path: { id }, query: next })
    const path = { id: another.id }
    const asked = { path, query: next }
    await project.client.refused('listConversationMessages', 'invalid_cursor', asked)
  })

  it('is 404 for a conversation that there is not, or that is another project’s', async () => {
    const { id } = await service.customer(await service.project())
    for (const path of [{ id }, { id: 999_999 }]) {
      await project.client.refused('listConversationMessages', 'not_found', { path })
      await project.client.refused('getConversation', 'not_found', { path })
    }
    for (const bad of ['abc', '1.5', '-1', '1e3', '9'.repeat(17)]) {
      await project.client.refused('getConversation', 'invalid_id', { path: { id: bad } })
    }
  })
})
