import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { dueCount, keepLeases } from '../../capabilities/webhooks/delivery-rows.ts'
import { writeSettlement } from '../../capabilities/webhooks/delivery-settlements.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import {
  deliver,
  deliveriesOf,
  happen,
  register,
  standingOf,
  untilAttempts,
  untilStatus,
} from '../support/deliveries.ts'
import { losing } from '../support/failing-sql.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const limits = LIMITS as Record<string, unknown>
const DAY_MS = 24 * 60 * 60 * 1000
const FIRST_DELAY_MS = 5_000

let service: TestService
let project: TestProject
let receiver: Receiver

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  project = await service.project()
})
afterEach(() => receiver.close())

const numbered = (count: number, subjects: number) =>
  Array.from({ length: count }, (_, n) => ({ data: String(n), subject: `s${n % subjects}` }))
const numberOf = ({ body }: Received) => (JSON.parse(body) as { data: number }).data

const lease = statement(
  'test-lease',
  `UPDATE webhooks SET fence = fence + 1, lease_until = now() + $2::int * interval '1 ms'
    WHERE id = $1`,
)
/** Takes a lease as another worker does; one of the past is that of a worker that has died. */
const leaseElsewhere = (id: string, ms: number) => service.ctx.sql.rows(lease, [id, ms])

const leasesLost = async () => {
  const { values } = await service.ctx.metrics.webhookLeasesLost.get()
  return values[0]?.value ?? 0
}

describe('an event reaches its receiver at once, though no poll comes', () => {
  const eachMustArrive = async (id: string) => {
    for (let count = 1; count <= 3; count++) {
      await happen(service, project, [{}])
      await until(() => receiver.received.length === count, 'the attempt')
      await untilStatus(service.ctx, id, 'delivered', count)
    }
  }

  beforeEach(() => {
    jest.replaceProperty(limits, 'deliveriesPollMs', 10 * 60_000)
  })
  afterEach(() => void jest.restoreAllMocks())

  it('from the process in which it happens', async () => {
    const worker = deliver(service.ctx)
    const { id } = await register(project, receiver.url)
    await eachMustArrive(id)
    await worker.stop()
  })

  it('from another process, which hears of it', async () => {
    const { databaseUrl } = service
    const worker = await startTestService({ databaseUrl, env: { ROLE: 'worker' } })
    const { id } = await register(project, receiver.url)
    await eachMustArrive(id)
    await worker.stop()
  })
})

describe('two workers on one database', () => {
  it('share the registrations, and make every attempt once and in order', async () => {
    const other = await startTestService({ databaseUrl: service.databaseUrl })
    const workers = [deliver(service.ctx), deliver(other.ctx)]
    const webhooks = await Promise.all(
      Array.from({ length: 6 }, (_, n) => register(project, `${receiver.url}/${n}`)),
    )
    for (let batch = 0; batch < 10; batch++) {
      await happen(service, project, numbered(30, 5))
      for (const { wake } of workers) wake()
    }
    await Promise.all(webhooks.map(({ id }) => untilStatus(service.ctx, id, 'delivered', 300)))

    expect(receiver.received).toHaveLength(6 * 300)
    expect(new Set(receiver.ids()).size).toBe(6 * 300)
    for (let n = 0; n < 6; n++) {
      const arrived = receiver.received.filter(({ path }) => path === `/${n}`).map(numberOf)
      for (let subject = 0; subject < 5; subject++) {
        const expected = Array.from({ length: 60 }, (_, i) => (subject + 5 * i) % 30)
        expect(arrived.filter((number) => number % 5 === subject)).toEqual(expected)
      }
    }
    for (const worker of workers) await worker.stop()
    await other.stop()
  })
})

describe('a lease', () => {
  it('keeps everybody else away for as long as it lasts, and is taken over when it has run out', async () => {
    const { id } = await register(project, receiver.url)
    await leaseElsewhere(id, 3_600_000)
    const worker = deliver(service.ctx)
    await happen(service, project, [{}, {}])
    await worker.look()
    expect(await standingOf(service.ctx, id)).toMatchObject({ isLeased: true, leases: 1 })
    const lost = await leasesLost()

    await leaseElsewhere(id, -1)
    await worker.look()
    await untilStatus(service.ctx, id, 'delivered', 2)
    expect(await leasesLost()).toBe(lost + 1)
    await worker.stop()
    expect(await standingOf(service.ctx, id)).toMatchObject({ isLeased: false })
    expect(receiver.received).toHaveLength(2)
  })

  it('that was lost makes what comes of its attempts count for nothing', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    const worker = deliver(service.ctx)
    await happen(service, project, numbered(20, 20))
    await until(() => receiver.open() === LIMITS.attemptsAtOncePerWebhook, 'attempts under way')
    await leaseElsewhere(id, 3_600_000)
    receiver.behave(() => 500)
    receiver.release()
    await until(() => receiver.open() === 0, 'their answers')
    await worker.look()
    const untouched = Array.from({ length: 20 }, () => ({ status: 'pending', attempts: 0 }))
    expect(await deliveriesOf(service.ctx, id)).toMatchObject(untouched)
    expect(await standingOf(service.ctx, id)).toMatchObject({ failureCount: 0 })

    const begun = receiver.received.length
    receiver.behave(() => 204)
    await leaseElsewhere(id, -1)
    await untilStatus(service.ctx, id, 'delivered', 20)
    expect(receiver.received.length - begun).toBe(20)
    await worker.stop()
  })

  it('that is another one’s by now is neither prolonged nor given back', async () => {
    const { id } = await register(project, receiver.url)
    await leaseElsewhere(id, 3_600_000)
    const lost = { webhookId: id, fence: 1, triggeredAt: service.ctx.now() }
    await leaseElsewhere(id, 3_600_000)
    for (const leaseMs of [60_000, 0]) {
      expect(await keepLeases(service.ctx, [{ ...lost, leaseMs }])).toEqual(new Set())
    }
    const untouched = { isLeased: true, lastTriggeredAt: null }
    expect(await standingOf(service.ctx, id)).toMatchObject(untouched)
  })

  it('is given back by a worker that stops, which ends what it began and begins nothing more', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    const worker = deliver(service.ctx)
    await happen(service, project, numbered(30, 30))
    await until(() => receiver.open() === LIMITS.attemptsAtOncePerWebhook, 'attempts under way')
    const stopped = worker.stop()
    receiver.behave(() => 204)
    receiver.release()
    await stopped

    expect(receiver.received).toHaveLength(LIMITS.attemptsAtOncePerWebhook)
    await untilStatus(service.ctx, id, 'delivered', LIMITS.attemptsAtOncePerWebhook)
    expect(await standingOf(service.ctx, id)).toMatchObject({ isLeased: false })
    const next = deliver(service.ctx)
    await untilStatus(service.ctx, id, 'delivered', 30)
    expect(receiver.received).toHaveLength(30)
    await next.stop()
  })
})

describe('a worker whose clock is a day ahead', () => {
  const ahead = (): Context => ({ ...service.ctx, now: () => new Date(Date.now() + DAY_MS) })
  const afterMs = (ms: number) => Date.now() + ms

  it('puts a retry off by its delay, and does not make it before that is over', async () => {
    receiver.behave(() => 500)
    const { id } = await register(project, receiver.url)
    const worker = deliver(ahead())
    const soonest = afterMs(FIRST_DELAY_MS * (1 - LIMITS.retryJitter))
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)
    const latest = afterMs(FIRST_DELAY_MS * (1 + LIMITS.retryJitter))
    const [{ nextAttemptAt } = { nextAttemptAt: null }] = await deliveriesOf(service.ctx, id)
    expect(nextAttemptAt!.getTime()).toBeGreaterThanOrEqual(soonest)
    expect(nextAttemptAt!.getTime()).toBeLessThanOrEqual(latest)
    await worker.look()
    expect(receiver.received).toHaveLength(1)
    expect(await dueCount(service.ctx.sql, ahead().now())).toBe(0)
    await worker.stop()
  })
})

const putOff = statement(
  'test-put-off-delivery',
  `UPDATE deliveries SET next_attempt_at = now() + interval '1 day', attempts = 1
    WHERE webhook_id = $1`,
)

describe('a retry that a clock of tomorrow has put off', () => {
  it.each([
    ['alone', 0],
    ['beside another event', 1],
  ])('is made at once, %s', async (_where, others) => {
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await service.ctx.sql.rows(putOff, [id])
    await happen(service, project, numbered(others, 1))
    const worker = deliver(service.ctx)
    await worker.look()
    await worker.stop()
    const delivered = Array.from({ length: 1 + others }, () => ({ status: 'delivered' }))
    expect(await deliveriesOf(service.ctx, id)).toMatchObject(delivered)
  })

  it('is not one that waits for as long as a delay may be', async () => {
    const env = { WEBHOOK_RETRY_DELAYS_MS: String(DAY_MS) }
    const patient = await startTestService({ databaseUrl: service.databaseUrl, env })
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await service.ctx.sql.rows(putOff, [id])
    const worker = deliver(patient.ctx)
    await worker.look()
    await worker.stop()
    await patient.stop()
    expect(receiver.received).toEqual([])
    await project.client.ok('deleteWebhook', { path: { id } })
  })
})

describe('the registrations of a worker', () => {
  const readLanes = statement(
    'test-read-lanes',
    'SELECT id, fence, epoch, failure_count FROM webhooks WHERE id = ANY ($1::text[])',
  )
  const lock = 'SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE'

  /** Two of them: the one whose id comes later was there first. */
  async function twoLanes() {
    let first = await register(project, receiver.url)
    let last = await register(project, receiver.url)
    while (last.id > first.id) {
      first = last
      last = await register(project, receiver.url)
    }
    const rows = await service.ctx.sql.rows(readLanes, [[first.id, last.id]])
    return [first, last].map(({ id: webhookId }) => {
      const [, fence, epoch, failureCount] = rows.find(([id]) => id === webhookId)!
      const standing = {
        fence: Number(fence),
        epoch: Number(epoch),
        triggeredAt: service.ctx.now(),
      }
      return { webhookId, failureCount: Number(failureCount), ...standing }
    })
  }
  type Lanes = Awaited<ReturnType<typeof twoLanes>>

  const settle = (lanes: Lanes) =>
    writeSettlement(service.ctx, {
      outcomes: [],
      disabled: new Set<Lanes[number]>(),
      lanes: lanes.map((lane) => ({ lane, failureCount: null, triggeredAt: lane.triggeredAt })),
    })
  const keep = (lanes: Lanes) =>
    keepLeases(
      service.ctx,
      lanes.map(({ webhookId, fence, triggeredAt }) => ({
        webhookId,
        fence,
        triggeredAt,
        leaseMs: 1_000,
      })),
    )

  it.each([
    ['settled', settle],
    ['kept', keep],
  ])('are locked in one order when they are %s', async (_, change) => {
    const lanes = await twoLanes()
    let changing: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(lock, [lanes[1]!.webhookId])
      changing = change(lanes)
      await untilWaiting(service.ctx)
      await query(lock, [lanes[0]!.webhookId])
    })
    await changing
    for (const { webhookId, triggeredAt } of lanes) {
      const standing = await standingOf(service.ctx, webhookId)
      expect(standing.lastTriggeredAt).toEqual(triggeredAt)
    }
  })
})

const nearlyOff = statement(
  'test-webhook-nearly-off',
  `WITH last_try AS (UPDATE deliveries SET attempts = 4 WHERE webhook_id = $1)
   UPDATE webhooks SET failure_count = ${LIMITS.failedEventsInRow - 1} WHERE id = $1`,
)

describe('an outcome', () => {
  it('counts once, though its writer never heard that it was written, and writes it again', async () => {
    receiver.behave(() => 500)
    const { id } = await register(project, receiver.url)
    let writes = 0
    const { sql } = service.ctx
    const rows: typeof sql.rows = async (statement, values) => {
      const answer = await sql.rows(statement, values)
      if (statement.name === 'settle-deliveries' && ++writes === 1) throw new Error('Cut off')
      return answer
    }
    const worker = deliver({ ...service.ctx, sql: { ...sql, rows } })
    await happen(service, project, [{}])
    await until(() => writes === 2, 'the second writing')
    await worker.stop()
    expect(await deliveriesOf(service.ctx, id)).toMatchObject([{ status: 'pending', attempts: 1 }])
    expect(receiver.received).toHaveLength(1)
  })

  it('that turns its registration off is told of, though its writer never heard that it was written', async () => {
    receiver.behave(() => 500)
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await service.ctx.sql.rows(nearlyOff, [id])
    const worker = deliver({ ...service.ctx, sql: losing(service.ctx.sql, 'settle-deliveries') })
    const told = () => service.logLines.filter((line) => line.includes('webhook.disabled'))
    await until(() => told().length === 1, 'it is told of')
    await worker.stop()
    expect(told()[0]).toContain(id)
    expect(await standingOf(service.ctx, id)).toMatchObject({ isActive: false, isLeased: false })
  })
})
