import type { Context } from '../core/context.ts'
import { statement } from '../core/sql.ts'
import type { Job } from './index.ts'

// NULLs stay NULL: no job becomes locked, and none without a time becomes due.
const putBack = statement(
  'put-jobs-back',
  `UPDATE agenda_jobs a
      SET next_run_at = CASE WHEN a.next_run_at > now() + j.every THEN now() + j.every
            ELSE a.next_run_at END,
          locked_at = CASE WHEN a.locked_at > now() THEN now() ELSE a.locked_at END
     FROM unnest($1::text[], $2::interval[]) AS j (name, every)
    WHERE a.name = j.name AND (a.next_run_at > now() + j.every OR a.locked_at > now())`,
)

/**
 * Makes jobs due no later than one interval from now by the database's clock. Agenda schedules and locks by the
 * clock of the process that ran a job last: if that was ahead, nobody would find the job until then.
 */
export async function putJobsBack(ctx: Context, jobs: Record<string, Job>): Promise<void> {
  const intervals = Object.values(jobs).map(({ every }) => every)
  await ctx.sql.rows(putBack, [Object.keys(jobs), intervals])
}

/** Repeats this at an interval until the returned function is called, which waits for a run under way. */
export function keepJobsPutBack(ctx: Context, jobs: Record<string, Job>, everyMs: number) {
  let last = Promise.resolve()
  const again = () => {
    last = putJobsBack(ctx, jobs).catch(
      (error: unknown) => void ctx.log.warn('job.not_put_back', { error }),
    )
  }
  const timer = setInterval(again, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await last
  }
}
