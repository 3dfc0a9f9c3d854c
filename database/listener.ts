import pg from 'pg'

const RETRY_MS = 500
const CHANNEL = 'credentials_changed'

/** What the listener tells: a change, or whether changes can be heard at all. */
export type Listener = { onChange: () => void; onListening: (isListening: boolean) => void }

/**
 * Keeps one connection that hears of changed credentials and accounts, and opens it again when it
 * breaks. Resolves when the first attempt has ended, with or without success.
 */
export async function listenForChanges(url: string, listener: Listener): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'messaging-automation-service listener',
    })
    client = next
    const lose = () => {
      if (client !== next || stopped) return
      client = undefined
      listener.onListening(false)
      timer = setTimeout(() => void connect(), RETRY_MS)
      next.end().catch(() => {}) // It is broken already; nothing is left to close.
    }
    next.on('error', lose)
    next.on('end', lose)
    next.on('notification', listener.onChange)
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANNEL}`)
      listener.onListening(true)
    } catch {
      lose()
    }
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    listener.onListening(false)
    await client?.end()
  }
}
