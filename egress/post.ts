import type { PostOutcome } from '../core/egress.ts'
import { readAddress } from './addresses.ts'
import { REFUSED, TLS_FAILED } from './connect.ts'
import { type Head, type Receiver, startExchange } from './exchange.ts'
import type { Pools } from './pools.ts'
import { TUNNEL_REFUSED } from './tunnel.ts'

/** How much of an answer is read so that its connection can be reused; a longer one drops it. */
const answerBytesMax = 64 * 1024

/**
 * undici's code for a head without a body that declares the length of one. RFC 9110 (8.6) allows it for a 304
 * and forbids it for a 204, but in either case the receiver has answered.
 */
const NO_BODY = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

type PostRequest = { headers: Record<string, string>; body: string; timeoutMs: number }

/** Posts directly over the pools, without axios: every webhook delivery passes here. */
export function createPost(pools: Pools, allow: ReadonlySet<string>) {
  return (url: string, { headers, body, timeoutMs }: PostRequest): Promise<PostOutcome> =>
    new Promise((resolve) => {
      const startedAt = performance.now()
      const settle = (statusCode: number | null, error: string | null) =>
        resolve({ statusCode, error, durationMs: Math.round(performance.now() - startedAt) })

      const target = readAddress(url, { allowHttp: false, allow })
      if (!target) return settle(null, wordFor(REFUSED))
      const origin = pools.of(target.origin)
      if (!origin) return settle(null, 'closed')

      const request = { method: 'POST', url: target, headers, body }
      startExchange(origin, request, timeoutMs, (exchange): Receiver => {
        let head: Head | undefined
        let sizeBytes = 0
        const answered = () => settle(head?.status ?? null, head ? null : 'bad_answer')
        return {
          onHead: (given) => void (head = given),
          onData: (chunk) => {
            sizeBytes += chunk.length
            if (sizeBytes <= answerBytesMax) return
            exchange.stop()
            answered()
          },
          onEnd: answered,
          onFault: (code) => (head && code === NO_BODY ? answered() : settle(null, wordFor(code))),
        }
      })
    })
}

const WORDS: Record<string, string> = {
  [REFUSED]: 'refused_address',
  [TLS_FAILED]: 'tls',
  [TUNNEL_REFUSED]: 'unreachable',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  EAI_AGAIN: 'dns',
  ENOTFOUND: 'dns',
}

/** A word for the owner of the address that tells nothing about this machine or its network. */
function wordFor(code: string): string {
  const isBadAnswer = /^(HTTPParserError$|UND_ERR_(HEADERS_OVERFLOW|RES_))/.test(code)
  return WORDS[code] ?? (isBadAnswer ? 'bad_answer' : 'failed')
}
