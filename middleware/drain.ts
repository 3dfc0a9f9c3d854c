import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as SocketServer, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '../core/limits.ts'
import type { Lines } from './one-after-the-other.ts'

/** What a server knows of its connections. */
export type Traffic = {
  /** Every open connection with its latest answer, null before the first. */
  connections: ReadonlyMap<Socket, ServerResponse | null>
  lines: Lines
  /** How many connections have been accepted and requests begun, in total. */
  accepted: number
  begun: number
  /** Makes every further answer the last one on its connection. */
  isLeaving: boolean
}

/**
 * Stops a server without losing requests: accepts connections that are already established, closes the
 * listener, makes every answer the last on its connection, and leaves idle connections open for a moment for a
 * request that may be on its way. Resolves when every connection is closed, at the latest after about
 * `limitMs`.
 */
export async function drain(
  server: Server,
  traffic: Traffic,
  limitMs: number = LIMITS.drainMs,
): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), limitMs)
  // When the listener closes, the kernel resets connections that were not accepted. Until then answers keep
  // connections alive: with new connections for every request, the backlog would never become empty.
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

/** Closes connections on which no request has arrived for a while; returns at once when aborted. */
async function closeIdle(server: Server, traffic: Traffic, signal: AbortSignal): Promise<void> {
  await pause(LIMITS.idleDrainMs, undefined, { signal }).catch(() => {
    // Aborted: everything is closed already.
  })
  // A request that has arrived but was not read would be lost. Each one read gets the last answer of its
  // connection, so that open connections only become fewer.
  await untilNothingComes(() => traffic.begun, LIMITS.drainMs)
  await untilTaken(traffic, signal)
  server.closeIdleConnections()
  // Node does not count a connection as idle before its first request.
  for (const [socket, answer] of traffic.connections) {
    if (answer === null && socket.bytesRead === 0) socket.destroy()
  }
}

/**
 * Resolves when the answers that were written are on their way as a whole: Node takes a connection for idle
 * while a slow client still has most of its answer to read. Also resolves when aborted.
 */
async function untilTaken({ connections, lines }: Traffic, signal: AbortSignal): Promise<void> {
  const written = () =>
    [...connections.keys()]
      .map((socket) => lines.answerUnderWay(socket))
      .filter((answer) => answer !== undefined)
      .filter((answer) => answer.writableEnded && !answer.writableFinished)
  for (let answers = written(); answers.length > 0 && !signal.aborted; answers = written()) {
    await Promise.allSettled(answers.map((answer) => once(answer, 'close', { signal })))
  }
}

/**
 * Resolves after a turn of the event loop in which the count did not change: the kernel was asked, and had
 * nothing new. At the latest after `limitMs`.
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
