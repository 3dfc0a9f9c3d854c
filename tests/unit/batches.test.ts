import { describe, expect, it } from '@jest/globals'
import { createBatches } from '../../core/batches.ts'

const options = { atOnce: 2, weightMax: 4, apartMs: 60_000 }
const doubled = (sizes: number[]) => (items: number[]) => {
  sizes.push(items.length)
  return Promise.resolve(items.map((item) => item * 2))
}

/** Work that ends when it is told to. */
function gated() {
  const started: number[][] = []
  const ends: (() => void)[] = []
  const work = (items: number[]) =>
    new Promise<number[]>((resolve) => {
      started.push(items)
      ends.push(() => resolve(items))
    })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const end = async () => {
    ends.shift()?.()
    await turn()
  }
  return { work, started, end, turn }
}

describe('work that many want at once', () => {
  it('is done together, and everyone gets what is his', async () => {
    const sizes: number[] = []
    const batches = createBatches(options)
    const results = [1, 2, 3].map((item) => batches.join('a', item, doubled(sizes)))
    expect(await Promise.all(results)).toEqual([2, 4, 6])
    expect(sizes).toEqual([3])
  })

  it('waits while the group has a batch under way, then goes as one', async () => {
    const { work, started, end, turn } = gated()
    const batches = createBatches(options)
    const first = batches.join('a', 1, work)
    await turn()
    const later = [batches.join('a', 2, work), batches.join('a', 3, work)]
    await turn()
    expect(started).toEqual([[1]])
    await end()
    expect(started).toEqual([[1], [2, 3]])
    await end()
    expect(await Promise.all([first, ...later])).toEqual([1, 2, 3])
  })

  it('is never heavier than a batch may be, but for one that is so alone', async () => {
    const { work, started, end, turn } = gated()
    const batches = createBatches(options)
    const all = [3, 2, 9, 1].map((weight) => batches.join('a', weight, work, weight))
    await turn()
    for (let i = 0; i < 4; i++) await end()
    await Promise.all(all)
    expect(started).toEqual([[3], [2], [9], [1]])
  })

  it('runs for so many groups at once and no more, each in its turn', async () => {
    const { work, started, end, turn } = gated()
    const batches = createBatches(options)
    const all = [1, 2, 3].map((item) => batches.join(`group ${item}`, item, work))
    await turn()
    expect(started).toEqual([[1], [2]])
    await end()
    expect(started).toEqual([[1], [2], [3]])
    await end()
    await end()
    await Promise.all(all)
  })

  it('of a group that is always busy keeps no other group waiting', async () => {
    const { work, started, end, turn } = gated()
    const batches = createBatches({ ...options, atOnce: 1, weightMax: 1 })
    const all = [1, 2, 3].map((item) => batches.join('busy', item, work))
    all.push(batches.join('other', 9, work))
    await turn()
    for (let i = 0; i < 4; i++) await end()
    await Promise.all(all)
    expect(started).toEqual([[1], [9], [2], [3]])
  })

  it('is begun at once where all that came before is done', async () => {
    const batches = createBatches(options)
    expect(await batches.join('a', 1, doubled([]))).toBe(2)
    await gated().turn()
    expect(await batches.join('a', 2, doubled([]))).toBe(4)
  })

  it('is done once by who was alone, though it fails', async () => {
    const failures: number[] = []
    const onFailure = (_group: string, size: number) => failures.push(size)
    const batches = createBatches({ ...options, onFailure })
    let tries = 0
    const work = () => {
      tries++
      return Promise.reject<number[]>(new Error('down'))
    }
    await expect(batches.join('a', 1, work)).rejects.toThrow('down')
    expect(tries).toBe(1)
    expect(failures).toEqual([])
  })

  it('is tried one by one when a batch fails, and only the bad one fails', async () => {
    const failures: number[] = []
    const onFailure = (_group: string, size: number) => failures.push(size)
    const batches = createBatches({ ...options, onFailure })
    const work = (items: number[]) =>
      items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items)
    const results = [1, 2, 3].map((item) => batches.join('a', item, work))
    expect(await Promise.allSettled(results)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('two') },
      { status: 'fulfilled', value: 3 },
    ])
    expect(failures).toEqual([3])
  })

  it('is not tried one by one for longer than it may be', async () => {
    const batches = createBatches({ ...options, apartMs: -1 })
    let tries = 0
    const work = () => {
      tries++
      return Promise.reject<number[]>(new Error('down'))
    }
    const results = [1, 2, 3].map((item) => batches.join('a', item, work))
    const settled = await Promise.allSettled(results)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })
})
