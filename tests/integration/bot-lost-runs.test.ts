import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createBotPool } from '../../bot/pool.ts'
import type { BotPool } from '../../core/bot-pool.ts'
import { LIMITS } from '../../core/limits.ts'
import { bundleOf, runBot } from '../support/bot-jobs.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

let pool: BotPool

beforeAll(() => {
  pool = createBotPool(() => {})
})
afterAll(() => pool.stop())
/** On a busy machine, what takes a thread with it takes longer than a run may take by the clock. */
beforeEach(() => {
  const limits: { botRunMs: number } = LIMITS
  jest.replaceProperty(limits, 'botRunMs', 50_000)
})

describe('a run that is lost', () => {
  it('comes back as broken when it is what breaks each time', async () => {
    // More than an instance has memory for, which no event has.
    const event = JSON.stringify('x'.repeat(LIMITS.botMemoryBytes))
    const { result, begun } = await runBot(pool, bundleOf('() => 1'), { event })
    expect(result).toBe('broken')
    expect(begun).toBeGreaterThan(LIMITS.botLossesMost)
  })

  it('comes back as lost when it is others who take the thread with them', async () => {
    const stuck = bundleOf(`() => 'x'.repeat(5e6).indexOf('x'.repeat(2e6) + 'y')`)
    let attack = new AbortController()
    /** One more than there are threads, so that each has one; none goes on after its first. */
    const attackAll = () => {
      attack.abort()
      attack = new AbortController()
      const { signal } = attack
      for (let n = 0; n <= LIMITS.botQuickThreads; n++) void runBot(pool, stuck, { signal })
    }
    const { result } = await runBot(pool, bundleOf('(ctx) => ctx.setState("x")'), {
      onBegin: () => void setImmediate(attackAll),
      call: () => new Promise(() => {}),
    })
    attack.abort()
    expect(result).toBe('lost')
  })
})
