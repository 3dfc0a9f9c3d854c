import { describe, expect, it } from '@jest/globals'
import {
  afterAttempt,
  afterVerdict,
  longestDelayMs,
  type Verdict,
} from '../../capabilities/webhooks/delivery-schedule.ts'
import { settlementOf, type Standing } from '../../capabilities/webhooks/delivery-settlements.ts'
import { seededRandom } from '../support/random.ts'

const DELAYS_MS = [5_000, 10_000, 20_000, 40_000]
const at = new Date('2026-01-01T00:00:00Z')
const failed = { isSuccess: false, at }
const half = () => 0.5

describe('after an attempt', () => {
  it.each([0, 1, 2, 3, 4])('that succeeded, number %i before it, all is done', (attemptsBefore) => {
    expect(afterAttempt({ attemptsBefore, isSuccess: true, at }, DELAYS_MS, half)).toEqual({
      status: 'delivered',
      nextAttemptAt: null,
    })
  })

  it('that failed, the next comes after its delay, and after the fifth none does', () => {
    const waits = [0, 1, 2, 3, 4].map((attemptsBefore) => {
      const { status, nextAttemptAt } = afterAttempt({ ...failed, attemptsBefore }, DELAYS_MS, half)
      return nextAttemptAt ? nextAttemptAt.getTime() - at.getTime() : status
    })
    expect(waits).toEqual([...DELAYS_MS, 'dropped'])
  })

  it('the delay varies by a tenth either way, over the whole of that range', () => {
    const waitOf = (random: () => number) =>
      afterAttempt({ ...failed, attemptsBefore: 1 }, DELAYS_MS, random).nextAttemptAt!.getTime() -
      at.getTime()
    expect(waitOf(() => 0)).toBe(9_000)
    expect(waitOf(() => 1 - Number.EPSILON)).toBeCloseTo(11_000, -1)
    const { between } = seededRandom(7)
    const waits = Array.from({ length: 10_000 }, () => waitOf(() => between(0, 999) / 1_000))
    expect(Math.min(...waits)).toBeLessThan(9_100)
    expect(Math.max(...waits)).toBeGreaterThan(10_900)
    expect(Math.max(...waits)).toBeLessThanOrEqual(11_000)
    expect(longestDelayMs(DELAYS_MS)).toBe(44_000)
    expect(longestDelayMs([])).toBe(0)
  })
})

describe('a registration', () => {
  const verdicts = {
    delivered: { status: 'delivered', nextAttemptAt: null },
    pending: { status: 'pending', nextAttemptAt: at },
    dropped: { status: 'dropped', nextAttemptAt: null },
  } satisfies Record<string, Verdict>

  it('counts what is dropped, not what is tried again, and starts over with a success', () => {
    expect(afterVerdict(8, verdicts.pending)).toEqual({ failureCount: 8, isDisabled: false })
    expect(afterVerdict(8, verdicts.dropped)).toEqual({ failureCount: 9, isDisabled: false })
    expect(afterVerdict(9, verdicts.dropped)).toEqual({ failureCount: 10, isDisabled: true })
    expect(afterVerdict(9, verdicts.delivered)).toEqual({ failureCount: 0, isDisabled: false })
  })

  it('fares the same however its outcomes are cut into batches', () => {
    const random = seededRandom(20_261_121)
    for (let run = 0; run < 2_000; run++) {
      const kinds = ['dropped', 'dropped', 'dropped', 'pending', 'delivered'] as const
      const length = random.between(1, 60)
      const sequence = Array.from({ length }, () =>
        run % 3 === 0 ? 'dropped' : random.pick(kinds.slice(0, run % 3 === 1 ? 4 : 5)),
      )
      const start = random.between(0, 9)
      expect(inBatches(sequence, start, () => random.between(1, 20))).toEqual(
        inBatches(sequence, start, () => 1),
      )
    }
  })

  /** Plays outcomes as the writer does: what a batch makes of the registration is where the next starts. */
  function inBatches(sequence: (keyof typeof verdicts)[], start: number, size: () => number) {
    const lane: Standing = {
      webhookId: 'wh',
      fence: 1,
      epoch: 1,
      failureCount: start,
      triggeredAt: null,
    }
    let written = 0
    for (let from = 0; from < sequence.length;) {
      const to = from + size()
      const outcomes = sequence.slice(from, to).map((kind, index) => ({
        lane,
        eventId: from + index,
        attemptsBefore: 0,
        verdict: verdicts[kind],
        attempt: { at: '', status_code: null, error: null, duration_ms: 0 },
      }))
      const settlement = settlementOf(outcomes, () => false)
      written += settlement.outcomes.length
      lane.failureCount = settlement.lanes[0]?.failureCount ?? lane.failureCount
      if (settlement.disabled.has(lane))
        return { written, failureCount: lane.failureCount, off: true }
      from = to
    }
    return { written, failureCount: lane.failureCount, off: false }
  }
})
