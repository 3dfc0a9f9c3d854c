import { createBatches } from '../../core/batches.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { CallbackUpdates, StatusUpdate } from '../../core/ports.ts'
import * as statuses from '../statuses/statuses.ts'

export type StatusBatches = {
  /**
   * Takes the statuses of one callback; resolves when they are committed, else rejects.
   * Of one project, callbacks count in the order in which they came.
   */
  take(projectId: string, updates: StatusUpdate[]): Promise<void>
}

/**
 * Takes callbacks that hold only statuses together: those of a project that come in one turn of
 * the event loop, or while its last batch is being committed, share one transaction. The channel
 * tells up to four things of every message, each in a callback of its own.
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

/** Whether a callback may share a transaction: it says nothing but how messages of ours fare. */
export function holdsOnlyStatuses(updates: CallbackUpdates): boolean {
  const { statuses, ...others } = updates
  const rest = Object.values(others).reduce((sum, { length }) => sum + length, 0)
  return rest === 0 && statuses.length > 0
}
