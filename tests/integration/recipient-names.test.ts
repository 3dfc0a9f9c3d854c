import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as newCustomers from '../../capabilities/messages/new-customers.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from '../../channel/sandbox-callbacks.ts'
import { must, statement } from '../../core/sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

// In Benin a 01 came before every number, and the channel goes on calling customers without it.
const DIALLED = '+2290197318303'
const WRITTEN_FROM = '+22997318303'

let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
})

const insert = statement(
  'test-insert-sent-to',
  `INSERT INTO messages
     (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
   SELECT $1, c.id, c.contact_id, $3, 'outbound', 'api', 'text', 'sent'
     FROM conversations c JOIN contacts k ON k.id = c.contact_id
    WHERE k.project_id = $1 AND k.phone IS NOT DISTINCT FROM $2
   RETURNING conversation_id`,
)
/** A message to somebody who has not written so far; answers it and its conversation. */
async function sentTo(phone: string) {
  const ctx = { ...service.ctx, project: { id: project.id } } as Parameters<
    typeof newCustomers.ensure
  >[0]
  await newCustomers.ensure(ctx, phone)
  return sentInto(phone)
}
async function sentInto(phone: string | null) {
  const wamid = newWamid('1')
  const [row] = await service.ctx.sql.rows(insert, [project.id, phone, wamid])
  return { wamid, conversationId: Number(must(row?.[0])) }
}

const report = (wamid: string, to: SandboxCustomer) => {
  const at = service.ctx.now()
  return statusCallback({ account, wamid, status: 'delivered', to, at })
}
const takes = async (payload: unknown) =>
  expect(await service.callback(project.id, payload)).toBe(200)
/** Lets somebody write in; `answers` is the message that he answers. */
async function writes(from: SandboxCustomer, answers?: string) {
  const context = answers === undefined ? {} : { context: { id: answers } }
  const message = { type: 'text', text: { body: 'Yes' }, ...context }
  const wamid = newWamid('2')
  await takes(inboundCallback({ account, from, message, at: service.ctx.now(), wamid }))
  const { message: taken } = await project.client.ok('getMessage', { path: { id: wamid } })
  return taken.conversation_id
}
const contacts = async () => (await project.client.ok('listContacts')).contacts
/** Lets somebody of these names write to another project. */
async function writesElsewhere(from: SandboxCustomer) {
  const own = { project, account }
  project = await service.project()
  account = await service.account(project.id)
  await writes(from)
  ;({ project, account } = own)
}

describe('a customer to whom a message of ours went', () => {
  it('is known by the user id that its status tells', async () => {
    const { wamid, conversationId } = await sentTo('+34600111222')
    await takes(report(wamid, { phone: '+34600111222', userId: 'ES.123' }))
    expect(await writes({ userId: 'ES.123' })).toBe(conversationId)
    expect(await contacts()).toMatchObject([{ phone: '+34600111222', user_id: 'ES.123' }])
  })

  it('is known by the other number that its status tells, and is dialled by the first one', async () => {
    const { wamid, conversationId } = await sentTo(DIALLED)
    await takes(report(wamid, { phone: WRITTEN_FROM, userId: 'BJ.1' }))
    const [first, second] = [{ phone: WRITTEN_FROM, userId: 'BJ.1' }, { phone: WRITTEN_FROM }]
    expect([await writes(first), await writes(second)]).toEqual([conversationId, conversationId])
    expect(await contacts()).toMatchObject([{ phone: DIALLED, user_id: 'BJ.1' }])
    const text = { type: 'text', phone: DIALLED, content: 'Until six.' } as const
    await project.client.ok('sendMessage', { body: text })
  })

  it('by his user id alone gets the number that its status tells', async () => {
    const conversationId = await writes({ userId: 'ES.123' })
    const { wamid } = await sentInto(null)
    await takes(report(wamid, { phone: '+34600111222', userId: 'ES.123' }))
    expect(await contacts()).toMatchObject([{ phone: '+34600111222', user_id: 'ES.123' }])
    expect(await writes({ phone: '+34600111222', userId: 'ES.123' })).toBe(conversationId)
  })

  it('gets no name that another contact has', async () => {
    const other = await writes({ phone: '+34600111333', userId: 'ES.123' })
    const { wamid } = await sentTo('+34600111222')
    await takes(report(wamid, { phone: '+34600111333', userId: 'ES.123' }))
    expect(await contacts()).toMatchObject([
      { phone: '+34600111222', user_id: null },
      { phone: '+34600111333', user_id: 'ES.123' },
    ])
    expect(await writes({ phone: '+34600111333', userId: 'ES.123' })).toBe(other)
  })

  it('gets the names that only contacts of another project have', async () => {
    await writesElsewhere({ phone: '+34600111222', userId: 'ES.123' })
    const { wamid } = await sentTo('+34600111222')
    await takes(report(wamid, { phone: '+34600111222', userId: 'ES.123' }))
    const unnumbered = await writes({ userId: 'ES.456' })
    await writesElsewhere({ phone: '+34600111333', userId: 'ES.456' })
    const second = await sentInto(null)
    await takes(report(second.wamid, { phone: '+34600111333', userId: 'ES.456' }))
    expect(second.conversationId).toBe(unnumbered)
    expect(await contacts()).toMatchObject([
      { phone: '+34600111333', user_id: 'ES.456' },
      { phone: '+34600111222', user_id: 'ES.123' },
    ])
  })

  it('keeps a user id that he has, whatever a status tells', async () => {
    await writes({ phone: '+34600111222', userId: 'ES.123' })
    const { wamid } = await sentInto('+34600111222')
    await takes(report(wamid, { phone: '+34600111222', userId: 'ES.456' }))
    expect(await contacts()).toMatchObject([{ phone: '+34600111222', user_id: 'ES.123' }])
  })

  it('is one of two to whom one callback gives the same user id, which the first one takes', async () => {
    const first = await sentTo('+34600111222')
    const second = await sentTo('+34600111333')
    const payloads = [first, second].map(({ wamid }, place) =>
      report(wamid, { phone: `+34600111${place === 0 ? 222 : 333}`, userId: 'ES.123' }),
    )
    const entry = payloads.flatMap((payload) => payload.entry)
    await takes({ ...payloads[0], entry })
    expect((await contacts()).map((contact) => contact.user_id)).toEqual([null, 'ES.123'])
  })
})

it('a customer whose user id and number two contacts have is known by the user id, and both keep theirs', async () => {
  const conversationId = await writes({ userId: 'ES.123' })
  await writes({ phone: '+34600111222', userId: 'ES.456' })
  const before = await contacts()
  expect(await writes({ phone: '+34600111222', userId: 'ES.123' })).toBe(conversationId)
  expect(await contacts()).toMatchObject(before.map(({ phone, user_id }) => ({ phone, user_id })))
})

describe('a customer who answers a message of ours', () => {
  it('answers in its conversation, though another contact has her user id', async () => {
    await writes({ phone: '+34600111333', userId: 'ES.123' })
    const { wamid, conversationId } = await sentTo('+34600111222')
    const ana = { phone: '+34600111222', userId: 'ES.123' }
    await takes(report(wamid, ana))
    expect(await writes(ana, wamid)).toBe(conversationId)
    const text = { type: 'text', phone: '+34600111222', content: 'Until six.' } as const
    const { id } = await project.client.ok('sendMessage', { body: text })
    const { message } = await project.client.ok('getMessage', { path: { id } })
    expect(message.conversation_id).toBe(conversationId)
  })

  it('is known by it before any status has named her', async () => {
    const { wamid, conversationId } = await sentTo('+34600111222')
    expect(await writes({ userId: 'ES.123' }, wamid)).toBe(conversationId)
    expect(await writes({ userId: 'ES.123' })).toBe(conversationId)
    expect(await contacts()).toMatchObject([{ phone: '+34600111222', user_id: 'ES.123' }])
  })

  it('is found by her names when the message is another project’s', async () => {
    const { wamid } = await sentTo('+34600111222')
    const known = await contacts()
    project = await service.project()
    account = await service.account(project.id)
    await writes({ userId: 'ES.123' }, wamid)
    expect(await contacts()).toMatchObject([{ phone: null, user_id: 'ES.123' }])
    expect(known).toHaveLength(1)
  })
})
