import { expect, it } from '@jest/globals'
import { createShared } from '../../core/shared.ts'

function start(answers: Promise<string>[]) {
  let [time, asked] = [0, 0]
  const ask = createShared(
    () => answers[asked++]!,
    1_000,
    () => time,
  )
  return { ask, asked: () => asked, advance: (ms: number) => void (time += ms) }
}

it('what is being found out is found out once, however many ask meanwhile, and anew for who asks then', async () => {
  const { ask, asked } = start([Promise.resolve('first'), Promise.resolve('second')])
  expect(await Promise.all([ask(), ask()])).toEqual(['first', 'first'])
  expect(asked()).toBe(1)
  expect(await ask()).toBe('second')
})

it('what fails does so for those alone who asked meanwhile', async () => {
  const { ask, asked } = start([Promise.reject(new Error('away')), Promise.resolve('back')])
  const both = [ask(), ask()]
  for (const one of both) await expect(one).rejects.toThrow('away')
  expect(asked()).toBe(1)
  expect(await ask()).toBe('back')
})

it('what hangs keeps no later one from being found out', async () => {
  const { ask, asked, advance } = start([new Promise(() => {}), Promise.resolve('back')])
  void ask()
  advance(999)
  void ask()
  expect(asked()).toBe(1)
  advance(1)
  expect(await ask()).toBe('back')
})

it('what hung and ends after all leaves alone what is being found out by then', async () => {
  let end = (_: string) => {}
  const hung = new Promise<string>((resolve) => (end = resolve))
  const { ask, asked, advance } = start([hung, new Promise(() => {})])
  const first = ask()
  advance(1_000)
  void ask()
  end('late')
  expect(await first).toBe('late')
  void ask()
  expect(asked()).toBe(2)
})
