import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../tests/support/random.ts'

/** Something that a caller or customer does; `share` is its weight among all actions. */
export type Action = { name: string; share: number; run: () => Promise<void> }

type Pace = {
  perSecond: number
  seconds: number
  /**
   * The time until the full pace is reached, starting from a quarter of it: freshly started servers are slow.
   */
  risingSeconds: number
  random: Random
  /** Called for every failed action, and for every action that was not started. */
  onFault: (name: string, error: unknown) => void
}

/** The maximum number of actions under way; a service that keeps up never has so many. */
const OPEN_MAX = 512
const FINE = 1_000_000
const FIRST_SHARE = 0.25

/**
 * Starts actions at random moments, a given number per second, whether or not earlier ones have ended: a slow
 * service does not slow its callers. Resolves with their number when the time is over and all have ended.
 */
export async function keepPace(
  actions: readonly Action[],
  { perSecond, seconds, risingSeconds, random, onFault }: Pace,
): Promise<number> {
  const open = new Set<Promise<void>>()
  const startedAt = performance.now()
  const until = startedAt + 1_000 * seconds
  let due = startedAt
  let begun = 0
  while (due < until) {
    const risen = (due - startedAt) / (1_000 * risingSeconds)
    const pace = perSecond * Math.min(1, FIRST_SHARE + (1 - FIRST_SHARE) * risen)
    due += (-Math.log(random.between(1, FINE) / FINE) * 1_000) / pace
    const waitMs = due - performance.now()
    if (waitMs > 0) await pause(waitMs)
    const action = pickByShare(actions, random)
    if (open.size >= OPEN_MAX) {
      onFault('not begun: too much is under way', action.name)
      continue
    }
    begun++
    const running: Promise<void> = action
      .run()
      .catch((error: unknown) => onFault(action.name, error))
      .finally(() => open.delete(running))
    open.add(running)
  }
  await Promise.all(open)
  return begun
}

function pickByShare(actions: readonly Action[], random: Random): Action {
  const total = actions.reduce((sum, { share }) => sum + share, 0)
  let left = random.between(1, total)
  const found = actions.find(({ share }) => (left -= share) <= 0)
  if (!found) throw new Error('There is nothing to do')
  return found
}
