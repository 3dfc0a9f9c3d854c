import { LIMITS } from '../core/limits.ts'
import { createGates, type Pass } from './delivery-gates.ts'
import type { Due, Leased, Room } from './delivery-rows.ts'
import type { Standing } from './delivery-settlements.ts'

/** A leased registration with what this process holds of its deliveries. */
export type Lane = Leased &
  Standing & {
    host: string
    /** What may begin, in the order of events. */
    waiting: Due[]
    /** Events whose delivery waits, is under way, or is not written yet. */
    heldIds: Set<number>
    /** What the attempts under way are about: of each, one at a time. */
    subjects: Set<string>
    underWay: number
    /** Of these, how many hang, or may: they count for this lane alone. */
    slow: number
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
  let heldBytes = 0

  function makeReady(lane: Lane): void {
    if (lane.waiting.length > 0 && lanes.get(lane.webhookId) === lane) ready.add(lane)
  }

  return {
    all: () => [...lanes.values()],
    size: () => lanes.size,
    underWay: gates.underWay,

    add(leased: Leased, { now, leaseUntil }: { now: number; leaseUntil: number }): Lane {
      const lane = newLane(leased, now, leaseUntil)
      if (failed.delete(lane.webhookId)) lane.isFailing = true
      lanes.set(lane.webhookId, lane)
      return lane
    },

    /** Forgets a lane that is given back or lost; what has begun of it ends by itself. */
    remove(lane: Lane): void {
      heldBytes -= bytesOf(lane.waiting)
      lane.isOver = true
      lane.waiting = []
      if (lane.isFailing) {
        failed.add(lane.webhookId)
        const [oldest] = failed
        if (failed.size > FAILED_REMEMBERED && oldest !== undefined) failed.delete(oldest)
      }
      if (lanes.get(lane.webhookId) === lane) lanes.delete(lane.webhookId)
    },

    /** Begins nothing more of a lane: it is to be given back, or turned out not to be what it was. */
    retire(lane: Lane): void {
      heldBytes -= bytesOf(lane.waiting)
      lane.isOver = true
      for (const { eventId } of lane.waiting) lane.heldIds.delete(eventId)
      lane.waiting = []
    },

    /**
     * What the lanes have room for, all in all no more than is read together; in even shares, and those
     * first that were not asked for longest. When memory is full of what others wait with, a lane that
     * holds nothing has room for one.
     */
    rooms(now: number): Room[] {
      const isFull = heldBytes >= LIMITS.deliveriesHeldBytes
      const wanting = [...lanes.values()].filter(
        (lane) => wantsMore(lane) && lane.leaseUntil >= now && !(isFull && lane.heldIds.size > 0),
      )
      const share = Math.max(SHARE_LEAST, Math.floor(LIMITS.deliveriesRead / wanting.length))
      return wanting.slice(0, LIMITS.deliveriesRead / share).map((lane) => {
        const { webhookId, epoch, heldIds } = lane
        lanes.delete(webhookId)
        lanes.set(webhookId, lane)
        const left = LIMITS.deliveriesHeldPerWebhook - heldIds.size
        const room = isFull ? 1 : Math.min(share, left)
        return { webhookId, epoch, room, heldEventIds: [...heldIds] }
      })
    },

    /** Takes in what was read for the rooms; `isCut` when there was more than was read. */
    accept(rooms: Room[], read: Due[], isCut: boolean): void {
      const counts = new Map(rooms.map(({ webhookId }) => [webhookId, 0]))
      for (const due of read) {
        counts.set(due.webhookId, (counts.get(due.webhookId) ?? 0) + 1)
        const lane = lanes.get(due.webhookId)
        if (!lane || lane.isOver || lane.heldIds.has(due.eventId)) continue
        lane.heldIds.add(due.eventId)
        lane.waiting.push(due)
        heldBytes += due.data.length
      }
      for (const { webhookId, room } of rooms) {
        const lane = lanes.get(webhookId)
        if (!lane) continue
        lane.mayHaveMore = isCut || (counts.get(webhookId) ?? 0) >= room
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
        makeReady(lane)
        return { lane, due, pass: gates.enter(lane, now) }
      }
      return null
    },

    /** Gives an attempt's places back; `isSuccess` is null when it did not begin after all. */
    finish({ lane, due, pass }: Taken, isSuccess: boolean | null): void {
      heldBytes -= due.data.length
      lane.underWay--
      if (due.subject !== null) lane.subjects.delete(due.subject)
      gates.leave(pass)
      if (isSuccess === null) lane.heldIds.delete(due.eventId)
      else lane.isFailing = !isSuccess
      makeReady(lane)
    },

    /** To be called every now and then: has attempts that hang make room for others. */
    letGo: gates.letGo,

    wantsMore,
    makeReady,
  }
}

function newLane(leased: Leased, leasedAt: number, leaseUntil: number): Lane {
  return {
    ...leased,
    host: new URL(leased.url).host,
    waiting: [],
    heldIds: new Set(),
    subjects: new Set(),
    underWay: 0,
    slow: 0,
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

/** Reads anew when half of it is through, not for every single one. */
function wantsMore(lane: Lane): boolean {
  const { isOver, mayHaveMore, heldIds } = lane
  return !isOver && mayHaveMore && heldIds.size <= LIMITS.deliveriesHeldPerWebhook / 2
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

function bytesOf(waiting: Due[]): number {
  return waiting.reduce((bytes, { data }) => bytes + data.length, 0)
}
