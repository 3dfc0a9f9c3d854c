import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import {
  deliver,
  deliveriesOf,
  happen,
  register,
  standingOf,
  untilAttempts,
  untilStatus,
} from '../support/deliveries.ts'
import { type Receiver, startReceiver, verifies } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Long enough for a mebibyte to be posted beside other work. */
const TIMEOUT_MS = 1_500

let service: TestService
let project: TestProject
let receiver: Receiver
let delivering: ReturnType<typeof deliver>

beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) } })
  project = await service.project()
  delivering = deliver(service.ctx)
})
afterAll(async () => {
  await delivering.stop()
  await service.stop()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const nowS = () => service.ctx.now().getTime() / 1000

async function attemptsCounted(): Promise<number> {
  const { values } = await service.ctx.metrics.deliveryAttempts.get()
  return values.find(({ labels }) => labels.result === 'delivered')?.value ?? 0
}

describe('an event', () => {
  it('is posted to each registration for it, with its headers, under an id of its own', async () => {
    const [one, two] = await Promise.all([
      register(project, `${receiver.url}/one`),
      register(project, `${receiver.url}/two`),
    ])
    await register(project, `${receiver.url}/other`, ['order.lost', 'order', 'order.paid.twice'])
    await happen(service, project, [{ data: '{"total":12.50,"note":"naïve 😀"}' }])
    await untilStatus(service.ctx, one.id, 'delivered', 1)
    await untilStatus(service.ctx, two.id, 'delivered', 1)

    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/one', '/two'])
    const first = receiver.received.find(({ path }) => path === '/one')!
    const [stored] = await deliveriesOf(service.ctx, one.id)
    const at = service.ctx.now().toISOString()
    expect(first.body).toBe(
      `{"id":"${stored!.id}","event":"order.paid","created_at":"${at}",` +
        `"webhook_id":"${one.id}","data":{"total":12.50,"note":"naïve 😀"}}`,
    )
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'order.paid',
      'webhook-id': stored!.id,
      'webhook-timestamp': String(nowS()),
    })
    expect(new Set(receiver.ids()).size).toBe(2)
  })

  it('is signed as its receivers check it, whatever the data holds', async () => {
    const data = [
      ...['null', '"text"', '0', '-0.0', '1e400', '[]', '{}', 'true'],
      ...['{"b":1,"a":{"b":[1,2]}}', `"${'\u{1F600}'.repeat(250_000)}"`, '"\\u0000\\ud800"'],
    ]
    const { id, secret } = await register(project, receiver.url)
    await happen(
      service,
      project,
      data.map((text) => ({ data: text })),
    )
    await untilStatus(service.ctx, id, 'delivered', data.length)

    const standard = new Webhook(secret)
    for (const one of receiver.received) {
      expect(verifies(one, secret, nowS())).toBe(true)
      expect(verifies(one, `${secret}x`, nowS())).toBe(false)
      expect(verifies({ ...one, body: `${one.body} ` }, secret, nowS())).toBe(false)
      const headers = Object.fromEntries(
        Object.entries(one.headers).map(([name, value]) => [name, String(value)]),
      )
      expect(standard.verify(one.body, headers)).toEqual(JSON.parse(one.body))
    }
    const sent = receiver.received.map(({ body }) => body.slice(body.indexOf('"data":') + 7, -1))
    expect(sent.sort()).toEqual(data.sort())
  })

  it('is told to nobody once its registration is for it no more', async () => {
    const { id } = await register(project, receiver.url)
    const body = { events: ['order.lost'] }
    await project.client.ok('updateWebhook', { path: { id }, body })
    await happen(service, project, [{}, { name: 'order.lost' }, { name: 'Order.lost' }])
    await untilStatus(service.ctx, id, 'delivered', 1)
    expect(receiver.received.map(({ event }) => event)).toEqual(['order.lost'])
  })
})

describe('an attempt', () => {
  it('leaves one line in the log, which names the host and nothing secret, and is counted', async () => {
    const url = `${receiver.url}/hidden-path?token=hidden-query`
    const { id, secret } = await register(project, url)
    const before = await attemptsCounted()
    await happen(service, project, [{ data: '"hidden-data"' }])
    await untilStatus(service.ctx, id, 'delivered', 1)

    const lines = service.logLines.filter((line) => line.includes(id))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        event: 'delivery.attempted',
        webhook: id,
        project: project.id,
        name: 'order.paid',
        delivery: receiver.received[0]!.id,
        host: new URL(url).host,
        attempt: 1,
        delivered: true,
        statusCode: 204,
        error: null,
      }),
    ])
    const everything = service.logLines.join('')
    for (const hidden of ['hidden-', secret, secret.slice(6)]) {
      expect(everything).not.toContain(hidden)
    }
    expect(await attemptsCounted()).toBe(before + 1)
  })
})

describe('an answer', () => {
  it.each([200, 201, 204, 299])('of %i is a success', async (status) => {
    receiver.behave(() => status)
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await untilStatus(service.ctx, id, 'delivered', 1)
    const [{ log, nextAttemptAt } = { log: [], nextAttemptAt: null }] = await deliveriesOf(
      service.ctx,
      id,
    )
    expect(log).toMatchObject([{ status_code: status, error: null }])
    expect(nextAttemptAt).toBeNull()
  })

  it.each([301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 503])(
    'of %i is a failure, and is not followed',
    async (status) => {
      const elsewhere = await startReceiver()
      receiver.behave(() => (status === 302 ? { redirect: elsewhere.url } : status))
      const { id } = await register(project, receiver.url)
      await happen(service, project, [{}])
      await untilAttempts(service.ctx, id, 1)
      expect(await deliveriesOf(service.ctx, id)).toMatchObject([
        { status: 'pending', attempts: 1, log: [{ status_code: status, error: null }] },
      ])
      expect(elsewhere.received).toEqual([])
      await elsewhere.close()
      await project.client.ok('deleteWebhook', { path: { id } })
    },
  )

  it.each(['hang', 'drip', 'reset'] as const)('that is none (%s) is a failure', async (fault) => {
    receiver.behave(() => fault)
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)
    const [delivery] = await deliveriesOf(service.ctx, id)
    const [attempt] = delivery!.log
    expect(delivery!.status).toBe('pending')
    expect(attempt!.status_code).toBeNull()
    expect(attempt!.error).toEqual(expect.any(String))
    if (fault !== 'reset') {
      // The timeout bounds the whole exchange, however much of an answer has come.
      expect(attempt!.error).toBe('timeout')
      expect(attempt!.duration_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 20)
      expect(attempt!.duration_ms).toBeLessThan(TIMEOUT_MS + 300)
    }
    await until(() => receiver.open() === 0, 'the connection closed')
    await project.client.ok('deleteWebhook', { path: { id } })
  })
})

describe('a delivery that fails', () => {
  /** The clock is moved, and a retry waits for as long as the database agrees. */
  let behind: TestService
  let owner: TestProject
  let worker: ReturnType<typeof deliver>

  beforeAll(async () => {
    behind = await startTestService({ behindMs: 2 * 3_600_000 })
    owner = await behind.project()
    worker = deliver(behind.ctx)
  })
  afterAll(async () => {
    await worker.stop()
    await behind.stop()
  })

  it('is tried five times in all, 5, 10, 20 and 40 seconds apart, with the same id and body', async () => {
    receiver.behave(() => 500)
    const { id, secret } = await register(owner, receiver.url)
    await happen(behind, owner, [{ data: '{"n":1}' }])
    const gaps: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      await untilAttempts(behind.ctx, id, attempt)
      const [delivery] = await deliveriesOf(behind.ctx, id)
      if (!delivery!.nextAttemptAt) break
      const gapMs = delivery!.nextAttemptAt.getTime() - behind.ctx.now().getTime()
      gaps.push(gapMs)
      behind.advance(gapMs - 1)
      await worker.look()
      expect(receiver.received).toHaveLength(attempt)
      behind.advance(1)
      worker.wake()
    }

    for (const [index, delayMs] of [5_000, 10_000, 20_000, 40_000].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(delayMs * 0.9)
      expect(gaps[index]).toBeLessThanOrEqual(delayMs * 1.1)
    }
    expect(gaps).toHaveLength(4)
    expect(await deliveriesOf(behind.ctx, id)).toMatchObject([
      { status: 'dropped', attempts: 5, nextAttemptAt: null },
    ])
    expect(await standingOf(behind.ctx, id)).toMatchObject({ failureCount: 1, isActive: true })

    behind.advance(3_600_000)
    await worker.look()
    expect(receiver.received).toHaveLength(5)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const times = receiver.received.map(({ headers }) => headers['webhook-timestamp'])
    expect(new Set(times).size).toBe(5)
    for (const one of receiver.received) {
      expect(verifies(one, secret, Number(one.headers['webhook-timestamp']))).toBe(true)
    }
  })

  it('holds up no later event, not even of its own subject', async () => {
    receiver.behave(() => 503)
    const { id } = await register(owner, receiver.url)
    await happen(behind, owner, [{ subject: 'conversation 1' }])
    await untilAttempts(behind.ctx, id, 1)
    receiver.behave(() => 204)
    await happen(behind, owner, [{ subject: 'conversation 1' }])
    await untilStatus(behind.ctx, id, 'delivered', 1)
    const states = (await deliveriesOf(behind.ctx, id)).map(({ status }) => status)
    expect(states).toEqual(['pending', 'delivered'])
    behind.advance(6_000)
    worker.wake()
    await untilStatus(behind.ctx, id, 'delivered', 2)
  })
})
