import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import { jobs } from '../../jobs/index.ts'
import {
  recipientsOf,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import { storeContacts } from '../support/broadcasts.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const HOUR_MS = 3_600_000
const USER_ID = 'ES.123'

const stub = createStubChannel()
let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(() => service.stop())

describe('a customer of two contacts that become one', () => {
  it('is in the follow-up of a broadcast that the marketing limit kept from the one that goes', async () => {
    await storeContacts(service, project, [{ phone: null, userId: USER_ID, optedIn: true }])
    const create = { auto_retarget_quality: true, audience: audienceOf('phone') }
    const { id } = await startBroadcast(service, project, { contacts: 1, create })
    await sendAll(service.ctx)
    const [recipient] = await recipientsOf(project, id)
    const failed = statusCallback({
      account: await service.account(project.id),
      wamid: recipient!.wamid!,
      status: 'failed',
      errorCode: 131049,
      to: { phone: recipient!.phone!, userId: USER_ID },
      at: service.ctx.now(),
    })
    expect(await service.callback(project.id, failed)).toBe(200)
    expect((await project.client.ok('listContacts')).contacts).toHaveLength(1)

    service.advance(25 * HOUR_MS)
    await jobs['retarget-broadcasts'].run(service.ctx)
    await broadcastStarts.startDue(service.ctx)
    await sendAll(service.ctx)
    const { broadcasts } = await project.client.ok('listBroadcasts', { query: {} })
    const followUp = broadcasts.find(({ retarget_parent_id: parent }) => parent === id)
    expect(followUp).toMatchObject({ recipient_count: 1, counts: { total: 1, sent: 1 } })
  })
})

function audienceOf(field: string) {
  const conditions = [{ field, op: 'like' as const, value: '+%' }]
  return { filter: { match: 'all' as const, conditions } }
}
