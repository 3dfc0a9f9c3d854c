import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { components } from './api.js'

type Received = components['schemas']['MessageReceivedEvent']

const BODY_MOST_BYTES = 1_048_576
const AGE_MOST_S = 300
const REMEMBERED_MOST = 10_000

/** Calls `handle` once for each genuine event, after it was acknowledged. */
export function createReceiver(
  secret: () => string,
  handle: (event: Received) => Promise<void>,
): Server {
  const seen = new Set<string>()
  return createServer(async (request, response) => {
    const body = await bodyOf(request)
    const signature = request.headers['x-service-signature']
    if (body === null || !isGenuine(body, signature, secret())) {
      response.writeHead(401).end()
      return
    }
    // Answer at once and work afterwards: the service waits no longer than ten seconds.
    response.writeHead(204).end()
    const event = JSON.parse(body.toString()) as Received | { event: 'webhook.test' }
    if (event.event !== 'message.received' || seen.has(event.id)) return
    remember(seen, event.id)
    handle(event).catch((error: unknown) => console.error(error))
  })
}

/** Whether the service has sent these very bytes, and lately. */
export function isGenuine(body: Buffer, header: string | string[] | undefined, secret: string) {
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  if (t === undefined || v1 === undefined) return false
  if (Math.abs(Date.now() / 1000 - Number(t)) > AGE_MOST_S) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}

/** The raw bytes, over which the signature is; null when there are too many, or they broke off. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > BODY_MOST_BYTES) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

/** A delivery may come twice, but soon: the oldest may be forgotten. */
function remember(seen: Set<string>, id: string): void {
  seen.add(id)
  const [oldest] = seen
  if (seen.size > REMEMBERED_MOST && oldest !== undefined) seen.delete(oldest)
}
