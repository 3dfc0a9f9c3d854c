import { constants } from 'node:os'

/** Ctrl-C, a supervisor's request, and a terminal that was closed. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type EndingSignal = (typeof ENDING)[number]

/**
 * npm and shells forward a signal that the terminal has sent to the process already; a person's second Ctrl-C
 * comes later.
 */
const ECHO_MS = 250

/**
 * Calls `onFirst` for the first signal that asks this process to end, and `onAgain` for a repeated one from
 * somebody who does not want to wait.
 */
export function onEndingSignal(
  onFirst: (signal: EndingSignal) => void,
  onAgain: (signal: EndingSignal) => void,
): void {
  let firstAt: number | null = null
  for (const signal of ENDING) {
    process.on(signal, () => {
      if (firstAt === null) {
        firstAt = performance.now()
        onFirst(signal)
      } else if (signal !== 'SIGHUP' && performance.now() - firstAt > ECHO_MS) onAgain(signal)
    })
  }
}

/** The exit code that shells use for a process ended by a signal. */
export function exitCodeOf(signal: EndingSignal): number {
  return 128 + constants.signals[signal]
}
