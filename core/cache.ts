import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from './errors.ts'
import { LIMITS } from './limits.ts'
import { createSlots, withSlot } from './slots.ts'

/**
 * How long a process may answer without confirming that it has heard of every change: confirming at each
 * request was measured to cost a fifth of the pages that it serves. Whoever changes something waits this long
 * before reporting success.
 */
export const HEARD_WITHIN_MS = 5

/** Resolves when notices of all changes committed before the call have arrived. */
type Confirm = () => Promise<unknown>

/**
 * A bounded cache of what rarely changes: credentials, accounts, where webhooks and tables are. It is emptied
 * whenever PostgreSQL notifies of a change, and bypassed while no listener is connected.
 */
export type ChangeCache = {
  /** May be out of date for as long as a notice travels: for data whose changes need not count at once. */
  get<T>(key: string): T | undefined
  /**
   * Answers from the cache once no earlier change can be unheard of, else reads and keeps the value; null is
   * never kept. Values much larger than a credential have a weight, in multiples of one.
   */
  load<T>(
    key: string,
    read: () => Promise<T | null>,
    weigh?: (value: T) => number,
  ): Promise<T | null>
  /**
   * The same for a key that a stranger may have made up: until a value was found for it, it is one of a few
   * that are read at once. Throws `server_error` when too many wait for that, or for too long.
   */
  loadGuess<T>(key: string, read: () => Promise<T | null>): Promise<T | null>
  /** Forgets everything; called on each change. */
  clear(): void
  /**
   * Called by whoever has committed a change: empties the cache, and resolves when no process can answer with
   * the former value any more.
   */
  changed(): Promise<void>
  /** Turns the cache on or off and empties it. Without `confirm`, look-ups do not wait for notices. */
  trust(isListening: boolean, confirm?: Confirm): void
}

/**
 * `entriesMax` bounds the sum of weights. `maxAgeMs` bounds the harm of a notice lost in a half-dead
 * connection; it is measured on a monotonic clock.
 */
export function createChangeCache({
  entriesMax = 10_000,
  maxAgeMs = 30_000,
  guessWaitMs = LIMITS.guessWaitMs,
}: { entriesMax?: number; maxAgeMs?: number; guessWaitMs?: number } = {}): ChangeCache {
  const entries = new Map<string, { value: unknown; until: number; weight: number }>()
  let held = 0
  /** Keys for which something was found, kept longer than the values; the latest last. */
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
  async function readNoting<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const value = await read()
    holders.delete(key)
    if (value !== null) holders.add(key)
    for (const oldest of holders) {
      if (holders.size <= entriesMax) break
      holders.delete(oldest)
    }
    return value
  }
  function readGuess<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const readNow = () => readNoting(key, read)
    return holders.has(key) ? readNow() : withSlot(guesses, '', readNow, tooMany)
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
      // On failure the listener is gone: the cache is emptied, and a fresh read is always right.
      await confirm().catch(clear)
      const known = get<T>(key)
      if (known !== undefined) return known
    }
    const before = changes
    const value = await read()
    // The value may be from before a change that has been notified since: return it, but do not cache it.
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
