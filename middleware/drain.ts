import type { Server, ServerResponse } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '../core/limits.ts'

/** What a server tells of the connections that it holds. */
export type Traffic = {
  /** Every open connection, and its latest answer once it has one. */
  connections: ReadonlyMap<Socket, ServerResponse | null>
  /** How many connections were ever accepted, and requests ever begun. */
  accepted: number
  begun: number
  /** Makes every answer from now on its connection's last. */
  isLeaving: boolean
}

/**
 * Stops a server without losing what clients have sent: takes in who has connected already, closes the
 * listener, makes every answer its connection's last, and leaves a connection without one open for a
 * moment, for a request that may be on its way over it. Resolves when every connection is closed, at the
 * latest after about `limitMs`.
 */
export async function drain(
  server: Server,
  traffic: Traffic,
  limitMs: number = LIMITS.drainMs,
): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), limitMs)
  // The kernel resets whoever is connected and was not accepted when the listener closes. Answers
  // keep their connections until then: clients that come anew each time would never let it be empty.
  await untilNothingComes(() => traffic.accepted, LIMITS.acceptDrainMs)
  const closed = new Promise<void>((resolve) => {
    // The HTTP server's own close would cut every idle connection at once.
    SocketServer.prototype.close.call(server, () => resolve())
  })
  traffic.isLeaving = true
  for (const answer of traffic.connections.values()) {
    if (answer && !answer.headersSent) answer.setHeader('Connection', 'close')
  }
  const ended = new AbortController()
  void closed.then(() => ended.abort())
  await closeIdle(server, traffic, ended.signal)
  await closed
  clearTimeout(timer)
  server.close() // Ends its look-out for slow clients.
}

/** Closes the connections over which no request has come in a while; returns at once when aborted. */
async function closeIdle(server: Server, traffic: Traffic, signal: AbortSignal): Promise<void> {
  await pause(LIMITS.idleDrainMs, undefined, { signal }).catch(() => {
    // Aborted: there is nothing left to wait for.
  })
  // A request that has arrived unread would be lost. One that is read gets its connection's
  // last answer, so that the number of open connections only falls.
  await untilNothingComes(() => traffic.begun, LIMITS.drainMs)
  server.closeIdleConnections()
  // To Node, a connection on which nothing came at all is not idle.
  for (const [socket, answer] of traffic.connections) {
    if (answer === null && socket.bytesRead === 0) socket.destroy()
  }
}

/**
 * Resolves after a turn of the event loop in which the count stood still: it has asked the kernel what
 * there is, and there was nothing. At the latest after `limitMs`.
 */
async function untilNothingComes(count: () => number, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  let before: number
  await turn() // The rest of this turn asks nothing more.
  do {
    before = count()
    await turn()
  } while (count() !== before && performance.now() < deadline)
}
