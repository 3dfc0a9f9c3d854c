const TIMES = 16
const RUNS = 5
/** What the system counts in ticks tells less apart. */
const LEAST_US = 4_000
/** What took so long is known well enough: it is not run again to find its best. */
const ENOUGH_US = 500_000

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
  const parts = await bestOf(
    () => Array.from({ length: TIMES }, () => prepare(size)),
    (best) => best > ENOUGH_US,
  )
  const known = Math.max(parts, LEAST_US)
  // One run of the whole that is fast enough will do.
  const whole = await bestOf(
    () => [prepare(TIMES * size)],
    (best) => best <= LINEAR_MOST * known,
  )
  return whole / known
}

async function bestOf(works: () => (() => unknown)[], isEnough: (us: number) => boolean) {
  let best = Infinity
  for (let run = 0; run < RUNS; run++) {
    best = Math.min(best, await cpuOf(works()))
    if (isEnough(best)) break
  }
  return best
}

async function cpuOf(works: (() => unknown)[]): Promise<number> {
  const before = process.cpuUsage()
  for (const work of works) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
