import {
  createServer as createHttpServer,
  IncomingMessage,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { drain, type Traffic } from './drain.ts'
import { failureBody } from './reply.ts'
import { requestIdOf } from './request-context.ts'

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
  stalledMs: number = LIMITS.answerStalledMs,
): HttpServer {
  const connections = new Map<Socket, ServerResponse | null>()
  const traffic: Traffic = { connections, accepted: 0, begun: 0, isLeaving: false }
  const unanswered = new WeakMap<Socket, number>()
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
      if (isOneTooMany(res, socket, unanswered)) return void socket.destroy()
      traffic.begun++
      connections.set(socket, res)
      if (traffic.isLeaving) res.setHeader('Connection', 'close')
      app(req, res)
    },
  )
  server.setTimeout(stalledMs, (socket) => {
    const answer = connections.get(socket)
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
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = socket instanceof Socket ? connections.get(socket) : undefined
    refuseUnreadable(error, socket, answer ?? null)
  })
  server.on('connect', (_req, socket) => {
    // Node has given the socket up: an unhandled error would end the process, and the socket must be closed
    // here.
    socket.on('error', () => {})
    refuse(socket, CONNECT)
    if (socket instanceof Socket) socket.destroySoon()
  })
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    const { headers, body } = answerTo(EXPECTATION, req.headers['x-request-id'])
    res.writeHead(EXPECTATION.status, headers).end(body)
  })
  return { server, drain: (limitMs) => drain(server, traffic, limitMs) }
}

/**
 * Counts the requests of a connection that are not fully answered, and answers whether there are more than a
 * pipelining client sends. Node begins every request that it reads, at the cost of one connection to the
 * sender.
 */
function isOneTooMany(res: ServerResponse, socket: Socket, unanswered: WeakMap<Socket, number>) {
  const count = (unanswered.get(socket) ?? 0) + 1
  unanswered.set(socket, count)
  res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
  return count > LIMITS.requestsAhead
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

/** Node's limit of chunk extensions per body, which cannot be set. */
const CHUNK_EXTENSION_BYTES = 16_384

const REASONS: Record<string, ServiceError> = {
  HPE_HEADER_OVERFLOW: new ServiceError(
    'bad_request',
    `The headers are larger than ${LIMITS.headerBytes} bytes.`,
    { status: 431 },
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ServiceError(
    'payload_too_large',
    `The chunk extensions of the body are larger than ${CHUNK_EXTENSION_BYTES} bytes.`,
    { details: { limit_bytes: CHUNK_EXTENSION_BYTES } },
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError('bad_request', 'The request did not arrive in time.', {
    status: 408,
  }),
}
const UNREADABLE = new ServiceError('bad_request', 'The request is not valid HTTP/1.1.')
const EXPECTATION = new ServiceError(
  'bad_request',
  'The only expectation that is met is 100-continue.',
  { status: 417 },
)
const CONNECT = new ServiceError(
  'method_not_allowed',
  'CONNECT is not supported: this is no proxy.',
  { headers: { Allow: 'GET, POST, PUT, PATCH, DELETE' } },
)

/** Requests that Node's parser refuses never reach Express; they get the envelope here. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answer: ServerResponse | null,
): void {
  const isAnswering = answer !== null && answer.headersSent && !answer.writableEnded
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  refuse(socket, REASONS[error.code ?? ''] ?? UNREADABLE)
}

/** Answers on the raw connection and closes it. */
function refuse(socket: Duplex, refusal: ServiceError): void {
  const { headers, body } = answerTo(refusal)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const line = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n`
  socket.end(`${line}${fields.join('')}\r\n${body}`)
}

function answerTo(refusal: ServiceError, givenId?: string | string[]) {
  const { code, message, details, headers } = refusal
  const requestId = requestIdOf(typeof givenId === 'string' ? givenId : undefined)
  const body = failureBody({ code, message, details, requestId })
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      Connection: 'close',
      ...headers,
    },
  }
}
