import { describe, expect, it } from '@jest/globals'
import { judge } from '../../capabilities/broadcasts/broadcast-verdicts.ts'
import { readChannelError } from '../../channel/errors.ts'
import { messageErrorOf } from '../../core/channel-outcomes.ts'
import type { ChannelError, ChannelErrorKind } from '../../core/channel-account.ts'

function error(kind: ChannelErrorKind, code: number | null = 1): ChannelError {
  const rest = { details: null, httpStatus: 400, traceId: null, retryable: true }
  return { kind, code, subcode: null, title: 'Refused', ...rest }
}

describe('a refusal of a recipient’s message', () => {
  it.each([
    'auth',
    'permission',
    'account',
    'registration',
    'template_paused',
    'template_disabled',
  ])('fails the broadcast when it is about %s', (kind) => {
    const verdict = judge(error(kind as ChannelErrorKind), 0, 0)
    expect(verdict).toMatchObject({ retry: null, silence: null })
    expect(verdict.broadcastFails).toMatch(/Refused/)
  })

  it.each([
    ['is not there, or not for the token', { code: 100, error_subcode: 33 }],
    ['was deleted', { code: 33 }],
  ])('fails the broadcast when the number %s', (_what, answer) => {
    const refused = readChannelError(400, { error: { ...answer, message: 'No such object' } })
    expect(judge(refused, 0, 0).broadcastFails).toMatch(/No such object/)
  })

  it.each([132000, 132001])(
    'fails the broadcast when the template is another one at the channel, or none (%i)',
    (code) => {
      expect(judge(error('template', code), 0, 0).broadcastFails).toMatch(/template.*Refused/)
    },
  )

  it('fails the recipient alone when it is what his values make of the template', () => {
    expect(judge(error('template', 132005), 0, 0)).toEqual({
      retry: null,
      silence: null,
      broadcastFails: null,
    })
  })

  it('for a passing reason is tried four times more, each twice as much later as before', () => {
    const delays = [0, 1, 2, 3].map((tries) => judge(error('transient'), tries, 0.5).retry?.delayMs)
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000])
    expect(judge(error('transient'), 4, 0.5).retry).toBeNull()
  })

  it('for the pair’s pace waits six seconds at least, then 4, 16, 64 … seconds', () => {
    const delays = [0, 1, 2, 3].map((tries) => judge(error('pair_rate'), tries, 0).retry?.delayMs)
    expect(delays).toEqual([6_000, 6_000, 16_000, 64_000])
    expect(judge(error('pair_rate'), 4, 0).retry).toBeNull()
  })

  it.each(['throughput', 'api_rate', 'quality'])(
    'for the number’s %s silences the number, and counts against nobody',
    (kind) => {
      const verdict = judge(error(kind as ChannelErrorKind), 1_000, 0)
      expect(verdict.silence!.longestMs).toBeGreaterThanOrEqual(verdict.silence!.firstMs)
      expect(verdict.retry).toEqual({ delayMs: verdict.silence!.firstMs, counts: false })
    },
  )

  it('as long as the number’s throughput is being raised counts against nobody', () => {
    const error = { code: 131057, message: 'Account in maintenance mode' }
    const { retry } = judge(readChannelError(500, { error }), 0, 0)
    expect(retry).toMatchObject({ counts: false })
  })

  it('for anything else fails the recipient, with the channel’s code, or a word without one', () => {
    expect(judge(error('marketing_limit', 131049), 0, 0).retry).toBeNull()
    expect(messageErrorOf(error('marketing_limit', 131049)).code).toBe('131049')
    expect(messageErrorOf(error('transient', null)).code).toBe('transient')
  })
})
