import type { Context } from '../../core/context.ts'
import type { CallbackUpdates } from '../../core/ports.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import { pastConflicts } from '../conflicts.ts'
import * as flowNews from '../flows/flow-news.ts'
import * as inboundMessages from './inbound-messages.ts'
import * as statuses from '../statuses/statuses.ts'
import * as templateNews from '../templates/template-news.ts'
import * as unreadCallbacks from './unread-callbacks.ts'

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
      await unreadCallbacks.keep(ctx, tx, projectId, updates, rawBody)
    }),
  )
}
