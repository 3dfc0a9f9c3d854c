import type { ProjectContext } from '../core/context.ts'
import type { Schema } from '../core/contract.ts'
import { type Row, type SqlClient, statement } from '../core/sql.ts'

/** What a message will hold once the channel has taken it. */
export type Draft = {
  origin: Schema<'MessageOrigin'>
  type: Schema<'MessageType'>
  content: string | null
  template?: Schema<'MessageTemplate'> | null
  media?: Schema<'MessageMedia'> | null
  payload?: Record<string, unknown> | null
  reply_to: string | null
  client_ref: string | null
}

/** Whom an attempt would reach, and whether it was begun. */
export type Target = {
  conversationId: number
  phone: string | null
  userId: string | null
  /** As PostgreSQL prints it. */
  lastInboundAt: string | null
  begun: boolean
}

export type Recipient = { matchKey: string } | { conversationId: number }

const begin = (name: string, recipient: string) =>
  statement(
    name,
    `WITH target AS (
       SELECT c.id, c.contact_id, k.phone, k.user_id, c.last_inbound_at
         FROM conversations c JOIN contacts k ON k.id = c.contact_id
        WHERE c.project_id = $1 AND ${recipient}
     ), attempt AS (
       INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message, created_at)
       SELECT $3::uuid, $1, id, contact_id, $4::jsonb, $5::timestamptz FROM target
        WHERE last_inbound_at > $6 OR $6::timestamptz IS NULL
       RETURNING id
     )
     SELECT target.id, target.phone, target.user_id, target.last_inbound_at,
            EXISTS (SELECT FROM attempt)
       FROM target`,
  )
const beginByPhone = begin('begin-send-by-phone', 'k.project_id = $1 AND k.match_key = $2')
const beginInConversation = begin('begin-send-in-conversation', 'c.id = $2')

/**
 * Records, before the first byte leaves, that a message is about to be sent; a crash from here on
 * leaves this trace, which the channel's own report turns into the message. Nothing is recorded when
 * the customer's last message is not later than `windowStart` (null: no window is asked for). Answers
 * null when there is no such conversation.
 */
export async function open(
  ctx: ProjectContext,
  attemptId: string,
  recipient: Recipient,
  draft: Draft,
  windowStart: Date | null,
): Promise<Target | null> {
  const byPhone = 'matchKey' in recipient
  const [row] = await ctx.sql.rows(byPhone ? beginByPhone : beginInConversation, [
    ctx.project.id,
    byPhone ? recipient.matchKey : recipient.conversationId,
    attemptId,
    JSON.stringify(draft),
    ctx.now(),
    windowStart,
  ])
  return row ? readTarget(row) : null
}

function readTarget([id, phone, userId, lastInboundAt, begun]: Row): Target {
  return {
    conversationId: Number(id),
    phone: phone ?? null,
    userId: userId ?? null,
    lastInboundAt: lastInboundAt ?? null,
    begun: begun === 't',
  }
}

const close = statement('close-attempt', 'DELETE FROM send_attempts WHERE id = $1')

/** Forgets an attempt that the channel refused. */
export async function drop(ctx: ProjectContext, attemptId: string): Promise<void> {
  await ctx.sql.rows(close, [attemptId])
}

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
     RETURNING id, conversation_id, created_at, wamid
   ), latest AS (
     SELECT conversation_id, max(id) AS id, max(created_at) AS at FROM message GROUP BY 1
   ), conversation AS (
     UPDATE conversations c
        SET last_message_id = greatest(c.last_message_id, latest.id),
            unread_count = CASE WHEN c.last_inbound_at > latest.at THEN c.unread_count ELSE 0 END,
            last_activity_at = greatest(c.last_activity_at, latest.at), updated_at = $4::timestamptz
       FROM latest WHERE c.id = latest.conversation_id
   )
   SELECT message.id, EXISTS (
       SELECT FROM parked_statuses p WHERE p.project_id = $1 AND p.wamid = message.wamid)
     FROM message`,
)

/**
 * Turns attempts into messages, each conversation moving to the top. Tells for each message written
 * whether statuses were waiting for it.
 */
export async function settle(
  sql: SqlClient,
  projectId: string,
  taken: { attemptId: string; wamid: string }[],
  now: Date,
): Promise<{ id: number; hasParked: boolean }[]> {
  const rows = await sql.rows(record, [
    projectId,
    taken.map(({ attemptId }) => attemptId),
    taken.map(({ wamid }) => wamid),
    now,
  ])
  return rows.map(([id, parked]) => ({ id: Number(id), hasParked: parked === 't' }))
}
