import { afterEach, expect, it, jest } from '@jest/globals'
import { look } from '../../capabilities/tables/table-looks.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Row, statement } from '../../core/sql.ts'

const asked = statement('test-look', 'SELECT 1')

/** A connection whose answers come when the test says so. */
function heldBack() {
  const begun: ((rows: Row[]) => void)[] = []
  const rows = () => new Promise<Row[]>((resolve) => void begun.push(resolve))
  return { begun, ctx: { sql: { rows } } as never }
}

afterEach(() => void jest.useRealTimers())

it('leaves room for other projects, however often one has its tables looked at', async () => {
  const { begun, ctx } = heldBack()

  const many = Array.from({ length: 10 }, () => look(ctx, 'greedy', asked, []))
  const other = look(ctx, 'other', asked, [])
  await new Promise(setImmediate)

  expect(begun).toHaveLength(3)
  begun[2]?.([['theirs']])
  expect(await other).toEqual([['theirs']])
  for (let next = 0; next < 11; next++) {
    begun[next]?.([['own']])
    await new Promise(setImmediate)
  }
  expect(await Promise.all(many)).toEqual(many.map(() => [['own']]))
})

it('waits for its turn as long as for any connection of the service', async () => {
  jest.useFakeTimers()
  const { begun, ctx } = heldBack()
  const taken = Array.from({ length: 2 }, () => look(ctx, 'slow', asked, []))
  let refusal: unknown
  const waiting = look(ctx, 'slow', asked, []).catch((error: unknown) => (refusal = error))

  await jest.advanceTimersByTimeAsync(LIMITS.catalogLookWaitMs - 1)
  expect(refusal).toBeUndefined()
  await jest.advanceTimersByTimeAsync(1)
  await waiting
  expect(refusal).toMatchObject({ code: 'server_error', retryAfterS: 1 })
  for (const answer of begun) answer([])
  await Promise.all(taken)
})
