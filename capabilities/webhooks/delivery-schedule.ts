import { LIMITS } from '../../core/limits.ts'

/** What becomes of a delivery after an attempt. */
export type Verdict =
  | { status: 'delivered'; nextAttemptAt: null }
  | { status: 'pending'; nextAttemptAt: Date }
  | { status: 'dropped'; nextAttemptAt: null }

type Attempt = {
  /** How many ended before this one. */
  attemptsBefore: number
  isSuccess: boolean
  /** When it ended. */
  at: Date
}

/**
 * Decides over one attempt: there is one more than there are delays, each delay varied by a tenth
 * either way, so that what failed together does not come back together. `random` is from 0 to 1.
 */
export function afterAttempt(
  { attemptsBefore, isSuccess, at }: Attempt,
  delaysMs: readonly number[],
  random: () => number,
): Verdict {
  if (isSuccess) return { status: 'delivered', nextAttemptAt: null }
  const delayMs = delaysMs[attemptsBefore]
  if (delayMs === undefined) return { status: 'dropped', nextAttemptAt: null }
  const variedMs = delayMs * (1 + LIMITS.retryJitter * (2 * random() - 1))
  return { status: 'pending', nextAttemptAt: new Date(at.getTime() + variedMs) }
}

/** No delivery is put off for longer. */
export function longestDelayMs(delaysMs: readonly number[]): number {
  return Math.ceil(Math.max(0, ...delaysMs) * (1 + LIMITS.retryJitter))
}

/** How a registration fares: its failed events in a row, and whether they are too many. */
export function afterVerdict(
  failureCount: number,
  { status }: Verdict,
): { failureCount: number; isDisabled: boolean } {
  const count = { delivered: 0, pending: failureCount, dropped: failureCount + 1 }[status]
  return { failureCount: count, isDisabled: count >= LIMITS.failedEventsInRow }
}
