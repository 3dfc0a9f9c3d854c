import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProjectContext } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { statement } from '../core/sql.ts'
import { undoing } from './undoing.ts'

// The table is called after its first user.
const take = statement(
  'take-work-lease',
  `INSERT INTO media_leases AS l (project_id, name, owner, locked_until)
   VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
   ON CONFLICT (project_id, name) DO UPDATE
     SET owner = excluded.owner, locked_until = excluded.locked_until
     WHERE l.locked_until <= now()
   RETURNING 1`,
)
const giveBack = statement(
  'give-work-lease-back',
  'DELETE FROM media_leases WHERE project_id = $1 AND name = $2 AND owner = $3',
)

/**
 * Does some work of a project that only one process is to do at a time; the name says what. Who comes
 * meanwhile waits for his turn, or for what `find` then finds. Throws what both throw, and `server_error` when
 * it takes too long.
 */
export async function oneAtATime<T>(
  ctx: ProjectContext,
  name: string,
  work: () => Promise<T>,
  find: () => Promise<T | null> = () => Promise.resolve(null),
): Promise<T> {
  const startedAt = performance.now()
  const lease = [ctx.project.id, name, randomUUID()]
  // Or everyone else would wait for as long as it lasts.
  const letGo = () =>
    undoing(ctx, 'lease', { project: ctx.project.id, name }, () => ctx.sql.rows(giveBack, lease))
  const isTaken = async () => {
    try {
      return (await ctx.sql.rows(take, [...lease, LIMITS.workLeaseMs])).length > 0
    } catch (error) {
      // It may have been taken all the same.
      await letGo()
      throw error
    }
  }
  while (performance.now() - startedAt < LIMITS.workLeaseMs) {
    const found = await find()
    if (found !== null) return found
    if (!(await isTaken())) {
      await pause(LIMITS.workLeasePollMs)
      continue
    }
    try {
      // The one before may have finished between the look and the lease.
      return (await find()) ?? (await work())
    } finally {
      await letGo()
    }
  }
  throw new ServiceError(
    'server_error',
    'Another request was at the same work for too long; try again.',
  )
}
