import type { ProjectContext } from '../core/context.ts'
import type { Data, OperationRequest, Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { phoneMatchKey } from '../core/phone.ts'
import { isoFromSql, isoOrNull, must, type Row, statement } from '../core/sql.ts'
import { contactFilter } from './contacts.ts'
import { MESSAGE_COLUMNS, presentMessage } from './message-rows.ts'

export const PLATFORM_STATES = ['unstructured', 'handover', 'awaiting_form', 'done']

const COLUMNS = `c.id, c.state, c.last_activity_at, c.last_inbound_at, c.unread_count, c.created_at,
  c.updated_at, k.id, k.phone, coalesce(k.name, k.profile_name),
  m.id, m.type, m.direction, m.content, m.status, m.created_at`
const FROM = `FROM conversations c
  JOIN contacts k ON k.id = c.contact_id
  LEFT JOIN messages m ON m.id = c.last_message_id`

const findOne = statement(
  'find-conversation',
  `SELECT ${COLUMNS} ${FROM} WHERE c.project_id = $1 AND c.id = $2`,
)

type ListQuery = OperationRequest<'listConversations'>['query']

/** Conversations by recent activity; throws `invalid_cursor` and, for a bad filter, `bad_request`. */
export async function list(
  ctx: ProjectContext,
  query: ListQuery,
): Promise<Data<'listConversations'>> {
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
  if (phone) add((place) => `k.project_id = c.project_id AND k.match_key = ${place}`, phoneMatchKey(phone))
  if (since !== null) add((place) => `c.updated_at >= ${place}`, since)
  // A comparison of whole rows is one range of the index, however deep the page.
  if (after) add((places) => `(c.last_activity_at, c.id) < (${places})`, ...after)

  const filters = [state, phone, since, after].map((value) => (value == null ? 0 : 1)).join('')
  const page = statement(
    `list-conversations-${filters}`,
    `SELECT ${COLUMNS} ${FROM} WHERE ${conditions.join(' AND ')}
      ORDER BY c.last_activity_at DESC, c.id DESC LIMIT $2`,
  )
  const rows = await ctx.sql.rows(page, values)
  const now = ctx.now().getTime()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    conversations: rows.slice(0, limit).map((row) => present(row, now)),
    nextCursor: last ? ctx.cursors.encode(name, [must(last[2]), must(last[0])]) : null,
  }
}

/** The contract's instants go further than PostgreSQL's: far time zones, the year 0, leap seconds. */
function instantFilter(text: string | undefined): Date | null {
  if (text === undefined) return null
  const instant = new Date(text.toUpperCase())
  if (!Number.isNaN(instant.getTime())) return instant
  throw new ServiceError('bad_request', 'The query parameter updated_since is no instant.', {
    details: { errors: [{ path: 'updated_since', message: 'must be an instant, in ISO 8601' }] },
  })
}

/** One conversation; throws `not_found`. */
export async function get(ctx: ProjectContext, id: number): Promise<Schema<'Conversation'>> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) throw unknownConversation(id)
  return present(row, ctx.now().getTime())
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

const knownStates = statement(
  'known-states',
  'SELECT state FROM conversation_states WHERE project_id = $1 ORDER BY state',
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
  if (!PLATFORM_STATES.includes(state)) await mustBeKnown(ctx, id, state)
  const [row] = await ctx.sql.rows(move, [ctx.project.id, id, state, ctx.now()])
  if (!row) throw unknownConversation(id)
  return { id, state, previous_state: must(row[0]) }
}

async function mustBeKnown(ctx: ProjectContext, id: number, state: string): Promise<void> {
  const introduced = (await ctx.sql.rows(knownStates, [ctx.project.id])).map(([name]) => must(name))
  if (introduced.includes(state)) return
  await get(ctx, id)
  const known = [...PLATFORM_STATES, ...introduced]
  throw new ServiceError(
    'INVALID_STATE',
    `This project does not use the state "${state}". Known states: ${known.join(', ')}.`,
    { details: { known_states: known } },
  )
}

/** The window that a customer's last message opened; `now` in milliseconds. */
export function windowOf(lastInboundAt: string | null, now: number) {
  if (lastInboundAt === null) return { open: false, expires_at: null }
  const expiresAt = Date.parse(lastInboundAt) + LIMITS.windowMs
  return { open: now < expiresAt, expires_at: new Date(expiresAt).toISOString() }
}

export function unknownConversation(id: number): ServiceError {
  return new ServiceError('not_found', `There is no conversation ${id}.`)
}

function present(row: Row, now: number): Schema<'Conversation'> {
  const [id, state, activityAt, inboundAt, unread, createdAt, updatedAt] = row
  const [contactId, phone, name, ...message] = row.slice(7)
  const lastInboundAt = isoOrNull(inboundAt)
  return {
    id: Number(id),
    contact: { id: Number(contactId), phone: phone ?? null, name: name ?? null },
    state: must(state),
    status: must(state),
    last_message: presentLast(message),
    last_activity_at: isoFromSql(must(activityAt)),
    last_inbound_at: lastInboundAt,
    window: windowOf(lastInboundAt, now),
    unread_count: Number(unread),
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}

function presentLast(row: Row): Schema<'LastMessage'> | null {
  const [id, type, direction, content, status, createdAt] = row
  if (id == null) return null
  return {
    id: Number(id),
    type: must(type) as Schema<'MessageType'>,
    direction: must(direction) as Schema<'MessageDirection'>,
    content: content ?? null,
    status: must(status) as Schema<'MessageStatus'>,
    created_at: isoFromSql(must(createdAt)),
  }
}
