import { request } from 'node:http'
import { isIP } from 'node:net'
import type { Egress, PostOutcome } from '../../core/ports.ts'

/**
 * The way out without its guard: what is written like a public address may be registered, with names
 * under `.refused` in place of those that resolve to a private one, and a post goes to this machine
 * alone, over plain HTTP.
 */
export function createTestEgress(): Egress {
  return {
    mayReach: async (url) => URL.canParse(url) && looksPublic(new URL(url)),
    download: async () => ({ ok: false, fault: 'refused', message: 'No test downloads.' }),
    post,
    close: async () => {},
  }
}

const LOCAL = /^(127\.0\.0\.1|localhost)$/

function looksPublic({ protocol, hostname, username, port, hash }: URL): boolean {
  if (LOCAL.test(hostname)) return port !== ''
  const isName = isIP(hostname) === 0 && hostname.includes('.') && !hostname.endsWith('.refused')
  const isPlain = username === '' && hash === '' && (port === '' || Number(port) >= 1_024)
  return protocol === 'https:' && isName && isPlain
}

type Request = Parameters<Egress['post']>[1]

function post(url: string, { headers, body, timeoutMs }: Request): Promise<PostOutcome> {
  const startedAt = performance.now()
  const durationMs = () => performance.now() - startedAt
  if (!LOCAL.test(new URL(url).hostname)) {
    return Promise.resolve({ statusCode: null, error: 'unreachable', durationMs: 0 })
  }
  return new Promise((resolve) => {
    const fail = (error: string) => resolve({ statusCode: null, error, durationMs: durationMs() })
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        clearTimeout(timer)
        resolve({ statusCode: answer.statusCode ?? null, error: null, durationMs: durationMs() })
      })
      answer.on('error', () => fail('broken_off'))
    })
    const timer = setTimeout(() => {
      fail('timeout')
      sent.destroy()
    }, timeoutMs)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      fail(error.code === 'ECONNREFUSED' ? 'connection_refused' : 'connection_failed')
    })
    sent.end(body)
  })
}
