/** A limit on concurrent work; those beyond it wait for their turn. */
export type Slots = {
  /**
   * Takes a slot and answers with the function that gives it back; null when too many wait, or after waiting
   * for too long. A caller that cannot wait as long as usual passes `waitMostMs`.
   */
  take(owner?: string, waitMostMs?: number): Promise<(() => void) | null>
  /** The number of waiting callers. */
  waiting(): number
}

/** Does `work` in a slot, which is given back however it ends; throws `refusal()` when there is none. */
export async function withSlot<T>(
  slots: Slots,
  owner: string,
  work: () => Promise<T>,
  refusal: () => Error,
): Promise<T> {
  const giveBack = await slots.take(owner)
  if (!giveBack) throw refusal()
  try {
    return await work()
  } finally {
    giveBack()
  }
}

type Waiting = (giveBack: (() => void) | null) => void

/**
 * Slots of this process. Owners take turns, and each has at most `atOnceEach`; callers of one owner are served
 * in order.
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
  /** The waiting callers of each owner, in the order of the owners' turns. */
  const lines = new Map<string, Waiting[]>()
  let waiting = 0
  /** The owner of each taken slot. */
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
      // The other owners have their turn before this owner's next caller.
      lines.delete(owner)
      lines.set(owner, line)
      first(slot(owner))
      return
    }
  }
  /** The last caller in the longest line, if that is longer than the line of `owner` would become. */
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
