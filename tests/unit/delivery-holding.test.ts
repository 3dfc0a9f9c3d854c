import { describe, expect, it } from '@jest/globals'
import { createLanes, type Taken } from '../../capabilities/webhooks/delivery-lanes.ts'
import { LIMITS } from '../../core/limits.ts'
import { dueOf } from '../support/due.ts'

const NOW = 1_000
const OTHERS = 200

describe('what is read past a conversation that holds all that is in memory', () => {
  it('is a share at a time, however many attempts could begin', () => {
    const lanes = createLanes()
    const leased = { webhookId: 'a', url: 'https://a.example/', projectId: 'p', fence: 1, epoch: 1 }
    lanes.add({ ...leased, failureCount: 0, hadLapsed: false }, { now: 0, leaseUntil: 10 * NOW })
    const loud = dueOf('a', 200).map((due) => ({ ...due, subject: 'loud' }))
    const others = dueOf('a', 200 + OTHERS).slice(200)

    let reads = 0
    const readAll = () => {
      for (let rooms = lanes.rooms(NOW); rooms.length > 0; rooms = lanes.rooms(NOW)) {
        const [{ room, past, heldEventIds }] = rooms as [(typeof rooms)[number]]
        const free = (past.length > 0 ? others : loud).filter(
          ({ eventId }) => !heldEventIds.includes(eventId),
        )
        if (past.length > 0) reads++
        lanes.accept(rooms, free.slice(0, room), false)
      }
    }
    const begun: Taken[] = []
    const beginAll = () => {
      readAll()
      for (let taken; (taken = lanes.next(NOW, 0));) begun.push(taken)
    }
    beginAll()
    for (let ended = 0; ended < OTHERS; ended++) {
      beginAll()
      const place = begun.findIndex(({ due }) => due.subject === null)
      const [one] = place < 0 ? [] : begun.splice(place, 1)
      if (!one) throw new Error(`Only ${ended} of the others began`)
      lanes.finish(one, true)
      others.splice(others.indexOf(one.due), 1)
      one.lane.heldIds.delete(one.due.eventId)
    }
    expect(begun.map(({ due }) => due.eventId)).toEqual([0])
    expect(reads).toBeLessThanOrEqual(OTHERS / LIMITS.deliveriesHeldShare + 1)
  })
})
