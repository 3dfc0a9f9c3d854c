import type { Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'

/** Makes a connection, within a time of its own; `signal` tells that nobody waits for it any more. */
export type Connect = (target: buildConnector.Options, signal: AbortSignal) => Promise<Socket>

type Bounds = {
  connectTimeoutMs: number
  /** Of one origin; what comes on top waits. */
  connectionsMax: number
  originsMax: number
  /** In place of undici's own connections. */
  connect?: Connect
}

export type Origin = {
  pool: Pool
  /** Counts one that waits for a connection, until it calls what this answers with. */
  wait(): () => void
}

export type Pools = {
  /** What is held of `https://example.org` or the like; null once the pools are closed. */
  of(origin: string): Origin | null
  /** Waits for the exchanges under way. */
  close(): Promise<void>
}

/** However long a server offers to keep a connection. */
const idleMaxMs = 60_000

/** One kept-alive pool per origin, the stalest closed when there are too many. */
export function createPools(bounds: Bounds): Pools {
  const connect = bounds.connect ?? ownConnect(bounds.connectTimeoutMs)
  const origins = new Map<string, Origin>()
  const closing = new Set<Promise<void>>()
  let closed = false

  /** Lets the requests under way finish. */
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
      // A Map keeps the order of insertion: putting the origin back makes its first key the stalest.
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
    // After a request that was given up, undici makes a new connection for it.
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
    // A deadline bounds the whole exchange; undici's partial limits would only blur it.
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

function ownConnect(timeoutMs: number): Connect {
  const connect = buildConnector({ timeout: timeoutMs })
  return (target) =>
    new Promise((resolve, reject) => {
      connect(target, (error, socket) => (error ? reject(error) : resolve(socket)))
    })
}
