import type { BotHandler } from '../../core/bots.ts'
import type { Context } from '../../core/context.ts'
import { must, plannedOnce } from '../../core/sql.ts'
import { keptEvents } from './bot-effects.ts'
import type { LeasedRun } from './bot-runs.ts'
import { CONTACT_COLUMNS, presentContact } from '../conversations/contacts.ts'
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_TABLES,
  conversationJson,
} from '../conversations/conversation-rows.ts'
import { MESSAGE_COLUMNS, presentMessage } from '../conversations/message-rows.ts'

/** The event that a handler is called with, and the handlers to choose from. */
export type BotEvent = { handlers: BotHandler[]; json: string; contactId: number }

const findMessages = plannedOnce(
  'find-messages-of-bot-runs',
  `SELECT m.project_id, ${MESSAGE_COLUMNS} FROM messages m WHERE m.id = ANY ($1::bigint[])`,
)
const findConversations = plannedOnce(
  'find-conversations-of-bot-runs',
  `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE c.id = ANY ($1::bigint[])`,
)
const findContacts = plannedOnce(
  'find-contacts-of-bot-runs',
  `SELECT ${CONTACT_COLUMNS} FROM contacts k JOIN conversations c ON c.contact_id = k.id
    WHERE c.id = ANY ($1::bigint[])`,
)

/**
 * The current data that the runs are about, or what they were told at first if they have changed it since; runs
 * whose data is gone are left out.
 */
export async function eventsOf(ctx: Context, runs: LeasedRun[]): Promise<Map<string, BotEvent>> {
  const conversationIds = runs.map(({ conversationId }) => conversationId)
  const [messageRows, conversationRows, contactRows, kept] = await Promise.all([
    ctx.sql.rows(findMessages, [runs.map(({ messageId }) => messageId)]),
    ctx.sql.rows(findConversations, [conversationIds]),
    ctx.sql.rows(findContacts, [conversationIds]),
    keptEvents(ctx, runs),
  ])
  const now = ctx.now().toISOString()
  const messages = new Map(messageRows.map((row) => [must(row[1]), row]))
  const conversations = new Map(conversationRows.map((row) => [must(row[0]), row]))
  const contacts = new Map(contactRows.map((row) => [Number(row[0]), presentContact(row)]))
  return new Map(
    runs.flatMap((run) => {
      const messageRow = messages.get(run.messageId)
      const conversation = conversations.get(run.conversationId)
      if (!messageRow || messageRow[0] !== run.projectId || !conversation) return []
      const message = presentMessage(messageRow.slice(1))
      const contact = contacts.get(message.contact_id)
      if (!contact) return []
      const json =
        kept.get(run.id) ??
        `{"message":${JSON.stringify(message)},"conversation":${conversationJson(conversation, now)},` +
          `"contact":${JSON.stringify(contact)},"status":${statusJson(run, message)}}`
      return [[run.id, { handlers: handlersFor(run, message.type), json, contactId: contact.id }]]
    }),
  )
}

/** A flow's reply goes to `onFlowReply` if the bot has it, otherwise to `onMessage`. */
function handlersFor({ step }: LeasedRun, type: string): BotHandler[] {
  if (step !== null) return ['onStatus']
  return type === 'flow_reply' ? ['onFlowReply', 'onMessage'] : ['onMessage']
}

/** The status change with the members of the event `message.status`. */
function statusJson(
  { step }: LeasedRun,
  { id, wamid, conversation_id, client_ref }: ReturnType<typeof presentMessage>,
): string {
  if (step === null) return 'null'
  const { status, error, occurred_at } = JSON.parse(step) as Record<string, unknown>
  return JSON.stringify({
    message_id: wamid,
    status,
    id,
    conversation_id,
    client_ref,
    error: error ?? null,
    occurred_at,
  })
}
