import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '../core/limits.ts'

type Waiting = { res: ServerResponse; serve: () => void }

/** The requests of each connection that are not fully answered, the one being served first. */
export type Lines = {
  /**
   * Serves a request as soon as the ones before it over the same connection are answered, and its client is
   * still there. Ends the connection of a client that sends more ahead than any client has under way.
   */
  join(socket: Socket, waiting: Waiting): void
  /** The answer that a connection is waiting for, or taking; undefined when it is idle. */
  answerUnderWay(socket: Socket): ServerResponse | undefined
  /** Calls `serve` in place of serving the latest request: at once, or in its turn if it is still waiting. */
  serveInstead(socket: Socket, serve: () => void): void
}

/**
 * Makes the requests of a connection wait for each other. Node begins every request that it has read, so one
 * packet begins dozens, and each would hold its answer, and an open file or a connection to the database, for as
 * long as a client does not read the answer before it.
 */
export function createLines(): Lines {
  const lines = new WeakMap<Socket, Waiting[]>()

  function begin(socket: Socket, line: Waiting[]): void {
    const [first] = line
    // An answer may have been the last one of its connection.
    if (!first || !socket.writable) return
    first.res.once('close', () => {
      line.shift()
      begin(socket, line)
    })
    first.serve()
  }

  return {
    join(socket, waiting) {
      let line = lines.get(socket)
      if (!line) lines.set(socket, (line = []))
      if (line.length >= LIMITS.requestsAhead) return void socket.destroy()
      line.push(waiting)
      if (line.length === 1) begin(socket, line)
    },
    answerUnderWay: (socket) => lines.get(socket)?.[0]?.res,
    serveInstead(socket, serve) {
      const [, ...waiting] = lines.get(socket) ?? []
      const latest = waiting.at(-1)
      if (latest) latest.serve = serve
      else serve()
    },
  }
}
