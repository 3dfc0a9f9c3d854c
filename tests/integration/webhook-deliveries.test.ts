import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import { LIMITS } from '../../core/limits.ts'
import { deliver, happen, register, standingOf, untilStatus } from '../support/deliveries.ts'
import { checkEvent, eventCount, type Told } from '../support/events.ts'
import { type Receiver, startReceiver, verifies } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let service: TestService
let project: TestProject
let receiver: Receiver

beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOK_TIMEOUT_MS: '1500' }, behindMs: 8 * DAY_MS })
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  project = await service.project()
})
// What waits for one of them keeps the events after it, whosever they are.
afterEach(async () => {
  const { webhooks } = await project.client.ok('listWebhooks')
  for (const { id } of webhooks) await project.client.ok('deleteWebhook', { path: { id } })
  await receiver.close()
})

const test = (id: string) => project.client.ok('testWebhook', { path: { id } })
const list = (id: string, query: { limit?: number; cursor?: string } = {}) =>
  project.client.ok('listWebhookDeliveries', { path: { id }, query })

describe('a test of a registration', () => {
  it('posts one signed webhook.test now, and tells and keeps how it went', async () => {
    const { id, secret } = await register(project, receiver.url)
    expect(await test(id)).toEqual({
      delivered: true,
      status_code: 204,
      duration_ms: expect.any(Number),
      error: null,
    })
    const [one, ...others] = receiver.received
    expect(others).toEqual([])
    checkEvent(JSON.parse(one!.body) as Told)
    expect(one!.headers['x-service-event']).toBe('webhook.test')
    expect(verifies(one!, secret, service.ctx.now().getTime() / 1000)).toBe(true)
    const at = service.ctx.now().toISOString()
    expect((await list(id)).deliveries).toEqual([
      {
        id: one!.id,
        event: 'webhook.test',
        status: 'delivered',
        created_at: at,
        attempts: [{ at, status_code: 204, error: null, duration_ms: expect.any(Number) }],
        next_attempt_at: null,
      },
    ])
    const { lastTriggeredAt } = await standingOf(service.ctx, id)
    expect(lastTriggeredAt).toEqual(service.ctx.now())
  })

  it.each([
    [() => 500 as const, { status_code: 500, error: null }],
    [() => 302 as const, { status_code: 302, error: null }],
    [() => 'hang' as const, { status_code: null, error: 'timeout' }],
  ])('that fails is tried once and counts for nothing', async (behaviour, expected) => {
    receiver.behave(behaviour)
    const { id } = await register(project, receiver.url)
    for (let n = 0; n < 3; n++)
      expect(await test(id)).toMatchObject({ delivered: false, ...expected })
    const delivering = deliver(service.ctx)
    service.advance(DAY_MS / 24)
    await delivering.look()
    await delivering.stop()
    expect(receiver.received).toHaveLength(3)
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 0, isActive: true })
    const { deliveries } = await list(id)
    expect(deliveries.map(({ status }) => status)).toEqual(['dropped', 'dropped', 'dropped'])
  })

  it('works on one that is turned off, and is not to be had for another project’s', async () => {
    const { id } = await register(project, receiver.url)
    await project.client.ok('updateWebhook', { path: { id }, body: { is_active: false } })
    expect(await test(id)).toMatchObject({ delivered: true })
    expect(await standingOf(service.ctx, id)).toMatchObject({ isActive: false })

    const { client } = await service.project()
    for (const operation of ['testWebhook', 'listWebhookDeliveries'] as const) {
      await client.refused(operation, 'not_found', { path: { id } })
    }
    expect(receiver.received).toHaveLength(1)
  })
})

describe('the deliveries of a registration', () => {
  it('come the latest event first, page by page, with every attempt', async () => {
    receiver.behave(({ body }) => (body.includes('"data":3}') ? 503 : 204))
    const { id } = await register(project, receiver.url)
    const delivering = deliver(service.ctx)
    await happen(
      service,
      project,
      Array.from({ length: 7 }, (_, n) => ({ data: String(n), name: 'order.paid' })),
    )
    await untilStatus(service.ctx, id, 'delivered', 6)
    await delivering.look()
    await delivering.stop()

    const pages = []
    let cursor: string | undefined
    do {
      const page = await list(id, { limit: 3, ...(cursor && { cursor }) })
      pages.push(page.deliveries)
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
    expect((await list(id)).deliveries).toEqual(pages.flat())
    const idsInOrder = receiver.received
      .map((one) => [(JSON.parse(one.body) as { data: number }).data, one.id] as const)
      .sort(([a], [b]) => b - a)
      .map(([, deliveryId]) => deliveryId)
    expect(pages.flat().map((delivery) => delivery.id)).toEqual(idsInOrder)

    const failed = pages.flat()[3]!
    const [attempt] = failed.attempts
    expect(failed).toMatchObject({ status: 'pending', attempts: [{ status_code: 503 }] })
    const waitMs = Date.parse(failed.next_attempt_at!) - Date.parse(attempt!.at)
    expect(waitMs).toBeGreaterThanOrEqual(4_500)
    expect(waitMs).toBeLessThanOrEqual(5_500)

    const { id: other } = await register(project, receiver.url)
    const first = await list(id, { limit: 3 })
    await project.client.refused('listWebhookDeliveries', 'invalid_cursor', {
      path: { id: other },
      query: { cursor: first.nextCursor! },
    })
  })

  it('that nobody has attempted yet are due since their event', async () => {
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    const at = service.ctx.now().toISOString()
    expect((await list(id)).deliveries).toMatchObject([
      { status: 'pending', attempts: [], next_attempt_at: at, created_at: at },
    ])
  })

  it('are shown for seven days and then forgotten, with their events', async () => {
    const { id } = await register(project, receiver.url)
    await test(id)
    service.advance(LIMITS.deliveriesKeptMs - DAY_MS)
    await test(id)
    await retention.pruneExpired(service.ctx)
    expect((await list(id)).deliveries).toHaveLength(2)
    expect(await eventCount(service, project.id)).toBe(2)

    service.advance(DAY_MS + 1)
    expect((await list(id)).deliveries).toHaveLength(1)
    await retention.pruneExpired(service.ctx)
    expect((await list(id)).deliveries).toHaveLength(1)
    expect(await eventCount(service, project.id)).toBe(1)
  })
})
