import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { ChannelSend } from '../../core/ports.ts'
import { budgetOf, sendAs } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const PHONE = '+15556660101'
const WAMID = 'wamid.reported-first'

const stub = createStubChannel()
let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  await service.customer(project, { phone: PHONE })
  stub.sends.length = 0
})

/** The channel reports that it has sent a message, before it answers the request for it. */
async function report({ attemptId }: ChannelSend): Promise<void> {
  const sent = statusCallback({
    account: await service.account(project.id),
    wamid: `${WAMID}.${project.id}`,
    attemptId,
    status: 'sent' as const,
    to: { phone: PHONE },
    at: service.ctx.now(),
  })
  expect(await service.callback(project.id, sent)).toBe(200)
}

const send = (headers: Record<string, string>) =>
  sendAs(service, project.key, { type: 'text', phone: PHONE, content: 'Hi' }, headers)

describe.each([
  ['with a key', { 'idempotency-key': 'order-1042' }],
  ['without a key', {}],
])('a send %s that the channel reports before it answers', (_how, headers) => {
  it.each(['refused', 'unknown'] as const)('is sent, though the answer is %s', async (outcome) => {
    stub.answerEach(async (request) => {
      await report(request)
      return { outcome, error: refusal('transient', 131000).error }
    })
    const sent = await send(headers)
    expect(sent).toMatchObject({ status: 200, wamid: `${WAMID}.${project.id}` })
    if ('idempotency-key' in headers) {
      expect(await send(headers)).toMatchObject({ text: sent.text, isReplay: true })
    }
    expect(stub.sends).toHaveLength(1)
    expect((await budgetOf(service, project.id)).used).toBe(1)
  })
})
