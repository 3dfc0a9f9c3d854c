import { must, plannedOnce, type SqlClient } from '../../core/sql.ts'
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_TABLES,
  conversationJson,
} from '../conversations/conversation-rows.ts'
import { emit, FAN_OUT, told, TOLD_AT_ONCE } from '../webhooks/events.ts'
import { MESSAGE_COLUMNS, presentMessage } from '../conversations/message-rows.ts'

/** SQL of the table `told` for status changes of messages. */
export const STEPS_TOLD = told(`'{message.status}'::text[]`)

/**
 * SQL of the table `happened` for a table of status changes (`id, wamid, conversation_id, client_ref, status,
 * error, occurred_at, position`); `at` is the event's own time. Empty without subscribers.
 */
export const stepsHappened = (steps: string, at: string) => `
     happened AS (
       SELECT 'message.status' AS name, conversation_id::text AS subject, ${at} AS at, position,
              format('{"message_id":%s,"status":"%s","id":%s,"conversation_id":%s,"client_ref":%s,'
                  || '"error":%s,"occurred_at":"%s"}',
                to_json(wamid), status, id, conversation_id,
                coalesce(to_json(client_ref)::text, 'null'), coalesce(error::text, 'null'),
                to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS data
         FROM ${steps} WHERE EXISTS (SELECT FROM told)
     )`

const writeSteps = plannedOnce(
  'emit-message-steps',
  `WITH ${STEPS_TOLD}, step AS (
     SELECT m.id, m.wamid, m.conversation_id, m.client_ref, s.status, s.error, s.occurred_at,
            s.position
       FROM jsonb_to_recordset($2::jsonb) AS s (id bigint, position int, status text, error jsonb,
              occurred_at timestamptz)
       JOIN messages m ON m.id = s.id AND m.project_id = $1
   ), ${stepsHappened('step', '$3::timestamptz')}, ${FAN_OUT}
   SELECT count(*) FROM delivery`,
)

/** A status change of one of our messages; `at` in ISO 8601, by the channel's clock. */
export type Step = { id: string; status: string; error: unknown; at: string }

/** Raises `message.status` for each change, in order, as part of what `tx` commits. */
export async function emitSteps(
  tx: SqlClient,
  projectId: string,
  steps: Step[],
  now: Date,
): Promise<void> {
  const records = steps.map(({ id, status, error, at }, position) => ({
    id,
    position,
    status,
    error,
    occurred_at: at,
  }))
  for (let first = 0; first < records.length; first += TOLD_AT_ONCE) {
    const some = JSON.stringify(records.slice(first, first + TOLD_AT_ONCE))
    const [row] = await tx.rows(writeSteps, [projectId, some, now])
    if (row?.[0] !== '0') tx.announce('deliveries')
  }
}

const findMessages = plannedOnce(
  'find-received-messages',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m
    WHERE m.project_id = $1 AND m.id = ANY ($2::bigint[]) ORDER BY m.id`,
)
const findConversations = plannedOnce(
  'find-their-conversations',
  `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES}
    WHERE c.project_id = $1 AND c.id = ANY ($2::bigint[])`,
)

/**
 * Raises `message.received` for each message in the order of their ids, with messages and conversations as `tx`
 * sees them, as part of what it commits.
 */
export async function emitReceived(
  tx: SqlClient,
  projectId: string,
  ids: string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  const messages = (await tx.rows(findMessages, [projectId, ids])).map(presentMessage)
  const conversationIds = [...new Set(messages.map((message) => message.conversation_id))]
  const rows = await tx.rows(findConversations, [projectId, conversationIds])
  const instant = now.toISOString()
  const conversations = new Map(rows.map((row) => [must(row[0]), conversationJson(row, instant)]))
  const events = messages.map((message) => {
    const subject = String(message.conversation_id)
    const data =
      `{"conversation_id":${subject},"message":${JSON.stringify(message)},` +
      `"conversation":${conversations.get(subject)}}`
    return { name: 'message.received', data, at: now, subject }
  })
  await emit(tx, projectId, events)
}
