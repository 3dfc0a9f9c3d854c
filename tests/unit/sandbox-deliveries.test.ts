import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { createDeliveries } from '../../channel/sandbox-deliveries.ts'

const problems: string[] = []
const create = () =>
  createDeliveries({ retryDelaysMs: [0], onProblem: (problem) => void problems.push(problem) })

describe('each try of a callback', () => {
  it('has a signal of its own, so that what a post ties to it goes with it', async () => {
    const deliveries = create()
    const signals: AbortSignal[] = []
    const post = (signal: AbortSignal) =>
      Promise.resolve({ status: signals.push(signal) === 1 ? 500 : 200 })
    await deliveries.postNow(post)
    await deliveries.postNow(post)
    await deliveries.idle()

    expect(signals).toHaveLength(3)
    expect(new Set(signals).size).toBe(3)
  })

  it('is ended with the sandbox, and is not made again', async () => {
    const deliveries = create()
    let tries = 0
    const post = async (signal: AbortSignal) => {
      tries++
      await once(signal, 'abort')
      return { status: 500 }
    }
    const posts = [deliveries.postNow(post), deliveries.postNow(post)]
    await deliveries.close()
    await Promise.all(posts)
    deliveries.schedule(0, post)
    await deliveries.idle()

    expect([tries, problems]).toEqual([2, []])
  })
})
