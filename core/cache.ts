import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from './errors.ts'
import { LIMITS } from './limits.ts'
import { createSlots } from './slots.ts'

/**
 * How long a process may go on without asking for news: asking for every request was measured to cost a
 * fifth of the pages that it serves. Whoever changes something waits as long before saying it is done.
 */
export const HEARD_WITHIN_MS = 5

/** Resolves when every change that was committed before the call has been told of. */
type Confirm = () => Promise<unknown>

/**
 * A bounded cache of what rarely changes: credentials, accounts, where webhooks and tables are. It is
 * emptied whenever PostgreSQL tells of a change, and bypassed while nobody listens for that.
 */
export type ChangeCache = {
  /** May be from before a change, for as long as its notice travels: for what need not count at once. */
  get<T>(key: string): T | undefined
  /**
   * Answers from the cache once no change can be on its way any more, else reads and keeps what was
   * found; null is never kept. What is much larger than a credential is weighed, by how many of those it is
   * worth.
   */
  load<T>(
    key: string,
    read: () => Promise<T | null>,
    weigh?: (value: T) => number,
  ): Promise<T | null>
  /**
   * The same by a key that a stranger may have made up: as long as nothing was found by it, it is one of
   * few that are read at once. Throws `server_error` when too many wait for that, or for too long.
   */
  loadGuess<T>(key: string, read: () => Promise<T | null>): Promise<T | null>
  /** Forgets everything; called on each change. */
  clear(): void
  /**
   * Called by whoever has committed a change: forgets everything, and resolves when no process can
   * answer from before the change any more.
   */
  changed(): Promise<void>
  /** Turns look-ups on or off; either forgets. Without `confirm` a look-up waits for nothing. */
  trust(isListening: boolean, confirm?: Confirm): void
}

/**
 * `entriesMax` is how many are kept, or fewer of a larger weight. `maxAgeMs` bounds the harm of a notice that
 * got lost in a half-dead connection; measured with a monotonic clock.
 */
export function createChangeCache({
  entriesMax = 10_000,
  maxAgeMs = 30_000,
  guessWaitMs = LIMITS.guessWaitMs,
}: { entriesMax?: number; maxAgeMs?: number; guessWaitMs?: number } = {}): ChangeCache {
  const entries = new Map<string, { value: unknown; until: number; weight: number }>()
  let held = 0
  /** The keys by which something was found, which they outlive; the latest last. */
  const holders = new Set<string>()
  const guesses = createSlots({
    atOnce: LIMITS.guessesAtOnce,
    waitingMax: LIMITS.guessesWaiting,
    waitMs: guessWaitMs,
  })
  let trusted = false
  let confirm: Confirm = async () => {}
  let changes = 0
  const clear = () => {
    changes++
    entries.clear()
    held = 0
  }
  async function readGuess<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const giveBack = holders.has(key) ? () => {} : await guesses.take()
    if (!giveBack) throw tooMany()
    try {
      const value = await read()
      holders.delete(key)
      if (value !== null) holders.add(key)
      for (const oldest of holders) {
        if (holders.size <= entriesMax) break
        holders.delete(oldest)
      }
      return value
    } finally {
      giveBack()
    }
  }
  const get = <T>(key: string) => {
    const entry = entries.get(key)
    if (!entry || entry.until < performance.now()) return undefined
    return entry.value as T
  }
  async function load<T>(
    key: string,
    read: () => Promise<T | null>,
    weigh: (value: T) => number = () => 1,
  ): Promise<T | null> {
    if (get(key) !== undefined) {
      // A failure means that nobody listens any more: what is read then is right in any case.
      await confirm().catch(clear)
      const known = get<T>(key)
      if (known !== undefined) return known
    }
    const before = changes
    const value = await read()
    // What was read before a change that has come since may be stale: return it, but do not keep it.
    if (value === null || !trusted || changes !== before) return value
    const weight = weigh(value)
    held += weight - (entries.get(key)?.weight ?? 0)
    if (held > entriesMax) {
      entries.clear()
      held = weight
    }
    entries.set(key, { value, until: performance.now() + maxAgeMs, weight })
    return value
  }
  return {
    get,
    clear,
    load,
    loadGuess: (key, read) => load(key, () => readGuess(key, read)),
    async changed() {
      clear()
      await pause(HEARD_WITHIN_MS + 1)
    },
    trust(isListening, confirmNow = async () => {}) {
      trusted = isListening
      confirm = confirmNow
      clear()
    },
  }
}

function tooMany(): ServiceError {
  const message = 'Too many unknown credentials are looked up at this moment; try again.'
  return new ServiceError('server_error', message, { retryAfterS: 1 })
}
