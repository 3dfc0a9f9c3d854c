import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import { createTurns } from './turns.ts'

/**
 * How long a process may go on without asking for news: asking for every request was measured to cost a
 * fifth of the pages that it serves. Whoever changes something waits as long before saying it is done.
 */
export const HEARD_WITHIN_MS = 5

/** Resolves when every change that was committed before the call has been told of. */
type Confirm = () => Promise<unknown>

/**
 * A bounded cache of what rarely changes: credentials and channel accounts. It is emptied whenever
 * PostgreSQL tells of a change, and bypassed while nobody listens for that.
 */
export type ChangeCache = {
  /** May be from before a change, for as long as its notice travels: for what need not count at once. */
  get<T>(key: string): T | undefined
  /**
   * Answers from the cache once no change can be on its way any more, else reads and keeps what was
   * found; null is never kept. Keys by which nothing was found yet are read a few at a time: anybody can
   * make them up.
   */
  load<T>(key: string, read: () => Promise<T | null>): Promise<T | null>
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
 * `maxAgeMs` bounds the harm of a notice that got lost in a half-dead connection; measured with a
 * monotonic clock.
 */
export function createChangeCache({ entriesMax = 10_000, maxAgeMs = 30_000 } = {}): ChangeCache {
  const entries = new Map<string, { value: unknown; until: number }>()
  /** The keys by which something was found, which they outlive. */
  const holders = new Set<string>()
  const inTurn = createTurns(LIMITS.strangersLookedUp)
  let trusted = false
  let confirm: Confirm = async () => {}
  let changes = 0
  const clear = () => {
    changes++
    entries.clear()
  }
  async function lookUp<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const value = await (holders.has(key) ? read() : inTurn(read))
    if (holders.size >= entriesMax) holders.clear()
    if (value === null) holders.delete(key)
    else holders.add(key)
    return value
  }
  const get = <T>(key: string) => {
    const entry = trusted ? entries.get(key) : undefined
    if (!entry || entry.until < performance.now()) return undefined
    return entry.value as T
  }
  return {
    get,
    clear,
    async changed() {
      clear()
      await pause(HEARD_WITHIN_MS + 1)
    },
    async load<T>(key: string, read: () => Promise<T | null>) {
      if (get(key) !== undefined) {
        // A failure means that nobody listens any more: what is read then is right in any case.
        await confirm().catch(clear)
        const known = get<T>(key)
        if (known !== undefined) return known
      }
      const before = changes
      const value = await lookUp(key, read)
      // What was read before a change that has come since may be stale: return it, but do not keep it.
      if (value === null || !trusted || changes !== before) return value
      if (entries.size >= entriesMax) entries.clear()
      entries.set(key, { value, until: performance.now() + maxAgeMs })
      return value
    },
    trust(isListening, confirmNow = async () => {}) {
      trusted = isListening
      confirm = confirmNow
      clear()
    },
  }
}
