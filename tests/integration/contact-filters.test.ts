import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as audiences from '../../capabilities/segments/audiences.ts'
import type { ContactFilter } from '../../capabilities/segments/contact-filter.ts'
import { oneOff } from '../../core/sql.ts'
import { createBroadcast, storeContacts } from '../support/broadcasts.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

const day = (day: number) => new Date(Date.UTC(2026, 10, day))

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  const other = await service.project()
  await storeContacts(service, project, [
    {
      phone: '+15550001001',
      name: 'Ana',
      tags: ['vip', 'es'],
      optedIn: true,
      attributes: { plan: 'gold', seats: 4, paid: true },
      createdAt: day(1),
      state: 'handover',
      lastInboundAt: day(10),
    },
    {
      phone: '+5215512345678',
      name: 'Ben',
      tags: ['vip'],
      attributes: { plan: 'silver', seats: 10, paid: false, city: 'ÇEŞME, Köln' },
      createdAt: day(2),
      state: 'unstructured',
      lastInboundAt: null,
    },
    {
      phone: '+34600111222',
      name: 'anton_100%',
      tags: [] as string[],
      attributes: { plan: '4', seats: 'four' },
      createdAt: day(3),
      optedIn: true,
    },
    { phone: null, userId: 'MX.1', name: null, createdAt: day(4) },
  ])
  await storeContacts(service, other, [
    { name: 'Eve', tags: ['vip'], optedIn: true, attributes: { plan: 'gold' } },
  ])
})
afterAll(() => service.stop())

type Condition = [field: string, op: string, value: string | number | boolean | null]

/** The first letters of those who fit, in the order of their creation. */
async function found(conditions: Condition[], match = 'all', category: 'MARKETING' | null = null) {
  const filter = {
    match,
    conditions: conditions.map(([field, op, value]) => ({ field, op, value })),
  } as ContactFilter
  const audience = { filter, category, retargetParentId: null }
  const { from, where, values } = audiences.audienceSql(project.id, audience)
  const text = `SELECT coalesce(left(k.name, 1), '-') FROM ${from} WHERE ${where} ORDER BY k.id`
  const rows = await service.ctx.sql.rows(oneOff(text), values)
  return rows.map(([letter]) => letter).join('')
}

describe('a condition', () => {
  it.each<[...Condition, string]>([
    ['phone', 'eq', '+1 (555) 000-1001', 'A'],
    ['phone', 'eq', '+525512345678', 'B'],
    ['phone', 'neq', '+15550001001', 'Ba'],
    ['phone', 'like', '+34%', 'a'],
    ['phone', 'is', null, '-'],
    ['phone', 'gte', '+34', 'Ba'],
    ['name', 'eq', 'Ana', 'A'],
    ['name', 'eq', 'ana', ''],
    ['name', 'neq', 'Ana', 'Ba'],
    ['name', 'gt', 'Ana', 'Ba'],
    ['name', 'lt', 'B', 'A'],
    ['name', 'like', 'An%', 'A'],
    ['name', 'ilike', 'an%', 'Aa'],
    ['name', 'like', '_en', 'B'],
    ['name', 'like', 'anton\\_100\\%', 'a'],
    ['name', 'is', null, '-'],
    ['tags', 'contains', 'vip', 'AB'],
    ['tags', 'contains', 'vi', ''],
    ['tags', 'not_contains', 'vip', 'a-'],
    ['opted_in', 'eq', true, 'Aa'],
    ['opted_in', 'neq', true, 'B-'],
    ['opted_in', 'is', false, 'B-'],
    ['opted_in', 'is', null, ''],
    ['state', 'eq', 'handover', 'A'],
    ['state', 'neq', 'handover', 'B'],
    ['state', 'is', null, 'a-'],
    ['created_at', 'lt', '2026-11-02', 'A'],
    ['created_at', 'lte', '2026-11-02T00:00:00Z', 'AB'],
    ['created_at', 'eq', '2026-11-03T01:00:00+01:00', 'a'],
    ['created_at', 'gt', '2026-11-03', '-'],
    ['last_inbound_at', 'gte', '2026-11-10', 'A'],
    ['last_inbound_at', 'is', null, 'Ba-'],
    ['attributes.plan', 'eq', 'gold', 'A'],
    ['attributes.plan', 'neq', 'gold', 'Ba'],
    ['attributes.plan', 'eq', '4', 'a'],
    ['attributes.plan', 'eq', 4, ''],
    ['attributes.plan', 'like', '%l%', 'AB'],
    ['attributes.city', 'ilike', 'çeşme, KÖLN', 'B'],
    ['attributes.plan', 'gt', 'gold', 'B'],
    ['attributes.plan', 'is', null, '-'],
    ['attributes.seats', 'eq', 4, 'A'],
    ['attributes.seats', 'eq', 4.0, 'A'],
    ['attributes.seats', 'gt', 4, 'B'],
    ['attributes.seats', 'gte', 4, 'AB'],
    ['attributes.seats', 'lt', 1e300, 'AB'],
    ['attributes.seats', 'gt', 'a', 'a'],
    ['attributes.seats', 'neq', 4, 'Ba'],
    ['attributes.paid', 'eq', true, 'A'],
    ['attributes.paid', 'is', true, 'A'],
    ['attributes.paid', 'is', false, 'B'],
    ['attributes.paid', 'neq', true, 'B'],
    ['attributes.nobody', 'neq', 'x', ''],
    ['attributes.nobody', 'is', null, 'ABa-'],
  ])('finds by %s %s %j: %s', async (field, op, value, letters) => {
    expect(await found([[field, op, value]])).toBe(letters)
  })
})

describe('a filter', () => {
  const vip: Condition = ['tags', 'contains', 'vip']
  const small: Condition = ['attributes.seats', 'lt', 5]

  it('finds everyone of the project, and nobody else, without conditions', async () => {
    expect(await found([])).toBe('ABa-')
    expect(await found([], 'any')).toBe('ABa-')
  })

  it('finds who fits all of its conditions, or any', async () => {
    expect(await found([vip, small])).toBe('A')
    expect(await found([vip, ['name', 'is', null]], 'any')).toBe('AB-')
  })

  it('finds those who opted in, for marketing', async () => {
    expect(await found([], 'all', 'MARKETING')).toBe('Aa')
    expect(await found([vip, ['name', 'is', null]], 'any', 'MARKETING')).toBe('A')
  })

  it('takes the most that it may hold', async () => {
    expect(await found(Array.from({ length: 20 }, () => vip))).toBe('AB')
  })
})

describe('the audience of a follow-up', () => {
  it('is who the limit of the channel kept the broadcast from, and still may be sent to', async () => {
    const { id } = await createBroadcast(service, project)
    const contacts = await service.ctx.db.contact.findMany({ where: { projectId: project.id } })
    const error = (code: string) => ({ code, title: '', details: null, retryable: false })
    const fates = [
      { status: 'failed', error: error('131049') },
      { status: 'failed', error: error('131049') },
      { status: 'failed', error: error('131026') },
      { status: 'sent' },
    ]
    const rows = contacts.map(({ id: contactId }, index) => ({
      broadcastId: id,
      seq: index + 1,
      projectId: project.id,
      contactId,
      phone: '+1',
      ...fates[index],
    }))
    await service.ctx.db.broadcastRecipient.createMany({ data: rows })

    const follow = { filter: { match: 'all' as const, conditions: [] }, retargetParentId: id }
    const counts = await audiences.count(service.ctx, project.id, [
      { ...follow, category: 'UTILITY' },
      { ...follow, category: 'MARKETING' },
    ])
    expect(counts).toEqual([2, 1])
  })
})
