import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'

/** Two contacts of one customer, of whom one knows the number alone and the other the user id alone. */
export type Twins = readonly [contactId: string, contactId: string]

// Conversations before contacts, like sends and callbacks. A send that has begun holds no lock: it finds the
// conversation anew when it ends.
const lockConversations = statement(
  'lock-twins-conversations',
  `SELECT 1 FROM conversations WHERE project_id = $1 AND contact_id = ANY ($2::bigint[])
    ORDER BY id FOR UPDATE`,
)
const lockContacts = statement(
  'lock-twins',
  `SELECT id, match_key IS NOT NULL AND user_id IS NULL, user_id IS NOT NULL AND match_key IS NULL
     FROM contacts WHERE project_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id FOR UPDATE`,
)
const findConversations = statement(
  'find-twins-conversations',
  'SELECT contact_id, id FROM conversations WHERE contact_id = ANY ($1::bigint[])',
)

/**
 * Makes one contact of each two, within a transaction that repeats after a conflict. The one with the user id
 * stays, since that is the one who writes. Its own name, tags and attributes count, the other's are added; the
 * later choice on marketing counts, and the state of the conversation with the later activity. Two that are
 * no twins, or no longer, stay as they are.
 */
export async function join(
  tx: SqlClient,
  projectId: string,
  pairs: Twins[],
  now: Date,
): Promise<void> {
  const ids = [...new Set(pairs.flat())]
  await tx.rows(lockConversations, [projectId, ids])
  const locked = await tx.rows(lockContacts, [projectId, ids])
  const numbered = new Set(locked.flatMap(([id, isOne]) => (isOne === 't' ? [must(id)] : [])))
  const named = new Set(locked.flatMap(([id, , isOne]) => (isOne === 't' ? [must(id)] : [])))
  const rows = await tx.rows(findConversations, [ids])
  const conversations = new Map(rows.map(([contactId, id]) => [must(contactId), must(id)]))
  for (const pair of pairs) {
    const former = pair.find((id) => numbered.has(id))
    const lasting = pair.find((id) => named.has(id))
    if (former === undefined || lasting === undefined) continue
    const gone = await joinConversations(tx, projectId, { former, lasting, conversations, now })
    await tx.rows(joinContacts, [
      ...[projectId, former, lasting, gone, now],
      ...[LIMITS.contactTags, LIMITS.contactAttributes],
    ])
    numbered.delete(former)
    named.delete(lasting)
  }
}

/** The same in a transaction of its own. */
export async function joinAll(ctx: Context, projectId: string, pairs: Twins[]): Promise<void> {
  if (pairs.length === 0) return
  await pastConflicts(() => ctx.sql.transaction((tx) => join(tx, projectId, pairs, ctx.now())))
}

// A run that a process holds is taken from it: it was given the conversation that goes.
const moveMessages = statement(
  'move-messages-of-twin',
  `WITH run AS (
     UPDATE bot_runs SET conversation_id = $3, fence = fence + 1, lease_until = NULL
      WHERE project_id = $1 AND conversation_id = $2
   )
   UPDATE messages SET conversation_id = $3, contact_id = $4
    WHERE project_id = $1 AND conversation_id = $2`,
)
const giveConversation = statement(
  'give-conversation-of-twin',
  'UPDATE conversations SET contact_id = $2, updated_at = $3 WHERE id = $1',
)
const addConversation = statement(
  'add-conversation-of-twin',
  `WITH gone AS (
     DELETE FROM conversations WHERE id = $1 RETURNING *
   )
   UPDATE conversations c
      SET state = CASE WHEN gone.last_activity_at > c.last_activity_at THEN gone.state ELSE c.state END,
          last_message_id = greatest(c.last_message_id, gone.last_message_id),
          last_activity_at = greatest(c.last_activity_at, gone.last_activity_at),
          last_inbound_at = greatest(c.last_inbound_at, gone.last_inbound_at),
          unread_count = c.unread_count + gone.unread_count,
          created_at = least(c.created_at, gone.created_at), updated_at = $3
     FROM gone WHERE c.id = $2`,
)

type Joining = { former: string; lasting: string; conversations: Map<string, string>; now: Date }

/** Answers the conversation that is gone; null when there is none. */
async function joinConversations(
  tx: SqlClient,
  projectId: string,
  { former, lasting, conversations, now }: Joining,
): Promise<string | null> {
  const from = conversations.get(former)
  if (from === undefined) return null
  const to = conversations.get(lasting)
  await tx.rows(moveMessages, [projectId, from, to ?? from, lasting])
  if (to === undefined) {
    await tx.rows(giveConversation, [from, lasting, now])
    return null
  }
  await tx.rows(addConversation, [from, to, now])
  return from
}

// What would be more than a contact may hold is left out.
const joinContacts = statement(
  'join-contacts',
  `WITH gone AS (
     DELETE FROM contacts WHERE project_id = $1 AND id = $2 RETURNING *
   ), noted AS (
     INSERT INTO joined_contacts (contact_id, project_id, conversation_id, into_contact_id, joined_at)
     VALUES ($2, $1, $4, $3, $5)
   )
   UPDATE contacts k
      SET phone = gone.phone, wa_id = gone.wa_id, match_key = gone.match_key,
          name = coalesce(k.name, gone.name), profile_name = coalesce(k.profile_name, gone.profile_name),
          tags = ARRAY(SELECT held.tag COLLATE "C" FROM (
            SELECT tag FROM unnest(k.tags || gone.tags) WITH ORDINALITY AS t (tag, place)
             GROUP BY tag ORDER BY min(place) LIMIT $6) held ORDER BY 1),
          attributes = (SELECT coalesce(jsonb_object_agg(held.key, held.value), '{}') FROM (
            SELECT key, value FROM jsonb_each(gone.attributes || k.attributes)
             ORDER BY NOT k.attributes ? key, key LIMIT $7) held),
          opted_in = CASE WHEN later.is_so THEN gone.opted_in ELSE k.opted_in END,
          opted_in_at = CASE WHEN later.is_so THEN gone.opted_in_at ELSE k.opted_in_at END,
          created_at = least(k.created_at, gone.created_at), updated_at = $5
     FROM gone CROSS JOIN LATERAL (
       SELECT gone.opted_in_at IS NOT NULL AND (kept.opted_in_at IS NULL
                OR (gone.opted_in_at, NOT gone.opted_in) > (kept.opted_in_at, NOT kept.opted_in)) AS is_so
         FROM contacts kept WHERE kept.id = $3) later
    WHERE k.project_id = $1 AND k.id = $3`,
)
