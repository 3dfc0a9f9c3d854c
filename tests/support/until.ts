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
