import type { Socket } from 'node:net'
import { startBetween } from './between.ts'

/** Something between a client and a server, whose connections can fall silent without an end. */
export async function startRelay(upstreamUrl: string) {
  const answers: { near: Socket; far: Socket }[] = []
  const { url, sockets, stop } = await startBetween(upstreamUrl, (near, far) => {
    near.pipe(far)
    far.pipe(near)
    answers.push({ near, far })
  })
  return {
    url,
    stop,
    /** The host behind all connections is gone, and tells nobody; another one takes the next. */
    vanish() {
      for (const socket of sockets) socket.unpipe().resume()
    },
    /** The server's host answers no more, and does not even notice that somebody hangs up, as when it is frozen. */
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** What the server says is on its way until the answered function is called. */
    delay(): () => void {
      for (const { near, far } of answers) far.unpipe(near)
      return () => {
        for (const { near, far } of answers) far.pipe(near)
      }
    },
  }
}
