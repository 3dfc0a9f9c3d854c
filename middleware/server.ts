import {
  createServer as createHttpServer,
  IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { LIMITS } from '../core/limits.ts'
import { drain, type Traffic } from './drain.ts'
import type { Refused } from './exchange.ts'
import { createLines } from './one-after-the-other.ts'
import { refuseUnreadable } from './unreadable.ts'

export type HttpServer = {
  server: Server
  /**
   * Accepts no new connections and answers the requests that have arrived; resolves when every connection is
   * closed, at the latest after `limitMs`.
   */
  drain(limitMs?: number): Promise<void>
}

/**
 * An HTTP server whose requests and responses are created with Express's prototypes. Otherwise Express sets
 * them on every request, which costs two thirds of its time. It drops a client that reads nothing of its answer
 * for `stalledMs`.
 */
export function createServer(
  app: Express,
  keepAliveTimeoutMs: number,
  {
    stalledMs = LIMITS.answerStalledMs,
    onRefused = () => {},
  }: { stalledMs?: number; onRefused?: (refused: Refused) => void } = {},
): HttpServer {
  const connections = new Map<Socket, ServerResponse | null>()
  const lines = createLines()
  const traffic: Traffic = { connections, lines, accepted: 0, begun: 0, isLeaving: false }
  const server = createHttpServer(
    {
      ...bornForApp(app),
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersTimeoutMs,
      requestTimeout: LIMITS.uploadTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: LIMITS.connectionCheckMs,
      // Node would answer without a body; the request path refuses a missing Host itself.
      requireHostHeader: false,
    },
    (req, res) => {
      const { socket } = req
      // Further requests in the same packet as the one that was too many.
      if (socket.destroyed) return
      traffic.begun++
      connections.set(socket, res)
      if (traffic.isLeaving) res.setHeader('Connection', 'close')
      lines.join(socket, { res, serve: () => void app(req, res) })
    },
  )
  server.setTimeout(stalledMs, (socket) => {
    const answer = lines.answerUnderWay(socket)
    // No data moves while an operation is working, which has time limits of its own.
    if (!answer || answer.headersSent) socket.destroy()
    else socket.setTimeout(stalledMs)
  })
  server.maxConnections = LIMITS.connectionsMax
  // Beyond such a number Node drops headers silently; their total size is bounded anyway.
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    traffic.accepted++
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  refuseUnreadable(server, traffic, onRefused)
  return { server, drain: (limitMs) => drain(server, traffic, limitMs) }
}

/**
 * Makes the app's own prototypes those of the classes that Node instantiates, so that Express finds them in
 * place.
 */
function bornForApp(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as Express['request']
  app.response = AppResponse.prototype as Express['response']
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
