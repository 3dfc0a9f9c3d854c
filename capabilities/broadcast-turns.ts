import { LIMITS } from '../core/limits.ts'

/** Whose turn it is, of the broadcasts that one process sends. */
export type Turns = {
  /** Those first that have not had a turn, then who had it longest ago; otherwise in their order. */
  inOrder<T extends { id: string }>(broadcasts: T[]): T[]
  /** Its turn is over. */
  end(id: string): void
}

/** Remembers the turns of as many broadcasts as are looked at together. */
export function createTurns(): Turns {
  // In the order of their ends.
  const ended = new Set<string>()
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
  }
}
