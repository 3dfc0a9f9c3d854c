/** Room for some work at once; who finds none waits his turn. */
export type Slots = {
  /**
   * Gets a slot and answers with what gives it back; null when too many wait, or for too long. Who cannot
   * wait as long as others do says so.
   */
  take(owner?: string, waitMostMs?: number): Promise<(() => void) | null>
  /** How many wait. */
  waiting(): number
}

type Waiting = (giveBack: (() => void) | null) => void

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
  /** Who waits of each owner, in the order of the owners' turns. */
  const lines = new Map<string, Waiting[]>()
  let waiting = 0
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
    for (const [owner, line] of lines) {
      const [first] = line
      if (!first || !isFreeFor(owner)) continue
      // The others have their turn before what else this owner waits for.
      lines.delete(owner)
      lines.set(owner, line)
      first(slot(owner))
      return
    }
  }
  /** The last to wait of the owner with the longest line, if that is longer than the one of `owner` would become. */
  function greediest(owner: string): Waiting | undefined {
    const [longest = []] = [...lines.values()].sort((a, b) => b.length - a.length)
    return longest.length > (lines.get(owner)?.length ?? 0) + 1 ? longest.at(-1) : undefined
  }
  function leave(owner: string, one: Waiting): void {
    const line = lines.get(owner) ?? []
    line.splice(line.indexOf(one), 1)
    if (line.length === 0) lines.delete(owner)
    waiting--
  }
  return {
    waiting: () => waiting,
    async take(owner = '', waitMostMs = waitMs) {
      if (isFreeFor(owner)) return slot(owner)
      if (waiting >= waitingMax) {
        const other = greediest(owner)
        if (!other) return null
        other(null)
      }
      return new Promise((resolve) => {
        const settle: Waiting = (giveBack) => {
          clearTimeout(timer)
          leave(owner, settle)
          resolve(giveBack)
        }
        const timer = setTimeout(() => settle(null), waitMostMs)
        const line = lines.get(owner)
        if (line) line.push(settle)
        else lines.set(owner, [settle])
        waiting++
      })
    },
  }
}
