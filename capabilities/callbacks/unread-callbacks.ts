import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { CallbackUpdates } from '../../core/ports.ts'
import { isoFromSql, must, type SqlClient, statement } from '../../core/sql.ts'

const insert = statement(
  'keep-unread-callback',
  `INSERT INTO unread_callbacks (project_id, reason, body, received_at) VALUES ($1, $2, $3, $4)`,
)
const listNewest = statement(
  'list-unread-callbacks',
  `SELECT id, received_at, octet_length(body), reason FROM unread_callbacks
    WHERE project_id = $1 ORDER BY id DESC LIMIT $2`,
)
const nextOne = statement(
  'next-unread-callback',
  `SELECT id, received_at, body FROM unread_callbacks
    WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT 1`,
)
const find = statement(
  'find-unread-callback',
  'SELECT body FROM unread_callbacks WHERE project_id = $1 AND id = $2',
)
const remove = statement(
  'forget-unread-callback',
  'DELETE FROM unread_callbacks WHERE project_id = $1 AND id = $2',
)

/**
 * News that an operator has to know of: a ban, a restriction, a limit. None of it contains what customers
 * wrote.
 */
const OF_ACCOUNT: ReadonlySet<string> = new Set([
  'account_alerts',
  'account_review_update',
  'account_update',
  'business_capability_update',
  'errors',
  'phone_number_name_update',
  'phone_number_quality_update',
])
const TOLD_MAX = 10
const TOLD_CHARACTERS_MAX = 1_000

/** Stores a callback as it came if something in it was not read, and logs why. */
export async function keep(
  ctx: Context,
  tx: SqlClient,
  projectId: string,
  { rejected, others }: Pick<CallbackUpdates, 'rejected' | 'others'>,
  rawBody: string,
): Promise<void> {
  const reasons = [
    ...rejected.map(({ reason }) => reason),
    ...others.map(({ field }) => `nothing acts on "${field}"`),
  ]
  if (reasons.length === 0) return
  const reason = [...new Set(reasons)].join('; ').slice(0, 1_000)
  const body = rawBody.replaceAll('\0', '').slice(0, LIMITS.callbackBytes)
  await tx.rows(insert, [projectId, reason, body, ctx.now()])
  const told = others.filter(({ field }) => OF_ACCOUNT.has(field)).slice(0, TOLD_MAX)
  const said = told.map(({ field, value }) => ({ field, value: shortened(value) }))
  ctx.log.warn('callback.unread', {
    project: projectId,
    reason,
    ...(said.length > 0 ? { said } : {}),
  })
}

/** What is kept of a project, the newest first. */
export async function list(ctx: Context, projectId: string, limit: number) {
  const rows = await ctx.sql.rows(listNewest, [projectId, limit])
  return rows.map(([id, receivedAt, bytes, reason]) => ({
    id: must(id),
    received_at: isoFromSql(must(receivedAt)),
    bytes: Number(bytes),
    reason: must(reason),
  }))
}

/** A callback as it came. Throws `not_found`. */
export async function bodyOf(ctx: Context, projectId: string, id: string): Promise<string> {
  const isId = /^\d{1,18}$/.test(id)
  const [row] = isId ? await ctx.sql.rows(find, [projectId, id]) : []
  if (!row) throw new ServiceError('not_found', `There is no unread callback ${id}.`)
  return must(row[0])
}

/** The first one after another, in the order in which they came; null after the last one. */
export async function next(ctx: Context, projectId: string, after = '0') {
  const [row] = await ctx.sql.rows(nextOne, [projectId, after])
  if (!row) return null
  const [id, receivedAt, body] = row
  return { id: must(id), receivedAt: new Date(isoFromSql(must(receivedAt))), body: must(body) }
}

/** Forgets one that has been read after all. */
export async function forget(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql.rows(remove, [projectId, id])
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length > TOLD_CHARACTERS_MAX ? text.slice(0, TOLD_CHARACTERS_MAX) : value
}
