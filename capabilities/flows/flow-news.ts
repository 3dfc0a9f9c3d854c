import type { FlowUpdate } from '../../core/channel-flows.ts'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import { askAgreedNow, isLeapt, type SqlClient, statement } from '../../core/sql.ts'
import * as flowRecords from './flow-records.ts'
import * as heardNews from '../channel-accounts/heard-news.ts'

// Whoever has published it elsewhere may have edited it before.
const move = statement(
  'move-flow',
  `UPDATE flows SET status = $3, status_at = $4, definition_due = definition_due OR status <> $3,
     updated_at = CASE WHEN status <> $3 THEN $5 ELSE updated_at END
    WHERE project_id = $1 AND id = $2 AND (status_at IS NULL OR status_at <= $4 OR ${isLeapt('status_at')})`,
)

/**
 * Applies what a callback says of flows, within its transaction. Older news does not undo newer, nor does
 * what is repeated; what is said of a flow that is not here yet comes with the next listing.
 */
export async function apply(
  ctx: Context,
  tx: SqlClient,
  projectId: string,
  updates: FlowUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  const now = await askAgreedNow(tx, ctx.now())
  await flowRecords.lock(tx, projectId)
  for (const { at: told, ...update } of updates) {
    const { id, event, status: word } = update
    const at = told ?? new Date(startOfSecond(now))
    const status = word === null ? null : flowRecords.statusOf(word)
    ctx.log.info('flow.told', { project: projectId, flow: id, event, status: word })
    if (status === null) continue
    if (await heardNews.isNews(tx, projectId, { ...update, at }, now)) {
      await tx.rows(move, [projectId, id, status, at, now])
    } else {
      ctx.log.debug('flow.told_again', { project: projectId, flow: id })
    }
  }
}
