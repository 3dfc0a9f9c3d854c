import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hasCode, messageOf } from '../core/caught-errors.ts'
import type { Config } from '../core/config.ts'
import { PROJECT_ROOT } from '../core/root.ts'
import { connectOrCreate, endConnection, verifying } from './connect.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts'
import { LOCKS } from '../core/locks.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { applyMigrations, MigrationFault } from './migrations.ts'
import { requireSuitable } from './requirements.ts'

export const MIGRATIONS = path.join(PROJECT_ROOT, 'prisma', 'migrations')

export type Database = {
  url: string
  /** The URL for other programs: what is in `url` beyond it is of use to this one alone. */
  address: string
  isEmbedded: boolean
  /**
   * Stops an embedded PostgreSQL: its owner always, any other process only when nobody else uses it. So the
   * last process stops it, whichever started it.
   */
  close(options?: { isOwner?: boolean }): Promise<void>
}

/**
 * Opens and migrates the database of the configuration: that of `DATABASE_URL`, or one in the data folder.
 * `onApply` is called for each migration. Throws one sentence on failure.
 */
export async function openDatabase(
  config: Config,
  migrations: string,
  say: (line: string) => void,
  onApply: (name: string) => void = () => {},
): Promise<Database> {
  if (config.databaseUrl) {
    const url = verifying(config.databaseUrl)
    await requireSuitable(url).catch(explain)
    await applyMigrations({ url, folder: migrations, onApply }).catch(explain)
    return { url, address: config.databaseUrl, isEmbedded: false, close: async () => {} }
  }
  const database = await openEmbedded(config.dataDir, say)
  try {
    await applyMigrations({ url: database.url, folder: migrations, onApply })
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

const OPENINGS_MAX = 3
/** The application_name of every connection of this process. */
const OWN = `messaging-automation-service ${process.pid}`
const CLOSING = 'messaging-automation-service closing'
const LINGER_MS = 1_000
const POLL_MS = 20

async function openEmbedded(dataDir: string, say: (line: string) => void): Promise<Database> {
  for (let opening = 1; ; opening++) {
    const postgres = await openEmbeddedPostgres({ dataDir, onProgress: say })
    const url = named(postgres.url, OWN)
    try {
      const presence = await enter(url)
      const end: Database['close'] = (options) => close(postgres, presence, options)
      return { url, address: postgres.url, isEmbedded: true, close: end }
    } catch (error) {
      // The last process that used it is stopping it at this moment.
      if (opening === OPENINGS_MAX) throw error
    }
  }
}

/** Registers this process as a user of the database, after waiting for anybody who is about to stop it. */
async function enter(url: string): Promise<pg.Client> {
  const client = await connectOrCreate(url)
  try {
    await client.query(`SET lock_timeout = '15s'`)
    await client.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.presence])
    return client
  } catch (error) {
    await endConnection(client)
    throw error
  }
}

async function close(postgres: EmbeddedPostgres, presence: pg.Client, { isOwner = false } = {}) {
  // Unlocked explicitly, because PostgreSQL notices the end of a connection only a moment later.
  const leave = presence.query('SELECT pg_advisory_unlock_shared($1)', [LOCKS.presence])
  await leave.catch(() => {}) // The connection has broken, and its lock has gone with it.
  await endConnection(presence)
  await (isOwner ? postgres.stop() : stopIfUnused(postgres))
}

async function stopIfUnused({ url, stop }: EmbeddedPostgres): Promise<void> {
  // Without an answer, another process has stopped it already.
  const client = await connectOrCreate(named(url, CLOSING)).catch(() => null)
  if (!client) return
  try {
    // A query that is cut off tells the same: another process is stopping it at this moment.
    if (await isAlone(client).catch(() => false)) await stop()
  } finally {
    await endConnection(client)
  }
}

/** Whether nobody else uses the database; if so, nobody can begin to until this connection ends. */
async function isAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS locked',
    [LOCKS.presence],
  )
  return rows[0]?.locked === true && !(await hasOthers(client))
}

const COUNT_OTHERS = `
  SELECT count(*)::int AS others FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend'
     AND application_name NOT IN ($1, $2)`

/** Whether somebody is connected without the lock; those who have just left get a moment to disappear. */
async function hasOthers(client: pg.Client): Promise<boolean> {
  const deadline = performance.now() + LINGER_MS
  for (;;) {
    const { rows } = await client.query<{ others: number }>(COUNT_OTHERS, [OWN, CLOSING])
    if (rows[0]?.others === 0) return false
    if (performance.now() > deadline) return true
    await pause(POLL_MS)
  }
}

function named(url: string, application: string): string {
  return `${url}?application_name=${encodeURIComponent(application)}`
}

/** What Node.js calls a certificate of an authority that it does not know. */
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const TRUST = "; name the file of its authority's certificate with sslrootcert=FILE in the address"
/** The latter is what PostgreSQL says to a role that may not even look into a schema. */
const WITHOUT_RIGHTS = [SQL_STATES.insufficientPrivilege, SQL_STATES.invalidSchemaName]
const OWNERSHIP =
  '; as an administrator: ALTER DATABASE the_database OWNER TO the_role, after CREATE DATABASE if there is none'

/** Makes a sentence of what PostgreSQL, its client or the network says; a fault of migrations is one already. */
function explain(cause: unknown): never {
  if (cause instanceof MigrationFault) throw cause
  // A host with several addresses fails once for each, in an AggregateError without a message.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const reason = messageOf(first) + adviceOn(first)
  throw new Error(`The database of DATABASE_URL cannot be used: ${reason}.`, { cause })
}

function adviceOn(error: unknown): string {
  if (hasCode(error, ...UNTRUSTED)) return TRUST
  return hasState(error, ...WITHOUT_RIGHTS) ? OWNERSHIP : ''
}
