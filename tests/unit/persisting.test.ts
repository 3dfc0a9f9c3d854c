import { expect, it } from '@jest/globals'
import { createAfterwards, persisting } from '../../core/persisting.ts'
import { LIMITS } from '../../core/limits.ts'

const CUT = new Error('Connection terminated unexpectedly')
const said = (code: string) => Object.assign(new Error('No'), { code, severity: 'ERROR' })
const refused = said('23514')

/** Writes that fail so often before one is taken, and how often they were tried. */
function writes(failures: number, error: Error = CUT) {
  const seen = { tries: 0 }
  const write = () => (seen.tries++ < failures ? Promise.reject(error) : Promise.resolve())
  return { seen, write }
}

it('what must be written is tried for so long, and no longer', async () => {
  const { signal } = new AbortController()
  let waitedMs = 0
  const pause = async (ms: number) => void (waitedMs += ms)
  const { seen, write } = writes(Infinity)
  const forMs = 5 * LIMITS.settleAgainMs
  await expect(persisting(write, { forMs, pause, signal })).rejects.toBe(CUT)
  expect({ ...seen, waitedMs }).toEqual({ tries: 6, waitedMs: forMs })
})

it('what PostgreSQL refuses for good is not tried again', async () => {
  const { signal } = new AbortController()
  const { seen, write } = writes(Infinity, refused)
  const patience = { forMs: 60_000, pause: async () => {}, signal }
  await expect(persisting(write, patience)).rejects.toBe(refused)
  expect(seen.tries).toBe(1)
})

it.each([
  ['a conflict with others', '40P01'],
  ['a server that is being stopped', '57P01'],
  ['a disk that is full', '53100'],
])('what fails by %s is tried again, and told of once', async (_what, state) => {
  const { signal } = new AbortController()
  const { seen, write } = writes(2, said(state))
  const told: unknown[] = []
  const onFailure = (error: unknown) => told.push(error)
  await persisting(write, { forMs: 60_000, pause: async () => {}, signal, onFailure })
  expect(seen.tries).toBe(3)
  expect(told).toEqual([said(state)])
})

it('a process that stops waits for one more try, of each', async () => {
  const pause = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    })
  const afterwards = createAfterwards(pause)
  const [once, always] = [writes(1), writes(Infinity)]
  const givenUp: unknown[] = []
  for (const { write } of [once, always]) {
    afterwards.persist(write, 60_000, (error) => givenUp.push(error))
  }
  await new Promise((resolve) => setImmediate(resolve))
  await afterwards.close()
  expect([once.seen.tries, always.seen.tries]).toEqual([2, 2])
  expect(givenUp).toEqual([CUT])
})
