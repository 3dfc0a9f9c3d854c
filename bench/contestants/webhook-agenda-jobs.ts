import { setTimeout as pause } from 'node:timers/promises'
import { PostgresBackend } from '@agendajs/postgres-backend'
import { Agenda } from 'agenda'
import type { Pool } from 'pg'
import { createPool } from '../../database/pool.ts'
import type { Load } from '../timing.ts'
import { fail } from './contestant.ts'
import { answerRuns, counted } from './runs.ts'
import { createPoster, type Delivery, type Receivers } from './signed-posts.ts'
import type { Queues } from './webhook-queues.ts'

// One Agenda job per delivery: locked, started, signed, posted and marked one by one.

type Run = Load & Queues & { receivers: Receivers }

const POOL_SIZE = 10
/** With every poll, Agenda starts another chain that locks jobs one by one, up to its limit. */
const POLL_MS = 20
/** Agenda keeps a timer of half the lock's lifetime for each finished job. */
const LOCK_MS = 30_000
const LEFT_POLL_MS = 5
const LEFT = 'SELECT FROM agenda_jobs WHERE next_run_at IS NOT NULL LIMIT 1'
let pool: Pool | undefined

answerRuns<Run>(async ({ databaseUrl, work, receivers, connections, seconds }) => {
  const own = (pool ??= createPool(databaseUrl, POOL_SIZE, fail))
  const agenda = new Agenda({
    backend: new PostgresBackend({ pool: own, disableNotifications: true }),
    processEvery: POLL_MS,
    maxConcurrency: connections,
    defaultConcurrency: connections,
    defaultLockLimit: connections,
    defaultLockLifetime: LOCK_MS,
  })
  const post = createPoster(receivers)
  agenda.define<Delivery>(work, ({ attrs }) => post(attrs.data))
  let underWay = 0
  let count = 0
  agenda.on('error', fail)
  agenda.on('fail', fail)
  agenda.on('start', () => underWay++)
  agenda.on('complete', () => {
    underWay--
    count++
  })
  await agenda.ready
  const start = performance.now()
  await agenda.start()
  await pause(seconds * 1000)
  // Draining would continue with the remaining jobs: it ends only when nothing more can be locked.
  await agenda.stop()
  while (underWay > 0) await pause(LEFT_POLL_MS)
  const elapsedS = (performance.now() - start) / 1000
  const { rowCount } = await own.query(LEFT)
  if (rowCount === 0) throw new Error('There were too few jobs for the round')
  return counted(count, elapsedS)
})
