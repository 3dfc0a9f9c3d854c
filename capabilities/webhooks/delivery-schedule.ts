import { LIMITS } from '../../core/limits.ts'

/** What becomes of a delivery after an attempt. */
export type Verdict =
  | { status: 'delivered'; nextAttemptAt: null }
  | { status: 'pending'; nextAttemptAt: Date }
  | { status: 'dropped'; nextAttemptAt: null }

type Attempt = {
  /** How many attempts ended before this one. */
  attemptsBefore: number
  isSuccess: boolean
  /** When it ended. */
  at: Date
}

/**
 * Decides what follows an attempt. There is one attempt more than there are delays; each delay is varied by up
 * to a tenth either way, so that deliveries that failed together do not come back together. `random` is from 0
 * to 1.
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

/** The longest time for which a delivery can be put off. */
export function longestDelayMs(delaysMs: readonly number[]): number {
  return Math.ceil(Math.max(0, ...delaysMs) * (1 + LIMITS.retryJitter))
}

/** The consecutive failed events of a registration after a verdict, and whether they turn it off. */
export function afterVerdict(
  failureCount: number,
  { status }: Verdict,
): { failureCount: number; isDisabled: boolean } {
  const count = { delivered: 0, pending: failureCount, dropped: failureCount + 1 }[status]
  return { failureCount: count, isDisabled: count >= LIMITS.failedEventsInRow }
}
