import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { deliver, deliveriesOf, happen, register, untilStatus } from '../support/deliveries.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PER_WEBHOOK = LIMITS.attemptsAtOncePerWebhook

let service: TestService
let project: TestProject
let receiver: Receiver
let delivering: ReturnType<typeof deliver>

beforeAll(async () => {
  service = await startTestService()
  delivering = deliver(service.ctx)
})
afterAll(async () => {
  await delivering.stop()
  await service.stop()
})
beforeEach(async () => {
  receiver = await startReceiver()
  project = await service.project()
})
afterEach(() => receiver.close())

const numbered = (count: number, subject: (n: number) => string | null) =>
  Array.from({ length: count }, (_, n) => ({ data: String(n), subject: subject(n) }))
const numberOf = ({ body }: Received) => (JSON.parse(body) as { data: number }).data

describe('the events of one registration', () => {
  it('begin in their order, so many at a time', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    await happen(
      service,
      project,
      numbered(60, () => null),
    )
    for (let begun = PER_WEBHOOK; begun <= 60; begun += PER_WEBHOOK) {
      await until(() => receiver.received.length === begun, `${begun} begun`)
      await delivering.look()
      expect(receiver.received).toHaveLength(begun)
      const round = receiver.received.slice(-PER_WEBHOOK).map(numberOf)
      // What begins together may arrive in any order, yet none of a later round.
      expect(round.sort((a, b) => a - b)).toEqual(
        Array.from({ length: PER_WEBHOOK }, (_, n) => begun - PER_WEBHOOK + n),
      )
      receiver.release()
    }
    await untilStatus(service.ctx, id, 'delivered', 60)
    expect(receiver.openMost()).toBe(PER_WEBHOOK)
  })

  it('of one subject are under way one at a time, and arrive in their order', async () => {
    receiver.behave(() => 'hold')
    const { id } = await register(project, receiver.url)
    const subjects = ['conversation 1', 'conversation 2', 'conversation 3']
    await happen(
      service,
      project,
      numbered(90, (n) => subjects[n % 3] ?? null),
    )
    for (let answered = 0; answered < 90; answered++) {
      await until(() => receiver.open() === Math.min(3, 90 - answered), 'one of each subject')
      receiver.release(1)
      await until(() => receiver.received.length >= Math.min(90, answered + 4), 'the next')
    }
    await untilStatus(service.ctx, id, 'delivered', 90)
    expect(receiver.openMost()).toBe(3)
    for (const rest of [0, 1, 2]) {
      const ofSubject = receiver.received.map(numberOf).filter((n) => n % 3 === rest)
      expect(ofSubject).toEqual(ofSubject.toSorted((a, b) => a - b))
    }
  })

  it('of a subject with hundreds waiting hold up none of the others', async () => {
    receiver.behave(({ body }) => (body.includes('"data":{"loud"') ? 'hold' : 204))
    const { id } = await register(project, receiver.url)
    const loud = { data: '{"loud":true}', subject: 'conversation 1' }
    const others = numbered(30, (n) => (n % 10 === 0 ? null : `conversation ${2 + (n % 3)}`))
    const backlog = Array.from({ length: 400 }, () => loud)
    await happen(service, project, [...backlog, ...others, loud])
    await until(async () => {
      const found = await deliveriesOf(service.ctx, id)
      return found.slice(400, 430).every(({ status }) => status === 'delivered')
    }, 'the others told')
    expect(receiver.open()).toBe(1)
    expect(receiver.received).toHaveLength(31)
    for (const subject of ['conversation 2', 'conversation 3', 'conversation 4']) {
      const told = receiver.received.map(numberOf).filter((n) => others[n]?.subject === subject)
      expect(told).toEqual(told.toSorted((a, b) => a - b))
    }

    receiver.behave(() => 204)
    receiver.release()
    await untilStatus(service.ctx, id, 'delivered', 431)
    expect(new Set(receiver.ids()).size).toBe(431)
    expect(receiver.received).toHaveLength(431)
  }, 60_000)
})

describe('a registration that hangs with thousands waiting', () => {
  it('takes its own few places, and the others are served as if it were not there', async () => {
    const hanging = await startReceiver(() => 'hold')
    const dead = await register(project, `${hanging.url}/dead`)
    const backlog = numbered(3_000, () => null)
    await happen(service, project, backlog)
    await until(() => hanging.received.length === PER_WEBHOOK, 'its places taken')

    const healthy = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        register(project, `${receiver.url}/${n}`, ['order.new']),
      ),
    )
    const events = numbered(20, () => null).map((event) => ({ ...event, name: 'order.new' }))
    await happen(service, project, events)
    await Promise.all(healthy.map(({ id }) => untilStatus(service.ctx, id, 'delivered', 20)))

    // By counts alone: all of theirs were made while none of its own came to an end.
    expect(receiver.received).toHaveLength(1_000)
    expect(hanging.received).toHaveLength(PER_WEBHOOK)
    const halfWay = receiver.received.slice(0, 500)
    const shares = healthy.map((_, n) => halfWay.filter(({ path }) => path === `/${n}`).length)
    // They take turns: half of all is about half of each, and never all of one before any of another.
    expect(Math.min(...shares)).toBeGreaterThan(0)
    expect(Math.max(...shares)).toBeLessThan(20)

    hanging.behave(() => 204)
    hanging.release()
    await untilStatus(service.ctx, dead.id, 'delivered', 3_000)
    expect(new Set(hanging.ids()).size).toBe(3_000)
    expect(hanging.received).toHaveLength(3_000)
    await hanging.close()
  }, 60_000)
})

describe('registrations of one host that begin to hang', () => {
  it('leave room for one that answers there, though none of theirs has come to an end', async () => {
    receiver.behave(({ path }) => (path === '/healthy' ? 204 : 'hold'))
    // More attempts than the host has places, and than a pool of sockets would have had to spare.
    const hanging = Array.from({ length: 8 }, (_, n) => register(project, `${receiver.url}/${n}`))
    await Promise.all(hanging)
    const healthy = await register(project, `${receiver.url}/healthy`, ['order.new'])
    const backlog = numbered(PER_WEBHOOK, () => null)
    await happen(service, project, backlog)
    await until(() => receiver.open() === 8 * PER_WEBHOOK, 'all of theirs begun')
    const events = numbered(50, () => null).map((event) => ({ ...event, name: 'order.new' }))
    await happen(service, project, events)
    await untilStatus(service.ctx, healthy.id, 'delivered', 50)
    expect(receiver.open()).toBe(8 * PER_WEBHOOK)
    receiver.behave(() => 204)
    receiver.release()
    await Promise.all(
      (await Promise.all(hanging)).map(({ id }) =>
        untilStatus(service.ctx, id, 'delivered', PER_WEBHOOK),
      ),
    )
  }, 30_000)
})

describe('registrations whose last attempt failed', () => {
  it('have two attempts at a time each, so that a host that hangs does not fill the process', async () => {
    receiver.behave(() => 500)
    const { id } = await register(project, receiver.url)
    await happen(
      service,
      project,
      numbered(1, () => null),
    )
    await until(async () => (await deliveriesOf(service.ctx, id))[0]?.attempts === 1, 'a failure')
    receiver.behave(() => 'hold')
    await happen(
      service,
      project,
      numbered(20, () => null),
    )
    await until(() => receiver.open() === LIMITS.attemptsAtOnceFailing, 'two under way')
    await delivering.look()
    expect(receiver.open()).toBe(LIMITS.attemptsAtOnceFailing)
    receiver.behave(() => 204)
    receiver.release()
    await untilStatus(service.ctx, id, 'delivered', 20)
  })
})
