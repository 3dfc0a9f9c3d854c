import type { ChangeContext, ProjectContext } from '../core/context.ts'
import type { Data, OperationRequest, Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { readInstant } from '../core/instants.ts'
import { LIMITS } from '../core/limits.ts'
import { phoneMatchKey } from '../core/phone.ts'
import { quoted, Rendered } from '../core/rendered.ts'
import { must, oneOff, pageOf, statement } from '../core/sql.ts'
import { contactFilter } from './contacts.ts'
import { CONVERSATION_COLUMNS, CONVERSATION_TABLES, conversationJson } from './conversation-rows.ts'
import { MESSAGE_COLUMNS, presentMessage } from './message-rows.ts'

export const PLATFORM_STATES = ['unstructured', 'handover', 'awaiting_form', 'done']

const findOne = statement(
  'find-conversation',
  `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE c.project_id = $1 AND c.id = $2`,
)

const LATEST_FIRST = 'ORDER BY c.last_activity_at DESC, c.id DESC'
const ordered = (where: string) =>
  `SELECT ${CONVERSATION_COLUMNS} ${CONVERSATION_TABLES} WHERE ${where} ${LATEST_FIRST}`
const contactOf = (key: string) =>
  `(SELECT id FROM contacts WHERE project_id = $1 AND match_key = ${key})`

type ListQuery = OperationRequest<'listConversations'>['query']

/** Conversations by recent activity; throws `invalid_cursor` and, for a bad filter, `bad_request`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Rendered> {
  const { state, cursor, limit = LIMITS.pageItemsDefault } = query
  const phone = contactFilter(query.phone)
  const since = instantFilter(query.updated_since)
  const name = ['listConversations', ctx.project.id, state ?? null, phone, since]
  const after = cursor === undefined ? null : ctx.cursors.decode(name, cursor, 2)

  const conditions = ['c.project_id = $1']
  const values: unknown[] = [ctx.project.id, limit + 1]
  const add = (condition: (place: string) => string, ...added: unknown[]) => {
    const places = added.map((value) => `$${values.push(value)}`)
    conditions.push(condition(places.join(', ')))
  }
  if (state !== undefined) add((place) => `c.state = ${place}`, state)
  if (phone) add((place) => `c.contact_id = ${contactOf(place)}`, phoneMatchKey(phone))
  if (since !== null) add((place) => `c.updated_at >= ${place}`, since)
  // A comparison of whole rows is one range of the index, however deep the page.
  if (after) add((places) => `(c.last_activity_at, c.id) < (${places})`, ...after)

  const filters = [state, phone, since, after].map((value) => (value == null ? 0 : 1)).join('')
  const where = conditions.join(' AND ')
  // No index has what changed since then in the order of the page. How much that is decides, so it is planned each
  // time; and what it is about is read of the page alone.
  const page =
    since === null
      ? statement(`list-conversations-${filters}`, pageOf(ordered(where), '$2'))
      : oneOff(
          ordered(`c.id = ANY (ARRAY(
            SELECT c.id FROM conversations c WHERE ${where} ${LATEST_FIRST} LIMIT $2))`),
        )
  const rows = await ctx.sql.rows(page, values)
  const now = ctx.now().toISOString()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const items = rows.slice(0, limit).map((row) => conversationJson(row, now))
  const next = last ? ctx.cursors.encode(name, [must(last[2]), must(last[0])]) : null
  return new Rendered(`{"conversations":[${items.join()}],"nextCursor":${quoted(next)}}`)
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
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) throw unknownConversation(id)
  return JSON.parse(conversationJson(row, ctx.now().toISOString())) as Schema<'Conversation'>
}

const messagesPage = (isFirst: boolean) =>
  statement(
    `list-messages-${isFirst ? 'first' : 'next'}`,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m
      WHERE m.conversation_id = (SELECT id FROM conversations WHERE project_id = $1 AND id = $2)
        ${isFirst ? '' : 'AND m.id < $4'}
      ORDER BY m.id DESC LIMIT $3`,
  )
const firstMessages = messagesPage(true)
const nextMessages = messagesPage(false)
const exists = statement(
  'conversation-exists',
  'SELECT 1 FROM conversations WHERE project_id = $1 AND id = $2',
)

/** A conversation's messages, the newest first; throws `not_found` and `invalid_cursor`. */
export async function listMessages(
  ctx: ProjectContext,
  id: number,
  query: OperationRequest<'listConversationMessages'>['query'],
): Promise<Data<'listConversationMessages'>> {
  const { cursor, limit = LIMITS.pageItemsDefault } = query
  const name = ['listConversationMessages', ctx.project.id, id]
  const after = cursor === undefined ? [] : ctx.cursors.decode(name, cursor, 1)
  const rows = await ctx.sql.rows(after.length === 0 ? firstMessages : nextMessages, [
    ctx.project.id,
    id,
    limit + 1,
    ...after,
  ])
  if (rows.length === 0 && (await ctx.sql.rows(exists, [ctx.project.id, id])).length === 0) {
    throw unknownConversation(id)
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    messages: rows.slice(0, limit).map(presentMessage),
    nextCursor: last ? ctx.cursors.encode(name, [must(last[0])]) : null,
  }
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
// Runs that introduce states at the same moment may together make some more: it is no exact number.
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
    WHERE c.id = before.id RETURNING before.state`,
)

/**
 * Moves a conversation to a state that the project already uses; `previous_state` is the one that this
 * very move replaced. Throws `INVALID_STATE` and `not_found`.
 */
export async function setState(
  ctx: ProjectContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  await mustBeKnown(ctx, id, state)
  return moveTo(ctx, id, state)
}

/**
 * Moves a conversation to a state that the project may not have used so far. Throws `not_found`, and
 * `bad_request` when the state is new and the project has as many as it may.
 */
export async function setOwnState(
  ctx: ChangeContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  await introduceState(ctx, state)
  return moveTo(ctx, id, state)
}

/** Whoever calls this has seen to it that the project uses the state. */
async function moveTo(
  ctx: ChangeContext,
  id: number,
  state: string,
): Promise<Schema<'ConversationMove'>> {
  const [row] = await ctx.sql.rows(move, [ctx.project.id, id, state, ctx.now()])
  if (!row) throw unknownConversation(id)
  return { id, state, previous_state: must(row[0]) }
}

async function introduceState(ctx: ChangeContext, state: string): Promise<void> {
  if (await isKnown(ctx, state)) return
  const [introduced] = await ctx.sql.rows(introduce, [ctx.project.id, state])
  // Another run may just have been faster.
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

/** When the window of a customer who wrote at this instant closes; null for one who never did. */
export function windowEnd(lastInboundAt: string | null): string | null {
  if (lastInboundAt === null) return null
  return new Date(Date.parse(lastInboundAt) + LIMITS.windowMs).toISOString()
}

export function unknownConversation(id: number): ServiceError {
  return new ServiceError('not_found', `There is no conversation ${id}.`)
}
