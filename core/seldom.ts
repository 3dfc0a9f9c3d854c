import type { Context } from './context.ts'

const EVERY_MS = 10_000

/** When an event was last logged, and how often it has occurred since. */
type Told = { at: number; untold: number }

const toldBy = new WeakMap<Context['log'], Map<string, Told>>()

/**
 * Logs an event that may recur quickly, such as failed polls while the database is down: the first time, and
 * then at most every ten seconds with the number that was left out. `now` is a monotonic clock in milliseconds.
 */
export function tellSeldom(
  log: Context['log'],
  level: 'warn' | 'error',
  event: string,
  details: object,
  now = performance.now(),
): void {
  const told = toldBy.get(log) ?? new Map<string, Told>()
  toldBy.set(log, told)
  const last = told.get(event)
  if (last && now - last.at < EVERY_MS) {
    last.untold++
    return
  }
  told.set(event, { at: now, untold: 0 })
  log[level](event, last?.untold ? { ...details, untold: last.untold } : details)
}
