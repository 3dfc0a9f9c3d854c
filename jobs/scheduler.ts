import { PostgresBackend } from '@agendajs/postgres-backend'
import { Agenda } from 'agenda'
import type { Pool } from 'pg'
import type { Context } from '../core/context.ts'
import type { Job } from './index.ts'

const POLL_MS = 1_000
/** Agenda keeps a timer of half a lock's life for each finished job. */
const LOCK_MS = 30_000
const START_TRIES = 3

/**
 * Runs the jobs on Agenda, which is a clock and nothing more: PostgreSQL holds what is due, so a job
 * that Agenda forgets or repeats does no harm. The pool stays the caller's.
 */
export async function startJobs(ctx: Context, pool: Pool, jobs: Record<string, Job>) {
  const agenda = new Agenda({
    backend: new PostgresBackend({ pool, disableNotifications: true }),
    processEvery: POLL_MS,
    defaultLockLifetime: LOCK_MS,
    removeOnComplete: true,
  })
  agenda.on('error', (error) => ctx.log.error('job.clock_failed', { error }))
  for (const [name, { run }] of Object.entries(jobs)) {
    agenda.define(name, () => runJob(ctx, name, run))
  }
  await start(agenda)
  for (const [name, { every }] of Object.entries(jobs)) await agenda.every(every, name)
  return {
    async stop() {
      await agenda.drain({ timeout: 10_000 })
      await agenda.stop()
    },
  }
}

/** Two workers that create Agenda's table at the same moment: the loser finds it on its next try. */
async function start(agenda: Agenda): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await agenda.start()
      return
    } catch (error) {
      if (attempt === START_TRIES) throw error
    }
  }
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
