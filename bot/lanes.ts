import { LIMITS } from '../core/limits.ts'

/** Where a run computes: beside all others, or among those that compute a lot. */
export type Lane = 'quick' | 'slow'

/** The capacity of each lane, and the share of one project; `niceness` is the priority of its threads. */
export const LANES = {
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
