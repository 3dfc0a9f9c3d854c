import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, isLeapt, must, statement } from '../../core/sql.ts'

/** How many records a listing of the channel's has added, changed and removed here. */
export type SyncResult = { added: number; changed: number; removed: number }

const isDue = (startedAt: string) =>
  `(${startedAt} <= ${agreedNow('$1')} - interval '1 ms' * ${LIMITS.syncDueMs} OR ${isLeapt(startedAt)})`

// A project is claimed by updating its row, so each is fetched once however many workers run the job.
const claimDue = (kind: 'template' | 'flow') =>
  statement(
    `claim-${kind}-syncs`,
    `INSERT INTO ${kind}_syncs AS s (project_id, started_at)
     SELECT p.id, ${agreedNow('$1')} FROM projects p LEFT JOIN ${kind}_syncs d ON d.project_id = p.id
      WHERE p.status = 'active' AND (d.started_at IS NULL OR ${isDue('d.started_at')})
      ORDER BY d.started_at NULLS FIRST, p.id LIMIT $2
     ON CONFLICT (project_id) DO UPDATE SET started_at = excluded.started_at
       WHERE ${isDue('s.started_at')}
     RETURNING project_id`,
  )

/**
 * Makes the job that fetches all templates or flows of every active project that is due, a few projects at a
 * time. A project whose channel fails is logged and tried again when it is next due.
 */
export function createSyncDue(
  kind: 'template' | 'flow',
  sync: (ctx: Context, projectId: string) => Promise<SyncResult>,
): (ctx: Context) => Promise<void> {
  const claim = claimDue(kind)
  const syncOrLog = async (ctx: Context, projectId: string) => {
    try {
      const result = await sync(ctx, projectId)
      ctx.log.debug(`${kind}s.synced`, { project: projectId, ...result })
    } catch (error) {
      ctx.log.warn(`${kind}s.sync_failed`, { project: projectId, error })
    }
  }
  return async (ctx) => {
    const startedAt = performance.now()
    while (performance.now() - startedAt < LIMITS.syncRunMs) {
      const claimed = await ctx.sql.rows(claim, [ctx.now(), LIMITS.syncsAtOnce])
      if (claimed.length === 0) return
      await Promise.all(claimed.map(([projectId]) => syncOrLog(ctx, must(projectId))))
    }
  }
}
