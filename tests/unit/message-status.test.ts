import { describe, expect, it } from '@jest/globals'
import {
  advance,
  type Delivery,
  movesForward,
  type Report,
  type SendStatus,
} from '../../capabilities/statuses/message-status.ts'
import { seededRandom } from '../support/random.ts'

const error = { code: '131026', title: 'Undeliverable', details: null, retryable: false }
const fresh: Delivery = {
  status: 'sent',
  error: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
}
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const report = (status: SendStatus, second: number): Report => ({
  status,
  at: at(second),
  error: status === 'failed' ? error : null,
})
const after = (reports: Report[], start = fresh) => reports.reduce(advance, start)

const RANKED = ['sent', 'delivered', 'read'] as const
const FIELD = {
  sent: 'sentAt',
  delivered: 'deliveredAt',
  read: 'readAt',
  failed: 'failedAt',
} as const

describe('advance', () => {
  it('ends at the furthest report, whatever their order and however often they come', () => {
    const random = seededRandom(1)
    for (let round = 0; round < 500; round++) {
      const reports = Array.from({ length: random.between(1, 8) }, () =>
        report(random.pick(RANKED), random.between(0, 59)),
      )
      const furthest = Math.max(...reports.map(({ status }) => RANKED.indexOf(status as 'sent')))
      expect(after(reports).status).toBe(RANKED[furthest])
    }
  })

  it('never takes a status back, and never changes a timestamp once it is set', () => {
    const random = seededRandom(2)
    const everything = [...RANKED, 'failed'] as const
    for (let round = 0; round < 500; round++) {
      let delivery = fresh
      for (let step = 0; step < 8; step++) {
        const next = report(random.pick(everything), random.between(0, 59))
        const before = delivery
        delivery = advance(before, next)
        if (delivery.status !== before.status) {
          expect(movesForward(before.status, next.status)).toBe(true)
          expect(before.status).not.toBe('failed')
        }
        for (const field of Object.values(FIELD)) {
          if (before[field] !== null) expect(delivery[field]).toBe(before[field])
        }
        expect(delivery[FIELD[next.status]]).not.toBeNull()
        expect(delivery.error).toEqual(delivery.status === 'failed' ? error : null)
      }
    }
  })

  it('fills each timestamp with the first report of its status', () => {
    const reports = [
      report('read', 3),
      report('delivered', 2),
      report('read', 9),
      report('sent', 1),
    ]
    expect(after(reports)).toEqual({
      status: 'read',
      error: null,
      failedAt: null,
      sentAt: at(1),
      deliveredAt: at(2),
      readAt: at(3),
    })
  })

  it('takes a failure only from sent, and then for good', () => {
    expect(after([report('failed', 1), report('delivered', 2)])).toMatchObject({
      status: 'failed',
      error,
      failedAt: at(1),
      deliveredAt: at(2),
    })
    expect(after([report('delivered', 1), report('failed', 2)])).toMatchObject({
      status: 'delivered',
      error: null,
      failedAt: at(2),
      deliveredAt: at(1),
    })
  })

  it('moves nothing on for a message that a customer wrote', () => {
    const received: Delivery = { ...fresh, status: 'received' }
    for (const status of [...RANKED, 'failed'] as const) {
      expect(advance(received, report(status, 1)).status).toBe('received')
    }
  })
})
