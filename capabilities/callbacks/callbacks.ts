import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { CallbackUpdates } from '../../core/ports.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import { pastConflicts } from '../conflicts.ts'
import * as flowNews from '../flows/flow-news.ts'
import * as inboundMessages from './inbound-messages.ts'
import * as statuses from '../statuses/statuses.ts'
import * as templateNews from '../templates/template-news.ts'

/**
 * Applies everything in a callback: first the statuses, then all else in a second transaction. Each kind of
 * transaction locks rows in one order in all callbacks, but the two orders differ: messages, conversations,
 * contacts for statuses; conversations, contacts, inbound messages for the rest. A repeated callback changes
 * nothing, and one that fails must be repeated. What cannot be read is stored as it came.
 */
export async function take(
  ctx: Context,
  projectId: string,
  { statuses: reports, ...updates }: CallbackUpdates,
  rawBody: string,
): Promise<void> {
  if (reports.length > 0) await statuses.take(ctx, projectId, reports)
  if (Object.values(updates).every(({ length }) => length === 0)) return
  // Looked up before the transaction, which must not wait for a second connection while it holds one.
  const account = updates.templates.length > 0 ? await channelAccounts.find(ctx, projectId) : null
  await pastConflicts(() =>
    ctx.sql.transaction(async (tx) => {
      const now = ctx.now()
      await inboundMessages.record(tx, projectId, updates, now)
      await templateNews.apply(ctx, tx, { projectId, account }, updates.templates)
      await flowNews.apply(ctx, tx, projectId, updates.flows)
      await keepUnread(ctx, tx, projectId, updates, rawBody)
    }),
  )
}

const insertUnread = statement(
  'keep-unread-callback',
  `INSERT INTO unread_callbacks (project_id, reason, body, received_at) VALUES ($1, $2, $3, $4)`,
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

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length > TOLD_CHARACTERS_MAX ? text.slice(0, TOLD_CHARACTERS_MAX) : value
}

async function keepUnread(
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
  await tx.rows(insertUnread, [projectId, reason, body, ctx.now()])
  const told = others.filter(({ field }) => OF_ACCOUNT.has(field)).slice(0, TOLD_MAX)
  const said = told.map(({ field, value }) => ({ field, value: shortened(value) }))
  ctx.log.warn('callback.unread', {
    project: projectId,
    reason,
    ...(said.length > 0 ? { said } : {}),
  })
}
