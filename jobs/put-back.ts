import type { Context } from '../core/context.ts'
import { statement } from '../core/sql.ts'
import type { Job } from './index.ts'

// A NULL stays what it is: no job is locked by this, and none is made due that has no time.
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
 * Makes jobs due no later than one interval from now by the database's clock. Agenda plans and locks by
 * that of whoever ran them last: nobody would find them again for as long as it was ahead.
 */
export async function putJobsBack(ctx: Context, jobs: Record<string, Job>): Promise<void> {
  const intervals = Object.values(jobs).map(({ every }) => every)
  await ctx.sql.rows(putBack, [Object.keys(jobs), intervals])
}

/** Does so every so many milliseconds until the answered function is called; waits for what has begun. */
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
