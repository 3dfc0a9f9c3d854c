import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Bed } from '../bed.ts'
import { trackStatements } from '../database-work.ts'

const SAMPLE_MS = 5
const SHOWN = 6
const NAME_CHARACTERS = 90

/** A statement or wait of PostgreSQL, and its share of the time. */
export type Wall = { what: string; share: number; detail: string }

/**
 * Runs `work`, and answers how PostgreSQL's time was spent: the most expensive statements, and what its busy
 * connections waited for.
 */
export async function wallsOf(
  { admin, databaseUrl }: Bed,
  work: () => Promise<unknown>,
): Promise<{ statements: Wall[]; waits: Wall[] }> {
  const observer = new pg.Client({ connectionString: databaseUrl })
  await observer.connect()
  const seen = new Map<string, number>()
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      for (const what of await lookAround(observer)) seen.set(what, (seen.get(what) ?? 0) + 1)
      await pause(SAMPLE_MS)
    }
  })()
  try {
    await trackStatements(admin, work)
  } finally {
    isOver = true
    await watching
    await observer.end()
  }
  return { statements: await dearest(admin), waits: shares(seen) }
}

async function lookAround(observer: pg.Client): Promise<string[]> {
  const { rows } = await observer.query<{ what: string }>(
    `SELECT coalesce(wait_event_type || ': ' || wait_event, 'CPU') AS what FROM pg_stat_activity
      WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  return rows.map(({ what }) => what)
}

async function dearest(admin: pg.Client): Promise<Wall[]> {
  const { rows } = await admin.query<{ query: string; share: string; calls: string; ms: string }>(
    `SELECT query, calls, mean_exec_time AS ms, total_exec_time / sum(total_exec_time) OVER () AS share
       FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_activity%'
      ORDER BY total_exec_time DESC LIMIT $1`,
    [SHOWN],
  )
  return rows.map(({ query, share, calls, ms }) => ({
    what: query.replace(/\s+/g, ' ').trim().slice(0, NAME_CHARACTERS),
    share: Number(share),
    detail: `${Number(calls).toLocaleString('en')} times, ${Number(ms).toFixed(2)} ms each`,
  }))
}

function shares(seen: Map<string, number>): Wall[] {
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
  return [...seen]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([what, count]) => ({ what, share: count / total, detail: `${count} sightings` }))
}
