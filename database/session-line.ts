/** All who may wait, and those of one role: nobody keeps all others out. */
const WAITING_MAX = 1_024
const WAITING_MAX_EACH = 512

/** A request that waits for a session. `admit` answers whether it has found one. */
export type Waiter = {
  role: string
  isQuick: boolean
  admit: () => boolean
  fail: (error: Error) => void
}
type Place = Waiter & { number: number }

/**
 * Those who wait for a session, in the order in which they came. Of those who want the same, only the first is
 * asked whether there is one: however many wait, a session that becomes free is given away in no time.
 */
export function createSessionLine() {
  /** By what they want. */
  const lines = new Map<string, Place[]>()
  let numbers = 0
  let count = 0

  const nameOf = ({ role, isQuick }: Pick<Waiter, 'role' | 'isQuick'>) => `${isQuick} ${role}`
  const leave = (place: Place) => {
    const line = lines.get(nameOf(place)) ?? []
    const at = line.indexOf(place)
    if (at < 0) return
    line.splice(at, 1)
    count--
    if (line.length === 0) lines.delete(nameOf(place))
  }
  const firsts = () => [...lines.values()].flatMap(([first]) => first ?? [])

  return {
    isEmpty: () => count === 0,
    isFullFor(role: string): boolean {
      const sizeOf = (isQuick: boolean) => lines.get(nameOf({ role, isQuick }))?.length ?? 0
      return count >= WAITING_MAX || sizeOf(true) + sizeOf(false) >= WAITING_MAX_EACH
    },
    /** Whether anybody waits whose role is none of these. */
    hasOtherThan: (roles: ReadonlySet<string>) => firsts().some(({ role }) => !roles.has(role)),
    /** Answers what takes it out of the line again. */
    enter(waiter: Waiter): () => void {
      const place = { ...waiter, number: numbers++ }
      const line = lines.get(nameOf(place)) ?? []
      lines.set(nameOf(place), line)
      line.push(place)
      count++
      return () => leave(place)
    },
    /** Gives sessions to all who can have one now, the longest waiting first. */
    admit(): void {
      while (count > 0) {
        const inOrder = firsts().sort((one, other) => one.number - other.number)
        const admitted = inOrder.find(({ admit }) => admit())
        if (!admitted) return
        leave(admitted)
      }
    },
    failAll(error: Error): void {
      const all = [...lines.values()].flat()
      lines.clear()
      count = 0
      for (const { fail } of all) fail(error)
    },
  }
}
