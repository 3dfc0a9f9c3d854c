import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { createDeliveries, postsAtOnce } from '../../channel/sandbox-deliveries.ts'
import { until } from '../support/until.ts'

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

describe('callbacks that are due while many are under way', () => {
  it('wait for their turn, in their order, and take no time of their own until then', async () => {
    const deliveries = create()
    const begun: number[] = []
    const answers: (() => void)[] = []
    for (let n = 0; n < 2 * postsAtOnce; n++) {
      deliveries.schedule(0, () => {
        begun.push(n)
        return new Promise((resolve) => answers.push(() => resolve({ status: 200 })))
      })
    }
    await until(() => begun.length >= postsAtOnce, 'the first posts')
    await new Promise(setImmediate)
    expect(begun).toHaveLength(postsAtOnce)

    for (let n = 0; n < 2 * postsAtOnce; n++) {
      answers[n]?.()
      await new Promise(setImmediate)
    }
    await deliveries.idle()
    expect(begun).toEqual(Array.from({ length: 2 * postsAtOnce }, (_, n) => n))
  })

  it('are dropped when the sandbox is closed', async () => {
    const deliveries = create()
    let begun = 0
    for (let n = 0; n < 2 * postsAtOnce; n++) {
      deliveries.schedule(0, async (signal) => {
        begun++
        await once(signal, 'abort')
        return { status: 500 }
      })
    }
    await until(() => begun >= postsAtOnce, 'the first posts')
    await deliveries.close()
    await deliveries.idle()
    expect([begun, problems]).toEqual([postsAtOnce, []])
  })
})
