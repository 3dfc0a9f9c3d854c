import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as keys from '../../capabilities/projects/keys.ts'
import { keepLeases } from '../../capabilities/webhooks/delivery-rows.ts'
import { settlementOf, writeSettlement } from '../../capabilities/webhooks/delivery-settlements.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import {
  deliver,
  deliveriesOf,
  happen,
  register,
  standingOf,
  untilAttempts,
  untilStatus,
} from '../support/deliveries.ts'
import { createClient } from '../support/client.ts'
import { untilWaiting } from '../support/locks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { statementsOf } from '../support/statements.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Above the longest delay with its jitter. */
const NEXT_ATTEMPT_MS = 45_000
const { run: sweepDeliveries } = jobs['sweep-deliveries']

let service: TestService
let project: TestProject
let receiver: Receiver
let delivering: ReturnType<typeof deliver>

beforeAll(async () => {
  service = await startTestService({ behindMs: 4 * 3_600_000 })
  project = await service.project()
  delivering = deliver(service.ctx)
})
afterAll(async () => {
  await delivering.stop()
  await service.stop()
})
beforeEach(async () => {
  receiver = await startReceiver(() => 500)
})
afterEach(() => receiver.close())

const setEpoch = statement('test-set-epoch', 'UPDATE webhooks SET epoch = epoch + 1 WHERE id = $1')
const startOver = statement(
  'test-start-over',
  'UPDATE webhooks SET failure_count = 0 WHERE id = $1',
)

const takeAway = statement(
  'test-take-away',
  'UPDATE webhooks SET events = array_remove(events, $2) WHERE id = $1',
)

const tryAgain = statement(
  'test-try-again',
  `UPDATE deliveries SET next_attempt_at = $2 WHERE webhook_id = $1
      AND event_id = (SELECT min(event_id) FROM deliveries WHERE webhook_id = $1)`,
)

const many = (count: number) => Array.from({ length: count }, () => ({}))

/** Lets so many events happen and fail for good; they must not turn the registration off. */
async function failEvents(id: string, count: number): Promise<void> {
  const before = (await deliveriesOf(service.ctx, id)).reduce((sum, d) => sum + d.attempts, 0)
  await happen(service, project, many(count))
  for (let attempt = 1; attempt <= 5; attempt++) {
    await untilAttempts(service.ctx, id, before + attempt * count)
    service.advance(NEXT_ATTEMPT_MS)
    delivering.wake()
  }
}

const remove = (id: string) => project.client.ok('deleteWebhook', { path: { id } })
const activate = (id: string, isActive: boolean) =>
  project.client.ok('updateWebhook', { path: { id }, body: { is_active: isActive } })

describe('a registration', () => {
  it('counts failed events, not failed attempts, and starts over with a success', async () => {
    const { id } = await register(project, receiver.url)
    await failEvents(id, 9)
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 9, isActive: true })

    receiver.behave((_, count) => (count < 4 ? 500 : 204))
    await happen(service, project, [{}])
    for (let attempt = 1; attempt <= 5; attempt++) {
      await untilAttempts(service.ctx, id, 45 + attempt)
      const { failureCount } = await standingOf(service.ctx, id)
      expect(failureCount).toBe(attempt < 5 ? 9 : 0)
      service.advance(NEXT_ATTEMPT_MS)
      delivering.wake()
    }
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 0, isActive: true })
    await remove(id)
  })

  it.each<[string, (id: string, fail: () => void) => Promise<void>]>([
    [
      'while the last attempts are under way',
      async (id, fail) => {
        expect((await activate(id, true)).webhook).toMatchObject({ failure_count: 0 })
        fail()
      },
    ],
    [
      'at the very moment at which their failures are written',
      (id, fail) =>
        service.ctx.sql.transaction(async (tx) => {
          await tx.rows(startOver, [id])
          fail()
          await untilWaiting(service.ctx)
        }),
    ],
  ])('that is active starts its count over when it is set active %s', async (_when, setActive) => {
    const { id } = await register(project, receiver.url)
    await failEvents(id, 9)
    await happen(service, project, many(2))
    for (let attempt = 1; attempt <= 4; attempt++) {
      await untilAttempts(service.ctx, id, 45 + attempt * 2)
      if (attempt === 4) receiver.behave(() => 'hold')
      service.advance(NEXT_ATTEMPT_MS)
      delivering.wake()
    }
    await until(() => receiver.open() === 2, 'the last attempts under way')
    const begun = receiver.received.length
    await setActive(id, () => receiver.release(2, 500))

    await untilStatus(service.ctx, id, 'dropped', 11)
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 2, isActive: true })
    await delivering.look()
    expect(receiver.received).toHaveLength(begun)
    await remove(id)
  })

  it('is turned off by exactly ten failed events in a row, of 64 at the same time', async () => {
    const { id } = await register(project, receiver.url)
    await failEvents(id, 9)
    await happen(service, project, many(64))
    await until(async () => {
      service.advance(NEXT_ATTEMPT_MS)
      await delivering.look()
      return !(await standingOf(service.ctx, id)).isActive
    }, 'turned off')

    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 10, epoch: 2 })
    await untilStatus(service.ctx, id, 'canceled', 63)
    await until(() => receiver.open() === 0, 'the last answers')
    const begun = receiver.received.length
    await happen(service, project, many(3))
    service.advance(3_600_000)
    await delivering.look()
    expect(receiver.received).toHaveLength(begun)
    const states = (await deliveriesOf(service.ctx, id)).map(({ status }) => status)
    expect(states.filter((status) => status === 'dropped')).toHaveLength(10)
    expect(states).toHaveLength(73)
    const shown = await project.client.ok('getWebhook', { path: { id } })
    expect(shown.webhook).toMatchObject({ is_active: false, failure_count: 10 })

    receiver.behave(() => 204)
    await activate(id, true)
    await happen(service, project, [{}])
    await untilStatus(service.ctx, id, 'delivered', 1)
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 0, isActive: true })
    await untilStatus(service.ctx, id, 'canceled', 63)
    await remove(id)
  })

  it('ignores what comes of attempts that began before it was turned off and on again', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    await happen(service, project, many(3))
    await until(() => receiver.received.length === 3, 'three attempts under way')
    await activate(id, false)
    await activate(id, true)
    receiver.behave(() => 500)
    receiver.release()
    await until(() => receiver.open() === 0, 'their answers')
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)
    expect(await deliveriesOf(service.ctx, id)).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ status: 'canceled', attempts: 0 })),
      { status: 'pending', attempts: 1 },
    ])
    await remove(id)
  })

  it('lists no attempt that was under way when it was turned off, though it was accepted', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await until(() => receiver.open() === 1, 'an attempt under way')
    await activate(id, false)
    receiver.release()
    await until(() => receiver.open() === 0, 'its answer')
    await delivering.look()
    const { deliveries } = await project.client.ok('listWebhookDeliveries', { path: { id } })
    expect(deliveries).toMatchObject([{ status: 'canceled', attempts: [], next_attempt_at: null }])
    await remove(id)
  })

  it('is not turned off by the failures of a life before', async () => {
    const { id } = await register(project, receiver.url)
    await activate(id, false)
    await activate(id, true)
    const { epoch } = await standingOf(service.ctx, id)
    // As it was leased then, by a worker that tells late of ten failures in a row.
    const lane = { webhookId: id, fence: 0, epoch: epoch - 1, failureCount: 0, triggeredAt: null }
    const attempt = { at: '2026-01-01T00:00:00Z', status_code: 500, error: null, duration_ms: 1 }
    const verdict = { status: 'dropped', nextAttemptAt: null } as const
    const outcomes = Array.from({ length: 10 }, (_, n) => ({
      lane,
      eventId: n + 1,
      attemptsBefore: 4,
      attempt,
      verdict,
    }))
    await writeSettlement(
      service.ctx,
      settlementOf(outcomes, () => true),
    )
    const untouched = { failureCount: 0, isActive: true, epoch }
    expect(await standingOf(service.ctx, id)).toMatchObject(untouched)
    await remove(id)
  })

  it.each(['deactivated', 'deleted'])(
    'that is %s while 100 events are due begins no attempt after the answer',
    async (how) => {
      const { id } = await register(project, receiver.url)
      receiver.behave(() => 'hold')
      await happen(service, project, many(100))
      await until(() => receiver.received.length === 10, 'the first attempts under way')
      await (how === 'deleted' ? remove(id) : activate(id, false))
      const begun = receiver.received.length
      receiver.release()
      await until(() => receiver.open() === 0, 'their answers')
      await delivering.look()
      expect(receiver.received).toHaveLength(begun)
      await untilStatus(service.ctx, id, 'canceled', 100)
      if (how === 'deactivated') await remove(id)
    },
  )

  it('that gets another url has what waits go there, from the answer on', async () => {
    const { id } = await register(project, `${receiver.url}/old`)
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)
    const path = { id }
    const elsewhere = await startReceiver()
    await project.client.ok('updateWebhook', { path, body: { url: `${elsewhere.url}/new` } })
    await happen(service, project, [{}])
    service.advance(6_000)
    delivering.wake()
    await untilStatus(service.ctx, id, 'delivered', 2)
    expect(receiver.received).toHaveLength(1)
    expect(elsewhere.received.map((one) => one.path)).toEqual(['/new', '/new'])
    await elsewhere.close()
  })

  it('that is for an event no more has what waits of it canceled, and is told of the others', async () => {
    const { id } = await register(project, receiver.url, ['order.paid', 'order.lost'])
    await happen(service, project, [{ name: 'order.lost' }, {}])
    await untilAttempts(service.ctx, id, 2)
    await project.client.ok('updateWebhook', { path: { id }, body: { events: ['order.paid'] } })
    await untilStatus(service.ctx, id, 'canceled', 1)
    service.advance(NEXT_ATTEMPT_MS)
    delivering.wake()
    await untilAttempts(service.ctx, id, 3)
    expect(receiver.received.map(({ event }) => event).slice(2)).toEqual(['order.paid'])
    await remove(id)
  })

  it('that somebody without an event’s scope takes from it, and moves, takes nothing of it along', async () => {
    const { client } = project
    const { id } = await register(project, `${receiver.url}/old`, [
      'message.received',
      'order.paid',
    ])
    await happen(service, project, [{ name: 'message.received', data: '"private"' }])
    await untilAttempts(service.ctx, id, 1)
    const elsewhere = await startReceiver()
    const { secret } = await keys.create(service.ctx, {
      projectId: project.id,
      name: 'Without events:message_received',
      scopes: ['webhooks:manage'],
      isTest: true,
    })
    const body = { url: `${elsewhere.url}/new`, events: ['order.paid'] }
    await createClient(service.url, secret).ok('updateWebhook', { path: { id }, body })
    await happen(service, project, [{}])
    service.advance(NEXT_ATTEMPT_MS)
    delivering.wake()
    await untilStatus(service.ctx, id, 'delivered', 1)
    await delivering.look()
    expect(elsewhere.received.map(({ event }) => event)).toEqual(['order.paid'])
    await client.ok('deleteWebhook', { path: { id } })
    await elsewhere.close()
  })

  it('that is for an event no more is not told of one that was written at that moment', async () => {
    const { id } = await register(project, receiver.url, ['order.paid', 'order.lost'])
    await delivering.stop()
    await happen(service, project, [{ name: 'order.lost' }, {}])
    await service.ctx.sql.rows(takeAway, [id, 'order.lost'])
    delivering = deliver(service.ctx)
    await untilStatus(service.ctx, id, 'canceled', 1)
    await untilAttempts(service.ctx, id, 1)
    expect(receiver.received.map(({ event }) => event)).toEqual(['order.paid'])
    await remove(id)
  })

  it('has many of an event that it is for no more canceled once, not by each attempt that would begin', async () => {
    const { id } = await register(project, receiver.url, ['order.paid', 'order.lost'])
    await delivering.stop()
    await happen(
      service,
      project,
      many(20).map(() => ({ name: 'order.lost' })),
    )
    await service.ctx.sql.rows(takeAway, [id, 'order.lost'])
    const made = await statementsOf(service, async () => {
      delivering = deliver(service.ctx)
      await untilStatus(service.ctx, id, 'canceled', 20)
      await delivering.look()
    })
    expect(made.filter((name) => name === 'cancel-unwanted-deliveries')).toHaveLength(1)
    await remove(id)
  })

  it('that was turned off by nobody’s statement has what waits canceled by the sweep', async () => {
    const { id } = await register(project, receiver.url)
    await delivering.stop()
    await happen(service, project, many(3))
    await service.ctx.sql.rows(tryAgain, [id, service.ctx.now()])
    await service.ctx.sql.rows(setEpoch, [id])
    delivering = deliver(service.ctx)
    await delivering.look()
    await delivering.stop()
    expect(receiver.received).toEqual([])
    await sweepDeliveries(service.ctx)
    const canceled = { status: 'canceled', attempts: 0, nextAttemptAt: null }
    expect(await deliveriesOf(service.ctx, id)).toMatchObject([canceled, canceled, canceled])
    delivering = deliver(service.ctx)
    await delivering.look()
    expect(receiver.received).toEqual([])
    await remove(id)
  })

  it('tells the latest attempt, though an earlier one is written after it', async () => {
    const { id } = await register(project, receiver.url)
    const { epoch } = await standingOf(service.ctx, id)
    const now = service.ctx.now()
    const own = { webhookId: id, fence: 0, epoch, failureCount: 0 }
    for (const triggeredAt of [now, new Date(now.getTime() - 1_000)]) {
      const lane = { ...own, triggeredAt }
      const lanes = [{ lane, failureCount: null, triggeredAt }]
      const disabled = new Set<typeof lane>()
      await writeSettlement(service.ctx, { outcomes: [], lanes, disabled })
      await keepLeases(service.ctx, [{ ...lane, leaseMs: 0 }])
    }
    expect((await standingOf(service.ctx, id)).lastTriggeredAt).toEqual(now)
    await remove(id)
  })

  it('tells when it was last triggered, by failures too', async () => {
    const { id } = await register(project, receiver.url)
    expect((await standingOf(service.ctx, id)).lastTriggeredAt).toBeNull()
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)
    expect((await standingOf(service.ctx, id)).lastTriggeredAt).toEqual(service.ctx.now())
    service.advance(6_000)
    delivering.wake()
    await untilAttempts(service.ctx, id, 2)
    await until(async () => {
      const { lastTriggeredAt } = await standingOf(service.ctx, id)
      return lastTriggeredAt?.getTime() === service.ctx.now().getTime()
    }, 'the second attempt is told')
    await remove(id)
  })
})
