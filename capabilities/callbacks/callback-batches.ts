import { createBatches } from '../../core/batches.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { CallbackUpdates, StatusUpdate } from '../../core/ports.ts'
import * as statuses from '../statuses/statuses.ts'

export type StatusBatches = {
  /**
   * Applies the statuses of one callback; resolves when they are committed, else rejects. Callbacks of one
   * project are applied in the order of their arrival.
   */
  take(projectId: string, updates: StatusUpdate[]): Promise<void>
}

/**
 * Batches callbacks that hold statuses only: those of a project that arrive in the same turn of the event loop,
 * or while its previous batch is being committed, share one transaction. The channel sends up to four statuses
 * of every message, each in a callback of its own.
 */
export function createStatusBatches(ctx: Context): StatusBatches {
  const batches = createBatches({
    atOnce: LIMITS.statusBatchesAtOnce,
    weightMax: LIMITS.statusBatchUpdates,
    apartMs: LIMITS.batchApartMs,
    onFailure: (project, size, error) =>
      ctx.log.warn('callback.batch_failed', { project, size, error }),
  })
  return {
    take: (projectId, updates) =>
      batches.join(
        projectId,
        updates,
        async (batch) => {
          await statuses.take(ctx, projectId, batch.flat())
          return batch.map(() => undefined)
        },
        updates.length,
      ),
  }
}

/** Whether a callback may share a transaction: it holds nothing but statuses of our messages. */
export function holdsOnlyStatuses(updates: CallbackUpdates): boolean {
  const { statuses, ...others } = updates
  const rest = Object.values(others).reduce((sum, { length }) => sum + length, 0)
  return rest === 0 && statuses.length > 0
}
