import type { Config } from '../../core/config.ts'
import { LIMITS } from '../../core/limits.ts'
import { remember } from '../../core/under-way.ts'

/** How many recipients a process has under way, and who waits for room. */
export type Room = {
  /** Recipients from their lease to the record of their outcome. */
  underWay: Set<Promise<boolean>>
  /** Who waits until one of them has ended. */
  waiting: (() => void)[]
}

/**
 * What a process has under way of one broadcast. The first message goes alone, and each that is taken makes
 * room for one more: what the channel holds against all of them is heard before many have left.
 */
export type Window = {
  underWay: number
  size: number
  /** How many of the latest have come to nothing for a passing reason, or nobody knows what they came to. */
  failedInRow: number
}

/** Where it begins. */
export function newWindow(): Window {
  return { underWay: 0, size: 1, failedInRow: 0 }
}

/** How many recipients to take next; waits while there is no room for that many. */
export async function roomFor(config: Config, room: Room, window: Window): Promise<number> {
  const ahead = Math.floor((config.broadcastMessagesPerSecond * LIMITS.paceAheadMs) / 1_000)
  for (;;) {
    const count = Math.min(Math.max(1, ahead), LIMITS.recipientsTaken, window.size)
    const hasRoom =
      window.underWay + count <= window.size &&
      room.underWay.size + count <= LIMITS.recipientsUnderWay
    if (hasRoom) return count
    await new Promise<void>((resolve) => room.waiting.push(resolve))
  }
}

/** Takes note of a recipient who is under way, until he no longer is: whether his message was taken. */
export function track(room: Room, window: Window, work: Promise<boolean>): void {
  remember(room.underWay, work)
  window.underWay++
  void work.then((isTaken) => {
    window.underWay--
    if (isTaken) window.size = Math.min(window.size + 1, LIMITS.recipientsUnderWayEach)
    for (const resolve of room.waiting.splice(0)) resolve()
  })
}
