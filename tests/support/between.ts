import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Something between clients and a server, of which `join` makes what passes: it gets both ends of each
 * connection. When one end closes, so does the other.
 */
export async function startBetween(upstreamUrl: string, join: (near: Socket, far: Socket) => void) {
  const { hostname, port: upstreamPort } = new URL(upstreamUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(upstreamPort), hostname)
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one)
      one.setNoDelay()
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    join(near, far)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(upstreamUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    /** Both ends of every connection that there is. */
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
