import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import {
  encodeCallback,
  inboundCallback,
  type SandboxAccount,
  signCallback,
} from '../../channel/sandbox-callbacks.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

type Connected = { project: TestProject; account: SandboxAccount }

async function connected(phoneNumberId: string): Promise<Connected> {
  const project = await service.project()
  await connect(project, phoneNumberId)
  return { project, account: await service.account(project.id) }
}

async function connect(project: TestProject, phoneNumberId: string): Promise<void> {
  const ids = { phoneNumberId, businessAccountId: `2${phoneNumberId}`, appId: '3' }
  const secrets = { accessToken: 'EAAG', appSecret: 'hush', verifyToken: 'v' }
  await channelAccounts.connect(service.ctx, project.id, { ...ids, ...secrets })
  // Its notice may take some milliseconds.
  service.ctx.cache.clear()
}

const hello = (account: SandboxAccount, phone: string) =>
  inboundCallback({
    ...{ account, from: { phone }, at: service.ctx.now() },
    message: { type: 'text', text: { body: 'Hello' } },
  })
const operator = (verb: string, { project }: Connected, ...more: string[]) =>
  operate(envOf(service), ['callback', verb, '--project', project.id, ...more])
const listOf = async (one: Connected, ...more: string[]) =>
  JSON.parse((await operator('list', one, ...more)).out).callbacks
const retry = async (one: Connected) => JSON.parse((await operator('retry', one)).out)
const messagesTo = async ({ project }: Connected, phone: string) => {
  const { conversations } = await project.client.ok('listConversations', { query: { phone } })
  const path = { id: Number(conversations[0]?.id) }
  if (conversations.length === 0) return []
  return (await project.client.ok('listConversationMessages', { path })).messages
}

async function postRaw({ account }: Connected, body: Buffer): Promise<void> {
  const headers = { 'x-hub-signature-256': signCallback(body, account.appSecret) }
  const answer = await fetch(account.callbackUrl, {
    ...{ method: 'POST', headers, body: new Uint8Array(body) },
  })
  expect(answer.status).toBe(200)
}

describe('operator callback', () => {
  it('lists what was not read, the newest first, and shows it as it came', async () => {
    const one = await connected('101')
    const [strange, foreign] = [
      Buffer.from('{"object":"page"}'),
      hello(one.account, '+15558880001'),
    ]
    await postRaw(one, strange)
    foreign.entry[0]!.changes[0]!.value.metadata.phone_number_id = '999'
    await postRaw(one, encodeCallback(foreign))
    const [newest, oldest] = await listOf(one)
    expect(newest).toEqual({
      ...{ id: expect.any(String), received_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
      ...{ bytes: encodeCallback(foreign).length, reason: expect.stringContaining('(999)') },
    })
    expect(oldest).toMatchObject({ reason: expect.stringContaining('not a callback') })
    expect(await listOf(one, '--limit=1')).toEqual([newest])
    const shown = await operator('show', one, oldest.id)
    expect(JSON.parse(shown.out)).toEqual({ body: strange.toString() })
    const other = await connected('102')
    expect(await listOf(other)).toEqual([])
    for (const id of [oldest.id, 'x', '9'.repeat(30)]) {
      expect(await operator('show', other, id)).toMatchObject({
        ...{ code: 1, out: '', err: `There is no unread callback ${id}.\n` },
      })
    }
  })

  it('reads again what came before the project was connected to the number', async () => {
    const phone = '+15558880002'
    const one = await connected('103')
    const { id: webhookId } = await subscribe(one.project, ['message.received'])
    await connect(one.project, '104')
    const moved = await service.account(one.project.id)
    await postRaw(one, encodeCallback(hello(one.account, phone)))
    const [kept] = await listOf(one)
    expect(await retry(one)).toEqual({ read: 0, still_unread: 1 })
    expect(await listOf(one)).toEqual([kept])
    expect(await messagesTo(one, phone)).toEqual([])
    expect(moved.phoneNumberId).toBe('104')
    await connect(one.project, '103')
    expect(await retry(one)).toEqual({ read: 1, still_unread: 0 })
    expect(await listOf(one)).toEqual([])
    expect(await messagesTo(one, phone)).toMatchObject([{ content: 'Hello' }])
    expect(await toldTo(service, webhookId)).toHaveLength(1)
    expect(await retry(one)).toEqual({ read: 0, still_unread: 0 })
  })

  it('reads again for the project that was connected with the same app since', async () => {
    const phone = '+15558880003'
    const one = await connected('105')
    await postRaw(one, encodeCallback(hello({ ...one.account, phoneNumberId: '106' }, phone)))
    expect(await listOf(one)).toHaveLength(1)
    const other = await connected('106')
    expect(await retry(one)).toEqual({ read: 1, still_unread: 0 })
    expect(await messagesTo(other, phone)).toMatchObject([{ content: 'Hello' }])
    expect(await messagesTo(one, phone)).toEqual([])
  })

  it('leaves what is unread in part as it is, and takes nothing of it twice', async () => {
    const phone = '+15558880004'
    const one = await connected('107')
    const payload = hello(one.account, phone)
    const { messages } = payload.entry[0]!.changes[0]!.value as unknown as { messages: object[] }
    messages.push({ type: 'text' })
    await postRaw(one, encodeCallback(payload))
    const before = await listOf(one)
    expect(before).toHaveLength(1)
    for (let times = 0; times < 2; times++) {
      expect(await retry(one)).toEqual({ read: 0, still_unread: 1 })
    }
    expect(await listOf(one)).toEqual(before)
    expect(await messagesTo(one, phone)).toHaveLength(1)
  })
})
