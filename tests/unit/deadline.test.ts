import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { createDeadline } from '../../counters/deadline.ts'

/** Far above the limit, and far below what a connection itself is waited for. */
const BOUND_MS = 10 * LIMITS.limiterWaitMs

describe('work with a deadline', () => {
  it('is given up after a tenth of a second, each time anew', async () => {
    const withDeadline = createDeadline()
    for (let times = 0; times < 2; times++) {
      const startedAt = performance.now()
      await expect(withDeadline(new Promise(() => {}))).rejects.toThrow('Redis is mute')
      const tookMs = performance.now() - startedAt
      expect(tookMs).toBeGreaterThan(LIMITS.limiterWaitMs / 2)
      expect(tookMs).toBeLessThan(BOUND_MS)
    }
  })

  it('has its own time, whoever asked before', async () => {
    const withDeadline = createDeadline()
    const first = withDeadline(new Promise(() => {})).catch(() => 'given up')
    await pause(LIMITS.limiterWaitMs / 2)
    const second = withDeadline(new Promise(() => {})).catch(() => 'given up')
    expect(await first).toBe('given up')
    expect(await Promise.race([second, Promise.resolve('waited for')])).toBe('waited for')
    expect(await second).toBe('given up')
  })

  it('is not given up for what lies there while this process is busy', async () => {
    const withDeadline = createDeadline()
    const asked = withDeadline(pause(LIMITS.limiterWaitMs / 2, 'answer'))
    const end = performance.now() + 3 * LIMITS.limiterWaitMs
    while (performance.now() < end);
    expect(await asked).toBe('answer')
  })

  it('fails as it does by itself', async () => {
    const failed = createDeadline()(Promise.reject(new Error('Connection refused')))
    await expect(failed).rejects.toThrow('Connection refused')
  })
})
