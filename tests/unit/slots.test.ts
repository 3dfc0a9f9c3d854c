import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createSlots } from '../../core/slots.ts'

const LONG_MS = 60_000

describe('slots', () => {
  it('are given to so many at once, and then in the order of asking', async () => {
    const slots = createSlots({ atOnce: 2, waitingMax: 10, waitMs: LONG_MS })
    const [first, second] = [await slots.take(), await slots.take()]
    const order: string[] = []
    const third = slots.take().then((giveBack) => (order.push('third'), giveBack))
    const fourth = slots.take().then((giveBack) => (order.push('fourth'), giveBack))
    await turn()
    expect(order).toEqual([])
    first?.()
    second?.()
    await Promise.all([third, fourth])
    expect(order).toEqual(['third', 'fourth'])
  })

  it('are not given twice by whoever gives one back twice', async () => {
    const slots = createSlots({ atOnce: 2, waitingMax: 0, waitMs: LONG_MS })
    const [first] = [await slots.take(), await slots.take()]
    first?.()
    first?.()
    expect(await slots.take()).not.toBeNull()
    expect(await slots.take()).toBeNull()
  })

  it('are refused when too many wait', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 1, waitMs: LONG_MS })
    let giveBack = await slots.take()
    for (let times = 0; times < 2; times++) {
      const waiting = slots.take()
      expect(await slots.take()).toBeNull()
      giveBack?.()
      giveBack = await waiting
      expect(giveBack).not.toBeNull()
    }
  })

  it('are refused to who has waited too long, whose turn goes to the next', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 2, waitMs: 1 })
    const giveBack = await slots.take()
    expect(await slots.take()).toBeNull()
    giveBack?.()
    expect(await slots.take()).not.toBeNull()
  })

  it('are kept for who waits, though others have had theirs before their time was over', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 2, waitMs: LONG_MS })
    const giveBack = await slots.take()
    const hasty = slots.take('', 5)
    const patient = slots.take()
    giveBack?.()
    const served = await hasty
    expect(served).not.toBeNull()
    await pause(10)
    served?.()
    expect(await patient).not.toBeNull()
  })

  it('are refused to who cannot wait as long as others do', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 2, waitMs: LONG_MS })
    const giveBack = await slots.take()
    expect(await slots.take('', 1)).toBeNull()
    giveBack?.()
    expect(await slots.take('', 1)).not.toBeNull()
  })

  it('leave one owner no more than its share of them', async () => {
    const slots = createSlots({ atOnce: 2, atOnceEach: 1, waitingMax: 2, waitMs: LONG_MS })
    const first = await slots.take('greedy')
    const order: string[] = []
    const second = slots.take('greedy').then((giveBack) => (order.push('greedy'), giveBack))
    const other = await slots.take('other')
    expect(other).not.toBeNull()
    other?.()
    await turn()
    expect(order).toEqual([])
    first?.()
    expect(await second).not.toBeNull()
  })

  it('go to their owners in turn', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 10, waitMs: LONG_MS })
    const first = await slots.take('a')
    const order: string[] = []
    const asked = ['a', 'a', 'a', 'b', 'b', 'c'].map(async (owner) => {
      const giveBack = await slots.take(owner)
      order.push(owner)
      giveBack?.()
    })
    first?.()
    await Promise.all(asked)
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('are refused, when too many wait, to the last of the owner who waits for most', async () => {
    const slots = createSlots({ atOnce: 1, waitingMax: 3, waitMs: LONG_MS })
    const giveBack = await slots.take('greedy')
    const waiting = [1, 2, 3].map(() => slots.take('greedy'))
    expect(await slots.take('greedy')).toBeNull()
    const other = slots.take('other')
    expect(await waiting[2]).toBeNull()
    const third = slots.take('third')
    expect(await slots.take('fourth')).toBeNull()
    giveBack?.()
    for (const one of [waiting[0], other, third]) {
      const turn = await one
      expect(turn).not.toBeNull()
      turn?.()
    }
  })
})
