import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isNativeError } from 'node:util/types'
import { createClient, createCluster } from 'redis'
import { createDeadline } from './deadline.ts'
import { scripts } from './scripts.ts'

/** One Redis, or a cluster of which each key belongs to one node. */
export type Redis = Pick<ReturnType<typeof openClient>, 'isOpen' | 'isReady' | 'destroy'> & {
  [Name in keyof typeof scripts]: (...args: Arguments<Name>) => Promise<unknown>
}
type Arguments<Name extends keyof typeof scripts> =
  Parameters<(typeof scripts)[Name]['parseCommand']> extends [unknown, ...infer Rest] ? Rest : never

const FAILURES_TO_OPEN = 3
const OPEN_MS = 1_000
const READY_WITHIN_MS = 1_000
const PING_EVERY_MS = 1_000

/**
 * A Redis that is absent, mute or failing delays a request by at most a tenth of a second; after three failures
 * in a row nobody waits for it, and one request a second tries again. One that sends its clients to other nodes is
 * used as the cluster that it belongs to, from then on.
 */
export function createConnection({
  url,
  onProblem,
}: {
  url: string
  onProblem: (error: unknown) => void
}) {
  const withDeadline = createDeadline()
  const first = openClient(url, onProblem)
  let client: Redis = first
  let isCluster = false
  let clusterOpenedAt = 0
  let failures = 0
  let retryAt = 0

  // A failed first connection is retried like any other; nothing is counted meanwhile.
  const dial = (redis: { connect(): Promise<unknown> }) => void redis.connect().catch(onProblem)

  function openAnew(): void {
    if (client.isOpen) client.destroy()
    const next = isCluster ? openCluster(url, onProblem) : openClient(url, onProblem)
    if (isCluster) clusterOpenedAt = performance.now()
    client = next
    dial(next)
  }
  /**
   * A late answer would be taken for the answer to the next command. A cluster renews the connections to its nodes, but
   * for one that none of them has answered.
   */
  const isToOpenAnew = (used: Redis) => (isCluster ? !used.isOpen : used.isReady)

  function noteFailure(used: Redis, error: unknown): void {
    if (used !== client) return
    if (!isCluster && isMoved(error)) {
      isCluster = true
      openAnew()
      return
    }
    // It cannot be asked until its nodes are found.
    if (isCluster && performance.now() - clusterOpenedAt < READY_WITHIN_MS) return
    failures++
    // Reported once per series of failures: a Redis that is full, or a replica, does not break the connection,
    // which would be reported otherwise.
    if (failures === FAILURES_TO_OPEN) onProblem(error)
    if (failures >= FAILURES_TO_OPEN && isToOpenAnew(used)) openAnew()
  }
  return {
    /** Sends a command and reads the reply; null when there is no readable one. */
    async ask<T>(question: (redis: Redis) => Promise<unknown>, read: (reply: unknown) => T) {
      if (failures >= FAILURES_TO_OPEN && performance.now() < retryAt) return null
      retryAt = performance.now() + OPEN_MS
      const used = client
      try {
        const value = read(await withDeadline(question(used)))
        failures = 0
        return value
      } catch (error) {
        noteFailure(used, error)
        return null
      }
    },
    async connect() {
      const isReady = once(first, 'ready').catch(() => {}) // An error is told where it occurs.
      dial(first)
      await Promise.race([isReady, pause(READY_WITHIN_MS)])
    },
    close: () => void (client.isOpen && client.destroy()),
  }
}

function isMoved(error: unknown): boolean {
  return isNativeError(error) && /^MOVED /.test(error.message)
}

const SOCKET = {
  connectTimeout: 500,
  socketTimeout: 2_000,
  reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, OPEN_MS),
}
const OPTIONS = {
  disableOfflineQueue: true,
  // The socket's timeout gives up a silent connection, so an idle one needs pings.
  pingInterval: PING_EVERY_MS,
  socket: SOCKET,
}

function openClient(url: string, onProblem: (error: unknown) => void) {
  const client = createClient({ url, scripts, commandOptions: { timeout: 0 }, ...OPTIONS })
  client.on('error', onProblem)
  return client
}

/** The other nodes are logged in to, and spoken to, like the one that the URL names. */
function openCluster(url: string, onProblem: (error: unknown) => void) {
  const { protocol, username, password } = new URL(url)
  const cluster = createCluster({
    rootNodes: [{ url }],
    scripts,
    commandOptions: { timeout: 0 },
    // A node that has gone is replaced by another soon; the client looks for it after this time.
    topologyRefreshOnReconnectionAttemptStrategy: OPEN_MS,
    defaults: {
      ...OPTIONS,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      socket: protocol === 'rediss:' ? { ...SOCKET, tls: true } : SOCKET,
    },
  })
  cluster.on('error', onProblem)
  cluster.on('node-error', onProblem)
  return cluster
}
