import type { Context } from './context.ts'

const EVERY_MS = 10_000

/** When an event was told of last, and how often it has come since. */
type Told = { at: number; untold: number }

const toldBy = new WeakMap<Context['log'], Map<string, Told>>()

/**
 * Logs what comes over and over, as each look for work in a database that is gone does: the first time, and
 * then every ten seconds, with how many were left out. `now` is in milliseconds, of a clock that never goes back.
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
