import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcast-approvals.ts'
import { retargetDue } from '../../capabilities/broadcast-retargets.ts'
import * as broadcastStarts from '../../capabilities/broadcast-starts.ts'
import {
  broadcastOf,
  makeBroadcast,
  sendAll,
  startBroadcast,
} from '../support/broadcast-sending.ts'
import { ahead, startTestService, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

const later = (ms: number) => new Date(service.ctx.now().getTime() + ms)

describe('a worker whose clock is ahead', () => {
  it('does not start a broadcast before its time, nor does an approval by it', async () => {
    const create = { scheduled_at: later(10 * MINUTE_MS).toISOString() }
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { create })
    const late = await service.project()
    const other = await makeBroadcast(service, late, { create })
    await broadcastApprovals.approve(ahead(service.ctx, 11 * MINUTE_MS), other.id, { by: 'Olga' })
    await broadcastStarts.startDue(ahead(service.ctx, 11 * MINUTE_MS))
    for (const [owner, one] of [
      [project, id],
      [late, other.id],
    ] as const) {
      expect(await broadcastOf(service, owner, one)).toMatchObject({
        ...{ status: 'scheduled', started_at: null, counts: null },
      })
    }
  })

  it('does not release a wave before its time', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, {
      ...{ contacts: 5, create: { wave_size: 2 }, approve: { nextWaveAt: later(10 * MINUTE_MS) } },
    })
    await broadcastStarts.releaseDue(ahead(service.ctx, 11 * MINUTE_MS))
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { held: 3 } })
  })

  it('does not begin a follow-up before its day is over', async () => {
    const project = await service.project()
    const create = { auto_retarget_quality: true }
    const { id } = await startBroadcast(service, project, { contacts: 1, create })
    stub.answerEach(() => refusal('marketing_limit', 131049))
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
    await retargetDue(ahead(service.ctx, DAY_MS + MINUTE_MS))
    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 0 })
  })
})
