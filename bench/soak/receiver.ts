import { createServer } from 'node:http'
import { once } from 'node:events'
import type { Random } from '../../tests/support/random.ts'

/** A subscriber that accepts most deliveries. */
export type Receiver = {
  /** The ids of the accepted deliveries, by path. */
  taken(path: string): ReadonlySet<string>
  requests(): number
  refused(): number
  close(): Promise<void>
}

/** One of this many requests is answered with 500. */
const REFUSED_ONE_IN = 50

/** Listens on a port of 127.0.0.1 until it is closed. */
export async function startReceiver(port: number, random: Random): Promise<Receiver> {
  const taken = new Map<string, Set<string>>()
  let requests = 0
  let refused = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      requests++
      if (random.between(1, REFUSED_ONE_IN) === 1) {
        refused++
        return void response.writeHead(500).end()
      }
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }
      const path = request.url ?? ''
      const ids = taken.get(path) ?? new Set<string>()
      taken.set(path, ids.add(id))
      response.writeHead(204).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    taken: (path) => taken.get(path) ?? new Set(),
    requests: () => requests,
    refused: () => refused,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
