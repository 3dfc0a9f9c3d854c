import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { types } from 'node:util'
import pg from 'pg'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { connectOrCreate, endConnection, withSettings } from './connect.ts'
import { LOCKS } from '../core/locks.ts'

/** What is wrong with the migrations themselves, in a sentence for the operators. */
export class MigrationFault extends Error {}

/** How long one process waits for another that is migrating; a large table takes the time that it takes. */
const SETTINGS = {
  lock_timeout: '5min',
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}
/** PostgreSQL 17 and later have one more, which others refuse as a setting of a session. */
const UNLIMITED = `
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`

/**
 * How long a migration waits for a lock. Everyone who comes to the table later waits behind it, even if only a
 * backup is in its way, so this is shorter than the service's own statement timeout; it is tried again.
 */
const LOCK_LIMIT = '2s'
const LOCK_PAUSE_MS = 1_000
const LOCK_TRIES_MS = 5 * 60 * 1000

/** The table that Prisma creates, so that its tools can read what was applied here and vice versa. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

const SELECT_RECORDS = `
  SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`

type Migration = { name: string; sql: string; checksum: string }
type Recorded = { name: string; checksum: string; finished: boolean }

type Options = {
  url: string
  folder: string
  onApply?: (name: string) => void
  /** How long a migration that does not get its locks is tried again. */
  triesMs?: number
}

/**
 * Applies the folder's migrations in order, creating the database if it is missing, and answers the names of
 * those applied now. Each is one transaction together with its record, and blocks users of its tables only
 * briefly. Of several processes one applies them while the others wait. Throws one sentence when a migration
 * fails, was edited after it was applied, or is in the database but unknown here.
 */
export async function applyMigrations({
  url,
  folder,
  onApply,
  triesMs = LOCK_TRIES_MS,
}: Options): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await connectOrCreate(withSettings(url, SETTINGS))
  try {
    await client.query(UNLIMITED)
    // Held until this connection ends, including by the death of the process.
    await client.query('SELECT pg_advisory_lock($1)', [LOCKS.migrations])
    await client.query(CREATE_TABLE)
    const { rows } = await client.query<Recorded>(SELECT_RECORDS)
    const waiting = compare(migrations, rows)
    for (const migration of waiting) {
      onApply?.(migration.name)
      await applyPatiently(client, migration, triesMs)
    }
    return waiting.map(({ name }) => name)
  } finally {
    await endConnection(client)
  }
}

type Queryable = { query(text: string): Promise<{ rows: unknown[] }> }

/** The names of the folder's migrations that the database has not applied, in order. */
export async function pendingMigrations(client: Queryable, folder: string): Promise<string[]> {
  const names = await migrationNames(folder)
  const { rows } = await client.query(SELECT_RECORDS).catch((error): { rows: unknown[] } => {
    // No table of records means that nothing was applied yet.
    if (hasState(error, SQL_STATES.undefinedTable)) return { rows: [] }
    throw error
  })
  const applied = new Set(rows.filter(isFinished).map(({ name }) => name))
  return names.filter((name) => !applied.has(name))
}

function isFinished(row: unknown): row is Recorded {
  return typeof row === 'object' && row !== null && 'finished' in row && row.finished === true
}

/** Checks the database's records against the folder; answers the migrations still to be applied. */
function compare(migrations: Migration[], recorded: Recorded[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum, finished } of recorded) {
    const migration = known.get(name)
    if (!migration) {
      throw new MigrationFault(
        `The database has migration ${name}, which this version does not know: ` +
          'it belongs to a newer version of the service.',
      )
    }
    if (!finished) {
      throw new MigrationFault(
        `Migration ${name} has failed half-way: repair the database by hand.`,
      )
    }
    if (checksum !== migration.checksum) {
      throw new MigrationFault(
        `Migration ${name} was edited after it was applied: undo the edit, ` +
          'and put the change into a new migration.',
      )
    }
    known.delete(name)
  }
  return [...known.values()]
}

async function applyPatiently(client: pg.Client, migration: Migration, triesMs: number) {
  const deadline = performance.now() + triesMs
  for (;;) {
    try {
      return await apply(client, migration)
    } catch (error) {
      const isLockedOut =
        error instanceof MigrationFault && hasState(error.cause, SQL_STATES.lockNotAvailable)
      if (!isLockedOut || performance.now() > deadline) throw error
      await client.query('ROLLBACK')
      await pause(LOCK_PAUSE_MS)
    }
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = '${LOCK_LIMIT}'`)
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (cause) {
    // The caller closes the connection, which rolls the transaction back.
    throw new MigrationFault(`Migration ${name} failed and was undone: ${describe(cause, sql)}`, {
      cause,
    })
  }
}

function describe(error: unknown, sql: string): string {
  if (!types.isNativeError(error)) return String(error)
  const position = error instanceof pg.DatabaseError ? Number(error.position) : NaN
  if (!position) return `${error.message}.`
  return `${error.message} (line ${sql.slice(0, position).split('\n').length}).`
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Their names begin with a timestamp, so the order of the alphabet is the order of time. */
async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return names.sort()
}
