import type { RequestCounter, UploadBudget } from '../core/stores.ts'

/** The length of a window: minutes of the clock, by whoever keeps the counts. */
export const WINDOW_S = 60

/** How many uploads and bytes a credential may use in a window. */
export type UploadLimits = { bytes: number; uploads: number }

/** Both kinds of counts, over one connection if they are in Redis. */
export type Counters = {
  requestCounter: RequestCounter
  uploadBudget: UploadBudget
  /**
   * Connects, and waits a moment so that the first requests are counted too; without Redis the service starts
   * all the same. Nothing is counted before.
   */
  connect(): Promise<void>
  close(): void
}
