import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jobs } from '../../jobs/index.ts'
import { deliveriesOf, happen, register } from '../support/deliveries.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const { run: sweepDeliveries } = jobs['sweep-deliveries']

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startTestService()
})
afterAll(async () => {
  await service.stop()
  await receiver.close()
})

// As the outcomes of attempts are written: in the order in which these have ended.
const WRITE = `UPDATE deliveries SET attempts = attempts + 1
  WHERE webhook_id = $1 AND event_id = (
    SELECT event_id FROM deliveries WHERE webhook_id = $1 ORDER BY event_id OFFSET $2 LIMIT 1)`

describe('a webhook whose attempts are just being written', () => {
  const turnOff = ({ client }: TestProject, id: string) =>
    client.ok('updateWebhook', { path: { id }, body: { is_active: false } })
  const remove = ({ client }: TestProject, id: string) =>
    client.ok('deleteWebhook', { path: { id } })

  it.each([
    ['turned off', turnOff],
    ['deleted', remove],
  ])('is %s all the same when PostgreSQL ends one of the two', async (_, end) => {
    const project = await service.project()
    const { id } = await register(project, receiver.url)
    await happen(service, project, [{}, {}])
    let ended: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(WRITE, [id, 1])
      ended = end(project, id)
      await untilWaiting(service.ctx)
      await query(WRITE, [id, 0])
    })
    await ended
    expect(service.logLines.join('')).not.toContain('webhook.orphans_left')
    // What was written at that very moment may be left for it.
    await sweepDeliveries(service.ctx)
    const canceled = { status: 'canceled', attempts: 1 }
    expect(await deliveriesOf(service.ctx, id)).toMatchObject([canceled, canceled])
  })
})
