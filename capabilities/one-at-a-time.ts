import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProjectContext } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { type SqlClient, statement } from '../core/sql.ts'
import { undoing } from './undoing.ts'

// The table is named after the first feature that used it.
const begin = statement(
  'take-work-lease',
  `INSERT INTO media_leases AS l (project_id, name, owner, locked_until)
   VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
   ON CONFLICT (project_id, name) DO UPDATE
     SET owner = excluded.owner, locked_until = excluded.locked_until
     WHERE l.locked_until <= now()
   RETURNING 1`,
)
// Checks the owner only, not the expiry: a lease that has expired and that nobody else took is renewed.
const prolong = statement(
  'keep-work-lease',
  `UPDATE media_leases SET locked_until = now() + $4 * interval '1 millisecond'
    WHERE project_id = $1 AND name = $2 AND owner = $3`,
)
const hold = statement(
  'hold-work-lease',
  'SELECT 1 FROM media_leases WHERE project_id = $1 AND name = $2 AND owner = $3 FOR SHARE',
)
const end = statement(
  'give-work-lease-back',
  'DELETE FROM media_leases WHERE project_id = $1 AND name = $2 AND owner = $3',
)

/** A lease on the work, as the work sees it. */
export type Turn = {
  /**
   * Locks the lease until the transaction ends. Throws `server_error` when another process has taken it: this
   * one was paused, or could not reach the database, for longer than the lease lasts.
   */
  hold(tx: SqlClient): Promise<void>
}

/**
 * Runs some work of a project that only one process may do at a time; the name identifies it. Others that ask
 * meanwhile wait for their turn, or until `find` finds the result: as long as the work takes, and a little
 * longer when its process dies. Throws what both functions throw, and `server_error` after waiting for too
 * long.
 */
export async function oneAtATime<T>(
  ctx: ProjectContext,
  name: string,
  work: (turn: Turn) => Promise<T>,
  find: () => Promise<T | null> = () => Promise.resolve(null),
): Promise<T> {
  const startedAt = performance.now()
  const lease = leaseOf(ctx, name)
  for (;;) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs >= LIMITS.workWaitMs) throw late(WAITED)
    const found = await find()
    if (found !== null) return found
    if (!(await lease.take())) {
      await pause(pauseAfter(waitedMs))
      continue
    }
    const keeping = setInterval(lease.keep, LIMITS.workLeaseRenewMs)
    try {
      // The previous holder may have finished between the look and the lease.
      return (await find()) ?? (await work(lease))
    } finally {
      clearInterval(keeping)
      await lease.giveBack()
    }
  }
}

function leaseOf(ctx: ProjectContext, name: string) {
  const about = { project: ctx.project.id, name }
  const own = [ctx.project.id, name, randomUUID()]
  const timed = [...own, LIMITS.workLeaseMs]
  // Without this, everyone else would wait until the lease expires.
  const giveBack = () => undoing(ctx, 'lease', about, () => ctx.sql.rows(end, own))
  return {
    giveBack,
    async take() {
      try {
        return (await ctx.sql.rows(begin, timed)).length > 0
      } catch (error) {
        // The lease may have been taken though its answer was lost.
        await giveBack()
        throw error
      }
    },
    keep() {
      const warn = (error: unknown) => void ctx.log.warn('lease.not_kept', { ...about, error })
      ctx.sql.rows(prolong, timed).catch(warn)
    },
    async hold(tx: SqlClient) {
      if ((await tx.rows(hold, own)).length === 0) throw late(TAKEN_OVER)
    },
  }
}

/**
 * Short waits at first, so that nobody waits much longer than needed; longer ones later, to spare the database.
 */
function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 4, LIMITS.workPollMs), LIMITS.workPollMostMs)
}

const WAITED = 'Another request was at the same work for too long; try again.'
const TAKEN_OVER = 'Another request has taken the same work over meanwhile; look what it did.'

function late(problem: string): ServiceError {
  return new ServiceError('server_error', problem)
}
