import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { emit, type NewEvent, templateEvent } from '../../capabilities/webhooks/events.ts'
import { inboundCallback, newWamid, type SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { eventCount, subscribe, toldTo } from '../support/events.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15552220001'

let service: TestService
let project: TestProject
let account: SandboxAccount
let webhookId: string
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
  webhookId = (await subscribe(project, ['message.received'])).id
})

const told = () => toldTo(service, webhookId)
type Wire = { type: string } & Record<string, unknown>
const said = (message: Wire, wamid = newWamid('1'), from: object = { phone: PHONE }) =>
  inboundCallback({ account, from, message, wamid, at: service.ctx.now() })
const text = (body: string) => ({ type: 'text', text: { body } })
const take = async (payload: unknown) =>
  expect(await service.callback(project.id, payload)).toBe(200)

/** One callback that says all that several say. */
function joined(payloads: ReturnType<typeof said>[]) {
  const [first] = payloads
  return { ...first, entry: payloads.flatMap(({ entry }) => entry) }
}

describe('message.received', () => {
  it('tells the message and its conversation as they can be read now', async () => {
    service.advance(1_000)
    const wamid = newWamid('1')
    await take(said(text('Hi'), wamid, { phone: PHONE, name: 'Ana' }))
    const { message } = await project.client.ok('getMessage', { path: { id: wamid } })
    const path = { id: message.conversation_id }
    const { conversation } = await project.client.ok('getConversation', { path })
    expect(await told()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        eventId: expect.any(String),
        event: 'message.received',
        created_at: service.ctx.now().toISOString(),
        webhook_id: webhookId,
        subject: String(conversation.id),
        data: { conversation_id: conversation.id, message, conversation },
      },
    ])
    expect(conversation).toMatchObject({ unread_count: 1, contact: { name: 'Ana' } })
  })

  it('comes for what is written in a group, though that opens no window of its sender', async () => {
    await take(said({ ...text('Hi all'), group_id: 'Y2FwaV9ncm91cA' }))
    const conversation = { last_inbound_at: null, window: { open: false }, unread_count: 1 }
    const message = { content: 'Hi all', payload: { group_id: 'Y2FwaV9ncm91cA' } }
    expect(await told()).toMatchObject([{ data: { message, conversation } }])
    await take(said(text('Hi')))
    expect(await told()).toMatchObject([{}, { data: { conversation: { window: { open: true } } } }])
  })

  it('comes once for each message, however often and together with what the channel repeats it', async () => {
    const first = said(text('one'))
    await take(first)
    for (const _ of [1, 2, 3]) await take(first)
    await Promise.all([1, 2, 3, 4].map(() => take(first)))
    const second = said(text('two'))
    await take(joined([second, first, second]))
    const contents = (await told()).map(({ data }) => Object(data).message.content)
    expect(contents).toEqual(['one', 'two'])
  })

  it('comes in the order of the messages, each with its conversation after all of the callback', async () => {
    const others = Array.from({ length: 20 }, (_, index) =>
      said(text(`No. ${index}`), newWamid('2'), { phone: `+155522201${index % 3}0` }),
    )
    await take(joined(others))
    const events = await told()
    const { messages, counts } = {
      messages: events.map(({ data }) => Object(data).message.content),
      counts: events.map(({ data }) => Object(data).conversation.unread_count),
    }
    expect(messages).toEqual(others.map((_, index) => `No. ${index}`))
    expect(counts).toEqual(others.map((_, index) => (index % 3 === 2 ? 6 : 7)))
  })

  it('comes for words of a customer alone: no notice, edit or withdrawal', async () => {
    const wamid = newWamid('3')
    await take(said(text('Hi'), wamid))
    const system = {
      body: 'Ana changed her number',
      type: 'user_changed_number',
      wa_id: '15552220009',
    }
    await take(said({ type: 'system', system }))
    const named = { original_message_id: wamid }
    await take(said({ type: 'edit', edit: { ...named, message: text('Ho') } }))
    await take(said({ type: 'revoke', revoke: named }))
    // Of a message that is not known: it stands in the conversation, and yet is no message.
    await take(said({ type: 'revoke', revoke: { original_message_id: newWamid('4') } }))
    expect(await told()).toHaveLength(1)

    const reaction = { message_id: wamid, emoji: '👍' }
    await take(said({ type: 'reaction', reaction }))
    await take(said({ type: 'some_new_kind' }))
    const types = (await told()).map(({ data }) => Object(data).message.type)
    expect(types).toEqual(['text', 'reaction', 'unsupported'])
  })

  it('tells the latest content of a message whose edit came before it', async () => {
    const wamid = newWamid('5')
    const edit = { original_message_id: wamid, message: text('Ho') }
    await take(said({ type: 'edit', edit }))
    await take(said(text('Hi'), wamid))
    const contents = (await told()).map(({ data }) => Object(data).message.content)
    expect(contents).toEqual(['Ho'])
  })

  it('is not kept when nobody active subscribed to that very name', async () => {
    const own = await service.project()
    await subscribe(own, ['message.received'], false)
    await subscribe(own, ['message.status', 'message.received.', 'Message.received'])
    await service.customer(own, { phone: PHONE })
    expect(await eventCount(service, own.id)).toBe(0)
  })

  it('comes for what happens from the moment that the registration is answered', async () => {
    const own = await service.project()
    await service.customer(own, { phone: PHONE, text: 'before' })
    const { id } = await subscribe(own, ['message.received'])
    await service.customer(own, { phone: PHONE, text: 'after' })
    const contents = (await toldTo(service, id)).map(({ data }) => Object(data).message.content)
    expect(contents).toEqual(['after'])
  })
})

describe('an event', () => {
  const event = (name: string, data: string): NewEvent => ({
    name,
    data,
    at: service.ctx.now(),
    subject: null,
  })

  it('is a part of the transaction that causes it, and nobody hears of it before or without', async () => {
    const heard: number[] = []
    const stop = service.ctx.sql.onAnnounced('deliveries', () => heard.push(heard.length))
    const events = [event('message.received', 'null')]
    // Held against no contract: these have no data, as no platform event has.
    const failed = service.ctx.sql.transaction(async (tx) => {
      expect(await emit(tx, project.id, events)).toBe(1)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect([await eventCount(service, project.id), heard]).toEqual([0, []])

    await service.ctx.sql.transaction(async (tx) => {
      await emit(tx, project.id, events)
      await emit(tx, project.id, events)
      expect([await eventCount(service, project.id), heard]).toEqual([0, []])
    })
    expect([await eventCount(service, project.id), heard]).toEqual([2, [0]])
    stop()
    await emit(service.ctx.sql, project.id, events)
    expect(heard).toEqual([0])
  })

  it('goes with the callback that could not be taken', async () => {
    const { sql } = service.ctx
    const wamid = newWamid('6')
    service.ctx.sql = {
      ...sql,
      transaction: (work) =>
        sql.transaction(async (tx) => {
          await work(tx)
          throw new Error('lost at the very end')
        }),
    }
    try {
      expect(await service.callback(project.id, said(text('Hi'), wamid))).toBe(500)
    } finally {
      service.ctx.sql = sql
    }
    await project.client.refused('getMessage', 'not_found', { path: { id: wamid } })
    expect(await eventCount(service, project.id)).toBe(0)
    await take(said(text('Hi'), wamid))
    expect(await told()).toHaveLength(1)
  })

  it('is written once for all, with one delivery for each who subscribed to its name', async () => {
    const own = await service.project()
    const first = await subscribe(own, ['a', 'b'])
    const second = await subscribe(own, ['b', 'c'])
    const events = ['a', 'b', 'c', 'd', 'b'].map((name, index) => event(name, String(index)))
    expect(await emit(service.ctx.sql, own.id, events)).toBe(6)
    const dataOf = async (id: string) => (await toldTo(service, id)).map(({ data }) => data)
    expect(await dataOf(first.id)).toEqual([0, 1, 4])
    expect(await dataOf(second.id)).toEqual([1, 2, 4])
    expect(await eventCount(service, own.id)).toBe(4)
  })

  it.each(['APPROVED', 'REJECTED'] as const)(
    'of a template that was %s says so',
    async (status) => {
      const own = await service.project()
      const { id } = await subscribe(own, ['template.approved', 'template.rejected'])
      const review = { name: 'order_update', language: 'en_US', category: 'UTILITY', status }
      await emit(service.ctx.sql, own.id, [templateEvent(review, service.ctx.now())])
      const events = await toldTo(service, id)
      expect(events).toMatchObject([{ event: `template.${status.toLowerCase()}`, data: review }])
    },
  )
})
