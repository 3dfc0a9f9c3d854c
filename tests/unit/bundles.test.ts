import { expect, it } from '@jest/globals'
import { createBundles } from '../../bot/bundles.ts'
import { LIMITS } from '../../core/limits.ts'

const { botBundlesKept, botBundlesKeptCharacters } = LIMITS

it('keeps the code that was used lately', () => {
  const bundles = createBundles()
  for (let bot = 0; bot < botBundlesKept; bot++) bundles.use(String(bot), `code ${bot}`)
  expect(bundles.use('0', null)).toBe('code 0')
  expect(bundles.use('one more', 'code')).toBe('code')
  expect([bundles.has('0'), bundles.has('1'), bundles.has('2')]).toEqual([true, false, true])
  expect(bundles.use('unknown', null)).toBeNull()
})

it('keeps less of it the larger it is, for a thread has so much memory', () => {
  const bundles = createBundles()
  const large = 'x'.repeat(botBundlesKeptCharacters / 4)
  for (let bot = 0; bot < 100; bot++) bundles.use(String(bot % 5), large)
  const kept = ['0', '1', '2', '3', '4'].filter(bundles.has)
  expect(kept).toEqual(['1', '2', '3', '4'])
  bundles.use('small', 'x')
  expect(bundles.has('1')).toBe(false)
})
