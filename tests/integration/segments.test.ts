import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { EventEmitter, once } from 'node:events'
import pg from 'pg'
import * as audiences from '../../capabilities/segments/audiences.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import type { Schema } from '../../core/contract.ts'
import type { Sql, SqlClient } from '../../core/sql.ts'
import { storeContacts } from '../support/broadcasts.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await storeContacts(service, project, [
    { name: 'Ana', tags: ['vip'] },
    { name: 'Ben', tags: ['vip', 'trial'] },
    { name: 'Cid' },
  ])
})
afterAll(() => service.stop())

const tagged = (value: string): Schema<'ContactFilterRequest'> => ({
  conditions: [{ field: 'tags', op: 'contains', value }],
})
const create = async (name: string, filter = tagged('vip'), by = project) =>
  (await by.client.ok('createSegment', { body: { name, filter } })).segment
const get = async ({ id }: { id: string }) =>
  (await project.client.ok('getSegment', { path: { id } })).segment

describe('a segment', () => {
  it('is shown with its filter in full, and who fits at the moment', async () => {
    const created = await create('Important')

    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Important',
      filter: { match: 'all', ...tagged('vip') },
      contact_count: 2,
      created_at: service.ctx.now().toISOString(),
      updated_at: service.ctx.now().toISOString(),
    })
    expect(await get(created)).toEqual(created)
  })

  it('counts the contacts that came since', async () => {
    const own = await service.project()
    const created = await create('Growing', tagged('vip'), own)
    await storeContacts(service, own, [{ tags: ['vip'] }, { tags: [] }])

    const path = { id: created.id }
    expect(created.contact_count).toBe(0)
    expect((await own.client.ok('getSegment', { path })).segment.contact_count).toBe(1)
  })

  it('changes in what is given alone', async () => {
    const created = await create('Changing')
    service.advance(1_000)
    const change = async (body: Schema<'UpdateSegmentRequest'>) =>
      (await project.client.ok('updateSegment', { path: { id: created.id }, body })).segment

    const renamed = await change({ name: 'Changed' })
    expect(renamed).toEqual({
      ...created,
      name: 'Changed',
      updated_at: service.ctx.now().toISOString(),
    })
    const filtered = await change({ filter: { match: 'any', ...tagged('trial') } })
    expect(filtered).toEqual({
      ...renamed,
      filter: { match: 'any', ...tagged('trial') },
      contact_count: 1,
    })
    expect(await get(created)).toEqual(filtered)
    await project.client.refused('updateSegment', 'invalid_request', {
      path: { id: created.id },
      body: {},
    })
  })

  it('can be deleted once', async () => {
    const { id } = await create('Deletable')
    const path = { id }
    const shouted = { id: id.toUpperCase() }
    expect((await project.client.ok('getSegment', { path: shouted })).segment.id).toBe(id)
    expect(await project.client.ok('deleteSegment', { path: shouted })).toEqual({
      deleted: true,
      id,
    })
    for (const operation of ['getSegment', 'deleteSegment'] as const) {
      await project.client.refused(operation, 'SEGMENT_NOT_FOUND', { path })
    }
    await project.client.refused('updateSegment', 'SEGMENT_NOT_FOUND', {
      path,
      body: { name: 'x' },
    })
  })

  it("is nobody else's", async () => {
    const { id } = await create('Private')
    const other = await service.project()
    const path = { id }
    await other.client.refused('getSegment', 'SEGMENT_NOT_FOUND', { path })
    await other.client.refused('updateSegment', 'SEGMENT_NOT_FOUND', { path, body: { name: 'x' } })
    await other.client.refused('deleteSegment', 'SEGMENT_NOT_FOUND', { path })
    expect((await get({ id })).name).toBe('Private')
  })

  it('is made by those who manage broadcasts, and read by those who read them', async () => {
    const { id } = await create('Scoped')
    const { secret } = await keys.create(service.ctx, {
      projectId: project.id,
      name: 'Reader',
      scopes: ['broadcasts:read'],
      isTest: true,
    })
    const reader = project.client.as(secret)
    await reader.ok('getSegment', { path: { id } })
    await reader.ok('listSegments')
    const body = { name: 'Mine', filter: tagged('vip') }
    await reader.refused('createSegment', 'insufficient_scope', { body })
    await reader.refused('updateSegment', 'insufficient_scope', { path: { id }, body })
    await reader.refused('deleteSegment', 'insufficient_scope', { path: { id } })
  })
})

describe('the filter of a segment', () => {
  const good = { field: 'tags', op: 'contains', value: 'vip' }
  it.each<[string, unknown, string]>([
    [
      'a filter within',
      { conditions: [{ match: 'all', conditions: [good] }] },
      'filter.conditions.0.field',
    ],
    ['itself', { conditions: [], segment_id: 'x' }, 'filter.segment_id'],
    [
      '10,000 conditions',
      { conditions: Array.from({ length: 10_000 }, () => good) },
      'filter.conditions',
    ],
    ['21 conditions', { conditions: Array.from({ length: 21 }, () => good) }, 'filter.conditions'],
    ['no conditions', {}, 'filter.conditions'],
    ['an unknown match', { match: 'none', conditions: [good] }, 'filter.match'],
    [
      'an unknown field',
      { conditions: [{ ...good, field: 'email' }] },
      'filter.conditions.0.field',
    ],
    ['an unknown op', { conditions: [{ ...good, op: 'regex' }] }, 'filter.conditions.0.op'],
    ['an object as a value', { conditions: [{ ...good, value: {} }] }, 'filter.conditions.0.value'],
    ['no value', { conditions: [{ field: 'name', op: 'is' }] }, 'filter.conditions.0.value'],
    [
      'an attribute that no contact can have',
      { conditions: [{ field: 'attributes.a b', op: 'eq', value: 1 }] },
      'filter.conditions.0.field',
    ],
    [
      'a pattern with a star',
      { conditions: [{ field: 'name', op: 'like', value: 'A*' }] },
      'filter.conditions.0.value',
    ],
  ])('holds no %s', async (_what, filter, path) => {
    const { status, details } = await project.client.refused('createSegment', 'invalid_request', {
      body: { name: 'Wrong', filter },
    })
    expect(status).toBe(400)
    expect(details.errors).toContainEqual({ path, message: expect.any(String) })
  })

  it('compares with null by is alone, when it changes too', async () => {
    const filter = { conditions: [{ field: 'name', op: 'eq' as const, value: null }] }
    const body = { name: 'Nobody', filter }
    const { details } = await project.client.refused('createSegment', 'null_filter_value', { body })
    expect(details.errors).toMatchObject([{ path: 'filter.conditions.0.value' }])

    const created = await create('Unchanged')
    const path = { id: created.id }
    await project.client.refused('updateSegment', 'null_filter_value', { path, body })
    expect(await get(created)).toEqual(created)
  })
})

describe('the list of segments', () => {
  it('is of the project alone, the newest first, page by page', async () => {
    const own = await service.project()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.unshift((await create(name, tagged('vip'), own)).id)
      if (name !== 'b') service.advance(1_000)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await own.client.ok('listSegments', { query })
      seen.push(...page.segments.map(({ id }) => id))
      expect(page.segments.every(({ contact_count: count }) => count === 0)).toBe(true)
      cursor = page.nextCursor
    } while (cursor)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect([seen[0], seen[1], seen[4]]).toEqual([ids[0], ids[1], ids[4]])
  })

  it('takes a cursor of its own alone', async () => {
    await create('One more')
    const { nextCursor } = await project.client.ok('listSegments', { query: { limit: 1 } })
    const other = await service.project()
    const query = { cursor: nextCursor ?? '' }
    await other.client.refused('listSegments', 'invalid_cursor', { query })
    await project.client.refused('listBroadcasts', 'invalid_cursor', { query })
  })
})

describe('a count that takes too long', () => {
  /** Does something while no contact can be read. */
  async function withoutContacts(act: () => Promise<void>): Promise<void> {
    const blocker = new pg.Client({ connectionString: service.databaseUrl })
    await blocker.connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query('LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE')
      await act()
    } finally {
      await blocker.query('ROLLBACK')
      await blocker.end()
    }
  }

  it('is null, and the segments are answered all the same', async () => {
    const { id } = await create('Slow')
    await withoutContacts(async () => {
      const [one, all] = await Promise.all([get({ id }), project.client.ok('listSegments')])
      expect(one).toMatchObject({ id, contact_count: null })
      expect(all.segments.length).toBeGreaterThan(3)
      expect(all.segments.every(({ contact_count: count }) => count === null)).toBe(true)
    })
    expect((await get({ id })).contact_count).toBe(2)
  })

  it('keeps nobody waiting who counts nothing', async () => {
    const { id } = await create('Slow, too')
    await withoutContacts(async () => {
      const ended: string[] = []
      const counting = Array.from({ length: 30 }, async () => {
        const { contact_count: count } = await get({ id })
        ended.push(`counted ${count}`)
      })
      // By the last of them, counts without a bound would hold every connection.
      for (let n = 0; n < 5; n++) await project.client.ok('listTemplates')
      ended.push('listed templates')
      await Promise.all(counting)
      expect(ended).toEqual(['listed templates', ...Array(30).fill('counted null')])
    })
  })

  it('keeps no other project waiting, however many of them one asks for', async () => {
    const { sql } = service.ctx
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    const rows: SqlClient['rows'] = async (...asked) => {
      await opened
      return sql.rows(...asked)
    }
    const transaction: Sql['transaction'] = (work) => work({ ...sql, rows })
    const slow = { ...service.ctx, sql: { ...sql, transaction } }
    const filter = { match: 'all' as const, ...tagged('vip') }
    const audience = { filter, category: null, retargetParentId: null }
    const counting = Array.from({ length: 10 }, () => audiences.count(slow, project.id, [audience]))
    const other = await service.project()
    await storeContacts(service, other, [{ tags: ['vip'] }])

    expect(await audiences.count(service.ctx, other.id, [audience])).toEqual([1])

    gate.emit('open')
    await Promise.all(counting)
  })
})
