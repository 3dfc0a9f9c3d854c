import type { ProjectContext } from '../../core/context.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import * as idempotency from './idempotency.ts'
import * as sendSettlements from './send-settlements.ts'
import { undoing, undoLater } from '../undoing.ts'

/**
 * Undoes an attempt whose message has not left; answers whether it was there. Never throws: while the database
 * fails, it is retried, since its credit and quota would stay taken.
 */
export async function undo(ctx: ProjectContext, attemptId: string): Promise<boolean> {
  const drop = () => sendSettlements.drop(ctx, attemptId)
  return (await undoing(ctx, 'send', aboutOf(ctx, attemptId), drop)) ?? false
}

/**
 * Undoes an attempt that the channel refused; answers whether it was there. Throws when that is not known, and
 * goes on undoing it and releasing its key in the background: nobody else knows of the refusal.
 */
export async function undoRefused(
  ctx: ProjectContext,
  attemptId: string,
  refusal: ChannelError,
): Promise<boolean> {
  const forget = () => sendSettlements.forget(ctx, attemptId, refusal)
  try {
    return await forget()
  } catch (error) {
    undoLater(ctx, 'send', aboutOf(ctx, attemptId), async () => {
      await forget()
      const isReported = (await sendSettlements.findReported(ctx, attemptId)) !== null
      if (ctx.idempotency && !isReported) await idempotency.release(ctx, attemptId)
    })
    throw error
  }
}

/**
 * Releases the key of an attempt whose message has not left, so that a retry can try again. Never throws: while
 * the database fails, it is retried.
 */
export async function letKeyGo(ctx: ProjectContext, attemptId: string): Promise<void> {
  const release = () => idempotency.release(ctx, attemptId)
  await undoing(ctx, 'send', aboutOf(ctx, attemptId), release)
}

function aboutOf({ project }: ProjectContext, attemptId: string) {
  return { project: project.id, attemptId }
}
