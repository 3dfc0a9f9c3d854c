import type { Context } from '../../core/context.ts'
import type { ChannelRecipient } from '../../core/ports.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, statement } from '../../core/sql.ts'
import { countMoves, holdingBroadcast } from './broadcast-counters.ts'
import type { Leased, Sending } from './broadcast-leases.ts'
import * as pace from './broadcast-pace.ts'
import { joinedContactOf } from '../joined-contacts.ts'
import type { Draft } from '../messages/send-attempts.ts'

/** A recipient about to be sent to: the id of the attempt, and the message that will be stored for it. */
export type Departure = { leased: Leased; attemptId: string; draft: Draft }

const FAULTS = {
  opted_out: {
    code: 'not_opted_in',
    title: 'The customer has not opted in to marketing, or no longer.',
    details: null,
    retryable: false,
  },
  twin: {
    code: 'same_customer',
    title: 'Another recipient of this broadcast turned out to be the same customer.',
    details: null,
    retryable: false,
  },
}

const LEASE_LEFT = `interval '1 ms' * ${LIMITS.recipientLeaseLeftMs}`
const PAIR_GAP = `interval '1 ms' * ${LIMITS.pairGapMs}`

// Whether another broadcast is writing to the customer, or anyone wrote a moment ago. Messages of broadcasts
// are dated by the agreed clock, all others by the service's clock.
const UNDER_WAY = `SELECT 1 FROM broadcast_recipients o
   WHERE o.contact_id = ANY (k.ids) AND o.status = 'queued' AND o.dispatched_at IS NOT NULL LIMIT 1`
// Whether a contact that was joined with this one is a recipient too: one who has been sent to, or whose turn is
// earlier.
const TWIN = `SELECT 1 FROM broadcast_recipients o
   WHERE cardinality(k.ids) > 1 AND o.broadcast_id = r.broadcast_id AND o.contact_id = ANY (k.ids)
     AND o.seq <> r.seq AND (o.attempt_id IS NOT NULL OR o.status = 'queued' AND o.seq < r.seq) LIMIT 1`
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

// Read once both locks are held: the broadcast may have been ended, the number closed, or the project paused,
// during the wait for a lock. It is marketing by the category at creation, or by the one that the channel has
// moved the template to since.
const STATE = `SELECT p.status = 'active' AND n.closed_until IS NULL AS is_open, n.closed_until,
          'MARKETING' IN (b.category, coalesce(t.category, '')) AS is_marketing
     FROM broadcasts b
     JOIN projects p ON p.id = b.project_id
     LEFT JOIN channel_paces n ON n.phone_number_id = $5 AND ${pace.isClosed('n.closed_until', '$3')}
     LEFT JOIN templates t ON t.project_id = b.project_id
      AND t.name = b.template_name AND t.language = b.template_language
    WHERE b.id = $1 AND b.status = 'sending'`

// Looks each row up by key: a plan for many rows would scan whole tables for a few. It is committed before the
// first byte is sent, so that no crash can lead to a second send.
const depart = statement(
  'dispatch-recipients',
  `WITH state AS MATERIALIZED (
     ${STATE}
   ), asked AS (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS a (seq int, fence int, attempt uuid, draft jsonb)
   ), found AS MATERIALIZED (
     SELECT r.broadcast_id, r.seq, r.project_id, r.contact_id, k.conversation_id, k.phone, k.user_id,
            a.attempt, a.draft, s.closed_until,
            CASE WHEN NOT s.is_open THEN 'shut'
                 WHEN s.is_marketing AND NOT k.opted_in THEN 'opted_out'
                 WHEN twin.yes = 1 THEN 'twin'
                 WHEN under_way.yes = 1 OR just_written.yes = 1 THEN 'busy' ELSE 'go' END AS verdict
       FROM state s
      CROSS JOIN asked a
      CROSS JOIN LATERAL (
        SELECT r.broadcast_id, r.seq, r.project_id, r.contact_id FROM broadcast_recipients r
         WHERE r.broadcast_id = $1 AND r.seq = a.seq AND r.fence = a.fence
           AND r.status = 'queued' AND NOT r.held AND r.dispatched_at IS NULL
           AND r.lease_until > now() + ${LEASE_LEFT} LIMIT 1) r
      CROSS JOIN LATERAL (
        SELECT k.id, k.phone, k.user_id, k.opted_in, c.id AS conversation_id, c.last_activity_at,
               ARRAY(SELECT j.contact_id FROM joined_contacts j WHERE j.into_contact_id = k.id) || k.id AS ids
          FROM contacts k JOIN conversations c ON c.contact_id = k.id
         WHERE k.id = ${joinedContactOf('r.contact_id')} LIMIT 1) k
       LEFT JOIN LATERAL (${TWIN}) AS twin (yes) ON true
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
        SET lease_until = NULL,
            retry_at = CASE f.verdict WHEN 'shut' THEN f.closed_until
              ELSE ${agreedNow('$3')} + ${PAIR_GAP} END
       FROM found f
      WHERE r.broadcast_id = f.broadcast_id AND r.seq = f.seq AND f.verdict IN ('shut', 'busy')
   ), failed AS (
     UPDATE broadcast_recipients r
        SET status = 'failed', error = $4::jsonb -> f.verdict, failed_at = $3::timestamptz, lease_until = NULL
       FROM found f
      WHERE r.broadcast_id = f.broadcast_id AND r.seq = f.seq AND f.verdict IN ('opted_out', 'twin')
     RETURNING r.broadcast_id, 'queued' AS was, r.status AS now
   ), counted AS (
     ${countMoves('failed', '$3')}
   )
   SELECT f.seq, f.phone, f.user_id FROM found f LEFT JOIN counted ON true
    WHERE f.verdict = 'go'`,
)

/**
 * Writes down that these recipients are sent to now, and answers whom the channel is to be told for
 * each; null for those that are not: the broadcast was ended, the project is paused, the number is closed,
 * the lease is too old, the customer has opted out since or is another recipient too (who then fails), or has just
 * been written to (who waits).
 */
export async function dispatch(
  ctx: Context,
  { id, phoneNumberId }: Sending,
  departures: Departure[],
): Promise<(ChannelRecipient | null)[]> {
  const asked = JSON.stringify(
    departures.map(({ leased: { seq, fence }, attemptId, draft }) => ({
      seq,
      fence,
      attempt: attemptId,
      draft,
    })),
  )
  const values = [id, asked, ctx.now(), JSON.stringify(FAULTS), phoneNumberId]
  // The broadcast first: whoever ends a large one has it for long, and the number's others must not wait for that.
  const [, , rows = []] = await ctx.sql.together([
    holdingBroadcast(id),
    pace.holding(phoneNumberId),
    { statement: depart, values },
  ])
  const gone = new Map(rows.map(([seq, phone, userId]) => [Number(seq), { phone, userId }]))
  return departures.map(({ leased }) => {
    const to = gone.get(leased.seq)
    if (!to) return null
    return to.phone == null ? { userId: must(to.userId) } : { phone: to.phone }
  })
}
