import { LIMITS } from '../../core/limits.ts'
import type { Due } from './delivery-rows.ts'

/** The deliveries of one registration that this process has in memory. */
export type Holding = {
  /** Deliveries that may begin, in the order of events. */
  waiting: Due[]
  waitingBytes: number
  /** Events whose delivery waits here, is under way, or has an outcome that is not recorded yet. */
  heldIds: Set<number>
  /** The subjects of the attempts under way; each subject has one attempt at a time. */
  subjects: Set<string>
  underWay: number
  isFailing: boolean
  /** Whether its last attempt succeeded. */
  isAnswering: boolean
  /** How many of its attempts under way are slow. */
  slow: number
}

type Most = { count: number; bytes: number }

/** What may be read: what comes next, or what comes next beside the events of the subjects `past`. */
export type HoldingRoom = Most & { past: string[] }

const SHARE: Most = { count: LIMITS.deliveriesHeldShare, bytes: LIMITS.deliveriesHeldBytesShare }

/**
 * How much of a registration may be in memory: much for one that answers, since it is sent soon; little for the
 * others, whose backlog stays in the database and leaves the memory to those that answer.
 */
function mostOf({ isAnswering, slow }: Holding, isFull: boolean): Most {
  if (!isAnswering) return SHARE
  const count = LIMITS.deliveriesHeldPerWebhook
  const isShort = isFull || slow > 0
  return { count, bytes: isShort ? SHARE.bytes : LIMITS.deliveriesHeldBytesPerWebhook }
}

/** How much more fits in; null until half of the allowance is free, so that rows are not read one by one. */
export function roomOf(held: Holding, isFull: boolean): HoldingRoom | null {
  const { count, bytes } = mostOf(held, isFull)
  if (held.heldIds.size > count / 2 || held.waitingBytes > bytes / 2) return null
  return { count: count - held.heldIds.size, bytes: bytes - held.waitingBytes, past: [] }
}

/**
 * A share of room beyond that, past the subjects under way, when all that is in memory waits for these: more than
 * can begin at once, so that not every attempt that ends has them passed over again. Null when something may
 * begin, or nothing more at once.
 */
export function roomPast(held: Holding): HoldingRoom | null {
  const mayBegin = held.underWay < mostAtOnce(held)
  if (!mayBegin || held.waiting.length === 0 || firstFree(held) >= 0) return null
  return { ...SHARE, past: [...held.subjects] }
}

/** How many attempts may be under way. */
export function mostAtOnce({ isFailing }: Holding): number {
  return isFailing ? LIMITS.attemptsAtOnceFailing : LIMITS.attemptsAtOncePerWebhook
}

/** The place of the first waiting delivery whose subject is not under way; -1 for none. */
export function firstFree({ waiting, subjects }: Holding): number {
  return waiting.findIndex(({ subject }) => subject === null || !subjects.has(subject))
}

/**
 * How many of the waiting deliveries may stay, from the first on; the last of them may exceed the bound in
 * bytes.
 */
export function staying(held: Holding): number {
  const { waiting, waitingBytes, heldIds } = held
  const most = mostOf(held, false)
  if (heldIds.size <= most.count && waitingBytes <= most.bytes) return waiting.length
  const count = Math.max(0, most.count - (heldIds.size - waiting.length))
  let ahead = 0
  const over = waiting.findIndex((due, index) => {
    const isOver = index >= count || ahead >= most.bytes
    ahead += bytesOf(due)
    return isOver
  })
  return over < 0 ? waiting.length : over
}

/** In bytes of UTF-8, as the database counts. */
export function bytesOf({ data }: Due): number {
  return Buffer.byteLength(data)
}
