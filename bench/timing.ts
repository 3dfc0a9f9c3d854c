/** The load on a contestant. */
export type Load = { connections: number; seconds: number }

/** The result of one round of load. */
export type Timing = { count: number; elapsedS: number; p50Ms: number; p99Ms: number }

/** One contestant in one round; `cpuUs` is the processor time of its own process per request. */
export type Sample = { perSecond: number; p50Ms: number; p99Ms: number; cpuUs: number }

/** A ratio or difference over all rounds. */
export type Spread = { median: number; min: number; max: number }

/** The value that a given share of the ascending numbers does not exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Compares two contestants round by round, so that noise from elsewhere affects both; each list has one sample
 * per round, in the same order.
 */
export function paired(
  left: readonly Sample[],
  right: readonly Sample[],
  compare: (left: Sample, right: Sample) => number,
): Spread {
  return spread(
    left.flatMap((sample, round) => {
      const other = right[round]
      return other ? [compare(sample, other)] : []
    }),
  )
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** A contestant's typical round. */
export function typical(samples: readonly Sample[]): Sample {
  return {
    perSecond: median(samples.map(({ perSecond }) => perSecond)),
    p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
    cpuUs: median(samples.map(({ cpuUs }) => cpuUs)),
  }
}
