const TIMES = 16
const RUNS = 5
/** What the system counts in ticks tells less apart. */
const LEAST_US = 4_000

/** Work that grows as its size does comes to about 1, or 2 as the caches overflow; as the square, to 16. */
export const LINEAR_MOST = 5

/**
 * How many times as much of the processor one work takes as 16 works of a sixteenth of its size, at its best
 * of some runs. `prepare` makes a work of a size, and is not measured.
 */
export async function growthOf(
  size: number,
  prepare: (size: number) => () => unknown,
): Promise<number> {
  let parts = Infinity
  for (let run = 0; run < RUNS; run++) {
    parts = Math.min(parts, await cpuOf(Array.from({ length: TIMES }, () => prepare(size))))
  }
  parts = Math.max(parts, LEAST_US)
  let whole = Infinity
  // One run of the whole that is fast enough will do.
  for (let run = 0; run < RUNS && whole > LINEAR_MOST * parts; run++) {
    whole = Math.min(whole, await cpuOf([prepare(TIMES * size)]))
  }
  return whole / parts
}

async function cpuOf(works: (() => unknown)[]): Promise<number> {
  const before = process.cpuUsage()
  for (const work of works) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
