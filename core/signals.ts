import { constants } from 'node:os'

/** Ctrl-C, a supervisor's word, and a terminal that is closed. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type EndingSignal = (typeof ENDING)[number]

/** npm and shells pass on what the terminal has told the process already; a person's second Ctrl-C comes later. */
const ECHO_MS = 250

/**
 * Calls `onFirst` for the first signal that asks this process to end, and `onAgain` for those of somebody
 * who cannot wait for that.
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

/** What shells know as the exit code of a process that a signal has ended. */
export function exitCodeOf(signal: EndingSignal): number {
  return 128 + constants.signals[signal]
}
