import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Something between a client and a server, whose connections can fall silent without an end. */
export async function startRelay(upstreamUrl: string) {
  const { hostname, port: upstreamPort } = new URL(upstreamUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(upstreamPort), hostname)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(upstreamUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    /** The host behind all connections is gone, and tells nobody; another one takes the next. */
    vanish() {
      for (const socket of sockets) socket.unpipe().resume()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
