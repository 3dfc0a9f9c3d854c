import { LIMITS } from '../core/limits.ts'

/** Where a run computes: beside all others, or among those that compute a lot. */
export type Tier = 'quick' | 'slow'

/** The capacity of each tier, and the share of one project; `niceness` is the priority of its threads. */
export const TIERS = {
  quick: {
    niceness: 0,
    threads: LIMITS.botQuickThreads,
    held: LIMITS.botRunsPerThread,
    perProject: LIMITS.botRunsPerProject,
    stuckMs: LIMITS.botStuckMs,
    computingMs: LIMITS.botQuickComputingMs,
  },
  slow: {
    niceness: 10,
    threads: LIMITS.botSlowThreads,
    held: LIMITS.botRunsPerSlowThread,
    perProject: LIMITS.botSlowRunsPerProject,
    stuckMs: LIMITS.botStuckSlowMs,
    computingMs: LIMITS.botComputingMs,
  },
}
