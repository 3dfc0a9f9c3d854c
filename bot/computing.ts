import { readFileSync, readlinkSync } from 'node:fs'

/** Measures how long a thread's code computes, against a limit. */
export type Meter = {
  /** Runs `work` with a limit of `leftMs`; answers how long it took. */
  measure(leftMs: number, work: () => void): number
  /** Whether the limit is reached; called often from within the engine. */
  isOver(): boolean
  /** Whether the work was stopped for that reason. */
  wasStopped(): boolean
}

/** Reading the thread's CPU clock takes a hundredth of this. */
const LOOK_AGAIN_MS = 1

/**
 * Measures CPU time where the system provides it per thread, so that a thread that had to wait for others is
 * not charged for that; elsewhere wall-clock time.
 */
export function createMeter(): Meter {
  const cpuFile = cpuFileOfThread()
  const threadCpuMs = () => cpuMsOf(cpuFile)
  let until = Infinity
  let cpuUntil = 0
  let isStopped = false
  const isOver = () => {
    if (isStopped) return true
    const now = performance.now()
    if (now < until) return false
    const cpu = threadCpuMs()
    if (cpu !== null && cpu < cpuUntil) {
      until = now + Math.max(LOOK_AGAIN_MS, cpuUntil - cpu)
      return false
    }
    isStopped = true
    return true
  }
  return {
    isOver,
    wasStopped: () => isStopped,
    measure(leftMs, work) {
      const cpu = threadCpuMs()
      const begunAt = performance.now()
      isStopped = false
      until = begunAt + leftMs
      cpuUntil = (cpu ?? 0) + leftMs
      try {
        work()
      } finally {
        until = Infinity
      }
      const tookMs = performance.now() - begunAt
      const cpuAfter = cpu === null ? null : threadCpuMs()
      return cpu === null || cpuAfter === null ? tookMs : Math.min(tookMs, cpuAfter - cpu)
    },
  }
}

/** The file with this thread's CPU time; null where the system has none. */
export function cpuFileOfThread(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return null
  }
}

/** The CPU time of a thread so far; null when it is not available. */
export function cpuMsOf(cpuFile: string | null): number | null {
  if (cpuFile === null) return null
  try {
    const [nanoseconds = ''] = readFileSync(cpuFile, 'utf8').split(' ', 1)
    return Number(nanoseconds) / 1e6
  } catch {
    return null
  }
}
