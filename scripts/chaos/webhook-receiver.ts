import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Random, seededRandom } from './random.ts'

/** What came to the receiver for one delivery. */
export type Arrived = {
  path: string
  event: number
  bodies: Set<string>
  /** What it did with each request: the status, or what it did instead. */
  answers: (number | 'reset' | 'hang')[]
}

/** One that always fails, whatever it is asked. */
export const DEAD_PATH = '/dead'
const SLOW_MS = [0, 30] as const

/**
 * A subscriber with its faults: most requests are taken, some at once and some after a while, some are
 * refused, broken off or left without an answer.
 */
export async function startFaultyReceiver(seed: number) {
  const random = seededRandom(seed)
  const arrived = new Map<string, Arrived>()
  /** The order in which the events of each subject came first, by path and subject. */
  const order = new Map<string, number[]>()
  let open = 0

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { id, data } = JSON.parse(body) as { id: string; data: { n: number; subject: string } }
    const path = request.url ?? ''
    const one = arrived.get(id) ?? { path, event: data.n, bodies: new Set<string>(), answers: [] }
    if (!arrived.has(id)) {
      const key = `${path} ${data.subject}`
      order.set(key, [...(order.get(key) ?? []), data.n])
    }
    arrived.set(id, one)
    one.bodies.add(body)
    const answer = path === DEAD_PATH ? 500 : answerOf(random)
    one.answers.push(answer)
    if (answer === 'reset') request.socket.resetAndDestroy()
    if (typeof answer !== 'number') return
    setTimeout(() => response.writeHead(answer).end(), random.between(...SLOW_MS))
  }
  const server = createServer((request, response) => {
    open++
    response.once('close', () => open--)
    // The worker was killed in the middle of its request.
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    order,
    open: () => open,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One in ten fails, so that five in a row are rare. */
function answerOf(random: Random): Arrived['answers'][number] {
  const kind = random.between(1, 200)
  if (kind <= 12) return random.pick([400, 429, 500, 503, 302])
  if (kind <= 18) return 'reset'
  return kind <= 19 ? 'hang' : 204
}
