import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { readOn } from '../../middleware/read-on.ts'

const NEVER = 2 ** 30

/** Reads on, and answers when that is over. */
function reading(
  request: PassThrough,
  limits: { idleMs: number; wholeMs: number; bytesMax?: number },
) {
  let ends = 0
  const over = new Promise<void>((resolve) =>
    readOn(request, () => void (ends++, resolve()), limits),
  )
  return { over, ends: () => ends }
}

it('the rest of a request is read, and its connection is ended once, when all has come', async () => {
  const request = new PassThrough()
  const { over, ends } = reading(request, { idleMs: NEVER, wholeMs: NEVER })
  for (let pieces = 0; pieces < 100; pieces++) request.write(Buffer.alloc(65_536))
  await new Promise(setImmediate)
  expect(ends()).toBe(0)
  request.end()
  await over
  request.destroy()
  await new Promise(setImmediate)
  expect(ends()).toBe(1)
})

it.each<[string, (request: PassThrough) => void]>([
  ['breaks off', (request) => request.destroy()],
  ['fails', (request) => request.destroy(new Error('reset'))],
])('the connection of one that %s is ended, too', async (_how, breakOff) => {
  const request = new PassThrough()
  const { over } = reading(request, { idleMs: NEVER, wholeMs: NEVER })
  breakOff(request)
  await over
})

it('one that is over already is ended at once', () => {
  const request = new PassThrough().destroy()
  expect(reading(request, { idleMs: NEVER, wholeMs: NEVER }).ends()).toBe(1)
})

it('one that says no more is not waited for', async () => {
  await reading(new PassThrough(), { idleMs: 10, wholeMs: NEVER }).over
})

it('one that never ends is given up', async () => {
  const request = new PassThrough()
  const sending = setInterval(() => request.write('a'), 1)
  await reading(request, { idleMs: NEVER, wholeMs: 50 }).over
  clearInterval(sending)
})

it('one that is very large is given up', async () => {
  const request = new PassThrough()
  const { over } = reading(request, { idleMs: NEVER, wholeMs: NEVER, bytesMax: 1_000 })
  request.write(Buffer.alloc(1_001))
  await over
})
