import pg from 'pg'
import { HEARD_WITHIN_MS } from '../core/cache.ts'
import { LOCKS } from '../core/locks.ts'
import { endConnection, KEEP_ALIVE, withSettings } from './connect.ts'
import { WORK_CHANNEL } from './work-notices.ts'

const RETRY_MS = 500
/** The channel by which whoever changes what is cached tells all processes; triggers of the schema use it, too. */
export const CHANGES_CHANNEL = 'credentials_changed'

/** Far above any round trip; also the longest that a dead connection delays a request. */
const CONFIRM_LIMIT_MS = 500

/**
 * Resolves when notices of all changes committed before the call have arrived; rejects when there is no
 * connection.
 */
export type Confirm = () => Promise<unknown>

/**
 * What the listener reports: changes, work announced by other processes, and whether it is connected, with the
 * means to confirm that all notices so far have arrived.
 */
export type Listener = {
  onChange: () => void
  onWork: (payload: string) => void
  onListening: (isListening: boolean, confirm?: Confirm) => void
  /** Called once in each period without a connection: at its first failure, and at its end. */
  onDeaf?: (error: unknown) => void
  onHearing?: () => void
}

/**
 * Keeps one connection that listens for changed credentials and accounts and for work, and reopens it when it
 * breaks. Resolves after the first attempt, successful or not.
 */
export async function listenForChanges(
  url: string,
  listener: Listener,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isDeaf = false

  const connect = async () => {
    const next = new pg.Client({
      connectionString: withSettings(url),
      ...KEEP_ALIVE,
      connectionTimeoutMillis: 5_000,
      query_timeout: CONFIRM_LIMIT_MS,
      application_name: 'messaging-automation-service listener',
    })
    client = next
    const lose = (error: unknown) => {
      if (client !== next || stopped) return
      client = undefined
      if (!isDeaf) listener.onDeaf?.(error)
      isDeaf = true
      listener.onListening(false)
      timer = setTimeout(() => void connect(), RETRY_MS)
      next.end().catch(() => {}) // It is broken already; nothing is left to close.
    }
    next.on('error', lose)
    next.on('notification', ({ channel, payload }) => {
      if (channel === WORK_CHANNEL) listener.onWork(payload ?? '')
      else listener.onChange()
    })
    try {
      await next.connect()
      await next.query(
        `LISTEN ${CHANGES_CHANNEL}; LISTEN ${WORK_CHANNEL}; SELECT pg_advisory_lock_shared(${LOCKS.listening})`,
      )
      listener.onListening(true, confirmOver(next, lose))
      if (isDeaf) listener.onHearing?.()
      isDeaf = false
    } catch (error) {
      lose(error)
    }
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    listener.onListening(false)
    if (client) await endConnection(client)
  }
}

/**
 * PostgreSQL delivers pending notices ahead of the answer to the next statement, so an empty statement confirms
 * them all. One statement serves everyone who asked before it was sent or asks within the next milliseconds.
 */
function confirmOver(client: pg.Client, lose: (error: unknown) => void): Confirm {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<unknown> | null = null
  let askedAt = -Infinity
  const ask = async () => {
    waiting = null
    const now = performance.now()
    running = client.query('')
    running.catch(lose)
    await running
    askedAt = now
  }
  return async () => {
    if (performance.now() - askedAt < HEARD_WITHIN_MS) return
    await (waiting ??= running.then(ask, ask))
  }
}
