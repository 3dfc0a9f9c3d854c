import { describe, expect, it } from '@jest/globals'
import { createLanes, type Taken } from '../../capabilities/webhooks/delivery-lanes.ts'
import { LIMITS } from '../../core/limits.ts'
import { dueOf } from '../support/due.ts'

const NOW = 1_000
const LEASE_UNTIL = 10_000_000
const SLOW_MS = LIMITS.attemptSlowMs

/** Has registrations with so many events each begin all that may, and hang, for so long. */
function worldWith(urls: string[], { isFailing = false, events = 10, forMs = 0 } = {}) {
  const lanes = createLanes()
  const open: Taken[] = []
  let now = NOW

  /** Answers with how many could begin. */
  const begin = () => {
    const before = open.length
    for (let taken; (taken = lanes.next(now, 0));) open.push(taken)
    return open.length - before
  }
  /** Lets time pass, with the looks that the dispatcher takes meanwhile. */
  const pass = (ms: number) => {
    for (const until = now + ms; now < until; begin()) {
      now += Math.min(LIMITS.deliveriesPollMs, until - now)
      lanes.letGo(now)
    }
  }
  const add = (url: string, count = events, failureCount = 0) => {
    const webhookId = `wh_${lanes.size()}`
    const leased = { webhookId, url, projectId: 'p', fence: 1, epoch: 1, hadLapsed: false }
    lanes.add({ ...leased, failureCount }, { now: 0, leaseUntil: LEASE_UNTIL })
    lanes.accept(lanes.rooms(NOW), dueOf(webhookId, count), false)
  }
  for (const url of urls) add(url, events, isFailing ? 1 : 0)
  begin()
  pass(forMs)
  return { lanes, open, add, begin, pass }
}

const sameHost = (count: number) =>
  Array.from({ length: count }, (_, n) => `https://shared.example/${n}`)
const ownHosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `https://h${n}.example/`)

describe('registrations that hang', () => {
  it('make room for one of the same host once they have waited for a second', () => {
    const { lanes, add, begin, pass } = worldWith(sameHost(4))
    expect(lanes.underWay()).toBe(LIMITS.attemptsAtOncePerHost)
    add('https://shared.example/healthy')
    expect(begin()).toBe(0)
    pass(SLOW_MS)
    expect(lanes.underWay()).toBe(4 * 10 + 10)
  })

  it('make room for one of another host, though they fill the whole process', () => {
    const { lanes, add, begin, pass } = worldWith(ownHosts(13))
    expect(lanes.underWay()).toBe(LIMITS.attemptsAtOnce)
    add('https://healthy.example/')
    expect(begin()).toBe(0)
    pass(SLOW_MS)
    expect(lanes.underWay()).toBe(13 * 10 + 10)
  })

  it('and failed last never hold more than half of a host, or of the process', () => {
    const ofHost = worldWith(sameHost(40), { isFailing: true })
    expect(ofHost.lanes.underWay()).toBe(LIMITS.attemptsAtOncePerHost / 2)
    ofHost.add('https://shared.example/healthy')
    expect(ofHost.begin()).toBe(10)
    const ofAll = worldWith(ownHosts(100), { isFailing: true })
    expect(ofAll.lanes.underWay()).toBe(LIMITS.attemptsAtOnce / 2)
    ofAll.add('https://healthy.example/')
    expect(ofAll.begin()).toBe(10)
  })

  it('keep their own few places, however long they wait', () => {
    const hanging = worldWith(ownHosts(1), { events: 50, forMs: 9_000 })
    expect(hanging.lanes.underWay()).toBe(LIMITS.attemptsAtOncePerWebhook)
    const failing = worldWith(ownHosts(1), { events: 50, isFailing: true, forMs: 9_000 })
    expect(failing.lanes.underWay()).toBe(LIMITS.attemptsAtOnceFailing)
  })

  it.each([
    ['have answered before', false],
    ['failed last', true],
  ])('leave sockets to those that answer, however many of them %s', (_, isFailing) => {
    const { lanes, add, begin } = worldWith(ownHosts(300), { isFailing, forMs: 9_000 })
    expect(lanes.underWay()).toBe(LIMITS.attemptsUnderWayDoubtful)
    for (let n = 0; n < 20; n++) add(`https://healthy${n}.example/`)
    expect(begin()).toBe(LIMITS.attemptsAtOnce)
    expect(lanes.underWay()).toBe(LIMITS.attemptsUnderWay)
  })

  it('are all begun in the end, when those that hung give their places back', () => {
    const { lanes, open, pass } = worldWith(ownHosts(300), { forMs: 9_000 })
    let ended = 0
    for (let taken; (taken = open.shift()); ended++) {
      lanes.finish(taken, ended % 3 > 0)
      pass(10)
    }
    expect(ended).toBe(300 * 10)
    expect(lanes.underWay()).toBe(0)
  })
})
