import {
  createServer as createHttpServer,
  IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { type ErrorCode, STATUS } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { failureBody } from './reply.ts'
import { requestIdOf } from './request-context.ts'

/**
 * An HTTP server whose requests and responses are born with Express's prototypes. Express sets them on
 * every request otherwise, and that costs two thirds of all its time.
 */
export function createServer(app: Express): Server {
  const server = createHttpServer(
    {
      IncomingMessage: bornAs(IncomingMessage, app.request),
      ServerResponse: bornAs(ServerResponse, app.response),
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersTimeoutMs,
      requestTimeout: LIMITS.requestTimeoutMs,
      keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
      connectionsCheckingInterval: LIMITS.connectionCheckMs,
    },
    app,
  )
  server.maxConnections = LIMITS.connectionsMax
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_req, res) => {
    const requestId = requestIdOf(undefined)
    const body = failureBody({
      code: 'bad_request',
      message: 'The only expectation that is met is 100-continue.',
      requestId,
    })
    res.writeHead(417, { 'Content-Type': 'application/json', 'X-Request-Id': requestId }).end(body)
  })
  return server
}

function bornAs<T extends typeof IncomingMessage | typeof ServerResponse>(base: T, prototype: object): T {
  function Born(...args: unknown[]) {
    return Reflect.construct(base, args, Born) as object
  }
  Born.prototype = prototype
  return Born as unknown as T
}

const REASONS: Record<string, { code: ErrorCode; status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    code: 'bad_request',
    status: 431,
    message: `The headers are larger than ${LIMITS.headerBytes} bytes.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'payload_too_large',
    status: 413,
    message: 'The chunk extensions of the body are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'bad_request',
    status: 408,
    message: 'The request did not arrive in time.',
  },
}
const UNREADABLE = {
  code: 'bad_request' as const,
  status: STATUS.bad_request,
  message: 'The request is not valid HTTP/1.1.',
}

/** Requests that Node's parser refuses never reach Express; they get the envelope all the same. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, status, message } = REASONS[error.code ?? ''] ?? UNREADABLE
  const requestId = requestIdOf(undefined)
  const body = failureBody({ code, message, requestId })
  const head = [
    `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
