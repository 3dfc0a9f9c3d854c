/** Runs `work` once it has its turn; answers or fails as that does. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so much work run at once; the rest waits, first come, first served, for as long as it takes. */
export function createTurns(atOnce: number): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Who is next takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
