import { LIMITS } from '../../core/limits.ts'

/** The order in which a process sends its broadcasts. */
export type Turns = {
  /**
   * Broadcasts that have not had a turn first, then those whose turn was longest ago; otherwise in the given
   * order.
   */
  inOrder<T extends { id: string }>(broadcasts: T[]): T[]
  /** Ends the broadcast's turn. */
  end(id: string): void
  /** Leaves out a broadcast for a while, since it could not be sent just now. */
  skip(id: string, now: Date): void
  /** The broadcasts that are left out at the moment. */
  skipped(now: Date): string[]
}

/** Remembers the turns of as many broadcasts as one look reads. */
export function createTurns(): Turns {
  // Ordered by the end of the turn.
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
        // A clock that was set back must not prolong the wait.
        if (sinceMs < 0 || sinceMs >= LIMITS.broadcastSkipMs) skippedAt.delete(id)
      }
      return [...skippedAt.keys()]
    },
  }
}
