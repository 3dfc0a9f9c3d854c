import { Readable } from 'node:stream'
import { AxiosError } from 'axios'
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios'
import { type Exchange, type ExchangeRequest, startExchange } from './exchange.ts'
import type { Origin, Pools } from './pools.ts'

/** The `code` of the AxiosError for more bytes than `maxContentLength`. */
export const TOO_LARGE = 'ERR_TOO_LARGE'

/**
 * An axios adapter over undici's connection pools: axios' interface at a third of the cost of its
 * own adapter. It takes absolute addresses; no redirects, no proxy, no decompression.
 *
 * `data` is a string, a Buffer or a Readable (with `transformRequest: []`, so that axios leaves it
 * alone); a Readable's length is told by a Content-Length header, or it goes out in chunks, and it is
 * destroyed when the exchange ends before it. The answer's `data` is a string, or with
 * `responseType: 'stream'` a Readable, given as soon as the head is there: it is read from the
 * connection no faster than from the Readable, and destroying it drops the connection.
 *
 * `timeout` bounds the whole exchange, from the wait for a connection to the answer's last byte, also
 * of a stream; `maxContentLength` bounds the answer. A stream that breaks one of them, or breaks off,
 * is destroyed with the AxiosError.
 *
 * Failures are AxiosErrors with axios' own meaning: `request` is there when the request was made
 * (bytes may have left), `response` when the answer's head had arrived. That is why there is no
 * `signal`: axios puts an error of its own, without either, in the place of an aborted exchange's.
 */
export function createUndiciAdapter(pools: Pools): AxiosAdapter {
  return async (config) => {
    const url = new URL(config.url ?? '')
    const origin = pools.of(url.origin)
    if (!origin) throw new AxiosError('The adapter is closed', 'ERR_CLOSED', config)
    return exchange(origin, url, config)
  }
}

function exchange(origin: Origin, url: URL, config: InternalAxiosRequestConfig) {
  return new Promise<AxiosResponse>((resolve, reject) => {
    const bytesMax = config.maxContentLength ?? -1
    const chunks: Buffer[] = []
    let sizeBytes = 0
    let head: AxiosResponse | undefined
    let stream: Readable | undefined

    startExchange(origin, requestOf(url, config), config.timeout ?? 0, (exchange) => {
      const fail = (message: string, code: string) => {
        exchange.stop()
        const request = exchange.isStarted() ? exchange : undefined
        const failure = new AxiosError(message, code, config, request, head)
        reject(failure)
        stream?.destroy(failure)
      }
      return {
        onHead: (given) => {
          head = { ...given, config, data: '' }
          if (config.responseType !== 'stream') return
          stream = streamOf(exchange)
          resolve({ ...head, data: stream })
        },
        onData: (chunk) => {
          sizeBytes += chunk.length
          if (bytesMax >= 0 && sizeBytes > bytesMax) fail('The answer is too large', TOO_LARGE)
          else if (!stream) chunks.push(chunk)
          else if (!stream.push(chunk)) exchange.pause()
        },
        onEnd: () => {
          if (stream) stream.push(null)
          else if (head) resolve({ ...head, data: Buffer.concat(chunks).toString('utf8') })
          else fail('No answer came', AxiosError.ERR_BAD_RESPONSE)
        },
        onFault: (code) => {
          const isLate = code === AxiosError.ETIMEDOUT
          fail(isLate ? 'The exchange took too long' : 'The exchange failed', code)
        },
      }
    })
  })
}

function streamOf(exchange: Exchange): Readable {
  const stream = new Readable({
    read: () => exchange.resume(),
    destroy: (error, done) => {
      exchange.stop()
      done(error)
    },
  })
  // Whoever reads it, or comes to, is told; a failure before that must not end the process.
  stream.on('error', () => {})
  return stream
}

function requestOf(url: URL, config: InternalAxiosRequestConfig): ExchangeRequest {
  const data: unknown = config.data
  const isBody = typeof data === 'string' || Buffer.isBuffer(data) || data instanceof Readable
  return {
    method: (config.method ?? 'get').toUpperCase(),
    url,
    headers: config.headers.toJSON() as Record<string, string>,
    body: isBody ? data : null,
  }
}
