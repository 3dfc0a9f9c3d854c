import { expect, it } from '@jest/globals'
import { createTurns } from '../../capabilities/broadcasts/broadcast-turns.ts'
import { LIMITS } from '../../core/limits.ts'

const named = (...ids: string[]) => ids.map((id) => ({ id }))

it('broadcasts take turns: who has had none comes first, then who had it longest ago', () => {
  const turns = createTurns()
  for (const id of ['a', 'b', 'a']) turns.end(id)
  expect(turns.inOrder(named('a', 'b', 'c', 'd'))).toEqual(named('c', 'd', 'b', 'a'))
})

it('no more turns are remembered than broadcasts are looked at together', () => {
  const turns = createTurns()
  turns.end('first')
  for (let n = 0; n < LIMITS.broadcastsPerRun; n++) turns.end(`later ${n}`)
  expect(turns.inOrder(named('later 0', 'first'))).toEqual(named('first', 'later 0'))
})

it('a broadcast that is skipped has no turn for a while, whatever the clock does', () => {
  const turns = createTurns()
  const at = (ms: number) => new Date(1_000_000 + ms)
  turns.skip('a', at(0))
  turns.skip('b', at(1))
  expect(turns.skipped(at(LIMITS.broadcastSkipMs - 1))).toEqual(['a', 'b'])
  expect(turns.skipped(at(LIMITS.broadcastSkipMs))).toEqual(['b'])
  expect(turns.skipped(at(-3_600_000))).toEqual([])
})
