import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import * as parkedStatuses from '../../capabilities/statuses/parked-statuses.ts'
import { statement } from '../../core/sql.ts'
import { eventCount, subscribe, toldTo } from '../support/events.ts'
import { permutations } from '../support/random.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { statementsOf } from '../support/statements.ts'
import { createStubChannel } from '../support/stub-channel.ts'

type Status = 'sent' | 'delivered' | 'read' | 'failed'
const SECOND = { sent: 1, delivered: 2, read: 3, failed: 4 }

const stub = createStubChannel()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterAll(() => service.stop())

let customers = 0
/** A project with a customer, and a webhook for `message.status` unless told otherwise. */
async function watched(events: string[] = ['message.status']) {
  const project = await service.project()
  const account = await service.account(project.id)
  const phone = `+1555666${String(++customers).padStart(4, '0')}`
  const conversation = await service.customer(project, { phone })
  const { id: webhookId } = await subscribe(project, events)
  const instantOf = (status: Status) =>
    new Date(service.ctx.now().getTime() + SECOND[status] * 1000).toISOString()
  const callback = (wamid: string, status: Status, more: { attemptId?: string; at?: Date } = {}) =>
    statusCallback({
      account,
      wamid,
      status,
      to: { phone },
      at: new Date(instantOf(status)),
      ...more,
    })
  return {
    project,
    conversation,
    phone,
    instantOf,
    callback,
    send: async (clientRef?: string) => {
      const body = { type: 'text' as const, phone, content: 'Hello' }
      const ref = clientRef === undefined ? {} : { client_ref: clientRef }
      return (await project.client.ok('sendMessage', { body: { ...body, ...ref } })).id
    },
    report: async (...given: Parameters<typeof callback>) =>
      expect(await service.callback(project.id, callback(...given))).toBe(200),
    take: async (payload: unknown) => expect(await service.callback(project.id, payload)).toBe(200),
    told: () => toldTo(service, webhookId),
    async steps() {
      return (await toldTo(service, webhookId)).map(({ data }) => Object(data).status as Status)
    },
  }
}

describe('message.status', () => {
  it('tells each step of a message, with what the caller knows it by', async () => {
    const { send, report, told, instantOf, conversation, project } = await watched()
    const wamid = await send('order "1042"')
    await report(wamid, 'sent')
    await report(wamid, 'delivered')
    await report(wamid, 'read')
    const { message } = await project.client.ok('getMessage', { path: { id: wamid } })
    const step = (status: Status, occurredAt: string | null) => ({
      event: 'message.status',
      subject: String(conversation.id),
      data: {
        message_id: wamid,
        status,
        id: message.id,
        conversation_id: conversation.id,
        client_ref: 'order "1042"',
        error: null,
        occurred_at: occurredAt,
      },
    })
    expect(await told()).toMatchObject([
      step('sent', service.ctx.now().toISOString()),
      step('delivered', instantOf('delivered')),
      step('read', instantOf('read')),
    ])
  })

  it.each(permutations(['sent', 'delivered', 'read'] as const))(
    'comes for forward steps alone, once each, when they are told as %s, %s, %s',
    async (...order) => {
      const { send, report, steps } = await watched()
      const wamid = await send()
      for (const status of order) for (const _ of [1, 2]) await report(wamid, status)
      await Promise.all(order.flatMap((status) => [report(wamid, status), report(wamid, status)]))
      const forward = order.indexOf('delivered') < order.indexOf('read')
      expect(await steps()).toEqual(forward ? ['sent', 'delivered', 'read'] : ['sent', 'read'])
    },
  )

  it('comes once for each step that one callback tells of', async () => {
    const { send, callback, take, steps } = await watched()
    const wamid = await send()
    const all = ['delivered', 'delivered', 'read', 'read', 'sent'] as const
    const payloads = all.map((status) => callback(wamid, status))
    await take({ ...payloads[0], entry: payloads.flatMap(({ entry }) => entry) })
    expect(await steps()).toEqual(['sent', 'delivered', 'read'])
  })

  it('tells why a message failed, and nothing after that', async () => {
    const { send, report, told } = await watched()
    const wamid = await send()
    for (const status of ['failed', 'failed', 'delivered', 'read'] as const) {
      await report(wamid, status)
    }
    const [sent, failed, ...more] = await told()
    expect(sent).toMatchObject({ data: { status: 'sent', error: null } })
    expect(failed).toMatchObject({ data: { status: 'failed', error: { code: '131026' } } })
    expect(more).toEqual([])
  })

  it('takes a voice message that was played for read', async () => {
    const { send, callback, take, steps } = await watched()
    const wamid = await send()
    const played = JSON.stringify(callback(wamid, 'read')).replace('"read"', '"played"')
    await take(JSON.parse(played))
    expect(await steps()).toEqual(['sent', 'read'])
  })

  const second = { at: new Date('2026-01-01T00:00:00Z') }
  it.each<[string, Status[], object, Status[]]>([
    ['seconds apart', ['read', 'delivered'], {}, ['delivered', 'read']],
    // What was read has not failed.
    ['within one second', ['failed', 'read'], second, ['read']],
  ])(
    'comes for steps told before their message, %s, in order',
    async (_when, told, more, expected) => {
      const { report, steps, project, conversation } = await watched()
      const wamid = newWamid('9')
      for (const status of told) await report(wamid, status, more)
      expect(await steps()).toEqual([])
      const insert = statement(
        'test-insert-own',
        `INSERT INTO messages
         (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
       VALUES ($1, $2, $3, $4, 'outbound', 'api', 'text', 'sent')`,
      )
      const values = [project.id, conversation.id, conversation.contact.id, wamid]
      await service.ctx.sql.rows(insert, values)
      await Promise.all([1, 2].map(() => parkedStatuses.sweep(service.ctx)))
      expect(await steps()).toEqual(expected)
    },
  )

  it('comes for a send whose answer was lost, once the channel tells of it', async () => {
    const { project, report, told, phone } = await watched()
    stub.become('unknown')
    const body = { type: 'text', phone, content: 'Hello', client_ref: 'lost' }
    await project.client.refused('sendMessage', 'upstream_error', { body })
    stub.become('accepted')
    expect(await told()).toEqual([])

    const { attemptId } = stub.sends.at(-1)!
    const wamid = newWamid('8')
    for (const _ of [1, 2]) await report(wamid, 'delivered', { attemptId })
    const identity = { message_id: wamid, client_ref: 'lost' }
    expect(await told()).toMatchObject([
      { data: { ...identity, status: 'sent' } },
      { data: { ...identity, status: 'delivered' } },
    ])
  })

  it('is not kept when nobody subscribed to it', async () => {
    const { project, send, report } = await watched(['message.received', 'message.status2'])
    await report(await send(), 'delivered')
    expect(await eventCount(service, project.id)).toBe(0)
  })

  it('tells when it happened by the channel, and when the event did by the service', async () => {
    const { told, send } = await watched()
    service.advance(337)
    await send()
    const events = await told()
    // The channel's own instants are whole seconds, and so is that of a send.
    expect(Object(events[0]?.data).occurred_at).toMatch(/\.000Z$/)
    expect(events[0]?.created_at).toMatch(/\.337Z$/)
    service.advance(663)
  })
})

describe('many steps at once', () => {
  it.each([
    ['one statement more for whoever subscribed', ['message.status'], 1],
    ['not one statement for who did not', ['message.received'], 0],
  ])('cost %s', async (_, events, more) => {
    const { send, callback, take, steps } = await watched(events)
    const wamids = await Promise.all(Array.from({ length: 40 }, () => send()))
    const payloads = wamids.flatMap((wamid) => [
      callback(wamid, 'delivered'),
      callback(wamid, 'read'),
    ])
    const batch = { ...payloads[0], entry: payloads.flatMap(({ entry }) => entry) }
    const names = await statementsOf(service, () => take(batch))
    const expected = ['lock-messages', 'write-statuses', 'emit-message-steps'].slice(0, 2 + more)
    expect(names.filter((name) => !/account/.test(name))).toEqual(expected)
    if (more === 1) expect(await steps()).toHaveLength(120)
  })
})
