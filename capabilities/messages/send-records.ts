import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import * as sendSettlements from './send-settlements.ts'
import * as statuses from '../statuses/statuses.ts'

/**
 * The channel has taken the message, so the caller is told so even if it cannot be written down now: that is
 * tried for as long as his key is locked. After that the attempt is on record still, and the first status
 * turns it into the message.
 */
export async function recordAccepted(
  ctx: ProjectContext,
  attemptId: string,
  sent: Schema<'SentMessage'>,
): Promise<void> {
  const answered = ctx.idempotency && { key: ctx.idempotency.key, answer: { data: sent } }
  const record = () => sendSettlements.settleSoon(ctx, { attemptId, wamid: sent.id, answered })
  const applyParked = () => statuses.applyParked(ctx, ctx.project.id, [sent.id])
  const toldOf = (error: unknown) => ({
    project: ctx.project.id,
    attemptId,
    wamid: sent.id,
    error,
  })
  try {
    const { hasParked } = await record()
    if (hasParked) await applyParked()
  } catch (error) {
    ctx.log.warn('send.record_failed', toldOf(error))
    const recordLate = async () => {
      await record()
      // What was written already, though nobody heard of it, does not tell.
      await applyParked()
    }
    ctx.afterwards.persist(recordLate, ctx.config.idempotencyLockMs, (failure) =>
      ctx.log.error('send.unrecorded', toldOf(failure)),
    )
  }
}
