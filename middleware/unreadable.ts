import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import type { Traffic } from './drain.ts'
import { exchangeOf, type Refused } from './exchange.ts'
import { failureBody } from './reply.ts'
import { requestIdOf } from './request-context.ts'

/** Node's limit of chunk extensions per body, which cannot be set. */
const CHUNK_EXTENSION_BYTES = 16_384

const REASONS: Record<string, ServiceError> = {
  HPE_HEADER_OVERFLOW: new ServiceError(
    'bad_request',
    `The head of the request, which is its path, query and headers, is larger than ${LIMITS.headerBytes} bytes.`,
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

/**
 * Answers with the envelope what Node cannot read as a request, or does not pass on to Express, and ends the
 * connection. `onRefused` is called for each, except for what is in the log as a request already.
 */
export function refuseUnreadable(
  server: Server,
  { connections, lines }: Pick<Traffic, 'connections' | 'lines'>,
  onRefused: (refused: Refused) => void,
): void {
  const isRefusedNext = new WeakSet<Duplex>()

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const refusal = REASONS[error.code ?? ''] ?? UNREADABLE
    const answer = (socket instanceof Socket && connections.get(socket)) || null
    if (answer === null || answer.writableFinished) return refuse(socket, refusal)
    if (socket instanceof Socket && !answer.req.complete) {
      return lines.serveInstead(socket, () => refuseBody(socket, refusal, answer, error.code))
    }
    // That request has arrived whole, and may already have been done: the fault is in what follows it.
    if (isRefusedNext.has(socket)) return
    isRefusedNext.add(socket)
    answer.once('close', () => {
      if (socket.writable) refuse(socket, refusal)
    })
  })
  server.on('connect', (req, socket) => {
    // Node has given the socket up: an unhandled error would end the process, and the socket must be closed
    // here.
    socket.on('error', () => {})
    refuse(socket, CONNECT, req)
    if (socket instanceof Socket) socket.destroySoon()
  })
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    const requestId = idOf(req)
    const { headers, body } = answerTo(EXPECTATION, requestId)
    res.writeHead(EXPECTATION.status, headers).end(body)
    tell(EXPECTATION, requestId, req)
  })

  function refuse(socket: Duplex, refusal: ServiceError, req: IncomingMessage | null = null): void {
    const requestId = idOf(req)
    // A connection that was opened ahead of time, and on which no request began, is no request.
    if (!(socket instanceof Socket) || socket.bytesRead > 0) tell(refusal, requestId, req)
    answerOn(socket, refusal, requestId)
  }

  /** Refuses a request whose body cannot be read on, under its own id, with which it is in the log. */
  function refuseBody(
    socket: Duplex,
    refusal: ServiceError,
    { req, headersSent }: ServerResponse,
    errorCode: string | undefined,
  ): void {
    if (headersSent) return void socket.destroy()
    const exchange = exchangeOf(req)
    // One that waited for those ahead of it was not begun, and is not in the log yet.
    if (!exchange) return refuse(socket, refusal, req)
    // A client that breaks off is told so in case it still listens; to the log it is gone.
    if (errorCode !== 'HPE_INVALID_EOF_STATE') {
      exchange.refused = { status: refusal.status, code: refusal.code }
    }
    answerOn(socket, refusal, exchange.requestId)
  }

  function tell({ status, code }: ServiceError, requestId: string, req: IncomingMessage | null) {
    onRefused({ requestId, method: req?.method ?? null, status, code })
  }
}

function idOf(req: IncomingMessage | null): string {
  const given = req?.headers['x-request-id']
  return requestIdOf(typeof given === 'string' ? given : undefined)
}

/** Answers on the raw connection and closes it. */
function answerOn(socket: Duplex, refusal: ServiceError, requestId: string): void {
  const { headers, body } = answerTo(refusal, requestId)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const line = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n`
  socket.end(`${line}${fields.join('')}\r\n${body}`)
}

function answerTo({ code, message, details, headers }: ServiceError, requestId: string) {
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
