/** Room for some work at once; who finds none waits his turn. */
export type Slots = {
  /** Gets a slot and answers with what gives it back; null when too many wait, or for too long. */
  take(): Promise<(() => void) | null>
}

type Waiting = { serve(): void }

/** Slots of this process; who came first is served first. */
export function createSlots({
  atOnce,
  waitingMax,
  waitMs,
}: {
  atOnce: number
  waitingMax: number
  waitMs: number
}): Slots {
  const waiting = new Set<Waiting>()
  let taken = 0

  function giveBack(): void {
    taken--
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next.serve()
  }
  function slot(): () => void {
    taken++
    let isHeld = true
    return () => {
      if (isHeld) giveBack()
      isHeld = false
    }
  }
  return {
    async take() {
      if (taken < atOnce) return slot()
      if (waiting.size >= waitingMax) return null
      return new Promise((resolve) => {
        const entry = {
          serve() {
            clearTimeout(timer)
            resolve(slot())
          },
        }
        const timer = setTimeout(() => {
          waiting.delete(entry)
          resolve(null)
        }, waitMs)
        waiting.add(entry)
      })
    },
  }
}
