import { LIMITS } from '../core/limits.ts'

const TURN_MS = 10
const TURNS = LIMITS.limiterWaitMs / TURN_MS

/**
 * Gives up on work after a tenth of a second, counted in turns of the event loop: an answer that has arrived
 * but was not read because this process is busy is not late, and a burst of requests must not go uncounted.
 */
export function createDeadline(): <T>(work: Promise<T>) => Promise<T> {
  const waiting = new Set<{ lastTurn: number; giveUp: () => void }>()
  let turn = 0
  let timer: NodeJS.Timeout | undefined
  const tick = () => {
    turn++
    for (const entry of waiting) {
      if (entry.lastTurn > turn) break
      waiting.delete(entry)
      entry.giveUp()
    }
    timer = waiting.size > 0 ? setTimeout(tick, TURN_MS) : undefined
  }
  return <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('Redis is mute'))
      const entry = { lastTurn: turn + TURNS, giveUp }
      waiting.add(entry)
      timer ??= setTimeout(tick, TURN_MS)
      work.then(resolve, reject).finally(() => waiting.delete(entry))
    })
}
