import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { bodyOf, listen } from './channel.ts'

/** What a receiver does with a request: answers with a status, or misbehaves. */
export type Behaviour = number | 'hang' | 'drip' | 'reset' | 'hold' | { redirect: string }

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  /** The raw bytes. */
  body: string
  /** Of the body. */
  id: string
  event: string
  /** By the monotonic clock. */
  at: number
}

type Choose = (received: Received, count: number) => Behaviour

const DRIP_MS = 20

/**
 * An address of a subscriber, on real HTTP. `choose` says what it does with each request, from what came
 * and how often that id had come; 204 by default. What is held waits for `release`.
 */
export async function startReceiver(choose: Choose = () => 204) {
  const received: Received[] = []
  const held: ((status: number) => void)[] = []
  const timers = new Set<NodeJS.Timeout>()
  let open = 0
  let openMost = 0

  const server = await listen(async (request, response) => {
    const body = (await bodyOf(request)).toString()
    const { id, event } = JSON.parse(body) as { id: string; event: string }
    const { url: path = '', headers } = request
    const one: Received = { path, headers, body, id, event, at: performance.now() }
    const before = received.filter((other) => other.id === id).length
    received.push(one)
    openMost = Math.max(openMost, ++open)
    response.once('close', () => open--)
    behave(choose(one, before), response)
  })

  function behave(behaviour: Behaviour, response: ServerResponse): void {
    if (typeof behaviour === 'number') return void response.writeHead(behaviour).end('thanks')
    if (typeof behaviour === 'object') {
      return void response.writeHead(302, { Location: behaviour.redirect }).end()
    }
    if (behaviour === 'reset') return void response.socket?.resetAndDestroy()
    if (behaviour === 'hold') return void held.push((status) => response.writeHead(status).end())
    if (behaviour === 'drip') {
      response.writeHead(200)
      timers.add(setInterval(() => response.write('.'), DRIP_MS))
    }
  }

  return {
    url: server.url,
    received,
    /** Changes what it does from now on. */
    behave: (next: Choose) => void (choose = next),
    /** The most requests that were open at the same time. */
    openMost: () => openMost,
    open: () => open,
    /** Answers what is held, oldest first. */
    release: (count = Infinity, status = 204) =>
      held.splice(0, count).forEach((answer) => answer(status)),
    ids: () => received.map(({ id }) => id),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Checks `X-Service-Signature` as a receiver would, without any code of the service. */
export function verifies({ headers, body }: Received, secret: string, nowS: number): boolean {
  const header = String(headers['x-service-signature'])
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === '' || Math.abs(nowS - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}
