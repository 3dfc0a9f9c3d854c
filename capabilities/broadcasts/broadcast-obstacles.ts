import type { Context } from '../../core/context.ts'
import { isoOrNull, statement } from '../../core/sql.ts'
import { isClosed } from './broadcast-pace.ts'
import type { StoredBroadcast } from './broadcast-rows.ts'

/** Why a broadcast does not go on: instants in ISO 8601; `nextAt` is null when nobody has set a next wave. */
export type Obstacle =
  | { reason: 'project_paused'; projectId: string }
  | { reason: 'project_deleted' }
  | { reason: 'number_closed'; until: string }
  | { reason: 'rest_held'; nextAt: string | null }

const find = statement(
  'find-obstacle',
  `SELECT p.status, n.closed_until
     FROM projects p
     LEFT JOIN channel_accounts a ON a.project_id = p.id
     LEFT JOIN channel_paces n ON n.phone_number_id = a.phone_number_id
           AND ${isClosed('n.closed_until', '$2')}
    WHERE p.id = $1`,
)

/** What keeps a broadcast that is scheduled or being sent from going on; null when nothing does. */
export async function obstacleTo(
  ctx: Context,
  { project_id: projectId, status, counts, wave_scheduled_at }: StoredBroadcast,
): Promise<Obstacle | null> {
  const [row] = await ctx.sql.rows(find, [projectId, ctx.now()])
  if (row?.[0] === 'deleted') return { reason: 'project_deleted' }
  if (row?.[0] === 'paused') return { reason: 'project_paused', projectId }
  if (status !== 'sending' || !counts) return null
  if (counts.queued > 0) {
    const until = isoOrNull(row?.[1])
    return until === null ? null : { reason: 'number_closed', until }
  }
  return counts.held > 0 ? { reason: 'rest_held', nextAt: wave_scheduled_at } : null
}
