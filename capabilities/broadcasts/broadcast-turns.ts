import { LIMITS } from '../../core/limits.ts'

/** Whose turn it is, of the broadcasts that one process sends. */
export type Turns = {
  /** Those first that have not had a turn, then who had it longest ago; otherwise in their order. */
  inOrder<T extends { id: string }>(broadcasts: T[]): T[]
  /** Its turn is over. */
  end(id: string): void
  /** It could not be sent just now: it has no turn for a while, and is in nobody's way. */
  skip(id: string, now: Date): void
  /** Those that have none for now. */
  skipped(now: Date): string[]
}

/** Remembers the turns of as many broadcasts as are looked at together. */
export function createTurns(): Turns {
  // In the order of their ends.
  const ended = new Set<string>()
  const skippedAt = new Map<string, number>()
  return {
    inOrder(broadcasts) {
      const places = new Map([...ended].map((id, place) => [id, place]))
      const placeOf = ({ id }: { id: string }) => places.get(id) ?? -1
      return broadcasts.toSorted((a, b) => placeOf(a) - placeOf(b))
    },
    end(id) {
      ended.delete(id)
      ended.add(id)
      const [oldest] = ended
      if (ended.size > LIMITS.broadcastsPerRun && oldest !== undefined) ended.delete(oldest)
    },
    skip(id, now) {
      skippedAt.set(id, now.getTime())
    },
    skipped(now) {
      for (const [id, at] of skippedAt) {
        const sinceMs = now.getTime() - at
        // A clock that was set back does not make it longer.
        if (sinceMs < 0 || sinceMs >= LIMITS.broadcastSkipMs) skippedAt.delete(id)
      }
      return [...skippedAt.keys()]
    },
  }
}
