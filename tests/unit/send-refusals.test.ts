import { describe, expect, it } from '@jest/globals'
import { mustBeAllowed } from '../../capabilities/messages/send-refusals.ts'
import type { ProjectContext } from '../../core/context.ts'

/** Tries a send that the daily quota has kept from being begun. */
function refusedBy(limit: number): () => void {
  const budget = { credits: null, used: limit, resetS: 60, resetAt: '2026-11-22T00:00:00.000Z' }
  const opening = { begun: false, windowOpen: true, target: null, budget } as never
  return () => mustBeAllowed({ budgets: [] } as unknown as ProjectContext, opening, limit)
}

describe('a spent quota', () => {
  it('says when the project may send again', () => {
    expect(refusedBy(1_000)).toThrow(
      'The project has sent its 1000 messages of this UTC day; it may send again after midnight.',
    )
  })

  it('of 0 promises no other day', () => {
    expect(refusedBy(0)).toThrow('The project may send no messages over the API: its quota is 0.')
  })
})
