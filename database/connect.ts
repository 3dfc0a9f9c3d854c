import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { hasState, SQL_STATES } from '../core/sql-states.ts'

const CONNECT_LIMIT_MS = 10_000
/** How soon one asks again where PostgreSQL has no room for a connection. */
const ROOM_PAUSE_MS = 100
/** How long an end waits for a server that does not answer; a stop makes a few of them one after the other. */
const END_LIMIT_MS = 2_000

/** TCP keep-alive for connections that may be idle: a host that has vanished is noticed within seconds. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/** Settings of every session, whatever the database's own are. */
const COMMON = {
  // Where Prisma looks for the service's tables.
  search_path: 'public',
  // Otherwise a crash of PostgreSQL would forget which messages have left, and they would leave again.
  synchronous_commit: 'on',
  // Who has waited for a lock sees what its holder has changed; a stricter one would end the transaction instead.
  default_transaction_isolation: 'read committed',
  // A process whose host vanishes halfway through statements that it sends together is not idle to PostgreSQL, which
  // would keep their locks for as long as its system keeps the connection: by default two hours.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // Whoever listens is idle by nature.
  idle_session_timeout: 0,
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  quote_all_identifiers: 'off',
  // A plan for all values reads all rows where one for these values could use an index of few.
  plan_cache_mode: 'auto',
}

/**
 * Settings of the sessions of the pool, whatever the database's own are: formats of times and bytes as the
 * service parses them, and when PostgreSQL gives up a statement or a session. JIT is off: compiling takes longer
 * than statements of milliseconds do.
 */
export const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  bytea_output: 'hex',
  jit: 'off',
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} as const

/** An address whose sessions have these settings; `options` of its own stay, but give way to them. */
export function withSettings(url: string, settings: Record<string, string | number> = {}): string {
  const address = new URL(url)
  const own = address.searchParams.get('options')
  // pg takes them from the address alone where it has any, and PostgreSQL the last value of each.
  address.searchParams.set('options', [own ?? [], sessionOptions(settings)].flat().join(' '))
  return address.href
}

/** What pg reads as `verify-full`, with a warning on the terminal that a later version will not. */
const VERIFIED = ['prefer', 'require', 'verify-ca']

/** An address under which TLS, if it asks for TLS at all, verifies certificates unless it says `no-verify`. */
export function verifying(url: string): string {
  const address = new URL(url)
  const { searchParams: asked } = address
  if (asked.get('uselibpqcompat') === 'true') return url
  if (!VERIFIED.includes(asked.get('sslmode') ?? '')) return url
  asked.set('sslmode', 'verify-full')
  return address.href
}

/** pg's `options` of a session with these settings, and with those of every session. */
export function sessionOptions(settings: Record<string, string | number>): string {
  return Object.entries({ ...COMMON, ...settings })
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
    .join(' ')
}

/** Errors for the slower of two processes that create the same database. */
const ALREADY_THERE = [SQL_STATES.duplicateDatabase, SQL_STATES.uniqueViolation]

/** Opens one connection, which the caller closes; creates the database if only that is missing. */
export async function connectOrCreate(url: string): Promise<pg.Client> {
  try {
    return await connect(url)
  } catch (error) {
    if (!hasState(error, SQL_STATES.invalidCatalogName)) throw error
    await createDatabase(url)
    return connect(url)
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    ...KEEP_ALIVE,
  })
  // A broken connection fails the query under way; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    // Where it is pg that gives up, for want of a password, its connection would keep the process alive.
    endConnection(client).catch(() => {})
    throw error
  }
}

/**
 * Connects, and again for a while where PostgreSQL takes no more connections, as when the processes of two releases
 * run side by side: one that is there already becomes free, or ends.
 */
export async function patiently<T>(connecting: () => Promise<T>, limitMs: number): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return await connecting()
    } catch (error) {
      const isFull = hasState(error, SQL_STATES.tooManyConnections)
      if (!isFull || performance.now() > deadline) throw error
    }
    await pause(ROOM_PAUSE_MS)
  }
}

/** Ends a connection in order, or cuts it off where its server does not answer any more. */
export async function endConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => socketOf(client).destroy(), END_LIMIT_MS)
  await client.end().finally(() => clearTimeout(cut))
}

/** What a connection is made over. */
export function socketOf({ connection }: pg.Client): Socket {
  return connection.stream as Socket
}

async function createDatabase(url: string): Promise<void> {
  const server = new URL(url)
  const name = decodeURIComponent(server.pathname.slice(1))
  server.pathname = '/postgres'
  const client = await connect(server.href)
  try {
    // Another server's template1 may have any encoding.
    const form = `ENCODING 'UTF8' TEMPLATE template0`
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} ${form}`)
  } catch (error) {
    if (!hasState(error, ...ALREADY_THERE)) throw error
  } finally {
    await endConnection(client)
  }
}
