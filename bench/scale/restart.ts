import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'

/** What clients experienced while the servers were replaced one after another. */
export type Restart = { requests: number; failed: string[]; tookMs: number }

export type Request = { method: 'GET' | 'POST'; path: string; body?: object; keyed?: boolean }

const CLIENTS = 24
/** The time before the first server is stopped, and after the last one is back. */
const QUIET_MS = 500
const FAULTS_KEPT = 20

/**
 * Replaces every server in turn under continuous requests, half of them over kept connections. Every answer
 * other than 2xx counts as failed.
 */
export async function restartUnderLoad(
  url: string,
  secret: string,
  requests: readonly Request[],
  servers: readonly { replace: () => Promise<void> }[],
): Promise<Restart> {
  const result: Restart = { requests: 0, failed: [], tookMs: 0 }
  let isOver = false
  const kept = new Agent({ connections: CLIENTS })
  const fresh = new Agent({ connections: CLIENTS, pipelining: 0 })
  const client = async (number: number) => {
    const dispatcher = number % 2 === 0 ? kept : fresh
    for (let turn = number; !isOver; turn++) {
      const request = requests[turn % requests.length]
      if (!request) return
      const fault = await ask(url, secret, request, dispatcher, `${number}-${turn}`)
      result.requests++
      if (fault !== null && result.failed.length < FAULTS_KEPT) result.failed.push(fault)
    }
  }
  const startedAt = performance.now()
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  try {
    await pause(QUIET_MS)
    for (const { replace } of servers) await replace()
    await pause(QUIET_MS)
  } finally {
    isOver = true
    await clients
    await Promise.all([kept.close(), fresh.close()])
  }
  result.tookMs = performance.now() - startedAt
  return result
}

/** A description of the failure; null when there was none. */
async function ask(
  url: string,
  secret: string,
  { method, path, body, keyed }: Request,
  dispatcher: Agent,
  key: string,
): Promise<string | null> {
  try {
    const { statusCode, body: answer } = await dispatcher.request({
      origin: url,
      path,
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(keyed ? { 'idempotency-key': `scale-${key}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return statusCode < 300 ? null : `${method} ${path}: ${statusCode} ${text.slice(0, 200)}`
  } catch (error) {
    return `${method} ${path}: ${String(error)}`
  }
}
