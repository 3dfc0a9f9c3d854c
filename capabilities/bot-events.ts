import type { Context, ProjectGrant, ProjectStatus } from '../core/context.ts'
import { BOT_HANDLERS, type BotHandler, type BuiltBot } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { must, plannedOnce, type Row, statement } from '../core/sql.ts'
import type { LeasedRun } from './bot-runs.ts'
import { CONTACT_COLUMNS, presentContact } from './contacts.ts'
import { CONVERSATION_COLUMNS, CONVERSATION_TABLES, conversationJson } from './conversation-rows.ts'
import { MESSAGE_COLUMNS, presentMessage } from './message-rows.ts'

/** What is in production for a project. */
export type Production = {
  deploymentId: string
  version: number
  handlers: BotHandler[]
  project: ProjectGrant
}

/** What a handler is called with, and which of them. */
export type BotEvent = { handlers: BotHandler[]; json: string; contactId: number }

const findProduction = plannedOnce(
  'find-bots-in-production',
  `SELECT p.id, d.id, d.version, to_json(b.handlers), p.name, p.status, p.daily_send_quota
     FROM bots b JOIN deployments d ON d.id = b.production_id JOIN projects p ON p.id = b.project_id
    WHERE b.project_id = ANY ($1::text[])`,
)

/** What is in production for each project that has something there. */
export async function productionOf(
  ctx: Context,
  projectIds: string[],
): Promise<Map<string, Production>> {
  const rows = await ctx.sql.rows(findProduction, [projectIds])
  return new Map(rows.map((row) => [must(row[0]), readProduction(row)]))
}

function readProduction(row: Row): Production {
  const [id, deploymentId, version, handlers, name, status, quota] = row
  const found = JSON.parse(must(handlers)) as string[]
  return {
    deploymentId: must(deploymentId),
    version: Number(version),
    handlers: BOT_HANDLERS.filter((handler) => found.includes(handler)),
    project: {
      id: must(id),
      name: must(name),
      status: must(status) as ProjectStatus,
      scopes: [],
      dailySendQuota: quota == null ? null : Number(quota),
    },
  }
}

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

/** What the runs are about, as it is now; what is gone by now is left out. */
export async function eventsOf(ctx: Context, runs: LeasedRun[]): Promise<Map<string, BotEvent>> {
  const conversationIds = runs.map(({ conversationId }) => conversationId)
  const [messageRows, conversationRows, contactRows] = await Promise.all([
    ctx.sql.rows(findMessages, [runs.map(({ messageId }) => messageId)]),
    ctx.sql.rows(findConversations, [conversationIds]),
    ctx.sql.rows(findContacts, [conversationIds]),
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
        `{"message":${JSON.stringify(message)},"conversation":${conversationJson(conversation, now)},` +
        `"contact":${JSON.stringify(contact)},"status":${statusJson(run, message)}}`
      return [[run.id, { handlers: handlersFor(run, message.type), json, contactId: contact.id }]]
    }),
  )
}

/** A flow's reply goes to who takes these, else it is a message like any other. */
function handlersFor({ step }: LeasedRun, type: string): BotHandler[] {
  if (step !== null) return ['onStatus']
  return type === 'flow_reply' ? ['onFlowReply', 'onMessage'] : ['onMessage']
}

/** The step in the words of the event `message.status`. */
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

const findCode = statement(
  'find-code-of-deployment',
  'SELECT bundle, source_map FROM deployments WHERE id = $1',
)

/**
 * Reads the code of deployments, which never changes; keeps what was read lately. Runs that want the same
 * at the same moment, as after a start, wait for one read.
 */
export function createCodeReader(ctx: Context): (deploymentId: string) => Promise<BuiltBot> {
  const known = new Map<string, BuiltBot>()
  const reads = new Map<string, Promise<BuiltBot>>()
  let bytes = 0

  async function read(deploymentId: string): Promise<BuiltBot> {
    const [row] = await ctx.sql.rows(findCode, [deploymentId])
    const code = { bundle: must(row?.[0]), sourceMap: must(row?.[1]) }
    bytes += sizeOf(code)
    known.set(deploymentId, code)
    for (const [oldest, other] of known) {
      if (bytes <= LIMITS.botCodeKeptBytes || known.size === 1) break
      known.delete(oldest)
      bytes -= sizeOf(other)
    }
    return code
  }
  return async (deploymentId) => {
    const kept = known.get(deploymentId)
    if (kept) {
      known.delete(deploymentId)
      known.set(deploymentId, kept)
      return kept
    }
    const underWay = reads.get(deploymentId)
    if (underWay) return underWay
    const begun = read(deploymentId).finally(() => reads.delete(deploymentId))
    reads.set(deploymentId, begun)
    return begun
  }
}

function sizeOf({ bundle, sourceMap }: BuiltBot): number {
  return bundle.length + sourceMap.length
}
