import { AxiosError } from 'axios'
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'

type Bounds = { connectTimeoutMs: number; connectionsMax: number; originsMax: number }

/**
 * An axios adapter over undici's connection pools: axios' interface at a third of the cost of its
 * own adapter. One kept-alive pool per origin, the stalest closed when there are too many. It
 * takes absolute addresses and text bodies; no redirects, no proxy, no decompression.
 * `timeout` bounds the whole exchange, from the wait for a connection to the answer's last byte,
 * and `maxContentLength` the answer.
 *
 * Failures are AxiosErrors with axios' own meaning: `request` is there when the request was made
 * (bytes may have left), `response` when the answer's head had arrived. That is why there is no
 * `signal`: axios puts an error of its own, without either, in the place of an aborted exchange's.
 */
export function createUndiciAdapter(bounds: Bounds): {
  adapter: AxiosAdapter
  close(): Promise<void>
} {
  const pools = new Map<string, Pool>()
  const closing = new Set<Promise<void>>()
  let closed = false

  function poolOf(origin: string): Pool {
    const pool = pools.get(origin) ?? openPool(origin, bounds)
    // A Map keeps the order of insertion: putting the origin back makes its first key the stalest.
    pools.delete(origin)
    pools.set(origin, pool)
    const [stalest] = pools.keys()
    if (pools.size > bounds.originsMax && stalest !== undefined) retire(stalest)
    return pool
  }

  /** Lets the requests under way finish. */
  function retire(origin: string): void {
    const ended = pools.get(origin)?.close()
    pools.delete(origin)
    if (!ended) return
    const tracked = ended.finally(() => closing.delete(tracked))
    closing.add(tracked)
  }

  return {
    adapter: async (config) => {
      if (closed) throw new AxiosError('The adapter is closed', 'ERR_CLOSED', config)
      const url = new URL(config.url ?? '')
      return exchange(poolOf(url.origin), url, config)
    },
    close: async () => {
      closed = true
      for (const origin of [...pools.keys()]) retire(origin)
      await Promise.all(closing)
    },
  }
}

function openPool(origin: string, bounds: Bounds): Pool {
  return new Pool(origin, {
    connections: bounds.connectionsMax,
    pipelining: 1,
    connect: { timeout: bounds.connectTimeoutMs },
    // The timeout bounds the whole exchange; undici's partial limits would only blur it.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function exchange(pool: Pool, url: URL, config: InternalAxiosRequestConfig) {
  return new Promise<AxiosResponse>((resolve, reject) => {
    const bytesMax = config.maxContentLength ?? -1
    const chunks: Buffer[] = []
    let sizeBytes = 0
    let controller: Dispatcher.DispatchController | undefined
    let head: AxiosResponse | undefined
    let failure: AxiosError | undefined

    const fail = (message: string, code: string) => {
      if (failure) return
      clearTimeout(timer)
      failure = new AxiosError(message, code, config, controller, head)
      controller?.abort(failure)
      reject(failure)
    }
    const timer = config.timeout
      ? setTimeout(() => fail('The exchange took too long', AxiosError.ETIMEDOUT), config.timeout)
      : undefined

    pool.dispatch(requestOf(url, config), {
      onRequestStart: (started) => {
        // Given up while it waited for a connection: nothing must be written any more.
        if (failure) started.abort(failure)
        else controller = started
      },
      onResponseStart: (_, status, headers, statusText = '') => {
        // 1xx heads come before the answer's own.
        if (status >= 200) head = { status, statusText, headers, config, data: '' }
      },
      onResponseData: (_, chunk) => {
        sizeBytes += chunk.length
        if (bytesMax < 0 || sizeBytes <= bytesMax) chunks.push(chunk)
        else fail('The answer is too large', AxiosError.ERR_BAD_RESPONSE)
      },
      onResponseEnd: () => {
        clearTimeout(timer)
        if (head) resolve({ ...head, data: Buffer.concat(chunks).toString('utf8') })
        else fail('No answer came', AxiosError.ERR_BAD_RESPONSE)
      },
      onResponseError: (_, error) => fail('The exchange failed', codeOf(error)),
    })
  })
}

function requestOf(url: URL, config: InternalAxiosRequestConfig): Dispatcher.DispatchOptions {
  return {
    path: url.pathname + url.search,
    method: (config.method ?? 'get').toUpperCase(),
    headers: config.headers.toJSON() as Record<string, string>,
    body: typeof config.data === 'string' ? config.data : null,
  }
}

/** The system's or undici's code, such as ECONNREFUSED, ENOTFOUND or UND_ERR_SOCKET. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : AxiosError.ERR_NETWORK
}
