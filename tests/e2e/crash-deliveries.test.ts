import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { statement } from '../../core/sql.ts'
import { KILLED, runUntilCrash } from '../support/crashing.ts'
import {
  deliver,
  deliveriesOf,
  happen,
  register,
  standingOf,
  untilStatus,
} from '../support/deliveries.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const EVENTS = 30

/** The service that survives; the worker that crashes is a process of its own on the same database. */
let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await startTestService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})

const expire = statement(
  'test-expire-lease',
  `UPDATE webhooks SET lease_until = now() - interval '1 ms' WHERE id = $1`,
)

describe.each([
  { step: 'leased', times: 1, sent: 0 },
  { step: 'before_post', times: 1, sent: 0 },
  { step: 'before_post', times: 10, sent: 0 },
  { step: 'after_post', times: 1, sent: 1 },
  { step: 'after_post', times: 10, sent: 10 },
  { step: 'settled', times: 1, sent: 1 },
  { step: 'settled', times: 2, sent: 2 },
])('a worker that is killed in the step $step, time $times', ({ step, times, sent }) => {
  it('loses no delivery, spends no attempt that has no outcome, and leaves every id as it was', async () => {
    const project = await service.project()
    const { id } = await register(project, receiver.url)
    const begunBefore = receiver.received.length
    await happen(
      service,
      project,
      Array.from({ length: EVENTS }, (_, n) => ({ data: String(n), subject: `s${n}` })),
    )
    const ids = (await deliveriesOf(service.ctx, id)).map((delivery) => delivery.id)
    expect(await runUntilCrash(service, 'worker', [step, String(times)])).toEqual(KILLED)

    const left = await deliveriesOf(service.ctx, id)
    const arrived = receiver.received.slice(begunBefore)
    const written = left.filter(({ status }) => status === 'delivered')
    expect(arrived.length).toBeGreaterThanOrEqual(sent)
    // Before the tenth, others may have been written.
    if (step === 'settled') expect(written).not.toEqual([])
    else if (times === 1) expect(written).toEqual([])
    expect(left.filter(({ status }) => status === 'pending')).toHaveLength(EVENTS - written.length)
    expect(await standingOf(service.ctx, id)).toMatchObject({ isLeased: true, failureCount: 0 })

    const survivor = deliver(service.ctx)
    await survivor.look()
    expect(receiver.received).toHaveLength(begunBefore + arrived.length)
    await service.ctx.sql.rows(expire, [id])
    await untilStatus(service.ctx, id, 'delivered', EVENTS)
    await survivor.stop()

    const all = await deliveriesOf(service.ctx, id)
    expect(all.map((delivery) => delivery.id)).toEqual(ids)
    expect(all.every(({ attempts, log }) => attempts === 1 && log.length === 1)).toBe(true)
    const bodies = new Map<string, Set<string>>()
    for (const one of receiver.received.slice(begunBefore)) {
      bodies.set(one.id, (bodies.get(one.id) ?? new Set()).add(one.body))
    }
    expect([...bodies.keys()].sort()).toEqual(ids.toSorted())
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true)
    // What was written before the crash was not made again.
    for (const { id: deliveryId } of written) {
      expect(receiver.ids().filter((one) => one === deliveryId)).toHaveLength(1)
    }
    await until(() => receiver.open() === 0, 'the last answer')
    await project.client.ok('deleteWebhook', { path: { id } })
  })
})
