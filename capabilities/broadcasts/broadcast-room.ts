import type { Config } from '../../core/config.ts'
import { LIMITS } from '../../core/limits.ts'
import { remember } from '../../core/under-way.ts'

/** How many recipients a process has under way, and which senders wait for room. */
export type Room = {
  /** Recipients from their lease to the record of their outcome. */
  underWay: Set<Promise<boolean>>
  /** Senders that wait until one of them has ended. */
  waiting: (() => void)[]
}

/**
 * What a process has under way of one broadcast. It grows like a congestion window: the first message goes
 * alone, and each that is accepted makes room for one more, so that a fault which affects all messages is
 * noticed before many have left.
 */
export type Window = {
  underWay: number
  size: number
  /** Consecutive latest attempts that failed for a passing reason or whose outcome is unknown. */
  failedInRow: number
}

/** The window of a broadcast that has sent nothing yet. */
export function newWindow(): Window {
  return { underWay: 0, size: 1, failedInRow: 0 }
}

/** How many recipients to lease next; waits until there is room for a worthwhile number. */
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

/** Tracks a recipient under way until `work` ends with whether the channel took the message. */
export function track(room: Room, window: Window, work: Promise<boolean>): void {
  remember(room.underWay, work)
  window.underWay++
  void work.then((isTaken) => {
    window.underWay--
    if (isTaken) window.size = Math.min(window.size + 1, LIMITS.recipientsUnderWayEach)
    for (const resolve of room.waiting.splice(0)) resolve()
  })
}
