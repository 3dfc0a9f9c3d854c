import { LIMITS } from '../../core/limits.ts'
import type { Due } from './delivery-rows.ts'

/** The deliveries of one registration that this process has in memory. */
export type Holding = {
  /** Deliveries that may begin, in the order of events. */
  waiting: Due[]
  waitingBytes: number
  /** Events whose delivery waits here, is under way, or has an outcome that is not recorded yet. */
  heldIds: Set<number>
  /** Whether its last attempt succeeded. */
  isAnswering: boolean
  /** How many of its attempts under way are slow. */
  slow: number
}

type Most = { count: number; bytes: number }

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
export function roomOf(held: Holding, isFull: boolean): Most | null {
  const { count, bytes } = mostOf(held, isFull)
  if (held.heldIds.size > count / 2 || held.waitingBytes > bytes / 2) return null
  return { count: count - held.heldIds.size, bytes: bytes - held.waitingBytes }
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
