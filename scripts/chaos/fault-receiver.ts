import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom } from './random.ts'

const FAILING_PERCENT = 8

/** A subscriber that fails now and then; keeps what it answered to each delivery, by its id. */
export async function startFailingReceiver(seed: number) {
  const random = seededRandom(seed)
  const answers = new Map<string, number[]>()
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }
    const fails = random.between(1, 100) <= FAILING_PERCENT
    const status = fails ? random.pick([400, 429, 500, 503]) : 204
    answers.set(id, [...(answers.get(id) ?? []), status])
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    // The server that told of it was killed in the middle of its request.
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type FailingReceiver = Awaited<ReturnType<typeof startFailingReceiver>>
