import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Origin } from './pools.ts'

export type ExchangeRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  /** A stream's length is told by a Content-Length header, or its body goes out in chunks. */
  body: string | Buffer | Readable | null
}

export type Head = {
  status: number
  statusText: string
  headers: Record<string, string | string[] | undefined>
}

/** Hears of the answer; after `onEnd` or `onFault`, one of which comes unless it stops, nothing. */
export type Receiver = {
  onHead(head: Head): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** `code` is the system's or undici's, or ETIMEDOUT past the deadline. */
  onFault(code: string): void
}

/** An exchange under way, as its receiver holds it. */
export type Exchange = {
  /** Whether bytes of the request may have left. */
  isStarted(): boolean
  /** Drops the connection. The receiver hears nothing more. */
  stop(): void
  pause(): void
  resume(): void
}

/** Of heads before the answer's own. Each takes time of this process, and a server can send them without an end. */
const INTERIM_HEADS_MAX = 16

/**
 * Makes one request over an origin's pool. `timeoutMs` bounds all of it, from the wait for a
 * connection to the answer's last byte; 0 is no bound. What goes wrong, the receiver hears.
 */
export function startExchange(
  { pool, wait }: Origin,
  request: ExchangeRequest,
  timeoutMs: number,
  receive: (exchange: Exchange) => Receiver,
): void {
  let controller: Dispatcher.DispatchController | undefined
  let isOver = false
  let interimHeads = 0
  const waitNoMore = wait()

  const stop = () => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    waitNoMore()
    controller?.abort(givenUp())
    // One that still waits for a connection would hold its body's source until there is one.
    if (isStream(request.body)) request.body.destroy()
  }
  const fail = (code: string) => {
    if (isOver) return
    stop()
    receiver.onFault(code)
  }
  const receiver = receive({
    isStarted: () => controller !== undefined,
    stop,
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
  })
  const timer = timeoutMs > 0 ? setTimeout(fail, timeoutMs, 'ETIMEDOUT') : undefined

  pool.dispatch(dispatchOptions(request), {
    onRequestStart: (started) => {
      waitNoMore()
      // Given up while it waited: nothing must be written any more. To throw, unlike to abort, leaves
      // the connection to the next request.
      if (isOver) throw givenUp()
      controller = started
    },
    onResponseStart: (_, status, headers, statusText = '') => {
      if (isOver) return
      // 1xx heads come before the answer's own.
      if (status >= 200) receiver.onHead({ status, statusText, headers })
      else if (++interimHeads > INTERIM_HEADS_MAX) fail(NO_HTTP)
    },
    onResponseData: (_, chunk) => {
      if (!isOver) receiver.onData(chunk)
    },
    onResponseEnd: () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      receiver.onEnd()
    },
    onResponseError: (_, error) => fail(codeOf(error)),
  })
}

function givenUp(): Error {
  return new Error('The exchange was given up')
}

function dispatchOptions(request: ExchangeRequest): Dispatcher.DispatchOptions {
  const { method, url, headers, body } = request
  return { path: url.pathname + url.search, method, headers, body }
}

function isStream(body: ExchangeRequest['body']): body is Readable {
  return body !== null && typeof body === 'object' && !Buffer.isBuffer(body)
}

const NO_HTTP = 'HTTPParserError'

/** Such as ECONNREFUSED, ENOTFOUND, UND_ERR_SOCKET or, for what is no HTTP, HTTPParserError. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === NO_HTTP ? error.name : 'ERR_NETWORK'
}
