import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Schema } from '../../core/contract.ts'
import * as broadcastRecipients from '../../capabilities/broadcasts/broadcast-recipients.ts'
import { oneOff, statement } from '../../core/sql.ts'
import { createBroadcast, putRecipients } from '../support/broadcasts.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

type Status = Schema<'BroadcastRecipientStatus'>

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const page = (id: string, query: { limit?: number; offset?: number; status?: Status } = {}) =>
  project.client.ok('listBroadcastRecipients', { path: { id }, query })
const contactsOf = ({ recipients }: { recipients: { contact_id: number }[] }) =>
  recipients.map(({ contact_id: id }) => id)

/** A broadcast that is being sent, with recipients of these statuses. */
async function sending(statuses: Parameters<typeof putRecipients>[2]) {
  const broadcast = await createBroadcast(service, project)
  await service.ctx.db.broadcast.update({
    where: { id: broadcast.id },
    data: {
      status: 'sending',
      approvedAt: service.ctx.now(),
      approvedBy: 'Olga',
      approvalDigest: Buffer.alloc(32),
    },
  })
  await putRecipients(service, broadcast, statuses)
  return broadcast.id
}

describe('the recipients of a broadcast', () => {
  it('are none before it starts', async () => {
    const { id } = await createBroadcast(service, project)
    expect(await page(id)).toEqual({ recipients: [], total: 0, limit: 50, offset: 0 })
    expect((await page(id, { status: 'queued' })).total).toBe(0)
  })

  it('are told with how far each one is', async () => {
    const id = await sending(['delivered', 'held'])
    const at = service.ctx.now()
    const error = { code: '131026', title: 'Undeliverable', details: null, retryable: false }
    await service.ctx.db.broadcastRecipient.update({
      where: { broadcastId_seq: { broadcastId: id, seq: 1 } },
      data: { wamid: 'wamid.1', error, sentAt: at, deliveredAt: at, readAt: at, failedAt: at },
    })
    const now = at.toISOString()
    const times = { sent_at: now, delivered_at: now, read_at: now, failed_at: now }
    const never = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
    expect((await page(id)).recipients).toEqual([
      {
        contact_id: 1,
        phone: '+15551000010',
        name: 'Contact 1',
        status: 'delivered',
        held: false,
        wamid: 'wamid.1',
        error,
        queued_at: now,
        ...times,
      },
      {
        contact_id: 2,
        phone: '+15551000020',
        name: 'Contact 2',
        status: 'queued',
        held: true,
        wamid: null,
        error: null,
        queued_at: null,
        ...never,
      },
    ])
  })

  it('are paged by limit and offset, with the total', async () => {
    const id = await sending(Array.from({ length: 7 }, () => 'sent' as const))
    const first = await page(id, { limit: 3 })
    expect({ ...first, recipients: contactsOf(first) }).toEqual({
      recipients: [1, 2, 3],
      total: 7,
      limit: 3,
      offset: 0,
    })
    expect(contactsOf(await page(id, { limit: 3, offset: 6 }))).toEqual([7])
    expect(contactsOf(await page(id, { offset: 2 }))).toEqual([3, 4, 5, 6, 7])
    for (const offset of [7, 8, 10_000_000]) {
      expect(await page(id, { offset })).toMatchObject({ recipients: [], total: 7, offset })
    }
  })

  it('are filtered by status, each total its own; who is held is queued', async () => {
    const id = await sending([
      ...(['sent', 'failed', 'held', 'read', 'queued', 'failed'] as const),
      ...(['dispatched', 'canceled', 'delivered', 'failed', 'held'] as const),
    ])
    const found = async (status: Status, more: object = {}) => {
      const answer = await page(id, { status, ...more })
      return [answer.total, ...contactsOf(answer)]
    }
    expect(await found('queued')).toEqual([4, 3, 5, 7, 11])
    expect(await found('sent')).toEqual([1, 1])
    expect(await found('delivered')).toEqual([1, 9])
    expect(await found('read')).toEqual([1, 4])
    expect(await found('failed')).toEqual([3, 2, 6, 10])
    expect(await found('failed', { limit: 1, offset: 1 })).toEqual([3, 6])
    expect(await found('canceled')).toEqual([1, 8])
  })

  it.each(['0', '-1', '101', '1000000000', 'abc', '1.5', ''])('have no limit %j', async (limit) => {
    const { id } = await createBroadcast(service, project)
    const request = { path: { id }, query: { limit: limit as never } }
    await project.client.refused('listBroadcastRecipients', 'bad_request', request)
  })

  it.each(['-1', '10000001', '1000000000000000000', '1e18', 'abc', '0x1'])(
    'have no offset %j',
    async (offset) => {
      const { id } = await createBroadcast(service, project)
      const request = { path: { id }, query: { offset: offset as never } }
      const { details } = await project.client.refused(
        'listBroadcastRecipients',
        'bad_request',
        request,
      )
      expect(details.errors).toMatchObject([{ path: 'offset' }])
    },
  )

  it.each(['held', 'leased', 'Queued'])('have no status %j', async (status) => {
    const { id } = await createBroadcast(service, project)
    const request = { path: { id }, query: { status: status as never } }
    await project.client.refused('listBroadcastRecipients', 'bad_request', request)
  })
})

describe('a deep page of recipients', () => {
  it('reads no more rows than it shows', async () => {
    const id = await sending(['sent'])
    const fill = statement(
      'test-fill-recipients',
      `WITH more AS (
         INSERT INTO broadcast_recipients (broadcast_id, seq, project_id, contact_id, phone, status)
         SELECT $1::uuid, n, $2, n, '+1', 'sent' FROM generate_series(2, 20000) n RETURNING 1
       ) UPDATE broadcasts SET total = 20000, sent = 20000 WHERE id = $1`,
    )
    await service.ctx.sql.rows(fill, [id, project.id])
    const ranges = new Map<string, string>()
    const rows: typeof service.ctx.sql.rows = (asked, values) => {
      ranges.set(asked.name, asked.text)
      return service.ctx.sql.rows(asked, values)
    }
    const ctx = { ...service.ctx, project: { id: project.id }, sql: { ...service.ctx.sql, rows } }
    const query = { offset: 19_000, limit: 50 }
    const { recipients } = await broadcastRecipients.list(ctx as never, id, query)
    expect(contactsOf({ recipients })).toEqual(Array.from({ length: 50 }, (_, n) => 19_001 + n))

    const explain = `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON) ${ranges.get('list-recipients')}`
    const values = [id, project.id, query.offset, query.limit]
    const [row] = await service.ctx.sql.rows(oneOff(explain), values)
    const plan = row?.[0] ?? ''
    const scanned = [...plan.matchAll(/"Actual Rows": (\d+)/g)].map(([, count]) => Number(count))
    expect(Math.max(...scanned)).toBe(50)
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by (Filter|Index Recheck)": [1-9]/)
  })
})
