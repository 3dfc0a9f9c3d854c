import { startBetween } from './between.ts'

/** Something between a client and a server, whose connections can fall silent without an end. */
export async function startRelay(upstreamUrl: string) {
  const { url, sockets, stop } = await startBetween(upstreamUrl, (near, far) => {
    near.pipe(far)
    far.pipe(near)
  })
  return {
    url,
    stop,
    /** The host behind all connections is gone, and tells nobody; another one takes the next. */
    vanish() {
      for (const socket of sockets) socket.unpipe().resume()
    },
  }
}
