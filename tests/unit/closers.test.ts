import { describe, expect, it } from '@jest/globals'
import { closeAll, closeTogether, type Closers, opening } from '../../core/closers.ts'

/** Closers that note their names, and fail where they are told to. */
function noting(...names: string[]) {
  const closed: string[] = []
  const closers: Closers = names.map((name) => async () => {
    closed.push(name)
    if (name.startsWith('bad')) throw new Error(name)
  })
  return { closed, closers }
}

describe('a start', () => {
  it('that fails is undone, the last step first, and says why it failed though that fails too', async () => {
    const { closed, closers } = noting('first', 'bad', 'last')
    const failed = opening(closers, () => Promise.reject(new Error('no room')))
    await expect(failed).rejects.toThrow('no room')
    expect(closed).toEqual(['last', 'bad', 'first'])
  })

  it('that succeeds is left as it is', async () => {
    const { closed, closers } = noting('first')
    expect(await opening(closers, async () => 'up')).toBe('up')
    expect([closed, closers.length]).toEqual([[], 1])
  })
})

describe('an end', () => {
  it('goes through all steps, the last one first, and throws what one of them threw', async () => {
    const { closed, closers } = noting('first', 'bad', 'last')
    await expect(closeAll(closers)).rejects.toThrow('bad')
    expect(closed).toEqual(['last', 'bad', 'first'])
  })

  it('of several at the same time waits for all of them, and throws what one of them threw', async () => {
    const { closed, closers } = noting('bad', 'quick')
    const slow = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      closed.push('slow')
    }
    const atOnce = () => {
      throw new Error('at once')
    }
    await expect(closeTogether([...closers, slow])).rejects.toThrow('bad')
    await expect(closeTogether([atOnce, slow])).rejects.toThrow('at once')
    expect(closed).toEqual(['bad', 'quick', 'slow', 'slow'])
  })
})
