import type { ProjectContext } from '../../core/context.ts'
import type { ChannelError } from '../../core/ports.ts'
import * as idempotency from './idempotency.ts'
import * as sendSettlements from './send-settlements.ts'
import { undoing, undoLater } from '../undoing.ts'

/**
 * Undoes an attempt of which nothing has left; whether it was there still. Never throws: while the
 * database fails it is undone as soon as can be, or its credit and its place in the day would stay taken.
 */
export async function undo(ctx: ProjectContext, attemptId: string): Promise<boolean> {
  const drop = () => sendSettlements.drop(ctx, attemptId)
  return (await undoing(ctx, 'send', aboutOf(ctx, attemptId), drop)) ?? false
}

/**
 * Undoes an attempt that the channel refused; whether it was there still. Throws why that is not known, and
 * then undoes it as soon as can be, and lets its key go: nobody else knows of the refusal.
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
 * Lets the key of an attempt go of which nothing has left, so that a retry can try again. Never throws:
 * while the database fails it is let go as soon as can be.
 */
export async function letKeyGo(ctx: ProjectContext, attemptId: string): Promise<void> {
  const release = () => idempotency.release(ctx, attemptId)
  await undoing(ctx, 'send', aboutOf(ctx, attemptId), release)
}

function aboutOf({ project }: ProjectContext, attemptId: string) {
  return { project: project.id, attemptId }
}
