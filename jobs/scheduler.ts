import { PostgresBackend } from '@agendajs/postgres-backend'
import { Agenda } from 'agenda'
import type { Pool } from 'pg'
import type { Context } from '../core/context.ts'
import { statement } from '../core/sql.ts'
import type { Job } from './index.ts'
import { keepJobsPutBack, putJobsBack } from './put-back.ts'

const POLL_MS = 1_000
/** Agenda keeps a timer of half a lock's life for each finished job. */
const LOCK_MS = 30_000
const PUT_BACK_MS = 60_000

/**
 * Runs the jobs on Agenda, which is a clock and nothing more: PostgreSQL holds what is due, so a job
 * that Agenda forgets or repeats does no harm. The pool stays the caller's.
 */
export async function startJobs(
  ctx: Context,
  pool: Pool,
  jobs: Record<string, Job>,
  { putBackMs = PUT_BACK_MS } = {},
) {
  await makeTables(ctx, pool)
  const agenda = new Agenda({
    backend: new PostgresBackend({ pool, disableNotifications: true, ensureSchema: false }),
    processEvery: POLL_MS,
    defaultLockLifetime: LOCK_MS,
    removeOnComplete: true,
  })
  agenda.on('error', (error) => ctx.log.error('job.clock_failed', { error }))
  for (const [name, { run }] of Object.entries(jobs)) {
    agenda.define(name, () => runJob(ctx, name, run))
  }
  await agenda.start()
  for (const [name, { every }] of Object.entries(jobs)) await agenda.every(every, name)
  await putJobsBack(ctx, jobs)
  const stopPuttingBack = keepJobsPutBack(ctx, jobs, putBackMs)
  return {
    async stop() {
      await stopPuttingBack()
      await agenda.drain({ timeout: 10_000 })
      await agenda.stop()
    },
  }
}

const onlyOne = statement(
  'lock-agenda-tables',
  `SELECT pg_advisory_xact_lock(hashtextextended('agenda tables', 0))`,
)

/** Agenda would make its tables unasked, and end the process when another worker does so as well. */
function makeTables(ctx: Context, pool: Pool): Promise<void> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows(onlyOne)
    await new PostgresBackend({ pool, disableNotifications: true }).connect()
  })
}

async function runJob(ctx: Context, name: string, run: Job['run']): Promise<void> {
  const startedAt = performance.now()
  try {
    await run(ctx)
    ctx.log.debug('job.completed', {
      job: name,
      durationMs: Math.round(performance.now() - startedAt),
    })
  } catch (error) {
    ctx.log.error('job.failed', { job: name, error })
  }
}
