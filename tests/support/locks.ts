import pg from 'pg'
import type { Context } from '../../core/context.ts'
import { type Row, statement } from '../../core/sql.ts'
import { SESSION, withSettings } from '../../database/connect.ts'
import { until } from './until.ts'

const readWaits = statement(
  'test-read-waits',
  `SELECT pid, query_start FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY pid`,
)

/** The sessions of the database that wait for a lock, each with the start of the statement that waits. */
export function waitsForLocks({ sql }: Pick<Context, 'sql'>): Promise<Row[]> {
  return sql.rows(readWaits)
}

/**
 * Resolves when so many sessions of the database wait for a lock. It looks by statements of their own:
 * within a transaction, PostgreSQL goes on showing the sessions that there were at the first look.
 */
export async function untilWaiting({ sql }: Pick<Context, 'sql'>, count = 1): Promise<void> {
  await until(
    async () => (await waitsForLocks({ sql })).length === count,
    `${count} waiting for a lock`,
  )
}

type Query = (text: string, values: unknown[]) => Promise<unknown>

/**
 * Does work in a transaction of its own and commits it: where that and another one wait for each other, it is
 * the other that PostgreSQL ends.
 */
export async function inTheWay(databaseUrl: string, work: (query: Query) => Promise<void>) {
  const client = new pg.Client({ connectionString: withSettings(databaseUrl, SESSION) })
  await client.connect()
  try {
    await client.query("BEGIN; SET LOCAL deadlock_timeout = '1min'")
    await work((text, values) => client.query(text, values))
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

type Place = { table: 'contacts' | 'conversations'; id: number }

/**
 * Does work that waits for `first` between two transactions that wait for each other there. All others have time:
 * it is the work that PostgreSQL ends. Then one of the two gives up, and the other one commits.
 */
export async function betweenTwo<T>(
  { ctx, databaseUrl }: { ctx: Pick<Context, 'sql'>; databaseUrl: string },
  { first, second }: { first: Place; second: Place },
  work: () => Promise<T>,
): Promise<T> {
  const lock = (query: Query, { table, id }: Place) =>
    query(`SELECT FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id])
  let done: Promise<T> | undefined
  await inTheWay(databaseUrl, async (one) => {
    await lock(one, first)
    await inTheWay(databaseUrl, async (other) => {
      await lock(other, second)
      done = work()
      await untilWaiting({ sql: ctx.sql })
      const waiting = lock(other, first)
      await untilWaiting({ sql: ctx.sql }, 2)
      await one(`SET LOCAL lock_timeout = '2s'`, [])
      await lock(one, second).catch(() => {})
      await waiting
    })
  })
  return done as Promise<T>
}

/** SQL that gives a contact of a project its conversation. */
export const OPEN_CONVERSATION = `INSERT INTO conversations
  (project_id, contact_id, last_activity_at, created_at, updated_at) VALUES ($1, $2, now(), now(), now())`
