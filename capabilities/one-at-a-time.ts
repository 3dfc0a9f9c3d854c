import { setTimeout as pause } from 'node:timers/promises'
import type { ProjectContext } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { must, statement } from '../core/sql.ts'

// The table is called after its first user.
const take = statement(
  'take-work-lease',
  `INSERT INTO media_leases AS l (project_id, name, locked_until)
   VALUES ($1, $2, now() + $3 * interval '1 millisecond')
   ON CONFLICT (project_id, name) DO UPDATE SET locked_until = excluded.locked_until
     WHERE l.locked_until <= now()
   RETURNING locked_until::text`,
)
const giveBack = statement(
  'give-work-lease-back',
  `DELETE FROM media_leases WHERE project_id = $1 AND name = $2 AND locked_until = $3::timestamptz`,
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
  while (performance.now() - startedAt < LIMITS.workLeaseMs) {
    const found = await find()
    if (found !== null) return found
    const [lease] = await ctx.sql.rows(take, [ctx.project.id, name, LIMITS.workLeaseMs])
    if (!lease) {
      await pause(LIMITS.workLeasePollMs)
      continue
    }
    try {
      // The one before may have finished between the look and the lease.
      return (await find()) ?? (await work())
    } finally {
      await ctx.sql.rows(giveBack, [ctx.project.id, name, must(lease[0])])
    }
  }
  throw new ServiceError(
    'server_error',
    'Another request was at the same work for too long; try again.',
  )
}
