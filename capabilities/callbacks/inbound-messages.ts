import type { CallbackUpdates, InboundMessage } from '../../core/ports.ts'
import { must, type Row, type SqlClient, statement } from '../../core/sql.ts'
import * as botRuns from '../bots/bot-runs.ts'
import type { Update, Writer } from '../conversations/customer-book.ts'
import * as customers from '../conversations/customers.ts'
import { isTold } from '../webhooks/events.ts'
import * as messageChanges from './message-changes.ts'
import { emitReceived } from '../messages/message-events.ts'
import * as optIns from '../conversations/opt-ins.ts'

// Conversations are locked in one order everywhere, so that callbacks cannot deadlock. The channel's timestamp
// is capped at the present by the later of two clocks: nobody writes in the future, and a process whose clock
// is behind must not take a current message for a future one.
const insertMessages = statement(
  'record-inbound',
  `WITH arrived AS (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS a (position int, conversation_id bigint,
       contact_id bigint, wamid text, type text, content text, media jsonb, payload jsonb,
       reply_to text, sent_at timestamptz, opens_window boolean)
   ), message AS (
     INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type,
       content, status, media, payload, reply_to, created_at, sent_at)
     SELECT $1, conversation_id, contact_id, wamid, 'inbound', 'customer', type, content, 'received',
       media, payload, reply_to, $3::timestamptz, sent_at
       FROM arrived ORDER BY position
     ON CONFLICT (project_id, wamid) DO NOTHING
     RETURNING id, wamid, conversation_id
   ), latest AS (
     SELECT m.conversation_id, max(m.id) AS id, count(*)::int AS arrived,
            max(a.sent_at) FILTER (WHERE a.opens_window) AS sent_at
       FROM message m JOIN arrived a ON a.wamid = m.wamid GROUP BY 1
   ), locked AS (
     SELECT c.id FROM conversations c JOIN latest ON latest.conversation_id = c.id
      ORDER BY c.id FOR NO KEY UPDATE OF c
   ), conversation AS (
     UPDATE conversations c
        SET last_message_id = greatest(c.last_message_id, latest.id),
            last_activity_at = greatest(c.last_activity_at, $3),
            last_inbound_at = greatest(c.last_inbound_at,
              CASE WHEN latest.sent_at IS NOT NULL
                THEN least(latest.sent_at, greatest($3, now())) END),
            unread_count = c.unread_count + latest.arrived, updated_at = $3
       FROM latest JOIN locked ON locked.id = latest.conversation_id
      WHERE c.id = latest.conversation_id
   )
   SELECT wamid, id, ${isTold('message.received')},
          ${botRuns.runsBot('onMessage')}
     FROM message`,
)

// A separate statement: one that has waited for the lock on a conversation would not see what was committed
// meanwhile.
const findAwaited = statement(
  'find-awaited-originals',
  `SELECT DISTINCT payload ->> 'original_message_id' FROM messages
    WHERE project_id = $1 AND direction = 'inbound' AND payload ? 'original_message_id'
      AND payload ->> 'original_message_id' = ANY ($2)`,
)

/**
 * Stores what customers wrote and chose, within the callback's transaction: contacts and conversations, edits
 * and revocations, events and bot runs. What was stored before changes nothing.
 */
export async function record(
  tx: SqlClient,
  projectId: string,
  { messages, preferences }: Pick<CallbackUpdates, 'messages' | 'preferences'>,
  now: Date,
): Promise<void> {
  if (messages.length + preferences.length === 0) return
  // A callback may hold a wamid twice, and one insert must not.
  const distinct = [...new Map(messages.map((message) => [message.wamid, message])).values()]
  const current = await messageChanges.withoutRecorded(tx, projectId, distinct)
  const { changes, changed, others } = await messageChanges.split(tx, projectId, current)
  const about = [...others, ...preferences]
  const { writers, namesakes } = await customers.resolve(tx, projectId, about, { changed, now })
  const { recorded, awaited, told, heard } = await insert(tx, projectId, others, writers, now)
  await messageChanges.apply(tx, projectId, changes, awaited, now)
  // A repeated message must not restore the names that its sender had at the time.
  const fresh = [...writers].filter(
    ([update]) => !('wamid' in update) || recorded.has(update.wamid),
  )
  // A customer whose number and user id two contacts have has chosen for both.
  const choices = preferences.flatMap((preference) => {
    const { optedIn, at } = preference
    const chosenFor = [writers.get(preference), namesakes.get(preference)]
    return chosenFor.flatMap((one) => (one ? [{ contactId: one.contactId, optedIn, at }] : []))
  })
  const next = fresh.map(([, { contactId }]) => contactId)
  await optIns.record(tx, projectId, choices, { next, now })
  await customers.note(tx, projectId, new Map(fresh), now)
  await emitReceived(tx, projectId, told, now)
  const runs = heard.map((messageId) => ({ messageId, step: null }))
  await botRuns.enqueue(tx, projectId, runs, now)
}

type Inserted = {
  /** The wamids that are new. */
  recorded: Set<string>
  /** Those of the new wamids that an earlier edit or revocation refers to. */
  awaited: string[]
  /** The ids of new messages that customers wrote, if anyone subscribed to them. */
  told: string[]
  /** The same, if the project has a bot. */
  heard: string[]
}

async function insert(
  tx: SqlClient,
  projectId: string,
  messages: InboundMessage[],
  writers: Map<Update, Writer>,
  now: Date,
): Promise<Inserted> {
  if (messages.length === 0) return { recorded: new Set(), awaited: [], told: [], heard: [] }
  const arrived = messages.map((message, position) => ({
    position,
    conversation_id: writers.get(message)?.conversationId,
    contact_id: writers.get(message)?.contactId,
    wamid: message.wamid,
    type: message.type,
    content: message.content,
    media: message.media,
    payload: message.payload,
    reply_to: message.replyTo,
    sent_at: message.sentAt,
    opens_window: message.opensWindow,
  }))
  const rows = await tx.rows(insertMessages, [projectId, JSON.stringify(arrived), now])
  const recorded = rows.map(([wamid]) => must(wamid))
  const awaited = recorded.length > 0 ? await tx.rows(findAwaited, [projectId, recorded]) : []
  // What is not written by the customer, such as a system notice, raises no event.
  const words = new Set(messages.filter((one) => one.isWord).map(({ wamid }) => wamid))
  const spoken = rows.filter(([wamid]) => words.has(must(wamid)))
  const idOf = ([, id]: Row) => must(id)
  return {
    recorded: new Set(recorded),
    awaited: awaited.map(([wamid]) => must(wamid)),
    told: spoken.filter(([, , isTold]) => isTold === 't').map(idOf),
    heard: spoken.filter(([, , , hasBot]) => hasBot === 't').map(idOf),
  }
}
