/** Room for some work at once; who finds none waits his turn. */
export type Slots = {
  /** Gets a slot and answers with what gives it back; null when too many wait, or for too long. */
  take(owner?: string): Promise<(() => void) | null>
}

type Waiting = { owner: string; settle(giveBack: (() => void) | null): void }

/**
 * Slots of this process. Owners take turns, and each has at most `atOnceEach`; of one owner, who came
 * first is served first.
 */
export function createSlots({
  atOnce,
  atOnceEach = atOnce,
  waitingMax,
  waitMs,
}: {
  atOnce: number
  atOnceEach?: number
  waitingMax: number
  waitMs: number
}): Slots {
  const waiting = new Set<Waiting>()
  /** The owner of each slot that is taken. */
  const taken: string[] = []

  function isFreeFor(owner: string): boolean {
    return taken.length < atOnce && taken.filter((one) => one === owner).length < atOnceEach
  }
  function slot(owner: string): () => void {
    taken.push(owner)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      taken.splice(taken.indexOf(owner), 1)
      serveNext()
    }
  }
  function serveNext(): void {
    const next = [...waiting].find(({ owner }) => isFreeFor(owner))
    if (!next) return
    // What else its owner waits for goes behind all others: they have their turn first.
    for (const one of [...waiting]) {
      if (one.owner !== next.owner) continue
      waiting.delete(one)
      if (one !== next) waiting.add(one)
    }
    next.settle(slot(next.owner))
  }
  /** The last to wait of the owner with the longest queue, if that is longer than the queue of `owner` would become. */
  function greediest(owner: string): Waiting | undefined {
    const lines = new Map<string, Waiting[]>()
    for (const one of waiting) lines.set(one.owner, [...(lines.get(one.owner) ?? []), one])
    const [longest = []] = [...lines.values()].sort((a, b) => b.length - a.length)
    return longest.length > (lines.get(owner)?.length ?? 0) + 1 ? longest.at(-1) : undefined
  }
  return {
    async take(owner = '') {
      if (isFreeFor(owner)) return slot(owner)
      if (waiting.size >= waitingMax) {
        const other = greediest(owner)
        if (!other) return null
        other.settle(null)
      }
      return new Promise((resolve) => {
        const entry = {
          owner,
          settle(giveBack: (() => void) | null) {
            clearTimeout(timer)
            waiting.delete(entry)
            resolve(giveBack)
          },
        }
        const timer = setTimeout(() => entry.settle(null), waitMs)
        waiting.add(entry)
      })
    },
  }
}
