import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import * as sendSettlements from './send-settlements.ts'
import * as statuses from '../statuses/statuses.ts'

/**
 * Records a message that the channel has taken. The caller is told of the success even if it cannot be recorded
 * now: recording is retried for as long as the key is locked. After that the attempt remains, and the first
 * status callback turns it into the message.
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
      // After a lost answer it is not known whether statuses were waiting, so they are applied in any case.
      await applyParked()
    }
    ctx.afterwards.persist(recordLate, ctx.config.idempotencyLockMs, (failure) =>
      ctx.log.error('send.unrecorded', toldOf(failure)),
    )
  }
}
