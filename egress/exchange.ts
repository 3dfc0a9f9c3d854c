import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Origin } from './pools.ts'

export type ExchangeRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  /** A stream's length is given by a Content-Length header; without one it is sent in chunks. */
  body: string | Buffer | Readable | null
}

export type Head = {
  status: number
  statusText: string
  headers: Record<string, string | string[] | undefined>
}

/**
 * Receives the answer. After `onEnd` or `onFault`, one of which comes unless the exchange is stopped, nothing
 * follows.
 */
export type Receiver = {
  onHead(head: Head): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** `code` is the system's or undici's, or ETIMEDOUT past the deadline. */
  onFault(code: string): void
}

/** An exchange under way. */
export type Exchange = {
  /** Whether bytes of the request may have been sent. */
  isStarted(): boolean
  /** Drops the connection; the receiver is not called any more. */
  stop(): void
  pause(): void
  resume(): void
}

/**
 * The most informational (1xx) heads before the final one: each takes time, and a server could send them
 * without end.
 */
const INTERIM_HEADS_MAX = 16

/**
 * Makes one request over an origin's pool. `timeoutMs` covers everything from the wait for a connection to the
 * last byte of the answer; 0 is no limit. Failures are reported to the receiver.
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
    // A request still waiting for a connection would keep its body's source open.
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
      // Given up while waiting: nothing may be sent any more. Throwing, unlike aborting, leaves the connection
      // to the next request.
      if (isOver) throw givenUp()
      controller = started
    },
    onResponseStart: (_, status, headers, statusText = '') => {
      if (isOver) return
      // Informational (1xx) heads precede the final one.
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

/** Such as ECONNREFUSED, ENOTFOUND, UND_ERR_SOCKET or, for an answer that is not HTTP, HTTPParserError. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === NO_HTTP ? error.name : 'ERR_NETWORK'
}
