import { isNativeError } from 'node:util/types'
import type { Metrics } from '../core/metrics.ts'
import type { RequestCount, RequestCounter } from '../core/stores.ts'
import type { Counters, UploadLimits } from './minute.ts'
import { createConnection } from './redis-connection.ts'

/** Counts in Redis, across processes. */
export function createRedisCounters(options: {
  url: string
  limits: UploadLimits
  metrics: Metrics
  onProblem: (error: unknown) => void
}): Counters {
  const { url, limits, metrics } = options
  const password = decodeURIComponent(new URL(url).password)
  const onProblem = (error: unknown) =>
    options.onProblem(isUnasked(error) ? refusesAll() : withoutArguments(error, password))
  const { ask, connect, close } = createConnection({ url, onProblem })

  function passUncounted(): null {
    metrics.limiterFailures.inc()
    return null
  }
  return {
    connect,
    close,
    requestCounter: createRequestCounter(
      (credentialId, requests) =>
        ask((redis) => redis.countRequests(`requests:${credentialId}`, requests), readCount),
      passUncounted,
    ),
    uploadBudget: {
      async reserve(credentialId, bytes, uploads = 1) {
        const key = `uploads:${credentialId}`
        const reserved = await ask(
          (redis) => redis.reserveUpload(key, { bytes, uploads }, limits),
          readReservation,
        )
        if (!reserved) return passUncounted()
        const { minute, ...reservation } = reserved
        let unsettledBytes = reservation.grantedBytes
        return {
          ...reservation,
          async settle(usedBytes) {
            const restBytes = unsettledBytes - usedBytes
            unsettledBytes = 0
            // What cannot be given back is missing until the end of its minute only.
            if (restBytes > 0)
              await ask((redis) => redis.returnBytes(key, minute, restBytes), readNumber)
          },
        }
      },
    },
  }
}

/** Requests of one credential that are counted in one call. */
type Group = { size: number; counted: Promise<RequestCount | null> }

/**
 * Counts all requests of a credential that arrived in the same turn of the event loop in one call: a call to
 * Redis costs this process more than the rest of a small request does.
 */
function createRequestCounter(
  add: (credentialId: string, requests: number) => Promise<RequestCount | null>,
  passUncounted: () => null,
): RequestCounter {
  const gathering = new Map<string, Group>()

  function gather(credentialId: string): Group {
    const group: Group = {
      size: 0,
      counted: new Promise((resolve) => {
        setImmediate(() => {
          gathering.delete(credentialId)
          resolve(add(credentialId, group.size))
        })
      }),
    }
    gathering.set(credentialId, group)
    return group
  }
  return {
    async count(credentialId) {
      const group = gathering.get(credentialId) ?? gather(credentialId)
      const place = ++group.size
      const count = await group.counted
      if (!count) return passUncounted()
      return { used: count.used - group.size + place, resetS: count.resetS }
    },
  }
}

function readCount(reply: unknown) {
  const [used, resetS] = Array.isArray(reply) ? (reply as unknown[]) : []
  if (typeof used !== 'number' || typeof resetS !== 'number') throw new Error('Odd reply')
  return { used, resetS }
}

function readReservation(reply: unknown) {
  const [granted, bytes, uploads, resetS, minute] = Array.isArray(reply) ? (reply as unknown[]) : []
  return {
    minute: readNumber(minute),
    grantedBytes: readNumber(granted),
    remainingBytes: Math.max(0, readNumber(bytes)),
    remainingUploads: Math.max(0, readNumber(uploads)),
    resetS: readNumber(resetS),
  }
}

function readNumber(reply: unknown): number {
  if (typeof reply !== 'number') throw new Error('Odd reply')
  return reply
}

/**
 * Whether Redis has answered although nothing was asked. The client takes its answer for that to a command, of
 * which there is none, and loses it (node-redis 6.3).
 */
function isUnasked(error: unknown): boolean {
  return isNativeError(error) && /reading '(?:reject|resolve)'/.test(error.message)
}

function refusesAll(): Error {
  return new Error(
    'Redis refuses connections before anything is asked: it is in protected mode, or has as many clients as it may (maxclients).',
  )
}

/**
 * Redis repeats the arguments of a command that it does not know, cut after some characters. To one before 6.0,
 * the command that logs in is such a command.
 */
function withoutArguments(error: unknown, password: string): unknown {
  if (!isNativeError(error)) return error
  const [said = ''] = error.message.split(/,? with args beginning with/)
  const message = password === '' ? said : said.replaceAll(password, '[password]')
  return message === error.message ? error : new Error(message)
}
