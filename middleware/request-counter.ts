import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, defineScript } from 'redis'
import { LIMITS } from '../core/limits.ts'
import type { Metrics } from '../core/metrics.ts'

/** How many requests a credential has made in this clock minute, and when the minute ends. */
export type Count = { used: number; resetS: number }

/** Counts requests; null when the store fails, which lets the request pass. */
export type RequestCounter = {
  count(credentialId: string): Promise<Count | null>
  close(): Promise<void>
}

const WINDOW_S = 60

/** Counts within this process, by the given clock. */
export function createMemoryCounter(now: () => Date): RequestCounter {
  let window = -1
  let used = new Map<string, number>()
  return {
    async count(credentialId) {
      const seconds = now().getTime() / 1000
      const current = Math.floor(seconds / WINDOW_S)
      if (current !== window) {
        window = current
        used = new Map()
      }
      const times = (used.get(credentialId) ?? 0) + 1
      used.set(credentialId, times)
      return { used: times, resetS: Math.ceil((window + 1) * WINDOW_S - seconds) || WINDOW_S }
    },
    async close() {},
  }
}

// One round trip. The minute is Redis's own, so that processes with other clocks agree; the key ends
// with the minute's number and always expires, so that no crash locks a credential out for ever.
const countScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local seconds = tonumber(redis.call('TIME')[1])
    local key = KEYS[1] .. ':' .. math.floor(seconds / ${WINDOW_S})
    local used = redis.call('INCR', key)
    redis.call('EXPIRE', key, ${WINDOW_S * 2})
    return { used, ${WINDOW_S} - seconds % ${WINDOW_S} }`,
  parseCommand(parser, key: string) {
    parser.pushKey(key)
  },
  transformReply: (reply: unknown) => reply,
})

const FAILURES_TO_OPEN = 3
const OPEN_MS = 1_000
const READY_WITHIN_MS = 1_000

/**
 * Counts in Redis, across processes. A Redis that is absent, mute or broken delays a request by at most
 * a tenth of a second; after three failures nobody waits for it, and one request a second tries again.
 */
export async function createRedisCounter(
  url: string,
  metrics: Metrics,
  onProblem: (error: Error) => void,
): Promise<RequestCounter> {
  const withDeadline = createDeadline()
  let client = openClient(url, onProblem)
  let failures = 0
  let retryAt = 0
  // So that the first requests are counted too; a Redis that is absent does not keep the service down.
  const isReady = once(client, 'ready').catch(() => {}) // An error is told where it occurs.
  await Promise.race([isReady, pause(READY_WITHIN_MS)])

  const failOpen = () => {
    metrics.limiterFailures.inc()
    return null
  }
  const fail = (used: typeof client) => {
    failures++
    // An answer that comes after all would be taken for the answer to the next question.
    if (failures >= FAILURES_TO_OPEN && used === client && used.isReady) {
      used.destroy()
      client = openClient(url, onProblem)
    }
    return failOpen()
  }
  return {
    async count(credentialId) {
      if (failures >= FAILURES_TO_OPEN && performance.now() < retryAt) return failOpen()
      retryAt = performance.now() + OPEN_MS
      const used = client
      try {
        const reply = await withDeadline(used.countRequest(`requests:${credentialId}`))
        const [times, resetS] = Array.isArray(reply) ? (reply as unknown[]) : []
        if (typeof times !== 'number' || typeof resetS !== 'number') throw new Error('Odd reply')
        failures = 0
        return { used: times, resetS }
      } catch {
        return fail(used)
      }
    },
    async close() {
      client.destroy()
    },
  }
}

function openClient(url: string, onProblem: (error: Error) => void) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    scripts: { countRequest: countScript },
    socket: {
      connectTimeout: 500,
      socketTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, OPEN_MS),
    },
  })
  client.on('error', onProblem)
  // A first connection that fails is retried like any other; the counter answers null meanwhile.
  client.connect().catch(onProblem)
  return client
}

const TURN_MS = 10
const TURNS = LIMITS.limiterWaitMs / TURN_MS

/**
 * Gives up on work after a tenth of a second. It is counted in turns of the event loop: an answer that
 * lies there unread while this process is busy is not late, and a burst must not pass uncounted.
 */
function createDeadline() {
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
