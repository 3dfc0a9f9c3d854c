import { expect, it } from '@jest/globals'
import { createRecent } from '../../core/recent.ts'

function start(answers: Promise<string>[]) {
  let [time, asked] = [0, 0]
  const ask = createRecent(
    () => answers[asked++]!,
    1_000,
    () => time,
  )
  return { ask, asked: () => asked, advance: (ms: number) => void (time += ms) }
}

it('what was found out holds for its time, however many ask at once', async () => {
  const { ask, asked, advance } = start([Promise.resolve('first'), Promise.resolve('second')])
  expect(await Promise.all([ask(), ask()])).toEqual(['first', 'first'])
  advance(999)
  expect(await ask()).toBe('first')
  expect(asked()).toBe(1)
  advance(1)
  expect(await ask()).toBe('second')
})

it('what fails, or hangs, does so for its time alone', async () => {
  const hanging = new Promise<string>(() => {})
  const { ask, advance } = start([
    Promise.reject(new Error('away')),
    hanging,
    Promise.resolve('back'),
  ])
  await expect(ask()).rejects.toThrow('away')
  await expect(ask()).rejects.toThrow('away')
  advance(1_000)
  void ask()
  advance(1_000)
  expect(await ask()).toBe('back')
})
