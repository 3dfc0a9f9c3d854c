import { LIMITS } from '../../core/limits.ts'
import { createGates, type Pass } from './delivery-gates.ts'
import {
  bytesOf,
  firstFree,
  type Holding,
  mostAtOnce,
  roomOf,
  roomPast,
  staying,
} from './delivery-holding.ts'
import type { Due, Leased, Room } from './delivery-rows.ts'
import type { Standing } from './delivery-settlements.ts'

/** A leased registration and the deliveries of it that this process has in memory. */
export type Lane = Leased &
  Standing &
  Holding & {
    host: string
    /** Whether the database may have due deliveries that were not read yet. */
    mayHaveMore: boolean
    /** Not before this is read past the subjects under way; on the monotonic clock. */
    pastFrom: number
    /** Begins no more attempts; the lease is given back when those under way are recorded. */
    isOver: boolean
    /** Whether it had nothing in memory at the last look. */
    wasIdle: boolean
    /** On the monotonic clock, like the next two. */
    leaseUntil: number
    leasedAt: number
    triggerToldAt: number
    /** Resolves when its endpoint has been loaded ahead of the first attempts. */
    prepared: Promise<void>
  }

/** An attempt that was allowed to begin, until it is finished. */
export type Taken = { lane: Lane; due: Due; pass: Pass<Lane> }

/** The least that a registration gets of one read, however many registrations share it. */
const SHARE_LEAST = 10
/** How many registrations without a lane are remembered as failed. */
const FAILED_REMEMBERED = 10_000

export type Lanes = ReturnType<typeof createLanes>

/**
 * Decides which attempt begins next. Lanes take turns, one attempt each; within a lane attempts begin in the
 * order of events. No lane gets more than its share, however large its backlog or however slow its receiver is.
 */
export function createLanes() {
  const lanes = new Map<string, Lane>()
  /** Lanes that may have something to begin; each goes to the end after its turn. */
  const ready = new Set<Lane>()
  const gates = createGates(makeReady)
  /**
   * Registrations given back after a failed attempt; while they wait for a retry, nothing else is known of
   * them.
   */
  const failed = new Set<string>()
  /** Bytes of everything that waits in memory. */
  let heldBytes = 0

  function makeReady(lane: Lane): void {
    if (lane.waiting.length > 0 && lanes.get(lane.webhookId) === lane) ready.add(lane)
  }

  function countBytes(lane: Lane, bytes: number): void {
    lane.waitingBytes += bytes
    heldBytes += bytes
  }

  /** Returns all but the first `but` of the waiting deliveries to the database. */
  function giveBack(lane: Lane, but: number): void {
    if (lane.waiting.length <= but) return
    for (const due of lane.waiting.splice(but)) {
      lane.heldIds.delete(due.eventId)
      countBytes(lane, -bytesOf(due))
    }
    lane.mayHaveMore = true
  }

  function isShort(): boolean {
    return heldBytes >= LIMITS.deliveriesHeldBytes / 2
  }

  function roomFor(lane: Lane, now: number) {
    if (lane.isOver || !lane.mayHaveMore) return null
    const isFull = heldBytes >= LIMITS.deliveriesHeldBytes
    return roomOf(lane, isFull) ?? (isFull || now < lane.pastFrom ? null : roomPast(lane))
  }

  return {
    all: () => [...lanes.values()],
    /** Lanes that are over only finish what they began, so they do not count against the limit. */
    size: () => [...lanes.values()].filter(({ isOver }) => !isOver).length,
    underWay: gates.underWay,

    add(leased: Leased, { now, leaseUntil }: { now: number; leaseUntil: number }): Lane {
      const lane = newLane(leased, now, leaseUntil)
      if (failed.delete(lane.webhookId)) lane.isFailing = true
      lanes.set(lane.webhookId, lane)
      return lane
    },

    /** Forgets a lane that was given back or lost; its attempts under way end by themselves. */
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

    /** Begins no more attempts of a lane that is to be given back or whose registration has changed. */
    retire(lane: Lane): void {
      lane.isOver = true
      giveBack(lane, 0)
    },

    /**
     * How much each lane may read, at most one read's worth in all, in even shares, and first for those that
     * were not served for longest. When memory runs short, returns the excess of the lanes first; only here,
     * because a read that is under way may bring rows that come after the returned ones.
     */
    rooms(now: number): Room[] {
      if (isShort()) {
        for (const lane of lanes.values()) giveBack(lane, staying(lane))
      }
      const wanting = [...lanes.values()].flatMap((lane) => {
        const room = lane.leaseUntil < now ? null : roomFor(lane, now)
        return room ? [{ lane, room }] : []
      })
      const share = Math.max(SHARE_LEAST, Math.floor(LIMITS.deliveriesRead / wanting.length))
      return wanting.slice(0, LIMITS.deliveriesRead / share).map(({ lane, room }) => {
        const { webhookId, epoch, heldIds } = lane
        lanes.delete(webhookId)
        lanes.set(webhookId, lane)
        const { count, bytes, past } = room
        if (past.length > 0) lane.pastFrom = now + LIMITS.deliveriesPastMs
        const heldEventIds = [...heldIds]
        return { webhookId, epoch, room: Math.min(share, count), bytes, past, heldEventIds }
      })
    },

    /** Takes in the rows that were read for `rooms`; `isCut` when there were more than the read could bring. */
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
      for (const { webhookId, room, bytes, past } of rooms) {
        const lane = lanes.get(webhookId)
        const fill = filled.get(webhookId)
        if (!lane || !fill) continue
        const mayHaveMore = isCut || fill.count >= room || fill.bytes >= bytes
        if (past.length === 0) lane.mayHaveMore = mayHaveMore
        // When memory is short, what was found may be given back at once, and would be read again at once.
        else if (mayHaveMore && !isShort()) lane.pastFrom = -Infinity
        lane.waiting.sort((a, b) => a.eventId - b.eventId)
        makeReady(lane)
      }
    },

    /** Takes the next attempt that may begin and that, lasting `lastsMs`, would end within its lease. */
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

    /** Gives back the places of an attempt; `isSuccess` is null when it did not begin after all. */
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

    /** To be called regularly: attempts that hang give their places to others. */
    letGo: gates.letGo,

    wantsMore: (lane: Lane, now: number) => roomFor(lane, now) !== null,
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
    pastFrom: -Infinity,
    isOver: false,
    wasIdle: false,
    leaseUntil,
    leasedAt,
    triggeredAt: null,
    triggerToldAt: -Infinity,
    prepared: Promise.resolve(),
  }
}

/** The first delivery that may begin: a conversation that waits does not hold up the others. */
function take(lane: Lane): Due | null {
  if (lane.underWay >= mostAtOnce(lane)) return null
  const index = firstFree(lane)
  const [due] = index < 0 ? [] : lane.waiting.splice(index, 1)
  if (!due) return null
  if (due.subject !== null) lane.subjects.add(due.subject)
  lane.underWay++
  return due
}
