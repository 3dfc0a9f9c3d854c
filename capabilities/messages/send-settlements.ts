import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import type { StoredAnswer } from '../../core/replay.ts'
import { type Ask, must, plannedOnce, type Row, type SqlClient, statement } from '../../core/sql.ts'
import { FAN_OUT } from '../webhooks/events.ts'
import { STEPS_TOLD, stepsHappened } from './message-events.ts'
import * as optIns from '../conversations/opt-ins.ts'
import { joinedContactOf } from '../joined-contacts.ts'

// A message counts as sent from the time of its attempt, which may be settled much later by a status. That time
// is cut to whole seconds, like the channel's own. The attempt becomes the message: whoever deletes the attempt
// (the sender or a callback) inserts the message, so it is inserted once. Rows are locked in one order
// everywhere. The customer's contact may have been joined with another since the attempt, or erased: then it is gone,
// or the attempt at least is empty, and nothing is stored of the message.
const record = plannedOnce(
  'record-sends',
  `WITH taken AS (
     SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
       AS taken (id, wamid, key, answer)
   ), found AS (
     SELECT a.id FROM send_attempts a
      WHERE a.id = ANY ($2::uuid[]) AND a.project_id = $1 ORDER BY a.id FOR UPDATE
   ), attempt AS (
     DELETE FROM send_attempts WHERE id = ANY (ARRAY(SELECT id FROM found)) RETURNING *
   ), message AS (
     INSERT INTO messages (project_id, conversation_id, contact_id, wamid, attempt_id, direction,
       origin, type, content, status, template, media, payload, reply_to, client_ref, created_at,
       sent_at)
     SELECT a.project_id, held.id, held.contact_id, taken.wamid, a.id, 'outbound', d.origin, d.type, d.content,
       'sent', d.template, d.media, d.payload, d.reply_to, d.client_ref, a.created_at,
       date_trunc('second', a.created_at)
       FROM attempt a JOIN taken ON taken.id = a.id
      CROSS JOIN LATERAL (
        SELECT c.id, c.contact_id FROM conversations c
         WHERE c.contact_id = ${joinedContactOf('a.contact_id')} LIMIT 1) held
      CROSS JOIN LATERAL jsonb_to_record(a.message) AS d (origin text, type text, content text,
         template jsonb, media jsonb, payload jsonb, reply_to text, client_ref text)
      WHERE d.type IS NOT NULL
     ON CONFLICT (project_id, wamid) DO NOTHING
     RETURNING id, conversation_id, created_at, wamid, client_ref, status, error,
       sent_at AS occurred_at, id AS position
   ), latest AS (
     SELECT conversation_id, max(id) AS id, max(created_at) AS at FROM message GROUP BY 1
   ), locked AS (
     SELECT id FROM conversations
      WHERE id = ANY (ARRAY(SELECT conversation_id FROM latest)) ORDER BY id FOR NO KEY UPDATE
   ), conversation AS (
     UPDATE conversations c
        SET last_message_id = greatest(c.last_message_id, latest.id),
            unread_count = CASE WHEN c.last_inbound_at > latest.at THEN c.unread_count ELSE 0 END,
            last_activity_at = greatest(c.last_activity_at, latest.at), updated_at = $6::timestamptz
       FROM latest
      WHERE c.id = latest.conversation_id AND c.id = ANY (ARRAY(SELECT id FROM locked))
   ), answered AS (
     UPDATE idempotency_records r SET status = 200, answer = taken.answer
       FROM taken
      WHERE r.project_id = $1 AND r.key = ANY ($4::text[]) AND r.key = taken.key
        AND r.attempt_id = taken.id AND r.status IS NULL
   ), ${STEPS_TOLD}, ${stepsHappened('message', '$6::timestamptz')}, ${FAN_OUT},
   hurried AS (
     SELECT set_config('synchronous_commit', 'off', true) WHERE $7::boolean AND NOT EXISTS (SELECT FROM told)
   )
   SELECT message.wamid, EXISTS (
       SELECT FROM parked_statuses p WHERE p.project_id = $1 AND p.wamid = message.wamid),
          EXISTS (SELECT FROM delivery)
     FROM message LEFT JOIN hurried ON true`,
)

/** An attempt that the channel has taken; with a key, the key's record gets the answer. */
export type Taken = {
  attemptId: string
  wamid: string
  answered?: { key: string; answer: StoredAnswer } | null
}

/**
 * Turns attempts into messages, moves their conversations to the top, and raises `message.status` `sent` for
 * each. Runs within the caller's transaction; answers the wamids of the messages, and whether statuses were
 * waiting for them.
 */
export function settle(
  sql: SqlClient,
  projectId: string,
  taken: Taken[],
  now: Date,
): Promise<Map<string, { hasParked: boolean }>> {
  return write(sql, projectId, taken, now, false)
}

/**
 * The same for one send of a request, batched with others that end at the same moment. Without subscribers it
 * does not wait for the disk: if the database crashes before it is written, the attempt remains, and the next
 * status callback turns it into the message.
 */
export function settleSoon(ctx: ProjectContext, taken: Taken): Promise<{ hasParked: boolean }> {
  const projectId = ctx.project.id
  return ctx.batches.join(`settle ${projectId}`, taken, async (batch) => {
    const written = await write(ctx.sql, projectId, batch, ctx.now(), true)
    return batch.map(({ wamid }) => written.get(wamid) ?? { hasParked: false })
  })
}

/** The same for a transaction in one round trip; `heedSettled` takes its rows. */
export function settling(projectId: string, taken: Taken[], now: Date, isHurried = false): Ask {
  return {
    statement: record,
    values: [
      projectId,
      taken.map(({ attemptId }) => attemptId),
      taken.map(({ wamid }) => wamid),
      taken.map(({ answered }) => answered?.key ?? null),
      taken.map(({ answered }) => answered && JSON.stringify(answered.answer)),
      now,
      isHurried,
    ],
  }
}

/** What `settle` answers; announces the events that were raised. */
export function heedSettled(sql: SqlClient, rows: Row[]): Map<string, { hasParked: boolean }> {
  if (rows[0]?.[2] === 't') sql.announce('deliveries')
  return new Map(rows.map(([wamid, parked]) => [must(wamid), { hasParked: parked === 't' }]))
}

async function write(
  sql: SqlClient,
  projectId: string,
  taken: Taken[],
  now: Date,
  isHurried: boolean,
) {
  const { statement, values } = settling(projectId, taken, now, isHurried)
  return heedSettled(sql, await sql.rows(statement, values))
}

// Whoever deletes the attempt gives back its credit and quota, so they are given back once.
const refuse = statement(
  'drop-attempt',
  `WITH gone AS (
     DELETE FROM send_attempts WHERE id = $1 RETURNING project_id, charged_on
   ), refund AS (
     UPDATE send_budgets b
        SET credits = b.credits + 1,
            used = CASE WHEN b.day = gone.charged_on THEN greatest(b.used - 1, 0) ELSE b.used END
       FROM gone
      WHERE b.project_id = gone.project_id AND gone.charged_on IS NOT NULL
   )
   SELECT 1 FROM gone`,
)

/**
 * Deletes an attempt that the channel refused, and gives its credit and quota back. Answers whether it was
 * there.
 */
export async function drop(ctx: ProjectContext, attemptId: string): Promise<boolean> {
  return (await ctx.sql.rows(refuse, [attemptId])).length > 0
}

const findContact = statement(
  'find-contact-of-attempt',
  'SELECT contact_id FROM send_attempts WHERE id = $1',
)

/**
 * Undoes an attempt that the channel refused, and answers whether it was there. A customer who wants no
 * marketing is opted out first, since nothing repeats that later.
 */
export async function forget(
  ctx: ProjectContext,
  attemptId: string,
  error: ChannelError,
): Promise<boolean> {
  if (error.kind === 'opt_out') {
    const rows = await ctx.sql.rows(findContact, [attemptId])
    const choices = rows.map(([id]) => ({ contactId: must(id), optedIn: false, at: ctx.now() }))
    await optIns.record(ctx.sql, ctx.project.id, choices, { now: ctx.now() })
  }
  return drop(ctx, attemptId)
}

const byAttempt = statement(
  'find-wamid-by-attempt',
  'SELECT wamid FROM messages WHERE attempt_id = $1 LIMIT 1',
)

/** The message that an attempt has become by a report of the channel's; null when there is none. */
export async function findReported(
  ctx: ProjectContext,
  attemptId: string,
): Promise<Schema<'SentMessage'> | null> {
  const [row] = await ctx.sql.rows(byAttempt, [attemptId])
  return row?.[0] == null ? null : { id: row[0], status: 'sent' }
}
