import { PostgresBackend } from '@agendajs/postgres-backend'
import { Agenda } from 'agenda'
import type { Pool } from 'pg'
import { createPool } from '../../database/pool.ts'
import type { Load } from '../timing.ts'
import { fail } from './contestant.ts'
import { answerRuns, counted } from './runs.ts'
import { createPoster, type Delivery, type Receivers } from './signed-posts.ts'
import type { Queues } from './webhook-queues.ts'

// One Agenda job for each delivery: locked, started, signed, posted and removed.

type Run = Load & Queues & { receivers: Receivers }

const POOL_SIZE = 10
const POLL_MS = 50
/** Agenda keeps a timer of half a lock's life for each finished job. */
const LOCK_MS = 30_000
const DRAIN_LIMIT_MS = 10_000
let pool: Pool | undefined

answerRuns<Run>(async ({ databaseUrl, work, receivers, connections, seconds }) => {
  const own = (pool ??= createPool(databaseUrl, POOL_SIZE, fail))
  const agenda = new Agenda({
    backend: new PostgresBackend({ pool: own, disableNotifications: true }),
    processEvery: POLL_MS,
    maxConcurrency: connections,
    defaultConcurrency: connections,
    defaultLockLimit: 2 * connections,
    defaultLockLifetime: LOCK_MS,
    removeOnComplete: true,
  })
  agenda.on('error', fail)
  const post = createPoster(receivers)
  agenda.define<Delivery>(work, ({ attrs }) => post(attrs.data))
  agenda.on('fail', fail)
  await agenda.ready
  const before = await waiting(own)
  const start = performance.now()
  await agenda.start()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  await agenda.drain({ timeout: DRAIN_LIMIT_MS })
  const elapsedS = (performance.now() - start) / 1000
  await agenda.stop()
  const after = await waiting(own)
  if (after === 0) throw new Error('There were too few jobs for the round')
  return counted(before - after, elapsedS)
})

/** How many jobs are not over: what is over is removed. */
async function waiting(own: Pool): Promise<number> {
  const { rows } = await own.query<{ count: string }>('SELECT count(*) FROM agenda_jobs')
  return Number(rows[0]?.count)
}
