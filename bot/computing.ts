import { readFileSync, readlinkSync } from 'node:fs'

/** How long a thread's code has computed, and whether that is too long. */
export type Meter = {
  /** Runs `work`, which may compute until `leftMs` are over; answers how long it took. */
  measure(leftMs: number, work: () => void): number
  /** Whether what is measured has had its time; called often, from within. */
  isOver(): boolean
  /** Whether it was stopped for that. */
  wasStopped(): boolean
}

/** A look at the thread's own clock takes a hundredth of this. */
const LOOK_AGAIN_MS = 1

/**
 * Measures in time of the processor where the system tells it, so that a thread that had to wait for
 * others is not blamed for that; elsewhere by the clock on the wall.
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

/** Where the system tells what this thread has used of the processor; null where it does not. */
export function cpuFileOfThread(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return null
  }
}

/** What a thread has used of the processor by now; null when nobody tells. */
export function cpuMsOf(cpuFile: string | null): number | null {
  if (cpuFile === null) return null
  try {
    const [nanoseconds = ''] = readFileSync(cpuFile, 'utf8').split(' ', 1)
    return Number(nanoseconds) / 1e6
  } catch {
    return null
  }
}
