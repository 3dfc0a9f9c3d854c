import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import type { CallbackUpdates, StatusUpdate } from '../core/ports.ts'
import * as inbound from './inbound.ts'

/** A callback whose sender waits for its answer. */
type Waiting = { statuses: StatusUpdate[]; resolve(): void; reject(error: unknown): void }

export type StatusBatches = {
  /**
   * Takes the statuses of one callback; resolves when they are committed, else rejects.
   * Of one project, callbacks count in the order in which they came.
   */
  take(projectId: string, statuses: StatusUpdate[]): Promise<void>
}

/**
 * Takes callbacks that hold only statuses together: those of a project that come in one turn of
 * the event loop, or while its last batch is being committed, share one transaction. The channel
 * tells up to four things of every message, each in a callback of its own.
 */
export function createStatusBatches(ctx: Context): StatusBatches {
  /** By project; whoever got a batch goes to the end. */
  const waiting = new Map<string, Waiting[]>()
  /** The projects with a batch in flight, one at most: so no status overtakes another. */
  const busy = new Set<string>()
  let isScheduled = false

  function start(): void {
    isScheduled = false
    for (const [projectId, callbacks] of waiting) {
      if (busy.size >= LIMITS.statusBatchesAtOnce) return
      if (busy.has(projectId)) continue
      const batch = callbacks.splice(0, batchLength(callbacks))
      waiting.delete(projectId)
      if (callbacks.length > 0) waiting.set(projectId, callbacks)
      busy.add(projectId)
      void takeBatch(ctx, projectId, batch).finally(() => {
        busy.delete(projectId)
        start()
      })
    }
  }

  return {
    take: (projectId, statuses) =>
      new Promise((resolve, reject) => {
        const callbacks = waiting.get(projectId) ?? []
        callbacks.push({ statuses, resolve, reject })
        waiting.set(projectId, callbacks)
        if (isScheduled) return
        isScheduled = true
        setImmediate(start)
      }),
  }
}

/** Whether a callback may share a transaction: it says nothing but how messages of ours fare. */
export function holdsOnlyStatuses(updates: CallbackUpdates): boolean {
  const { statuses, ...others } = updates
  const rest = Object.values(others).reduce((sum, { length }) => sum + length, 0)
  return rest === 0 && statuses.length > 0
}

/** As many callbacks as fit into a batch; the first one in any case. */
function batchLength(callbacks: Waiting[]): number {
  let updates = 0
  const tooMany = callbacks.findIndex(({ statuses }) => {
    updates += statuses.length
    return updates > LIMITS.statusBatchUpdates
  })
  return tooMany < 0 ? callbacks.length : Math.max(1, tooMany)
}

/** Never rejects: each caller hears for himself. */
async function takeBatch(ctx: Context, projectId: string, batch: Waiting[]): Promise<void> {
  try {
    await takeStatuses(
      ctx,
      projectId,
      batch.flatMap(({ statuses }) => statuses),
    )
    for (const { resolve } of batch) resolve()
  } catch (error) {
    if (batch.length > 1) return takeApart(ctx, projectId, batch, error)
    for (const { reject } of batch) reject(error)
  }
}

/** One bad callback must not fail its neighbours. In an outage all are bad: the time is bounded. */
async function takeApart(ctx: Context, projectId: string, batch: Waiting[], cause: unknown) {
  ctx.log.warn('callback.batch_failed', { project: projectId, size: batch.length, error: cause })
  const until = performance.now() + LIMITS.statusBatchApartMs
  for (const { statuses, resolve, reject } of batch) {
    if (performance.now() > until) reject(cause)
    else await takeStatuses(ctx, projectId, statuses).then(resolve, reject)
  }
}

function takeStatuses(ctx: Context, projectId: string, statuses: StatusUpdate[]): Promise<void> {
  const none = { messages: [], preferences: [], templates: [], others: [], rejected: [] }
  return inbound.take(ctx, projectId, { ...none, statuses }, '')
}
