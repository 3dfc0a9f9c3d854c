import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { LIMITS } from '../../core/limits.ts'
import { oneOff } from '../../core/sql.ts'
import { ask } from '../../database/rows-query.ts'
import { storeContacts } from '../support/broadcasts.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const HALF = LIMITS.pageBytes / 2
type Next = { cursor?: string }
type Page = { size: number; ids: (number | string)[] }

/** The sizes of a list's pages, and what they show, from the first to the last. */
async function pagesOf(
  ask: (next: Next) => Promise<Record<string, unknown>>,
  name: string,
): Promise<Page[]> {
  const pages: Page[] = []
  let next: Next | null = {}
  while (next) {
    const data = await ask(next)
    const items = data[name] as { id: number | string }[]
    pages.push({ size: JSON.stringify(items).length, ids: items.map(({ id }) => id) })
    next = typeof data.nextCursor === 'string' ? { cursor: data.nextCursor } : null
  }
  return pages
}

it('a page of contacts ends when it holds a mebibyte, and the next one goes on behind it', async () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`a${n}`, 'x'.repeat(1_000)]),
  )
  const contacts = Array.from({ length: 13 }, () => ({ attributes }))
  const ids = (await storeContacts(service, project, contacts)).map(Number)
  const pages = await pagesOf(
    (next) => project.client.ok('listContacts', { query: { limit: 100, ...next } }),
    'contacts',
  )
  expect(pages.flatMap((page) => page.ids)).toEqual(ids.reverse())
  expect(pages.map((page) => page.ids.length)).toEqual([5, 5, 3])
  for (const { size } of pages) expect(size).toBeLessThan(LIMITS.pageBytes)
})

it('a page of messages does so too, and shows one that is larger by itself', async () => {
  const { id } = await service.customer(project)
  const path = { id }
  for (const characters of [10, 3 * HALF, 10, HALF / 4, HALF / 4, 10]) {
    const contacts = [{ name: { formatted_name: 'Ana' }, note: '€'.repeat(characters) }]
    const body = { type: 'contacts' as const, conversation_id: id, contacts }
    if (characters < HALF) await project.client.ok('sendMessage', { body })
    else await storeLarge(id, characters)
  }
  const pages = await pagesOf(
    (next) => project.client.ok('listConversationMessages', { path, query: next }),
    'messages',
  )
  const shown = pages.flatMap((page) => page.ids)
  expect(shown).toHaveLength(7)
  expect(shown).toEqual([...shown].sort((a, b) => Number(b) - Number(a)))
  expect(pages.map((page) => page.ids.length)).toEqual([4, 1, 2])
})

/** A message as a customer's callback may have left one before payloads had a bound. */
async function storeLarge(conversationId: number, characters: number) {
  await service.ctx.sql.rows(
    oneOff(`INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin,
        type, status, payload, created_at, sent_at)
      SELECT project_id, id, contact_id, 'wamid.large', 'inbound', 'customer', 'unsupported',
        'received', jsonb_build_object('text', repeat('x', $2::int)), now(), now()
        FROM conversations WHERE id = $1`),
    [conversationId, characters],
  )
}

it('a page of flows does so too', async () => {
  for (const name of ['one', 'two', 'three']) await storeFlow(service, project, { name })
  await service.ctx.sql.rows(
    oneOff(`UPDATE flows SET definition = json_build_object('text', repeat('x', $2::int))
      WHERE project_id = $1`),
    [project.id, HALF - 1_000],
  )
  const pages = await pagesOf((next) => project.client.ok('listFlows', { query: next }), 'flows')
  expect(pages.map((page) => page.ids.length)).toEqual([2, 1])
})

it('rows that are more than they may be together come without columns, but never the first', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const fullRows = async (bytesMax: number, text: string, count = 50) => {
    const sql = `SELECT repeat('${text}', 100) FROM generate_series(1, ${count})`
    const rows = await ask(client, { ...oneOff(sql), bytesMax })
    expect(rows).toHaveLength(count)
    const full = rows.filter(({ length }) => length === 1)
    expect(rows.slice(0, full.length)).toEqual(full)
    return full.length
  }
  // A row's message has ten bytes beside its text.
  expect(await fullRows(1_100, 'x')).toBe(10)
  expect(await fullRows(1_099, 'x')).toBe(9)
  expect(await fullRows(3_100, '€')).toBe(10)
  expect(await fullRows(99, 'x')).toBe(1)
  expect(await fullRows(5_500, 'x')).toBe(50)
  expect(await fullRows(99, 'x', 1)).toBe(1)
  await client.end()
})
