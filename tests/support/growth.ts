const TIMES = 16
const RUNS = 5

/**
 * What grows as its size does comes to about 16, as the square to 256. As far from one as from the other:
 * collecting the garbage of a whole process may double the larger.
 */
export const LINEAR_MOST = 64

/**
 * How many times as much of the processor something takes that is 16 times as large, at its best of some runs.
 * `prepare` makes the work of a size, and is not measured.
 */
export async function growthOf(
  size: number,
  prepare: (size: number) => () => unknown,
): Promise<number> {
  let [small, large] = [Infinity, Infinity]
  for (let run = 0; run < RUNS; run++) small = Math.min(small, await cpuOf(prepare(size)))
  // One large run that is fast enough will do.
  for (let run = 0; run < RUNS && large > LINEAR_MOST * small; run++) {
    large = Math.min(large, await cpuOf(prepare(TIMES * size)))
  }
  return large / small
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user
}
