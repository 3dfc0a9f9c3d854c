import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { importContacts } from '../../capabilities/conversations/contact-import.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import {
  recipientsOf,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import { untilWaiting } from '../support/locks.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { body, storeTemplate } from '../support/templates.ts'

const PHONE = '+34600111222'
const BY_ID = { userId: 'ES.123', name: 'Ana' }
const BOTH = { phone: PHONE, userId: 'ES.123', name: 'Ana' }

const stub = createStubChannel()
let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
})

const takes = async (payload: unknown) =>
  expect(await service.callback(project.id, payload)).toBe(200)
const wrote = (from: SandboxCustomer, answers?: string) => {
  service.advance(1_000)
  const context = answers === undefined ? {} : { context: { id: answers } }
  const message = { type: 'text', text: { body: 'Hi' }, ...context }
  return inboundCallback({ account, from, message, at: service.ctx.now(), wamid: newWamid('2') })
}
const writes = (from: SandboxCustomer, answers?: string) => takes(wrote(from, answers))
const reports = (wamid: string, to: SandboxCustomer = BOTH) =>
  takes(statusCallback({ account, wamid, status: 'delivered', to, at: service.ctx.now() }))
const chooses = (value: string, names: object) => {
  const chosen = { category: 'marketing_messages', value, detail: '', ...names }
  const timestamp = Math.floor(service.ctx.now().getTime() / 1000)
  const metadata = { phone_number_id: account.phoneNumberId }
  const preferences = { metadata, user_preferences: [{ ...chosen, timestamp }] }
  const changes = [{ field: 'user_preferences', value: preferences }]
  return takes({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] })
}
async function imports(...lines: string[]) {
  const text = ['number,name,tags,opted_in', ...lines].join('\n')
  await importContacts(
    service.ctx,
    project.id,
    (async function* () {
      yield text
    })(),
  )
  return (await contacts())[0]!
}
const contacts = async () => (await project.client.ok('listContacts')).contacts
const conversations = async () => (await project.client.ok('listConversations')).conversations
const messagesOf = async (id: number) =>
  (await project.client.ok('listConversationMessages', { path: { id } })).messages
/** A template to the number; answers the message. */
async function templateTo(phone: string) {
  await storeTemplate(service, project, { name: 'hello', components: [body('Hello')] })
  const template = { type: 'template', template_name: 'hello', language: 'en_US' } as const
  const { id } = await project.client.ok('sendMessage', { body: { ...template, phone } })
  return (await project.client.ok('getMessage', { path: { id } })).message
}
const holdContacts = statement(
  'test-hold-contacts',
  'SELECT 1 FROM contacts WHERE project_id = $1 FOR UPDATE',
)

const holdRun = statement(
  'test-hold-run',
  `INSERT INTO bot_runs (project_id, conversation_id, message_id, created_at, fence, lease_until)
   VALUES ($1, $2, $3, now(), 7, now() + interval '1 minute')`,
)
const findRuns = statement(
  'test-find-runs',
  'SELECT conversation_id, fence, lease_until FROM bot_runs WHERE project_id = $1',
)

describe('two contacts of one customer, by number and by user id', () => {
  it('are one as soon as the status of a message names both, and every id leads there', async () => {
    await writes(BY_ID)
    const [byId] = await contacts()
    const imported = await imports(`${PHONE},Ana Ruiz,vip,true`)
    const { wamid, conversation_id: former } = await templateTo(PHONE)
    const [conversation] = (await conversations()).filter(({ id }) => id !== former)
    const id = conversation!.id
    expect(former).not.toBe(id)

    await reports(wamid)
    const joined = {
      id: byId!.id,
      phone: PHONE,
      user_id: 'ES.123',
      name: 'Ana Ruiz',
      tags: ['vip'],
    }
    expect(await contacts()).toMatchObject([{ ...joined, opted_in: true }])
    expect(await conversations()).toMatchObject([{ id, window: { open: true }, unread_count: 1 }])
    expect(await messagesOf(id)).toMatchObject([
      { wamid, status: 'delivered', contact_id: byId!.id, conversation_id: id },
      { direction: 'inbound', contact_id: byId!.id },
    ])

    const { client } = project
    const contact = { path: { id: imported.id } }
    expect((await client.ok('getContact', contact)).contact).toMatchObject(joined)
    const more = { ...contact, body: { tags: { add: ['new'] } } }
    expect((await client.ok('updateContact', more)).contact.tags).toEqual(['new', 'vip'])
    const path = { id: former }
    expect((await client.ok('getConversation', { path })).conversation.id).toBe(id)
    expect(await messagesOf(former)).toEqual(await messagesOf(id))
    const moved = await client.ok('updateConversation', { path, body: { state: 'handover' } })
    expect(moved.conversation).toMatchObject({ id, state: 'handover' })
  })

  it('are written to within the window that the one has opened, under the ids of both', async () => {
    await writes(BY_ID)
    const { wamid, conversation_id: former } = await templateTo(PHONE)
    await reports(wamid)
    const { client } = project
    const text = { type: 'text', content: 'Until six.' } as const
    const headers = { 'Idempotency-Key': 'once' }
    const sent = [
      await client.ok('sendMessage', { body: { ...text, phone: PHONE } }),
      await client.ok('sendMessage', { body: { ...text, conversation_id: former }, headers }),
      await client.ok('sendMessage', { body: { ...text, conversation_id: former }, headers }),
    ]
    expect(sent[2]).toEqual(sent[1])
    const [{ id } = { id: 0 }] = await conversations()
    expect(await messagesOf(id)).toHaveLength(4)
  })

  it.each([
    ['an imported one is named', async () => void (await imports(`${PHONE},,,`)), () => BOTH],
    ['one is chosen for', () => chooses('resume', { wa_id: PHONE.slice(1) }), () => BOTH],
  ])('are one as soon as a message names both: %s', async (_, make, from) => {
    await writes(BY_ID)
    await make()
    expect(await contacts()).toHaveLength(2)
    const both = wrote(from())
    await takes(both)
    await takes(both)
    expect(await contacts()).toMatchObject([{ phone: PHONE, user_id: 'ES.123' }])
    expect(await conversations()).toMatchObject([{ unread_count: 2 }])
  })

  it('are one as soon as the one answers a message to the other', async () => {
    await writes(BY_ID)
    const { wamid } = await templateTo(PHONE)
    await writes(BY_ID, wamid)
    expect(await contacts()).toMatchObject([{ phone: PHONE, user_id: 'ES.123' }])
    expect(await messagesOf((await conversations())[0]!.id)).toHaveLength(3)
  })

  it('keep the only conversation, whichever has it', async () => {
    const { id, conversation_id: former } = await templateTo(PHONE)
    await chooses('resume', { user_id: 'ES.123' })
    await chooses('stop', { user_id: 'ES.123', wa_id: PHONE.slice(1) })
    const [contact] = await contacts()
    expect(contact).toMatchObject({ phone: PHONE, user_id: 'ES.123', opted_in: false })
    expect(await conversations()).toMatchObject([{ id: former, contact: { id: contact!.id } }])
    expect(await messagesOf(former)).toMatchObject([{ id, contact_id: contact!.id }])
  })

  it.each([
    ['stop', 'true', true],
    ['resume', 'false', false],
    ['resume', '', true],
  ])('have chosen what was chosen last: %s, then an import of "%s"', async (value, cell, isIn) => {
    await chooses(value, { user_id: 'ES.123' })
    service.advance(1_000)
    await imports(`${PHONE},,,${cell}`)
    await writes(BOTH)
    expect(await contacts()).toMatchObject([{ user_id: 'ES.123', opted_in: isIn }])
  })

  it('hold together no more than one may, and its own first', async () => {
    const tags = (letter: string) => Array.from({ length: 60 }, (_, n) => `${letter}${n}`)
    const keys = (letter: string) =>
      Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`${letter}${n}`, letter]))
    await writes(BY_ID)
    const [byId] = await contacts()
    const { id } = await imports(`${PHONE},,,`)
    for (const [own, letter] of [
      [id, 'a'],
      [byId!.id, 'z'],
    ] as const) {
      const change = { tags: { add: tags(letter) }, attributes: { ...keys(letter), both: letter } }
      await project.client.ok('updateContact', { path: { id: own }, body: change })
    }
    await writes(BOTH)
    const [joined] = await contacts()
    expect(joined!.tags).toEqual([...joined!.tags].sort())
    expect(joined!.tags).toHaveLength(100)
    expect(joined!.tags).toEqual(expect.arrayContaining(tags('z')))
    expect(Object.keys(joined!.attributes)).toHaveLength(200)
    expect(joined!.attributes).toMatchObject({ ...keys('z'), both: 'z' })
  })

  it('stay two where each has a name that the other lacks not', async () => {
    await writes({ phone: PHONE, userId: 'ES.456' })
    await writes(BY_ID)
    await writes(BOTH)
    expect(await contacts()).toMatchObject([
      { phone: null, user_id: 'ES.123' },
      { phone: PHONE, user_id: 'ES.456' },
    ])
  })
})

describe('while two contacts become one', () => {
  it('a send to the one that goes arrives in the conversation that stays', async () => {
    await writes(BY_ID)
    const first = await templateTo(PHONE)
    const sends = stub.hold()
    const body = { type: 'template', template_name: 'hello', language: 'en_US' } as const
    const sending = project.client.ok('sendMessage', { body: { ...body, phone: PHONE } })
    await sends.arrival
    await reports(first.wamid)
    sends.open()
    const { id } = await sending
    const { message } = await project.client.ok('getMessage', { path: { id } })
    const [conversation] = await conversations()
    expect(message.conversation_id).toBe(conversation!.id)
    expect(conversation).toMatchObject({ last_message: { id: message.id } })
  })

  it('a send that is recorded just then hears of its delivery, where the conversation stays', async () => {
    await chooses('resume', { user_id: 'ES.123' })
    const { conversation_id: conversation } = await templateTo(PHONE)
    const sends = stub.hold()
    const body = { type: 'template', template_name: 'hello', language: 'en_US' } as const
    const sending = project.client.ok('sendMessage', { body: { ...body, phone: PHONE } })
    await sends.arrival
    const joining = await service.ctx.sql.transaction(async (tx) => {
      await tx.rows(holdContacts, [project.id])
      const ends = writes(BOTH)
      await untilWaiting(service.ctx, 1)
      sends.open()
      await untilWaiting(service.ctx, 2)
      return { ends }
    })
    await joining.ends
    const { id: wamid } = await sending
    await reports(wamid)
    const [message] = (await messagesOf(conversation)).filter((one) => one.wamid === wamid)
    expect(message).toMatchObject({ status: 'delivered' })
    expect(await contacts()).toMatchObject([{ phone: PHONE, user_id: 'ES.123' }])
  })

  it('no choice is lost that waits for the one that goes', async () => {
    await imports(`${PHONE},,,true`)
    await chooses('resume', { user_id: 'ES.123' })
    service.advance(1_000)
    const ends: Promise<void>[] = []
    await service.ctx.sql.transaction(async (tx) => {
      await tx.rows(holdContacts, [project.id])
      ends.push(writes(BOTH))
      await untilWaiting(service.ctx, 1)
      ends.push(chooses('stop', { wa_id: PHONE.slice(1) }))
      await untilWaiting(service.ctx, 2)
    })
    await Promise.all(ends)
    expect(await contacts()).toMatchObject([{ user_id: 'ES.123', opted_in: false }])
  })

  it('whatever else comes of them is taken once', async () => {
    for (let round = 0; round < 5; round++) {
      project = await service.project()
      account = await service.account(project.id)
      await writes(BY_ID)
      const { wamid } = await templateTo(PHONE)
      const all = [BOTH, BY_ID, { phone: PHONE, userId: 'ES.123' }, BOTH, BY_ID].map((from) =>
        wrote(from),
      )
      const text = { type: 'text', phone: PHONE, content: 'Hello' } as const
      await Promise.all([
        ...[...all, ...all].map(takes),
        ...[reports(wamid), reports(wamid)],
        project.client.send('sendMessage', { body: text }),
      ])
      expect(await contacts()).toMatchObject([{ phone: PHONE, user_id: 'ES.123' }])
      const [conversation, ...others] = await conversations()
      expect(others).toEqual([])
      const inbound = (await messagesOf(conversation!.id)).filter(
        ({ direction }) => direction === 'inbound',
      )
      expect(inbound).toHaveLength(6)
    }
  })

  it('a run of the bot is taken from whoever holds it, and due in the conversation that stays', async () => {
    await writes(BY_ID)
    const { id, wamid, conversation_id: former } = await templateTo(PHONE)
    await service.ctx.sql.rows(holdRun, [project.id, former, id])
    await reports(wamid)
    const [conversation] = await conversations()
    const found = [String(conversation!.id), '8', null]
    expect(await service.ctx.sql.rows(findRuns, [project.id])).toEqual([found])
  })

  it('a broadcast goes on to a recipient of whom only the other one is left', async () => {
    const { id } = await startBroadcast(service, project, { contacts: 2 })
    const [recipient] = await recipientsOf(project, id)
    await writes(BY_ID)
    await writes({ phone: recipient!.phone!, userId: 'ES.123' })
    await sendAll(service.ctx)
    expect((await recipientsOf(project, id)).map(({ status }) => status)).toEqual(['sent', 'sent'])
  })
})
