import type { Config } from '../core/config.ts'
import type { Metrics } from '../core/metrics.ts'
import { createMemoryCounters } from './memory.ts'
import type { Counters } from './minute.ts'
import { createRedisCounters } from './redis.ts'

/** The counts of the current minute: in Redis if configured, else in this process by `now`. */
export function openCounters(
  config: Config,
  {
    now,
    metrics,
    onProblem,
  }: {
    now: () => Date
    metrics: Metrics
    onProblem: (error: unknown) => void
  },
): Counters {
  const limits = { bytes: config.uploadBytesPerMinute, uploads: config.uploadRequestsPerMinute }
  if (config.redisUrl) {
    return createRedisCounters({ url: config.redisUrl, limits, metrics, onProblem })
  }
  return { ...createMemoryCounters(now, limits), connect: async () => {}, close: () => {} }
}
