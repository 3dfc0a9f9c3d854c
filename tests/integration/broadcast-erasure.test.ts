import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { erase } from '../../capabilities/conversations/contact-erasure.ts'
import { oneOff } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import {
  broadcastOf,
  recipientsOf,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const LONG_AGO = oneOff(
  "UPDATE broadcast_recipients SET dispatched_at = dispatched_at - interval '1 day'",
)

const stub = createStubChannel()
let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
beforeEach(async () => {
  project = await service.project()
})
afterEach(() => stub.become('accepted'))
afterAll(() => service.stop())

const eraseOne = (contact: string) => {
  const stop = new AbortController().signal
  return erase(service.ctx, project.id, contact, { onProgress: () => {}, stop })
}

describe('an erased recipient of a broadcast', () => {
  it('who has yet to be written to fails as erased, and the broadcast becomes complete', async () => {
    const { id, contactIds } = await startBroadcast(service, project, { contacts: 3 })
    await eraseOne(String(contactIds[1]))
    await sendAll(service.ctx)
    const [first, second, third] = await recipientsOf(project, id)
    expect([first, third]).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    expect(second).toMatchObject({
      ...{ contact_id: contactIds[1], phone: null, name: null, status: 'failed' },
      error: { code: 'contact_erased', retryable: false },
    })
    const counts = { total: 3, sent: 2, failed: 1 }
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed', counts })
  })

  it.each([
    ['takes it', null, { status: 'failed', error: { code: 'unknown_outcome' } }],
    ['says that he wants none', refusal('opt_out', 131050), { status: 'failed' }],
  ])('whose message is under way holds up nobody else: the channel %s', async (_, answer, ends) => {
    const { id, contactIds } = await startBroadcast(service, project, { contacts: 2 })
    let isErased = false
    stub.answerEach(async () => {
      if (isErased) return null
      isErased = true
      await eraseOne(String(contactIds[0]))
      return answer
    })
    await sendAll(service.ctx)
    expect((await recipientsOf(project, id))[1]).toMatchObject({ status: 'sent' })
    await service.ctx.sql.rows(LONG_AGO)
    await jobs['give-up-lost-recipients'].run(service.ctx)
    const [first] = await recipientsOf(project, id)
    expect(first).toMatchObject({ ...ends, wamid: null, phone: null })
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
  })
})
