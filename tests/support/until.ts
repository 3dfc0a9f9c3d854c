import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 15
// What takes a moment here takes many seconds on a machine that is busy with other work.
const PATIENCE_MS = 30_000

/** Resolves when it holds; rejects with `what` when it does not come to. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string),
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`It did not happen: ${typeof what === 'string' ? what : what()}`)
    }
    await pause(POLL_MS)
  }
}

/** Rejects unless `work` is done while all of the others are still under way; rejects as one of them does, too. */
export async function mustComeBefore(
  others: Promise<unknown>[],
  work: () => Promise<unknown>,
): Promise<void> {
  const isFirst = others.map((other) => other.then(() => false))
  if (!(await Promise.race([work().then(() => true), ...isFirst]))) {
    throw new Error('Another one came first')
  }
}
