import { LIMITS } from '../../core/limits.ts'
import { createGates, type Pass } from './delivery-gates.ts'
import { bytesOf, type Holding, roomOf, staying } from './delivery-holding.ts'
import type { Due, Leased, Room } from './delivery-rows.ts'
import type { Standing } from './delivery-settlements.ts'

/** A leased registration with what this process holds of its deliveries. */
export type Lane = Leased &
  Standing &
  Holding & {
    host: string
    /** What the attempts under way are about: of each, one at a time. */
    subjects: Set<string>
    underWay: number
    isFailing: boolean
    /** Whether the database may have something due that is not held. */
    mayHaveMore: boolean
    /** Nothing of it begins any more; it is given back when what has begun is written. */
    isOver: boolean
    /** Whether nothing was held when it was last looked at. */
    wasIdle: boolean
    /** By the monotonic clock, as are the next two. */
    leaseUntil: number
    leasedAt: number
    triggerToldAt: number
    /** Resolves when its address has been fetched ahead of the first attempts. */
    prepared: Promise<void>
  }

/** An attempt that may begin, until it is finished. */
export type Taken = { lane: Lane; due: Due; pass: Pass<Lane> }

/** What a registration gets of a read, however many there are. */
const SHARE_LEAST = 10
/** Registrations without a lane of which it is remembered that they failed. */
const FAILED_REMEMBERED = 10_000

export type Lanes = ReturnType<typeof createLanes>

/**
 * Decides which attempt begins next. Lanes take turns, one attempt each; within a lane the order is
 * that of events. None has more than its share of attempts, however much waits for it or how slow it is.
 */
export function createLanes() {
  const lanes = new Map<string, Lane>()
  /** Those that may have something to begin; whoever had a turn goes to the end. */
  const ready = new Set<Lane>()
  const gates = createGates(makeReady)
  /** Those given back whose last attempt failed: while they wait for a retry, that is all there is to tell. */
  const failed = new Set<string>()
  /** Of all that waits. */
  let heldBytes = 0

  function makeReady(lane: Lane): void {
    if (lane.waiting.length > 0 && lanes.get(lane.webhookId) === lane) ready.add(lane)
  }

  function countBytes(lane: Lane, bytes: number): void {
    lane.waitingBytes += bytes
    heldBytes += bytes
  }

  /** Gives back to the database what waits, but for the first so many. */
  function giveBack(lane: Lane, but: number): void {
    if (lane.waiting.length <= but) return
    for (const due of lane.waiting.splice(but)) {
      lane.heldIds.delete(due.eventId)
      countBytes(lane, -bytesOf(due))
    }
    lane.mayHaveMore = true
  }

  function roomFor(lane: Lane) {
    if (lane.isOver || !lane.mayHaveMore) return null
    return roomOf(lane, heldBytes >= LIMITS.deliveriesHeldBytes)
  }

  return {
    all: () => [...lanes.values()],
    /** Those whose turn is over have only to end what they began: others need not wait for that. */
    size: () => [...lanes.values()].filter(({ isOver }) => !isOver).length,
    underWay: gates.underWay,

    add(leased: Leased, { now, leaseUntil }: { now: number; leaseUntil: number }): Lane {
      const lane = newLane(leased, now, leaseUntil)
      if (failed.delete(lane.webhookId)) lane.isFailing = true
      lanes.set(lane.webhookId, lane)
      return lane
    },

    /** Forgets a lane that is given back or lost; what has begun of it ends by itself. */
    remove(lane: Lane): void {
      lane.isOver = true
      giveBack(lane, 0)
      if (lane.isFailing) {
        failed.add(lane.webhookId)
        const [oldest] = failed
        if (failed.size > FAILED_REMEMBERED && oldest !== undefined) failed.delete(oldest)
      }
      if (lanes.get(lane.webhookId) === lane) lanes.delete(lane.webhookId)
    },

    /** Begins nothing more of a lane: it is to be given back, or turned out not to be what it was. */
    retire(lane: Lane): void {
      lane.isOver = true
      giveBack(lane, 0)
    },

    /**
     * What the lanes have room for, all in all no more than is read together; in even shares, and those
     * first that were not asked for longest. When memory grows short, gives back before that what is too
     * much by now: at any other time, something may just be read that comes after it.
     */
    rooms(now: number): Room[] {
      if (heldBytes >= LIMITS.deliveriesHeldBytes / 2) {
        for (const lane of lanes.values()) giveBack(lane, staying(lane))
      }
      const wanting = [...lanes.values()].flatMap((lane) => {
        const room = lane.leaseUntil < now ? null : roomFor(lane)
        return room ? [{ lane, room }] : []
      })
      const share = Math.max(SHARE_LEAST, Math.floor(LIMITS.deliveriesRead / wanting.length))
      return wanting.slice(0, LIMITS.deliveriesRead / share).map(({ lane, room }) => {
        const { webhookId, epoch, heldIds } = lane
        lanes.delete(webhookId)
        lanes.set(webhookId, lane)
        const { count, bytes } = room
        return { webhookId, epoch, room: Math.min(share, count), bytes, heldEventIds: [...heldIds] }
      })
    },

    /** Takes in what was read for the rooms; `isCut` when there was more than was read. */
    accept(rooms: Room[], read: Due[], isCut: boolean): void {
      const filled = new Map(rooms.map(({ webhookId }) => [webhookId, { count: 0, bytes: 0 }]))
      for (const due of read) {
        const bytes = bytesOf(due)
        const fill = filled.get(due.webhookId)
        if (fill) {
          fill.count++
          fill.bytes += bytes
        }
        const lane = lanes.get(due.webhookId)
        if (!lane || lane.isOver || lane.heldIds.has(due.eventId)) continue
        lane.heldIds.add(due.eventId)
        lane.waiting.push(due)
        countBytes(lane, bytes)
      }
      for (const { webhookId, room, bytes } of rooms) {
        const lane = lanes.get(webhookId)
        const fill = filled.get(webhookId)
        if (!lane || !fill) continue
        lane.mayHaveMore = isCut || fill.count >= room || fill.bytes >= bytes
        lane.waiting.sort((a, b) => a.eventId - b.eventId)
        makeReady(lane)
      }
    },

    /** Takes the next attempt, if one may begin that would end within its lease when it `lastsMs`. */
    next(now: number, lastsMs: number): Taken | null {
      const endsAt = now + lastsMs
      for (const lane of ready) {
        if (gates.areFull()) return null
        ready.delete(lane)
        if (!gates.mayPass(lane)) continue
        const due = lane.leaseUntil < endsAt ? null : take(lane)
        if (!due) continue
        countBytes(lane, -bytesOf(due))
        makeReady(lane)
        return { lane, due, pass: gates.enter(lane, now) }
      }
      return null
    },

    /** Gives an attempt's places back; `isSuccess` is null when it did not begin after all. */
    finish({ lane, due, pass }: Taken, isSuccess: boolean | null): void {
      lane.underWay--
      if (due.subject !== null) lane.subjects.delete(due.subject)
      gates.leave(pass)
      if (isSuccess === null) lane.heldIds.delete(due.eventId)
      else {
        lane.isFailing = !isSuccess
        lane.isAnswering = isSuccess
      }
      makeReady(lane)
    },

    /** To be called every now and then: has attempts that hang make room for others. */
    letGo: gates.letGo,

    wantsMore: (lane: Lane) => roomFor(lane) !== null,
    makeReady,
  }
}

function newLane(leased: Leased, leasedAt: number, leaseUntil: number): Lane {
  return {
    ...leased,
    host: new URL(leased.url).host,
    waiting: [],
    waitingBytes: 0,
    heldIds: new Set(),
    isAnswering: false,
    slow: 0,
    subjects: new Set(),
    underWay: 0,
    isFailing: leased.failureCount > 0,
    mayHaveMore: true,
    isOver: false,
    wasIdle: false,
    leaseUntil,
    leasedAt,
    triggeredAt: null,
    triggerToldAt: -Infinity,
    prepared: Promise.resolve(),
  }
}

/** The first whose subject is not under way: a conversation that waits does not hold up the others. */
function take(lane: Lane): Due | null {
  const most = lane.isFailing ? LIMITS.attemptsAtOnceFailing : LIMITS.attemptsAtOncePerWebhook
  if (lane.underWay >= most) return null
  const index = lane.waiting.findIndex(
    ({ subject }) => subject === null || !lane.subjects.has(subject),
  )
  const [due] = index < 0 ? [] : lane.waiting.splice(index, 1)
  if (!due) return null
  if (due.subject !== null) lane.subjects.add(due.subject)
  lane.underWay++
  return due
}
