import { type Load, percentile, type Timing } from '../timing.ts'

/** Performs the runs that the measuring process asks for, one after another, until it disconnects. */
export function answerRuns<Run extends Load>(take: (run: Run) => Promise<Timing>): void {
  process.on('message', ({ id, run }: { id: number; run: Run }) => {
    take(run).then(
      (timing) => process.send?.({ id, timing }),
      (error: unknown) => process.send?.({ id, problem: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}

/** Repeats the work, with a fixed number at a time. */
export async function repeat(
  { connections, seconds }: Load,
  work: (index: number) => Promise<unknown>,
): Promise<Timing> {
  const start = performance.now()
  const until = start + seconds * 1000
  const latenciesMs: number[] = []
  let begun = 0
  const loop = async () => {
    while (performance.now() < until) {
      const begunAt = performance.now()
      await work(begun++)
      latenciesMs.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return timingOf(latenciesMs, (performance.now() - start) / 1000)
}

/** A round of which only the count is known, because single items have no known beginning. */
export function counted(count: number, elapsedS: number): Timing {
  return { count, elapsedS, p50Ms: Number.NaN, p99Ms: Number.NaN }
}

export function timingOf(latenciesMs: number[], elapsedS: number): Timing {
  const sorted = Float64Array.from(latenciesMs).sort()
  return {
    count: sorted.length,
    elapsedS,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}
