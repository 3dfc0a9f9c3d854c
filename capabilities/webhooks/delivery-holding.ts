import { LIMITS } from '../../core/limits.ts'
import type { Due } from './delivery-rows.ts'

/** What a process holds of one registration's deliveries. */
export type Holding = {
  /** What may begin, in the order of events. */
  waiting: Due[]
  waitingBytes: number
  /** Events whose delivery waits, is under way, or is not written yet. */
  heldIds: Set<number>
  /** Whether its last attempt succeeded. */
  isAnswering: boolean
  /** Of its attempts under way, those that hang, or may. */
  slow: number
}

type Most = { count: number; bytes: number }

const SHARE: Most = { count: LIMITS.deliveriesHeldShare, bytes: LIMITS.deliveriesHeldBytesShare }

/**
 * What of a registration may be held: much where it answers, for there it goes out soon. What waits for
 * others stays in the database: it would only take the memory of those that answer.
 */
function mostOf({ isAnswering, slow }: Holding, isFull: boolean): Most {
  if (!isAnswering) return SHARE
  const count = LIMITS.deliveriesHeldPerWebhook
  const isShort = isFull || slow > 0
  return { count, bytes: isShort ? SHARE.bytes : LIMITS.deliveriesHeldBytesPerWebhook }
}

/** What more fits in; null until half of what may be held is through: not every single one is read anew. */
export function roomOf(held: Holding, isFull: boolean): Most | null {
  const { count, bytes } = mostOf(held, isFull)
  if (held.heldIds.size > count / 2 || held.waitingBytes > bytes / 2) return null
  return { count: count - held.heldIds.size, bytes: bytes - held.waitingBytes }
}

/** How many of those that wait may stay, the first of them; the last of these may pass the bound in bytes. */
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

/** As the database counts them. */
export function bytesOf({ data }: Due): number {
  return Buffer.byteLength(data)
}
