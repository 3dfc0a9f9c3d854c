import { createHash } from 'node:crypto'
import {
  getCreateIndexesSQL,
  getCreateTableSQL,
  getUpdateTimestampTriggerSQL,
  PostgresBackend,
} from '@agendajs/postgres-backend'
import { Agenda, type Job as AgendaJob } from 'agenda'
import type { Pool } from 'pg'
import * as serviceSettings from '../capabilities/service-settings.ts'
import { closeAll, type Closers, opening } from '../core/closers.ts'
import type { Context } from '../core/context.ts'
import { KEPT_NAMES } from '../core/kept-names.ts'
import { tellSeldom } from '../core/seldom.ts'
import { statement } from '../core/sql.ts'
import type { Job } from './index.ts'
import { keepJobsPutBack, putJobsBack } from './put-back.ts'

const POLL_MS = 1_000
/** Agenda keeps a timer for half the lock's lifetime after each finished job, so the lock is short. */
const LOCK_MS = 30_000
const PUT_BACK_MS = 60_000

/**
 * Runs the jobs on Agenda, which serves as a clock only: PostgreSQL holds what is due, so a job that Agenda
 * forgets or repeats does no harm. The pool remains the caller's.
 */
export async function startJobs(
  ctx: Context,
  pool: Pool,
  jobs: Record<string, Job>,
  { putBackMs = PUT_BACK_MS, lockMs = LOCK_MS } = {},
) {
  const tell = (error: unknown) => tellSeldom(ctx.log, 'error', 'job.clock_failed', { error })
  await makeTables(ctx, pool)
  const { backend, unreachable } = backendOver(pool, tell)
  const agenda = new Agenda({
    backend,
    processEvery: POLL_MS,
    defaultLockLifetime: lockMs,
    removeOnComplete: true,
  })
  agenda.on('error', tell)
  for (const [name, { run }] of Object.entries(jobs)) {
    agenda.define(name, (job) => keepingLock(job, { lockMs, tell }, () => runJob(ctx, name, run)))
    // Initialised to zero, so that the first failure shows as an increase.
    for (const result of ['done', 'failed']) ctx.metrics.jobs.inc({ name, result }, 0)
  }
  // Jobs that it has locked but not begun become free when their locks expire.
  const closers: Closers = [() => agenda.drain({ timeout: 10_000 })]
  return opening(closers, async () => {
    await Promise.race([agenda.start(), unreachable])
    for (const [name, { every }] of Object.entries(jobs)) await agenda.every(every, name)
    await putJobsBack(ctx, jobs)
    closers.push(keepJobsPutBack(ctx, jobs, putBackMs))
    return { stop: () => closeAll(closers) }
  })
}

/**
 * Renews a job's lock while it runs. Otherwise Agenda would consider it failed when the lock expires, and would
 * not wait for it at a stop.
 */
async function keepingLock(
  job: AgendaJob,
  { lockMs, tell }: { lockMs: number; tell: (error: unknown) => void },
  work: () => Promise<void>,
): Promise<void> {
  let kept = Promise.resolve()
  const timer = setInterval(() => {
    kept = kept.then(() => job.touch()).catch(tell)
  }, lockMs / 3)
  try {
    await work()
  } finally {
    clearInterval(timer)
    // Otherwise the job would be locked again after it was unlocked.
    await kept
  }
}

/**
 * Agenda connects by itself and ignores a failure: its start would wait for ever. It also does not handle a
 * failure to unlock a job, which would end the process; the lock expires by itself.
 */
function backendOver(pool: Pool, tell: (error: unknown) => void) {
  const backend = new PostgresBackend({ pool, disableNotifications: true, ensureSchema: false })
  const { repository } = backend
  const unlock = repository.unlockJob.bind(repository)
  repository.unlockJob = (job) => unlock(job).catch(tell)
  const connect = backend.connect.bind(backend)
  let fail = (_: unknown) => {}
  const unreachable = new Promise<never>((_, reject) => (fail = reject))
  backend.connect = () =>
    connect().catch((error: unknown) => {
      fail(error)
      return new Promise(() => {})
    })
  return { backend, unreachable }
}

const TABLE = 'agenda_jobs'
/** Another version of Agenda creates other tables, and so has another hash. */
const WORDS = createHash('sha256')
  .update(getCreateTableSQL(TABLE))
  .update(getCreateIndexesSQL(TABLE).join())
  .update(getUpdateTimestampTriggerSQL(TABLE))
  .digest('hex')

const findMade = statement(
  'find-agenda-tables',
  `SELECT 1 FROM service_settings
    WHERE name = '${KEPT_NAMES.agendaTables}' AND value = $1 AND to_regclass('${TABLE}') IS NOT NULL`,
)
const onlyOne = statement(
  'lock-agenda-tables',
  `SELECT pg_advisory_xact_lock(hashtextextended('agenda tables', 0))`,
)

/**
 * Has Agenda create its tables once. By itself it would do so at each start, under locks that wait for a backup
 * and block all other workers, and the process ends when two workers do so at once.
 */
async function makeTables({ sql }: Context, { options }: Pool): Promise<void> {
  await sql.transaction(async (tx) => {
    // Waits for another worker that is creating them, whose tables are not complete yet.
    await tx.rows(onlyOne)
    if ((await tx.rows(findMade, [WORDS])).length > 0) return
    // On a connection of its own: those of the pool may all be waiting for this transaction.
    const poolConfig = { ...options, max: 1 }
    const backend = new PostgresBackend({ poolConfig, disableNotifications: true })
    await backend.connect().finally(() => backend.disconnect())
    await serviceSettings.write(tx, KEPT_NAMES.agendaTables, WORDS)
  })
}

async function runJob(ctx: Context, name: string, run: Job['run']): Promise<void> {
  const startedAt = performance.now()
  try {
    await run(ctx)
    ctx.metrics.jobs.inc({ name, result: 'done' })
    ctx.log.debug('job.completed', {
      job: name,
      durationMs: Math.round(performance.now() - startedAt),
    })
  } catch (error) {
    ctx.metrics.jobs.inc({ name, result: 'failed' })
    ctx.log.error('job.failed', { job: name, error })
  }
}
