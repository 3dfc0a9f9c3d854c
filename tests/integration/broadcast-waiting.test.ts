import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { startSender } from '../../capabilities/broadcasts/broadcast-sender.ts'
import { createMetrics } from '../../core/metrics.ts'
import { startBroadcast } from '../support/broadcast-sending.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: createStubChannel().channel } })
})
afterAll(() => service.stop())

/** What a worker that has just started counts. */
async function counted(): Promise<number> {
  const ctx = { ...service.ctx, metrics: createMetrics() }
  const gauge = ctx.metrics.broadcastRecipientsWaiting
  gauge.set(-1)
  const sender = startSender(ctx, { pollMs: 1 })
  const value = async () => (await gauge.get()).values[0]?.value ?? -1
  try {
    await until(async () => (await value()) >= 0, 'a count')
    return await value()
  } finally {
    await sender.stop()
  }
}

describe('broadcast_recipients_waiting', () => {
  it('counts who is still to be sent to, not who is held or whose project is paused', async () => {
    const project = await service.project()
    const { phoneNumberId } = await service.account(project.id)
    await pace.reserve(service.ctx, phoneNumberId, 1)
    await pace.close(service.ctx, phoneNumberId, { firstMs: 600_000, longestMs: 600_000 })
    await startBroadcast(service, project, { contacts: 5, approve: { waveSize: 3 } })
    expect(await counted()).toBe(3)

    await projects.setStatus(service.ctx, project.id, 'paused')
    expect(await counted()).toBe(0)
  })
})
