import { randomUUID } from 'node:crypto'
import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, type SqlClient, statement } from '../../core/sql.ts'
import * as broadcastAudits from './broadcast-audits.ts'
import { allowAll } from './broadcast-counters.ts'
import { faultOf, readApproval } from './broadcast-digest.ts'
import { failIn } from './broadcast-endings.ts'
import { eachDue, type Round } from './broadcast-rounds.ts'

// A follow-up is never followed up itself. It is due a day after its parent was complete. A parent that was
// looked at is due again once one of its recipients has moved, which changes `updated_at`; the two instants are
// compared for equality, so that no clock can hide a move.
const takeDue = statement(
  'take-due-retarget',
  `SELECT b.id FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
    WHERE b.status = 'completed' AND b.auto_retarget_quality AND b.retarget_count = 0
      AND b.retarget_parent_id IS NULL AND b.completed_at <= ${agreedNow('$1')} - interval '1 ms' * ${LIMITS.retargetAfterMs}
      AND b.completed_at > $1::timestamptz - interval '1 ms' * ${LIMITS.retargetUntilMs}
      AND b.failed > 0 AND b.retarget_looked_at IS DISTINCT FROM b.updated_at
      AND b.id <> ALL ($2::uuid[])
    ORDER BY b.retarget_looked_at NULLS FIRST, b.completed_at, b.id LIMIT 1 FOR UPDATE OF b SKIP LOCKED`,
)
// A separate statement: only a snapshot taken after the lock sees everything written before it.
const findLimited = statement(
  'find-limited-recipient',
  `SELECT 1 FROM broadcast_recipients
    WHERE broadcast_id = $1 AND status = 'failed' AND error ->> 'code' = '${CHANNEL_CODES.marketingLimit}'
    LIMIT 1`,
)
const markLooked = statement(
  'mark-retarget-looked',
  'UPDATE broadcasts SET retarget_looked_at = updated_at WHERE id = $1',
)
// The approval of the parent covers the follow-up: the same message, to some of the same people.
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
 * Sends again, about a day after a broadcast was complete and if it asked for that, to the recipients whom the
 * channel's marketing limit kept it from: as a broadcast of its own, approved with its parent. If the parent
 * could no longer be sent as approved, the follow-up fails with the reason.
 */
export async function retargetDue(ctx: Context): Promise<void> {
  await eachDue(ctx, lookAtOne)
}

/** Null when none is due; otherwise the log entry, if there was anyone to follow up. */
async function lookAtOne(ctx: Context, tx: SqlClient, round: Round): Promise<(() => void) | null> {
  const [row] = await tx.rows(takeDue, [ctx.now(), round.failed])
  if (!row) return null
  const parent = (round.taken = must(row[0]))
  await allowAll(tx)
  const [limited] = await tx.rows(findLimited, [parent])
  if (limited) {
    const made = await retarget(ctx, tx, parent)
    return () => ctx.log.info('broadcast.retargeted', made)
  }
  await tx.rows(markLooked, [parent])
  return () => {}
}

async function retarget(ctx: Context, tx: SqlClient, parent: string) {
  const now = ctx.now()
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
