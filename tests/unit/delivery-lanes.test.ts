import { describe, expect, it } from '@jest/globals'
import { createLanes, type Lanes, type Taken } from '../../capabilities/webhooks/delivery-lanes.ts'
import type { Due } from '../../capabilities/webhooks/delivery-rows.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Random } from '../../scripts/chaos/random.ts'
import { dueOf } from '../support/due.ts'
import { seededRandom } from '../support/random.ts'

const SEEDS = Array.from({ length: 40 }, (_, n) => 20_261_121 + n)
const NOW = 1_000
const LEASE_UNTIL = 10_000_000
/** More would be reading the same again and again. */
const READS_MOST = 1_000
const LARGE = 'x'.repeat(LIMITS.deliveriesHeldBytesShare / 3)

type World = {
  lanes: Lanes
  random: Random
  stored: Map<string, Due[]>
  /** With whether its registration was doubtful when it began. */
  underWay: Map<Taken, boolean>
  now: number
}

/** Registrations with events that wait in the database; some fail always, some hang. */
function worldOf(seed: number): World {
  const random = seededRandom(seed)
  const lanes = createLanes()
  const stored = new Map<string, Due[]>()
  const webhooks = random.between(1, 30)
  for (let n = 0; n < webhooks; n++) {
    const webhookId = `wh_${n}`
    const url = `https://host${random.between(0, 3)}.example/${n}`
    lanes.add(
      { webhookId, url, projectId: 'p', fence: 1, epoch: 1, failureCount: 0, hadLapsed: false },
      { now: 0, leaseUntil: LEASE_UNTIL },
    )
    stored.set(
      webhookId,
      Array.from({ length: random.between(0, 120) }, (_, eventId) => ({
        webhookId,
        eventId,
        id: `${webhookId} ${eventId}`,
        attempts: 0,
        name: 'e',
        data: random.between(0, 7) === 0 ? LARGE : 'null',
        subject: random.between(0, 3) === 0 ? null : `s${random.between(0, 4)}`,
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
    )
  }
  return { lanes, random, stored, underWay: new Map(), now: NOW }
}

/** Reads as the database answers: the first that are not held and fit in, of each that is asked for. */
function read({ lanes, stored }: Pick<World, 'lanes' | 'stored'>): void {
  let reads = 0
  for (let rooms = lanes.rooms(NOW); rooms.length > 0; rooms = lanes.rooms(NOW)) {
    expect(++reads).toBeLessThan(READS_MOST)
    let readBytes = 0
    const due = rooms.flatMap(({ webhookId, room, bytes, past, heldEventIds }) => {
      let ahead = 0
      const held = new Set(heldEventIds)
      const free = stored
        .get(webhookId)!
        .filter(({ eventId, subject }) => !held.has(eventId) && !past.includes(subject ?? ''))
      return free.slice(0, room).filter(({ data }) => {
        const isRead = ahead < bytes && readBytes < LIMITS.deliveriesReadBytes
        ahead += data.length
        if (isRead) readBytes += data.length
        return isRead
      })
    })
    lanes.accept(rooms, due, readBytes >= LIMITS.deliveriesReadBytes)
  }
}

function begin({ lanes, underWay, now }: World): Taken | null {
  const taken = lanes.next(now, 0)
  if (taken) underWay.set(taken, taken.lane.isFailing || taken.lane.slow > 0)
  return taken
}

function mustKeepBounds({ lanes, underWay, now }: World): void {
  const all = [...underWay.keys()]
  const young = all.filter(({ pass }) => now - pass.begunAt < LIMITS.attemptSlowMs)
  const doubtful = young.filter((taken) => underWay.get(taken))
  const most = (some: Taken[], keyOf: (taken: Taken) => string) => {
    const found = new Map<string, number>()
    for (const taken of some) found.set(keyOf(taken), (found.get(keyOf(taken)) ?? 0) + 1)
    return Math.max(0, ...found.values())
  }
  expect(lanes.underWay()).toBe(all.length)
  expect(all.length).toBeLessThanOrEqual(LIMITS.attemptsUnderWay)
  expect(young.length).toBeLessThanOrEqual(LIMITS.attemptsAtOnce)
  expect(doubtful.length).toBeLessThanOrEqual(LIMITS.attemptsAtOnceDoubtful)
  const hostOf = ({ lane }: Taken) => lane.host
  expect(most(young, hostOf)).toBeLessThanOrEqual(LIMITS.attemptsAtOncePerHost)
  expect(most(doubtful, hostOf)).toBeLessThanOrEqual(LIMITS.attemptsAtOncePerHostDoubtful)
  const ofWebhook = most(all, ({ lane }) => lane.webhookId)
  expect(ofWebhook).toBeLessThanOrEqual(LIMITS.attemptsAtOncePerWebhook)
  const ofSubject = ({ lane, due }: Taken) => `${lane.webhookId} ${due.subject ?? due.id}`
  expect(most(all, ofSubject)).toBeLessThanOrEqual(1)
  for (const lane of lanes.all()) {
    // What is read past subjects under way comes on top, a share for each further attempt.
    const past = LIMITS.attemptsAtOncePerWebhook * LIMITS.deliveriesHeldShare
    const heldMost = LIMITS.deliveriesHeldPerWebhook + past
    expect(lane.heldIds.size).toBeLessThanOrEqual(heldMost)
    const slow = all.filter((taken) => taken.lane === lane && !young.includes(taken))
    expect(lane.slow).toBe(slow.length)
  }
}

/** What is held of those that do not answer, just after what is read. */
/** From here on, what waits for those who do not answer is given back. */
const MEMORY_SHORT = LIMITS.deliveriesHeldBytes / 2

function mustHoldLittle({ lanes }: Pick<World, 'lanes'>): void {
  for (const { isAnswering, slow, waiting, heldIds } of lanes.all()) {
    if (isAnswering && slow === 0) continue
    const most = isAnswering ? LIMITS.deliveriesHeldPerWebhook : LIMITS.deliveriesHeldShare
    expect(waiting.length === 0 || heldIds.size <= most).toBe(true)
    const bytes = waiting.slice(0, -1).reduce((sum, { data }) => sum + data.length, 0)
    expect(bytes).toBeLessThan(LIMITS.deliveriesHeldBytesShare)
  }
}

describe('the lanes', () => {
  it.each(SEEDS)('begin everything once, in order and within all bounds, seed %i', (seed) => {
    const world = worldOf(seed)
    const { lanes, random, stored, underWay } = world
    const total = [...stored.values()].reduce((sum, { length }) => sum + length, 0)
    const begun: Taken[] = []
    for (let step = 0; begun.length < total || underWay.size > 0; step++) {
      expect(step).toBeLessThan(50_000)
      const isShort = heldBytes(lanes) >= MEMORY_SHORT
      read(world)
      if (isShort) mustHoldLittle(world)
      world.now += random.between(0, 400)
      lanes.letGo(world.now)
      const most = random.between(1, 200)
      for (let n = 0; n < most; n++) {
        const taken = begin(world)
        if (!taken) break
        begun.push(taken)
      }
      mustKeepBounds(world)
      // Nobody waits who could begin: what is left waits for a place or for its subject.
      if (underWay.size === 0) expect(begun).toHaveLength(total)
      for (const taken of random.shuffled([...underWay.keys()]).slice(0, random.between(1, 60))) {
        underWay.delete(taken)
        lanes.finish(taken, random.between(0, 3) > 0)
        const rows = stored.get(taken.lane.webhookId)!
        rows.splice(rows.indexOf(taken.due), 1)
        taken.lane.heldIds.delete(taken.due.eventId)
      }
    }
    expect(new Set(begun.map(({ due }) => due.id)).size).toBe(total)
    const bySubject = new Map<string, number[]>()
    for (const { lane, due } of begun) {
      const key = `${lane.webhookId} ${due.subject ?? due.id}`
      bySubject.set(key, [...(bySubject.get(key) ?? []), due.eventId])
    }
    for (const ids of bySubject.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('begin nothing of a lease that would end before the attempt does', () => {
    const world = worldOf(1)
    read(world)
    expect(world.lanes.next(NOW, LEASE_UNTIL - NOW + 1)).toBeNull()
    for (const lane of world.lanes.all()) world.lanes.makeReady(lane)
    expect(world.lanes.next(NOW, LEASE_UNTIL - NOW)).not.toBeNull()
  })

  it('begin few attempts of a registration that failed last, also when it is leased anew', () => {
    const lanes = createLanes()
    const leased = {
      webhookId: 'a',
      url: 'https://a.example/',
      projectId: 'p',
      fence: 1,
      epoch: 1,
      failureCount: 0,
      hadLapsed: false,
    }
    /** Begins what may begin, ends it so, and gives the registration back; answers with how many it was. */
    const leaseOnce = (isSuccess: boolean) => {
      const lane = lanes.add(leased, { now: 0, leaseUntil: LEASE_UNTIL })
      lanes.accept(lanes.rooms(NOW), dueOf('a', 20), false)
      const begun: Taken[] = []
      for (let taken; (taken = lanes.next(NOW, 0));) begun.push(taken)
      for (const taken of begun) lanes.finish(taken, isSuccess)
      lanes.remove(lane)
      return begun.length
    }
    expect(leaseOnce(false)).toBe(LIMITS.attemptsAtOncePerWebhook)
    expect(leaseOnce(false)).toBe(LIMITS.attemptsAtOnceFailing)
    expect(leaseOnce(true)).toBe(LIMITS.attemptsAtOnceFailing)
    expect(leaseOnce(true)).toBe(LIMITS.attemptsAtOncePerWebhook)
  })

  it('remember the latest of very many that failed, and forget the first', () => {
    const lanes = createLanes()
    const lease = (webhookId: string) => {
      const url = 'https://h.example/1'
      const standing = { fence: 1, epoch: 1, failureCount: 0, hadLapsed: false }
      const times = { now: 0, leaseUntil: LEASE_UNTIL }
      return lanes.add({ webhookId, url, projectId: 'p', ...standing }, times)
    }
    for (let n = 0; n <= 10_000; n++) {
      const lane = lease(`wh_${n}`)
      lane.isFailing = true
      lanes.remove(lane)
    }
    expect(['wh_0', 'wh_1', 'wh_10000'].map((id) => lease(id).isFailing)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('let go of what waits when a lane is over, and never begin it', () => {
    const world = worldOf(2)
    read(world)
    const taken = world.lanes.next(NOW, 0)!
    for (const lane of world.lanes.all()) world.lanes.retire(lane)
    expect(world.lanes.next(NOW, 0)).toBeNull()
    expect(world.lanes.rooms(NOW)).toEqual([])
    expect([...taken.lane.heldIds]).toEqual([taken.due.eventId])
    world.lanes.finish(taken, null)
    expect(taken.lane.heldIds.size).toBe(0)
  })

  it('read no more than its share for anyone while what they hold is large', () => {
    const { lanes, add } = crowd()
    for (const webhookId of ['a', 'b']) add(webhookId, 0, '')
    const large = { id: 'x', attempts: 0, name: 'e', subject: null, createdAt: '' }
    const data = 'x'.repeat(LIMITS.deliveriesHeldBytes)
    const [room] = lanes.rooms(NOW)
    lanes.accept([room!], [{ ...large, webhookId: 'a', eventId: 1, data }], false)
    lanes.all()[1]!.isAnswering = true
    expect(lanes.rooms(NOW)).toMatchObject([
      { webhookId: 'b', bytes: LIMITS.deliveriesHeldBytesShare },
    ])
    const taken = lanes.next(NOW, 0)!
    lanes.finish(taken, true)
    const again = lanes.rooms(NOW).find(({ webhookId }) => webhookId === 'b')
    expect(again!.bytes).toBe(LIMITS.deliveriesHeldBytesPerWebhook)
    expect(again!.room).toBeGreaterThan(1)
  })

  it('hold little of what waits for a relay that is dead, and serve others ten at a time', () => {
    const { lanes, stored, add } = crowd()
    for (let n = 0; n < 200; n++) add(`wh_${n}`, 100, 'x'.repeat(2_048), 'dead.example')
    let now = NOW
    for (; now < NOW + 9_000; now += LIMITS.deliveriesPollMs) {
      read({ lanes, stored })
      lanes.letGo(now)
      while (lanes.next(now, 0));
    }
    expect(heldBytes(lanes)).toBeLessThan(LIMITS.deliveriesHeldBytes / 2)
    for (let n = 0; n < 5; n++) add(`healthy_${n}`, 100, 'x'.repeat(2_048))
    read({ lanes, stored })
    const begun: Taken[] = []
    for (let taken; (taken = lanes.next(now, 0));) begun.push(taken)
    const healthy = begun.filter(({ lane }) => lane.webhookId.startsWith('healthy'))
    expect(healthy).toHaveLength(5 * LIMITS.attemptsAtOncePerWebhook)
  })

  it('hold what others wait with within its bound, and leave each its share of the memory', () => {
    const { lanes, stored, add } = crowd()
    // Two would have all of the memory.
    for (const webhookId of ['a', 'b']) add(webhookId, 400, 'x'.repeat(LIMITS.customEventBytes))
    for (let n = 2; n < LIMITS.webhooksLeased; n++) add(`wh_${n}`, 200, 'x'.repeat(2_048))
    for (const lane of lanes.all()) lane.isAnswering = true
    read({ lanes, stored })
    const most = LIMITS.deliveriesHeldBytesPerWebhook + LIMITS.customEventBytes
    for (const lane of lanes.all().filter(({ webhookId }) => webhookId.length === 1)) {
      expect(lane.waiting.length).toBeGreaterThan(1)
      expect(lane.waiting.length * LIMITS.customEventBytes).toBeLessThan(most)
    }
    const bound = LIMITS.deliveriesHeldBytes + LIMITS.deliveriesReadBytes
    const shares = LIMITS.webhooksLeased * LIMITS.deliveriesHeldBytesShare
    expect(heldBytes(lanes)).toBeLessThan(bound + shares)
    for (const { waiting } of lanes.all()) {
      expect(waiting.length > 1 && waiting.length < LIMITS.deliveriesHeldPerWebhook).toBe(true)
    }
  })

  it('keep what waits of a registration that fails now and then, while there is memory', () => {
    const { lanes, stored, add } = crowd()
    add('a', 200, 'x'.repeat(2_048))
    read({ lanes, stored })
    lanes.finish(lanes.next(NOW, 0)!, true)
    read({ lanes, stored })
    const [lane] = lanes.all()
    const held = lane!.waiting.length
    expect(held).toBeGreaterThan(LIMITS.deliveriesHeldShare)
    lanes.finish(lanes.next(NOW, 0)!, false)
    read({ lanes, stored })
    expect(lane!.waiting).toHaveLength(held - 1)
  })

  it.each([
    ['hangs', null, Math.ceil(LIMITS.deliveriesHeldBytesShare / 2_048) + 1],
    ['fails', false, LIMITS.deliveriesHeldShare],
  ])(
    'give back what waits when a registration that answered %s and memory is short, for its turn in the order',
    (_, end, kept) => {
      const { lanes, stored, add } = crowd()
      add('a', 200, 'x'.repeat(2_048))
      for (let n = 0; n < 9; n++) add(`full_${n}`, 200, 'x'.repeat(LIMITS.customEventBytes))
      const [lane, ...full] = lanes.all()
      for (const one of full) one.isAnswering = true
      read({ lanes, stored })
      for (const one of full) one.leaseUntil = 0
      const finish = (taken: Taken, isSuccess: boolean) => {
        lanes.finish(taken, isSuccess)
        const rows = stored.get('a')!
        rows.splice(rows.indexOf(taken.due), 1)
        taken.lane.heldIds.delete(taken.due.eventId)
      }
      const order: number[] = []
      const begin = () => {
        const taken = lanes.next(NOW, 0)
        if (taken) order.push(taken.due.eventId)
        return taken
      }
      finish(begin()!, true)
      read({ lanes, stored })
      expect(lane!.waiting.length).toBeGreaterThan(kept)
      expect(heldBytes(lanes)).toBeGreaterThan(MEMORY_SHORT)

      const taken = begin()!
      if (end === null) lanes.letGo(NOW + LIMITS.attemptSlowMs)
      else finish(taken, end)
      read({ lanes, stored })
      expect(lane!.heldIds.size).toBe(kept)
      mustHoldLittle({ lanes })

      if (end === null) finish(taken, true)
      for (let next; (next = begin()); read({ lanes, stored })) finish(next, true)
      expect(order).toEqual(Array.from({ length: 200 }, (_, eventId) => eventId))
    },
  )

  it('read past a conversation once where memory is short and what was found cannot begin', () => {
    const { lanes, stored, add } = crowd()
    for (let n = 0; n <= LIMITS.attemptsAtOncePerHostDoubtful; n++) {
      add(`wh_${n}`, 1, 'null', 'dead.example')
    }
    const [lane] = lanes.all()
    stored.set('wh_0', [
      ...dueOf('wh_0', 100).map((due) => ({ ...due, subject: 'loud' })),
      ...dueOf('wh_0', 200).slice(100),
    ])
    for (const one of lanes.all()) one.isFailing = true
    read({ lanes, stored })
    while (lanes.next(NOW, 0));
    expect([...lane!.subjects]).toEqual(['loud'])
    for (let n = 0; n < 9; n++) add(`full_${n}`, 200, 'x'.repeat(LIMITS.customEventBytes))
    for (const one of lanes.all()) one.isAnswering = one.webhookId.startsWith('full')
    for (const one of lanes.all()) one.mayHaveMore = true
    read({ lanes, stored })
    expect(heldBytes(lanes)).toBeGreaterThan(MEMORY_SHORT)
    expect(lanes.next(NOW, 0)?.lane.webhookId).not.toBe('wh_0')
  })

  it('count no registration among those leased whose turn is over, though its attempts hang', () => {
    const { lanes, stored, add } = crowd()
    for (const webhookId of ['a', 'b']) add(webhookId, 1, 'null')
    read({ lanes, stored })
    const { lane } = lanes.next(NOW, 0)!
    lanes.retire(lane)
    expect(lanes.size()).toBe(1)
    expect(lanes.all()).toHaveLength(2)
  })
})

/** Registrations that are leased, each with so many events of the same content. */
function crowd() {
  const lanes = createLanes()
  const stored = new Map<string, Due[]>()
  const add = (webhookId: string, count: number, data: string, host = `${webhookId}.example`) => {
    const url = `https://${host}/`
    const leased = { webhookId, url, projectId: 'p', fence: 1, epoch: 1, failureCount: 0 }
    lanes.add({ ...leased, hadLapsed: false }, { now: 0, leaseUntil: LEASE_UNTIL })
    stored.set(webhookId, dueOf(webhookId, count, data))
  }
  return { lanes, stored, add }
}

function heldBytes(lanes: Lanes): number {
  const waiting = lanes.all().flatMap((lane) => lane.waiting)
  return waiting.reduce((sum, { data }) => sum + data.length, 0)
}
