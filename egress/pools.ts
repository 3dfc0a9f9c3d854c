import type { Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'

/** Makes a connection within a time limit of its own; `signal` aborts when nobody waits for it any more. */
export type Connect = (target: buildConnector.Options, signal: AbortSignal) => Promise<Socket>

type Bounds = {
  connectTimeoutMs: number
  /** Per origin; further requests wait. */
  connectionsMax: number
  originsMax: number
  /** Replaces undici's own connections. */
  connect?: Connect | undefined
}

export type Origin = {
  pool: Pool
  /** Counts a request that waits for a connection, until the returned function is called. */
  wait(): () => void
}

export type Pools = {
  /** The pool of `https://example.org` or the like; null once the pools are closed. */
  of(origin: string): Origin | null
  /** Waits for exchanges under way. */
  close(): Promise<void>
}

/** The longest that an idle connection is kept, even if the server offers more. */
const idleMaxMs = 60_000

/** One keep-alive pool per origin; the least recently used one is closed when there are too many. */
export function createPools(bounds: Bounds): Pools {
  const connect = bounds.connect ?? ownConnect(bounds.connectTimeoutMs)
  const origins = new Map<string, Origin>()
  const closing = new Set<Promise<void>>()
  let closed = false

  /** Closes a pool after its current requests. */
  function retire(name: string): void {
    const ended = origins.get(name)?.pool.close()
    origins.delete(name)
    if (!ended) return
    const tracked = ended.finally(() => closing.delete(tracked))
    closing.add(tracked)
  }

  return {
    of: (name) => {
      if (closed) return null
      const origin = origins.get(name) ?? openOrigin(name, connect, bounds.connectionsMax)
      // A Map keeps insertion order: re-inserting makes the first key the least recently used.
      origins.delete(name)
      origins.set(name, origin)
      const [stalest] = origins.keys()
      if (origins.size > bounds.originsMax && stalest !== undefined) retire(stalest)
      return origin
    },
    close: async () => {
      closed = true
      for (const name of [...origins.keys()]) retire(name)
      await Promise.all(closing)
    },
  }
}

function openOrigin(name: string, connect: Connect, connectionsMax: number): Origin {
  const connecting = new Set<AbortController>()
  let waiting = 0

  async function connectFor(target: buildConnector.Options): Promise<Socket> {
    // After a request was given up, undici would open a new connection for it.
    if (waiting === 0) throw new Error('Nobody waits for a connection')
    const unwanted = new AbortController()
    connecting.add(unwanted)
    return connect(target, unwanted.signal).finally(() => connecting.delete(unwanted))
  }

  const pool = new Pool(name, {
    connections: connectionsMax,
    pipelining: 1,
    connect: (target, callback) => {
      connectFor(target).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
    keepAliveMaxTimeout: idleMaxMs,
    // A deadline covers the whole exchange, so undici's partial timeouts are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    pool,
    wait: () => {
      let isWaiting = true
      waiting += 1
      return () => {
        if (!isWaiting) return
        isWaiting = false
        waiting -= 1
        if (waiting === 0) for (const unwanted of connecting) unwanted.abort()
      }
    },
  }
}

/** Connects by undici's own means, within a time limit. */
export function ownConnect(timeoutMs: number): Connect {
  const connect = buildConnector({ timeout: timeoutMs })
  return (target) =>
    new Promise((resolve, reject) => {
      connect(target, (error, socket) => (error ? reject(error) : resolve(socket)))
    })
}
