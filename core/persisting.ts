import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import { sqlFaultOf } from './sql.ts'
import { remember } from './under-way.ts'

/** Waits so many milliseconds, or until the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** A pause that a stop cuts short. */
export async function politePause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}

/** SQLSTATEs of data that PostgreSQL will never accept. */
const REFUSED_FOR_GOOD = /^(22|23|42)/

/** Whether PostgreSQL refused a statement, as opposed to failing: it would refuse it again. */
export function isRefusedForGood(error: unknown): boolean {
  return REFUSED_FOR_GOOD.test(sqlFaultOf(error)?.state ?? '')
}

type Patience = {
  forMs: number
  pause: Pause
  /** Aborts when the process stops. */
  signal: AbortSignal
  /** Called at the first failure. */
  onFailure?: (error: unknown) => void
}

/**
 * Writes or reads what nobody else can: retries while PostgreSQL fails, for so long, or until the process stops;
 * then throws the last failure.
 */
export async function persisting<T>(
  work: () => Promise<T>,
  { forMs, pause, signal, onFailure = () => {} }: Patience,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += LIMITS.settleAgainMs) {
    try {
      return await work()
    } catch (error) {
      const isOver = signal.aborted || waitedMs >= forMs
      if (isOver || isRefusedForGood(error)) throw error
      if (waitedMs === 0) onFailure(error)
    }
    await pause(LIMITS.settleAgainMs, signal)
  }
}

/** Writes that continue after their request was answered. */
export type Afterwards = {
  /** Goes on writing as `persisting` does; what is given up is reported, never thrown. */
  persist(write: () => Promise<void>, forMs: number, onGivenUp: (error: unknown) => void): void
}

/** `close` waits for what is pending: each write gets one more try. */
export function createAfterwards(pause = politePause): Afterwards & { close(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  setMaxListeners(0, signal)
  const underWay = new Set<Promise<void>>()
  return {
    persist(write, forMs, onGivenUp) {
      remember(underWay, persisting(write, { forMs, pause, signal }).catch(onGivenUp))
    },
    async close() {
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}
