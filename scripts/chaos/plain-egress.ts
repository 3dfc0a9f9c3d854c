import { Agent, request } from 'node:http'
import type { Egress, PostOutcome } from '../../core/egress.ts'

const ANSWER_BYTES_MAX = 65_536

/**
 * Posts to addresses on this machine with nothing in between; for receivers of a run's own. It reaches
 * whatever it is told to, so nothing that users name may be given to it.
 */
export function createPlainEgress(): Egress {
  const agent = new Agent({ keepAlive: true })
  return {
    mayReach: async () => true,
    download: async () => ({
      ok: false,
      fault: 'refused',
      message: 'There are no downloads here.',
    }),
    post: (url, sent) => post(agent, url, sent),
    close: async () => agent.destroy(),
  }
}

function post(
  agent: Agent,
  url: string,
  { headers, body, timeoutMs }: Parameters<Egress['post']>[1],
): Promise<PostOutcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const end = (statusCode: number | null, error: string | null) =>
      resolve({ statusCode, error, durationMs: performance.now() - startedAt })
    const length = { 'Content-Length': Buffer.byteLength(body) }
    const sent = request(
      url,
      { method: 'POST', agent, headers: { ...headers, ...length } },
      (answer) => {
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > ANSWER_BYTES_MAX) answer.destroy()
        })
        answer.once('error', (error) => end(null, wordFor(error)))
        answer.once('close', () => end(answer.statusCode ?? null, null))
      },
    )
    const timer = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs)
    sent.once('close', () => clearTimeout(timer))
    sent.once('error', (error) => end(null, wordFor(error)))
    sent.end(body)
  })
}

function wordFor(error: Error): string {
  if (error.message === 'timeout') return 'timeout'
  const code = 'code' in error ? String(error.code) : ''
  return { ECONNREFUSED: 'connection_refused', ECONNRESET: 'connection_reset' }[code] ?? 'failed'
}
