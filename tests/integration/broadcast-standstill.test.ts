import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { broadcastOf, sendAll, startBroadcast } from '../support/broadcast-sending.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel }, behindMs: 3_600_000 })
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

/** Looks for recipients so often, with so long between. */
async function look(times: number, apartMs: number) {
  for (let time = 0; time < times; time++) {
    await sendAll(service.ctx)
    service.advance(apartMs)
  }
}

const OUTAGES = {
  'refuses each for a passing reason': () => refusal('transient', 131016),
  'gives no usable answer': () => ({
    outcome: 'unknown' as const,
    error: refusal('transient', null).error,
  }),
}

describe('a channel that is out of order for a minute', () => {
  it.each(Object.entries(OUTAGES))(
    'costs a broadcast a few recipients, not most of them, where it %s',
    async (_what, answer) => {
      const project = await service.project()
      stub.answerEach(answer)
      const { id } = await startBroadcast(service, project, { contacts: 100 })
      await look(12, 5_000)
      expect(stub.sends.length).toBeGreaterThanOrEqual(2 * LIMITS.broadcastFailuresInRow)
      expect(stub.sends.length).toBeLessThan(50)
      stub.become('accepted')
      await look(4, 30_000)
      const { counts } = await broadcastOf(service, project, id)
      expect(counts!.sent).toBeGreaterThan(50)
    },
  )

  it.each([
    ['what is about the recipients', () => refusal('recipient', 131026), 20],
    [
      'what comes to nothing now and then',
      () => (stub.sends.length % 2 === 0 ? refusal('transient', 131000) : null),
      20,
    ],
  ])('is not what it is taken for by %s', async (_what, answer, sends) => {
    const project = await service.project()
    stub.answerEach(answer)
    await startBroadcast(service, project, { contacts: 20 })
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(sends)
  })
})
