import type { ChangeContext, ProjectContext } from '../../core/context.ts'
import type { OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { readInstant } from '../../core/instants.ts'
import { LIMITS } from '../../core/limits.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import { quoted, Rendered } from '../../core/rendered.ts'
import { must, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'
import { contactFilter } from './contacts.ts'
import { CONVERSATION_COLUMNS, CONVERSATION_TABLES, conversationJson } from './conversation-rows.ts'
import { followed } from '../joined-contacts.ts'
import { readPage, readSparsePage } from '../list-pages.ts'
import { MESSAGE_COLUMNS, messageJson } from './message-rows.ts'

const PLATFORM_STATES = ['unstructured', 'handover', 'awaiting_form', 'done']

const findOne = statement(
  'find-conversation',
  `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE c.project_id = $1 AND c.id = $2`,
)

const CONTACT_BY_KEY = '(SELECT id FROM contacts WHERE project_id = $1 AND match_key = $?)'
const LISTED = {
  rows: `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE c.project_id = $1`,
  planned: 'once',
} as const
// No index holds the rows changed since an instant in the order of the page.
const LISTED_SINCE = {
  from: 'FROM conversations c WHERE c.project_id = $1',
  shown: (ids: string) =>
    `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE c.id = ANY (ARRAY(${ids}))
      ORDER BY c.last_activity_at DESC, c.id DESC`,
} as const
const SINCE = 'c.updated_at >= $?'
// Activity updates a conversation too: all conversations with recent activity match, and few of the others do.
const ACTIVE_SINCE = 'c.last_activity_at >= $?'

type ListQuery = OperationRequest<'listConversations'>['query']

/** Conversations by recent activity; throws `invalid_cursor` and, for a bad filter, `bad_request`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Rendered> {
  const { state } = query
  const phone = contactFilter(query.phone)
  const since = instantFilter(query.updated_since)
  const asked = {
    name: ['listConversations', ctx.project.id, state ?? null, phone, since],
    values: [ctx.project.id],
    filters: [
      ['c.state = $?', state],
      [`c.contact_id = ${CONTACT_BY_KEY}`, phone && phoneMatchKey(phone)],
    ],
    keys: [
      ['c.last_activity_at', 2],
      ['c.id', 0],
    ],
  } as const
  const condition = { met: SINCE, found: SINCE, dense: ACTIVE_SINCE, value: since }
  const { rows, nextCursor } =
    since === null
      ? await readPage(ctx, query, { ...asked, ...LISTED })
      : await readSparsePage(ctx, query, { ...asked, ...LISTED_SINCE, condition })
  const now = ctx.now().toISOString()
  const items = rows.map((row) => conversationJson(row, now))
  return new Rendered(`{"conversations":[${items.join()}],"nextCursor":${quoted(nextCursor)}}`)
}

function instantFilter(text: string | undefined): Date | null {
  if (text === undefined) return null
  const instant = readInstant(text)
  if (instant) return instant
  throw new ServiceError('bad_request', 'The query parameter updated_since is no instant.', {
    details: { errors: [{ path: 'updated_since', message: 'must be an instant, in ISO 8601' }] },
  })
}

/** One conversation; throws `not_found`. */
export async function get(ctx: ProjectContext, id: number): Promise<Schema<'Conversation'>> {
  const row = await followed(ctx, 'conversation', id, async (current) => {
    const [found] = await ctx.sql.rows(findOne, [ctx.project.id, current])
    return found ?? null
  })
  if (!row) throw unknownConversation(id)
  return JSON.parse(conversationJson(row, ctx.now().toISOString())) as Schema<'Conversation'>
}

const exists = statement(
  'conversation-exists',
  'SELECT 1 FROM conversations WHERE project_id = $1 AND id = $2',
)

/** A conversation's messages, the newest first; throws `not_found` and `invalid_cursor`. */
export async function listMessages(
  ctx: ProjectContext,
  id: number,
  query: OperationRequest<'listConversationMessages'>['query'],
): Promise<Rendered> {
  const page = await followed(ctx, 'conversation', id, async (current) => {
    const values = [ctx.project.id, current]
    const found = await readPage(ctx, query, {
      name: ['listConversationMessages', ctx.project.id, id],
      rows: `SELECT ${MESSAGE_COLUMNS} FROM messages m
        WHERE m.conversation_id = (SELECT id FROM conversations WHERE project_id = $1 AND id = $2)`,
      values,
      keys: [['m.id', 0]],
    })
    const isThere = found.rows.length > 0 || (await ctx.sql.rows(exists, values)).length > 0
    return isThere ? found : null
  })
  if (!page) throw unknownConversation(id)
  const items = page.rows.map(messageJson)
  return new Rendered(`{"messages":[${items.join()}],"nextCursor":${quoted(page.nextCursor)}}`)
}

const findState = statement(
  'find-conversation-state',
  'SELECT 1 FROM conversation_states WHERE project_id = $1 AND state = $2',
)
const ownStates = statement(
  'own-conversation-states',
  `SELECT state FROM conversation_states WHERE project_id = $1 AND state <> ALL ($2)
    ORDER BY state LIMIT ${LIMITS.statesOfProject}`,
)
// Concurrent runs that introduce states may together exceed the limit slightly; it need not be exact.
const introduce = statement(
  'introduce-conversation-state',
  `INSERT INTO conversation_states (project_id, state)
   SELECT $1, $2 WHERE ${LIMITS.statesOfProject} >
     (SELECT count(*) FROM conversation_states WHERE project_id = $1)
   ON CONFLICT DO NOTHING RETURNING 1`,
)
const move = statement(
  'move-conversation',
  `UPDATE conversations c SET state = $3, updated_at = $4
     FROM (SELECT id, state FROM conversations WHERE project_id = $1 AND id = $2 FOR UPDATE) before
    WHERE c.id = before.id RETURNING c.id, before.state`,
)

/**
 * Moves a conversation to a state that the project already uses; `previous_state` is the one that this change
 * replaced. Throws `INVALID_STATE` and `not_found`.
 */
export async function setState(
  ctx: ProjectContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  await mustBeKnown(ctx, id, state)
  return pastConflicts(() => moveTo(ctx, id, state))
}

/**
 * Moves a conversation to a state that may be new to the project. Throws `not_found`, and `bad_request` when
 * the state is new and the project has as many as it may.
 */
export async function setOwnState(
  ctx: ChangeContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  await introduceState(ctx, state)
  return moveTo(ctx, id, state)
}

/** The caller has checked that the project uses the state. */
async function moveTo(
  ctx: ChangeContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  const row = await followed(ctx, 'conversation', id, async (current) => {
    const [found] = await ctx.sql.rows(move, [ctx.project.id, current, state, ctx.now()])
    return found ?? null
  })
  if (!row) throw unknownConversation(id)
  return { id: Number(row[0]), state, previous_state: must(row[1]) }
}

async function introduceState(ctx: ChangeContext, state: string): Promise<void> {
  if (await isKnown(ctx, state)) return
  const [introduced] = await ctx.sql.rows(introduce, [ctx.project.id, state])
  // Another run may have introduced it in the meantime.
  if (introduced || (await isKnown(ctx, state))) return
  const most = LIMITS.statesOfProject
  const message = `A project has at most ${most} states of its own, and has them all.`
  throw new ServiceError('bad_request', message)
}

async function isKnown(ctx: ChangeContext, state: string): Promise<boolean> {
  if (PLATFORM_STATES.includes(state)) return true
  return (await ctx.sql.rows(findState, [ctx.project.id, state])).length > 0
}

async function mustBeKnown(ctx: ProjectContext, id: number, state: string): Promise<void> {
  if (await isKnown(ctx, state)) return
  await get(ctx, id)
  const own = await ctx.sql.rows(ownStates, [ctx.project.id, PLATFORM_STATES])
  const known = [...PLATFORM_STATES, ...own.map(([name]) => must(name))]
  throw new ServiceError(
    'INVALID_STATE',
    `This project does not use the state "${state}". Known states: ${known.join(', ')}.`,
    { details: { known_states: known } },
  )
}

/** When the messaging window closes after an inbound message at this instant; null without one. */
export function windowEnd(lastInboundAt: string | null): string | null {
  if (lastInboundAt === null) return null
  return new Date(Date.parse(lastInboundAt) + LIMITS.windowMs).toISOString()
}

/** The refusal for an id that is none of the project's conversations. */
export function unknownConversation(id: number): ServiceError {
  return new ServiceError('not_found', `There is no conversation ${id}.`)
}
