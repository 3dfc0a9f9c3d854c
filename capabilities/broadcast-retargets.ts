import { randomUUID } from 'node:crypto'
import { CHANNEL_CODES } from '../core/channel-codes.ts'
import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { agreedNow, must, type SqlClient, statement } from '../core/sql.ts'
import * as broadcastAudits from './broadcast-audits.ts'
import { faultOf, readApproval } from './broadcast-digest.ts'
import { failIn } from './broadcast-failures.ts'

// A follow-up is never followed up itself. It begins where its parent ended, and late only if nobody was there
// to begin it in time.
const takeDue = statement(
  'take-due-retarget',
  `SELECT b.id FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
    WHERE b.status = 'completed' AND b.auto_retarget_quality AND b.retarget_count = 0
      AND b.retarget_parent_id IS NULL AND b.completed_at <= ${agreedNow('$1')} - interval '1 ms' * ${LIMITS.retargetAfterMs}
      AND b.completed_at > $1::timestamptz - interval '1 ms' * ${LIMITS.retargetUntilMs}
      AND EXISTS (SELECT FROM broadcast_recipients r
                   WHERE r.broadcast_id = b.id AND r.status = 'failed'
                     AND r.error ->> 'code' = '${CHANNEL_CODES.marketingLimit}')
    ORDER BY b.completed_at, b.id LIMIT 1 FOR UPDATE OF b SKIP LOCKED`,
)
// What was approved for the parent is approved for the follow-up: the same message, to some of the same
// people.
const spawn = statement(
  'spawn-retarget',
  `INSERT INTO broadcasts (id, project_id, name, template_name, template_language, category,
     segment_id, filter, template_variables, header, status, created_by, creator_name, creator_email,
     approved_at, approved_by, approval_digest, retarget_parent_id, created_at, updated_at)
   SELECT $2::uuid, project_id, name, template_name, template_language, category, segment_id, filter,
     template_variables, header, 'sending', created_by, creator_name, creator_email, approved_at,
     approved_by, approval_digest, id, $3::timestamptz, $3::timestamptz
     FROM broadcasts WHERE id = $1`,
)
const markParent = statement(
  'mark-retargeted',
  'UPDATE broadcasts SET retarget_count = 1, updated_at = $2 WHERE id = $1',
)
const setDigest = statement(
  'set-approval-digest',
  'UPDATE broadcasts SET approval_digest = $2 WHERE id = $1',
)

/**
 * Writes once more, about a day after a broadcast was complete, to those whom the channel's limit on
 * marketing kept it from, if the broadcast was to do so: a follow-up of its own, approved with its parent.
 * When the parent would not be sent any more as it was approved, the follow-up has failed with the reason.
 */
export async function retargetDue(ctx: Context): Promise<void> {
  for (let done = 0; done < LIMITS.broadcastsPerRun; done++) {
    const made = await ctx.sql.transaction((tx) => retargetOne(ctx, tx))
    if (!made) return
    ctx.log.info('broadcast.retargeted', made)
  }
}

async function retargetOne(ctx: Context, tx: SqlClient) {
  const now = ctx.now()
  const [row] = await tx.rows(takeDue, [now])
  if (!row) return null
  const parent = must(row[0])
  const id = randomUUID()
  const fault = await faultOf(tx, parent)
  await tx.rows(spawn, [parent, id, now])
  await tx.rows(markParent, [parent, now])
  const { digest } = await readApproval(tx, id)
  await tx.rows(setDigest, [id, digest])
  const act = { broadcastId: parent, action: 'retargeted' as const, actor: 'service' }
  await broadcastAudits.record(tx, { ...act, details: { broadcast: id }, at: now })
  if (fault !== null) await failIn(tx, id, fault, now)
  return { parent, broadcast: id, fault }
}
