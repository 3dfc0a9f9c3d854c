import type { ProjectContext } from '../core/context.ts'
import type { StoredAnswer } from '../core/replay.ts'
import { type SqlClient, statement } from '../core/sql.ts'
import { FAN_OUT } from './events.ts'
import { STEPS_TOLD, stepsHappened } from './message-events.ts'

// A message counts as sent from its attempt on, for the attempt may be settled much later, by a status.
// The channel's own instants are whole seconds, so this one is kept as one too.
// The attempt becomes the message; whoever deletes it (the sender, or the reader of a callback)
// writes the message, so it is written once.
const record = statement(
  'record-sends',
  `WITH taken AS (
     SELECT id, wamid FROM unnest($2::uuid[], $3::text[]) AS taken (id, wamid)
   ), attempt AS (
     DELETE FROM send_attempts a USING taken
      WHERE a.id = taken.id AND a.project_id = $1
     RETURNING a.*, taken.wamid
   ), message AS (
     INSERT INTO messages (project_id, conversation_id, contact_id, wamid, attempt_id, direction,
       origin, type, content, status, template, media, payload, reply_to, client_ref, created_at,
       sent_at)
     SELECT a.project_id, a.conversation_id, a.contact_id, a.wamid, a.id, 'outbound', d.origin,
       d.type, d.content, 'sent', d.template, d.media, d.payload, d.reply_to, d.client_ref,
       a.created_at, date_trunc('second', a.created_at)
       FROM attempt a CROSS JOIN LATERAL jsonb_to_record(a.message) AS d (origin text, type text,
         content text, template jsonb, media jsonb, payload jsonb, reply_to text, client_ref text)
     ON CONFLICT (project_id, wamid) DO NOTHING
     RETURNING id, conversation_id, created_at, wamid, client_ref, status, error,
       sent_at AS occurred_at, id AS position
   ), latest AS (
     SELECT conversation_id, max(id) AS id, max(created_at) AS at FROM message GROUP BY 1
   ), conversation AS (
     UPDATE conversations c
        SET last_message_id = greatest(c.last_message_id, latest.id),
            unread_count = CASE WHEN c.last_inbound_at > latest.at THEN c.unread_count ELSE 0 END,
            last_activity_at = greatest(c.last_activity_at, latest.at), updated_at = $4::timestamptz
       FROM latest WHERE c.id = latest.conversation_id
   ), answered AS (
     UPDATE idempotency_records r SET status = 200, answer = $6
      WHERE r.project_id = $1 AND r.key = $5 AND r.attempt_id = ANY ($2) AND r.status IS NULL
   ), ${STEPS_TOLD}, ${stepsHappened('message', '$4::timestamptz')}, ${FAN_OUT}
   SELECT message.id, EXISTS (
       SELECT FROM parked_statuses p WHERE p.project_id = $1 AND p.wamid = message.wamid),
          EXISTS (SELECT FROM delivery)
     FROM message`,
)

/**
 * Turns attempts into messages, each conversation moving to the top, and raises `message.status` for
 * each: it is `sent`. With a key, its record gets the answer in the same statement. Tells for each
 * message written whether statuses were waiting for it.
 */
export async function settle(
  sql: SqlClient,
  projectId: string,
  taken: { attemptId: string; wamid: string }[],
  now: Date,
  answered: { key: string; answer: StoredAnswer } | null = null,
): Promise<{ id: number; hasParked: boolean }[]> {
  const rows = await sql.rows(record, [
    projectId,
    taken.map(({ attemptId }) => attemptId),
    taken.map(({ wamid }) => wamid),
    now,
    answered?.key ?? null,
    answered && JSON.stringify(answered.answer),
  ])
  if (rows[0]?.[2] === 't') sql.announce('deliveries')
  return rows.map(([id, parked]) => ({ id: Number(id), hasParked: parked === 't' }))
}

// Whoever deletes the attempt gives back what it took, so it is given back once.
const refuse = statement(
  'drop-attempt',
  `WITH gone AS (
     DELETE FROM send_attempts WHERE id = $1 RETURNING project_id, contact_id, charged_on
   ), refund AS (
     UPDATE send_budgets b
        SET credits = b.credits + 1,
            used = CASE WHEN b.day = gone.charged_on THEN greatest(b.used - 1, 0) ELSE b.used END
       FROM gone
      WHERE b.project_id = gone.project_id AND gone.charged_on IS NOT NULL
   )
   SELECT contact_id FROM gone`,
)

/**
 * Forgets an attempt that the channel refused, and gives its credit and its place in the day back.
 * Answers whom it was for; null when it was gone already.
 */
export async function drop(ctx: ProjectContext, attemptId: string): Promise<string | null> {
  const [row] = await ctx.sql.rows(refuse, [attemptId])
  return row?.[0] ?? null
}
