import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'

const KEPT_HEADERS = ['content-type', 'user-agent', 'x-hub-signature-256']
const FORWARD_LIMIT_MS = 10_000

/**
 * One address for the channel's callbacks, which go on to whichever server is alive; else it says
 * 502, and the channel tries again. Keeps how long the slowest took, from its first try to its success.
 */
export async function startCallbackRelay(fleet: Fleet, random: Random) {
  const firstTries = new Map<string, number>()
  let slowestMs = 0
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAt = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    const status = await fleet
      .anyUrl(random)
      .then((url) => forward(`${url}${request.url}`, headers, Buffer.concat(chunks)))
      .catch(() => 502)
    const signature = String(request.headers['x-hub-signature-256'])
    const firstAt = firstTries.get(signature) ?? arrivedAt
    if (status === 200) slowestMs = Math.max(slowestMs, performance.now() - firstAt)
    else firstTries.set(signature, firstAt)
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    // The channel broke off: it tries again by itself.
    relay(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    slowestMs: () => Math.round(slowestMs),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function forward(url: string, headers: [string, string][], body: Buffer): Promise<number> {
  const signal = AbortSignal.timeout(FORWARD_LIMIT_MS)
  const response = await fetch(url, { method: 'POST', headers, body, signal })
  await response.arrayBuffer()
  return response.status
}
