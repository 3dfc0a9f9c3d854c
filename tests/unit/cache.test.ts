import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createChangeCache } from '../../core/cache.ts'
import { LIMITS } from '../../core/limits.ts'

function startCache(options?: Parameters<typeof createChangeCache>[0]) {
  const cache = createChangeCache(options)
  cache.trust(true)
  let reads = 0
  /** Looks up a value that says which read it came from. */
  const look = (key = 'key') => cache.load(key, async () => `read ${++reads}`)
  return { cache, look }
}

describe('the cache', () => {
  it('reads once and answers from what it kept', async () => {
    const { cache, look } = startCache()
    expect([await look(), await look()]).toEqual(['read 1', 'read 1'])
    expect(cache.get('key')).toBe('read 1')
    expect(await look('other')).toBe('read 2')
  })

  it('forgets everything on a change', async () => {
    const { cache, look } = startCache()
    await look()
    cache.clear()
    expect(cache.get('key')).toBeUndefined()
    expect(await look()).toBe('read 2')
  })

  it('does not keep that there is nothing', async () => {
    const { cache, look } = startCache()
    expect(await cache.load('key', async () => null)).toBeNull()
    expect(await look()).toBe('read 1')
  })

  it('uses once, and does not keep, what was read while a change came', async () => {
    const { cache, look } = startCache()
    const value = await cache.load('key', async () => {
      cache.clear()
      return 'stale'
    })
    expect(value).toBe('stale')
    expect(await look()).toBe('read 1')
  })

  it('does not keep what was read while trust was lost and won again', async () => {
    const { cache, look } = startCache()
    await cache.load('key', async () => {
      cache.trust(false)
      cache.trust(true)
      return 'stale'
    })
    expect(await look()).toBe('read 1')
  })

  it('is passed by until somebody listens for changes, and again when nobody does', async () => {
    const cache = createChangeCache()
    let reads = 0
    const look = () => cache.load('key', async () => ++reads)
    expect([await look(), await look()]).toEqual([1, 2])
    cache.trust(true)
    expect([await look(), await look()]).toEqual([3, 3])
    cache.trust(false)
    expect([await look(), await look()]).toEqual([4, 5])
    cache.trust(true)
    expect(cache.get('key')).toBeUndefined()
  })

  it('keeps nothing past its age', async () => {
    const { look } = startCache({ maxAgeMs: -1 })
    expect([await look(), await look()]).toEqual(['read 1', 'read 2'])
  })

  it('keeps fewer of what weighs more, and no weight of what is gone', async () => {
    const { cache, look } = startCache({ entriesMax: 10 })
    const heavy = (key: string) =>
      cache.load(
        key,
        async () => key,
        () => 4,
      )
    await heavy('a')
    await Promise.all([heavy('b'), heavy('b')])
    for (const key of ['x', 'y']) await look(key)
    expect([cache.get('a'), cache.get('b')]).toEqual(['a', 'b'])
    await look('z')
    expect([cache.get('a'), cache.get('z')]).toEqual([undefined, 'read 3'])
    cache.clear()
    for (const key of ['a', 'b']) await heavy(key)
    for (const key of ['x', 'y']) await look(key)
    expect(cache.get('a')).toBe('a')
  })

  it('never holds more entries than it may', async () => {
    const { cache, look } = startCache({ entriesMax: 3 })
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const kept = () => names.filter((name) => cache.get(name) !== undefined)
    for (const name of names.slice(0, 6)) await look(name)
    expect(kept()).toEqual(['d', 'e', 'f'])
    await look('g')
    expect(kept()).toEqual(['g'])
  })

  it('keeps nothing of a read that failed', async () => {
    const { cache, look } = startCache()
    await expect(cache.load('key', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await look()).toBe('read 1')
  })

  it('answers only when no change is on its way any more', async () => {
    const { cache, look } = startCache()
    const told: (() => void)[] = []
    cache.trust(true, () => new Promise<void>((resolve) => told.push(resolve)))
    await look()

    const unchanged = look()
    told.shift()?.()
    expect(await unchanged).toBe('read 1')

    const changed = look()
    cache.clear()
    told.shift()?.()
    expect(await changed).toBe('read 2')
  })

  it('reads anew when nobody can tell whether a change is on its way', async () => {
    const { cache, look } = startCache()
    cache.trust(true, () => Promise.reject(new Error('The connection is gone')))
    expect([await look(), await look()]).toEqual(['read 1', 'read 2'])
  })
})

describe('what anybody may make up', () => {
  const few = LIMITS.guessesAtOnce

  /** Look-ups that find what they are told to, when they are told to. */
  function startLookUps(options?: Parameters<typeof createChangeCache>[0]) {
    const { cache } = startCache(options)
    const running: ((found: string | null) => void)[] = []
    const read = () => new Promise<string | null>((resolve) => running.push(resolve))
    const guess = (key: string) => {
      const found = cache.loadGuess(key, read)
      // Those that a test leaves waiting are refused after it.
      found.catch(() => {})
      return found
    }
    const guesses = (count: number) => Array.from({ length: count }, (_, i) => guess(`guess ${i}`))
    return { cache, guess, guesses, read, running }
  }

  it('is looked up by few at a time, each in its turn, though one of them fails', async () => {
    const { cache, guesses, running } = startLookUps()
    const failed = cache.loadGuess('x', () => Promise.reject(new Error('away')))
    await expect(failed).rejects.toThrow('away')
    const asked = guesses(few + 2)
    await turn()
    expect(running).toHaveLength(few)
    running[0]!(null)
    expect(await asked[0]).toBeNull()
    await turn()
    expect(running).toHaveLength(few + 1)
    running[1]!('found')
    await turn()
    running.slice(2).forEach((settle) => settle(null))
    await turn()
    running.at(-1)!(null)
    const nulls = Array.from({ length: few }, () => null)
    expect(await Promise.all(asked)).toEqual([null, 'found', ...nulls])
  })

  it('does not keep waiting who was found before', async () => {
    const { cache, guess, guesses, running } = startLookUps()
    const first = guess('holder')
    await turn()
    running[0]!('found')
    expect(await first).toBe('found')
    cache.clear()
    void guesses(few + 2)
    await turn()
    const again = guess('holder')
    await turn()
    running.at(-1)!('found again')
    expect(await again).toBe('found again')
  })

  it('keeps what the service itself looks up from nothing', async () => {
    const { cache, guesses, read, running } = startLookUps()
    void guesses(few + 2)
    await turn()
    const own = cache.load('own', read)
    await turn()
    running.at(-1)!('found')
    expect(await own).toBe('found')
  })

  it('remembers who was found the longest after the last time', async () => {
    const { cache, guess, guesses, running } = startLookUps({ entriesMax: 2 })
    for (const key of ['a', 'b', 'a', 'c']) {
      cache.clear()
      const found = guess(key)
      await turn()
      running.at(-1)!(key)
      await found
    }
    void guesses(few)
    await turn()
    cache.clear()
    const known = running.length
    void guess('b')
    await turn()
    expect(running).toHaveLength(known)
    void guess('a')
    void guess('c')
    await turn()
    expect(running).toHaveLength(known + 2)
  })

  it('keeps waiting whom nothing is found of any more', async () => {
    const { cache, guess, guesses, running } = startLookUps()
    for (const found of ['found', null]) {
      cache.clear()
      const revoked = guess('revoked')
      await turn()
      running.at(-1)!(found)
      expect(await revoked).toBe(found)
    }
    void guesses(few)
    await turn()
    const known = running.length
    void guess('revoked')
    await turn()
    expect(running).toHaveLength(known)
  })

  it('is refused when too many wait, and who has waited too long', async () => {
    const { guesses } = startLookUps({ guessWaitMs: 1 })
    const asked = await Promise.allSettled(guesses(few + LIMITS.guessesWaiting + 1).slice(few))
    expect(asked).toHaveLength(LIMITS.guessesWaiting + 1)
    for (const one of asked) {
      const reason = { code: 'server_error', status: 500, retryAfterS: 1 }
      expect(one).toEqual({ status: 'rejected', reason: expect.objectContaining(reason) })
    }
  })
})
