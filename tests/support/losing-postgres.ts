import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What ends a question of PostgreSQL's clients, and the answer to it. */
const [SYNC, QUERY, READY] = ['S', 'Q', 'Z'].map((kind) => kind.charCodeAt(0))
/** Nobody loses what he listens by: it is asked for news between the statements of a request. */
const UNCOUNTED = 'messaging-automation-service listener'

/**
 * Something before PostgreSQL that passes everything on, and loses one answer when told: what was asked is
 * done, and the connection ends before anybody hears of it.
 */
export async function startLosingPostgres(upstreamUrl: string) {
  const { hostname, port: upstreamPort } = new URL(upstreamUrl)
  const sockets = new Set<Socket>()
  let asked = 0
  let lost: number | null = null
  const server = createServer((near) => {
    const far = connect(Number(upstreamPort), hostname)
    const end = () => [near, far].forEach((socket) => socket.destroy())
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    // Whether the answer to each question under way is to be lost; the first question is who asks.
    const underWay = [false]
    let isCounted = true
    const read = framesOf((kind) => {
      if (kind === SYNC || kind === QUERY) underWay.push(isCounted && asked++ === lost)
    })
    near.once('data', (hello: Buffer) => {
      isCounted = !hello.includes(UNCOUNTED)
      far.write(hello)
      near.on('data', (bytes: Buffer) => {
        read(bytes)
        far.write(bytes)
      })
    })
    const hear = framesOf((kind) => {
      if (kind !== READY) return
      if (underWay.shift()) end()
    })
    far.on('data', (bytes: Buffer) => {
      const isLosing = underWay.includes(true)
      hear(bytes)
      if (!isLosing) near.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(upstreamUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    /** Does something; answers with how many questions it asked, each a statement or more. */
    async count(work: () => Promise<unknown>): Promise<number> {
      asked = 0
      await work()
      return asked
    },
    /** Does something and loses the answer to that question, counted from 0. */
    async lose<T>(question: number, work: () => Promise<T>): Promise<T> {
      asked = 0
      lost = question
      try {
        return await work()
      } finally {
        lost = null
      }
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Takes bytes as they come, and tells the kind of each message that has begun in them. */
function framesOf(hear: (kind: number | undefined) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      const [kind] = rest
      rest = rest.subarray(length)
      hear(kind)
    }
  }
}
