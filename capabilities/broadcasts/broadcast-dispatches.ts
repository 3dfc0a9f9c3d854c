import type { Context } from '../../core/context.ts'
import type { ChannelRecipient } from '../../core/ports.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, statement } from '../../core/sql.ts'
import { countMoves, holdBroadcast } from './broadcast-counters.ts'
import type { Leased, Sending } from './broadcast-leases.ts'
import * as pace from './broadcast-pace.ts'
import type { Draft } from '../messages/send-attempts.ts'

/** A recipient about to be sent to: the id of the attempt, and the message that will be stored for it. */
export type Departure = { leased: Leased; attemptId: string; draft: Draft }

const OPTED_OUT = {
  code: 'not_opted_in',
  title: 'The customer has not opted in to marketing, or no longer.',
  details: null,
  retryable: false,
}

const LEASE_LEFT = `interval '1 ms' * ${LIMITS.recipientLeaseLeftMs}`
const PAIR_GAP = `interval '1 ms' * ${LIMITS.pairGapMs}`

// The category at creation, or the one that the channel has moved the template to since: either counts.
const IS_MARKETING = `SELECT 'MARKETING' IN (b.category, t.category)
   FROM broadcasts b LEFT JOIN templates t ON t.project_id = b.project_id
    AND t.name = b.template_name AND t.language = b.template_language
  WHERE b.id = $1`

// Whether another broadcast is writing to the customer, or anyone wrote a moment ago. Messages of broadcasts
// are dated by the agreed clock, all others by the service's clock.
const UNDER_WAY = `SELECT 1 FROM broadcast_recipients o
   WHERE o.contact_id = k.id AND o.status = 'queued' AND o.dispatched_at IS NOT NULL LIMIT 1`
// Compares in both directions: clocks differ, and another transaction may have written while this one waited.
const isNear = (present: string) =>
  `(m.created_at > ${present} - ${PAIR_GAP} AND m.created_at < ${present} + ${PAIR_GAP})`
const JUST_WRITTEN = `SELECT 1 FROM (
     SELECT m.direction, m.created_at FROM messages m
      WHERE m.conversation_id = k.conversation_id
        AND k.last_activity_at > ${agreedNow('$3')} - ${PAIR_GAP}
      ORDER BY m.id DESC LIMIT ${LIMITS.pairMessages}) m
    WHERE m.direction = 'outbound' AND (${isNear(agreedNow('$3'))} OR ${isNear('$3::timestamptz')})
    LIMIT 1`

// Looks each row up by key: a plan for many rows would scan whole tables for a few. It is committed before the
// first byte is sent, so that no crash can lead to a second send.
const depart = statement(
  'dispatch-recipients',
  `WITH asked AS (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS a (seq int, fence int, attempt uuid, draft jsonb)
   ), found AS MATERIALIZED (
     SELECT r.broadcast_id, r.seq, r.project_id, r.contact_id, k.conversation_id, k.phone, k.user_id,
            a.attempt, a.draft,
            CASE WHEN (${IS_MARKETING}) AND NOT k.opted_in THEN 'opted_out'
                 WHEN under_way.yes = 1 OR just_written.yes = 1 THEN 'busy' ELSE 'go' END AS verdict
       FROM asked a
      CROSS JOIN LATERAL (
        SELECT r.broadcast_id, r.seq, r.project_id, r.contact_id FROM broadcast_recipients r
         WHERE r.broadcast_id = $1 AND r.seq = a.seq AND r.fence = a.fence
           AND r.status = 'queued' AND NOT r.held AND r.dispatched_at IS NULL
           AND r.lease_until > now() + ${LEASE_LEFT} LIMIT 1) r
      CROSS JOIN LATERAL (
        SELECT k.id, k.phone, k.user_id, k.opted_in, c.id AS conversation_id, c.last_activity_at
          FROM contacts k JOIN conversations c ON c.contact_id = k.id
         WHERE k.id = r.contact_id LIMIT 1) k
       LEFT JOIN LATERAL (${UNDER_WAY}) AS under_way (yes) ON true
       LEFT JOIN LATERAL (${JUST_WRITTEN}) AS just_written (yes) ON true
   ), gone AS (
     UPDATE broadcast_recipients r SET dispatched_at = clock_timestamp(), attempt_id = f.attempt
       FROM found f
      WHERE r.broadcast_id = f.broadcast_id AND r.seq = f.seq AND f.verdict = 'go'
   ), attempt AS (
     INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message, created_at)
     SELECT attempt, project_id, conversation_id, contact_id, draft, ${agreedNow('$3')}
       FROM found WHERE verdict = 'go'
   ), later AS (
     UPDATE broadcast_recipients r
        SET lease_until = NULL, retry_at = ${agreedNow('$3')} + ${PAIR_GAP}
       FROM found f
      WHERE r.broadcast_id = f.broadcast_id AND r.seq = f.seq AND f.verdict = 'busy'
   ), failed AS (
     UPDATE broadcast_recipients r
        SET status = 'failed', error = $4::jsonb, failed_at = $3::timestamptz, lease_until = NULL
       FROM found f
      WHERE r.broadcast_id = f.broadcast_id AND r.seq = f.seq AND f.verdict = 'opted_out'
     RETURNING r.broadcast_id, 'queued' AS was, r.status AS now
   ), counted AS (
     ${countMoves('failed', '$3')}
   )
   SELECT f.seq, f.phone, f.user_id FROM found f LEFT JOIN counted ON true
    WHERE f.verdict = 'go'`,
)

// Asked again once both locks are held: the number may have been closed, or the project paused, during the wait
// for a lock, and the waiting statement's snapshot would not show it.
const findOpen = statement(
  'find-open-number',
  `SELECT p.status, n.closed_until FROM projects p
     LEFT JOIN channel_paces n ON n.phone_number_id = $2 AND ${pace.isClosed('n.closed_until', '$3')}
    WHERE p.id = $1`,
)

const putOff = statement(
  'put-off-recipients',
  `WITH asked AS MATERIALIZED (
     SELECT $1::uuid AS broadcast_id, a.* FROM jsonb_to_recordset($2::jsonb) AS a (seq int, fence int)
   )
   UPDATE broadcast_recipients r SET lease_until = NULL, retry_at = $3
     FROM asked a
    WHERE r.broadcast_id = a.broadcast_id AND r.seq = a.seq AND r.fence = a.fence
      AND r.status = 'queued' AND r.dispatched_at IS NULL`,
)

/**
 * Writes down that these recipients are sent to now, and answers whom the channel is to be told for
 * each; null for those that are not: the broadcast was ended, the project is paused, the number is closed,
 * the lease is too old, or the customer has opted out since (who then fails) or has just been written to (who waits).
 */
export function dispatch(
  ctx: Context,
  { id, projectId, phoneNumberId }: Sending,
  departures: Departure[],
): Promise<(ChannelRecipient | null)[]> {
  const now = ctx.now()
  const asked = JSON.stringify(
    departures.map(({ leased: { seq, fence }, attemptId, draft }) => ({
      seq,
      fence,
      attempt: attemptId,
      draft,
    })),
  )
  return ctx.sql.transaction(async (tx) => {
    await pace.hold(tx, phoneNumberId)
    if ((await holdBroadcast(tx, id)) !== 'sending') return departures.map(() => null)
    const [found] = await tx.rows(findOpen, [projectId, phoneNumberId, now])
    const [projectStatus, closedUntil = null] = found ?? []
    if (projectStatus !== 'active' || closedUntil !== null) {
      await tx.rows(putOff, [id, asked, closedUntil])
      return departures.map(() => null)
    }
    const rows = await tx.rows(depart, [id, asked, now, JSON.stringify(OPTED_OUT)])
    const gone = new Map(rows.map(([seq, phone, userId]) => [Number(seq), { phone, userId }]))
    return departures.map(({ leased }) => {
      const to = gone.get(leased.seq)
      if (!to) return null
      return to.phone == null ? { userId: must(to.userId) } : { phone: to.phone }
    })
  })
}
