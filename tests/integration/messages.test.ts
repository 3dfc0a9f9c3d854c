import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inboundCallback, newWamid } from '../../channel/sandbox-callbacks.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const WINDOW_MS = 24 * 60 * 60 * 1000

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 7 * 24 * 3_600_000 })
  project = await service.project()
  await service.customer(project)
})
afterAll(() => service.stop())

const text = (more: object = {}) => ({
  type: 'text' as const,
  phone: '+15550001234',
  content: 'Hello',
  ...more,
})
const send = (more?: object, by = project) => by.client.ok('sendMessage', { body: text(more) })
const refused = (code: ErrorCode, more?: object, by = project) =>
  by.client.refused('sendMessage', code, { body: text(more) })
const messageOf = async (id: string | number, by = project) =>
  (await by.client.ok('getMessage', { path: { id: String(id) } })).message
/** What the channel was last asked to send. */
const lastAsked = () => service.sandbox.requests.at(-1)?.body

describe('POST /v1/messages', () => {
  it('answers with the wamid and the status sent, and the message becomes read', async () => {
    const sent = await send({ client_ref: 'order-1' })
    expect(sent).toEqual({ id: expect.stringMatching(/^wamid\./), status: 'sent' })

    await service.sandbox.idle()
    expect(await messageOf(sent.id)).toMatchObject({
      wamid: sent.id,
      direction: 'outbound',
      origin: 'api',
      type: 'text',
      content: 'Hello',
      status: 'read',
      client_ref: 'order-1',
      error: null,
    })
  })

  it('answers outside_24h_window from the very millisecond at which the window closes', async () => {
    const own = await service.project()
    const conversation = await service.customer(own, { phone: '+15550001300' })
    const byPhone = text({ phone: '+15550001300' })
    const byConversation = text({ phone: undefined, conversation_id: conversation.id })

    service.advance(WINDOW_MS - 1)
    for (const body of [byPhone, byConversation]) await own.client.ok('sendMessage', { body })
    service.advance(1)
    for (const body of [byPhone, byConversation]) {
      const closed = await own.client.refused('sendMessage', 'outside_24h_window', { body })
      expect(closed.status).toBe(409)
      expect(closed.details).toEqual({
        last_inbound_at: conversation.last_inbound_at,
        window_expired_at: conversation.window.expires_at,
      })
    }
    await service.customer(own, { phone: '+15550001300' })
    await own.client.ok('sendMessage', { body: byPhone })
    await service.customer(project)
  })

  it('reaches a customer who wrote within the day though the clock is hours ahead', async () => {
    const present = await startTestService()
    try {
      const own = await present.project()
      await present.customer(own, { phone: '+15550001300' })
      present.advance(WINDOW_MS)
      await own.client.ok('sendMessage', { body: text({ phone: '+15550001300' }) })
    } finally {
      await present.stop()
    }
  })

  it('answers outside_24h_window for a customer who has never written', async () => {
    const { details } = await refused('outside_24h_window', { phone: '+15550009999' })
    expect(details).toEqual({ last_inbound_at: null, window_expired_at: null })
  })

  it('leaves the conversation in its state', async () => {
    const own = await service.project()
    const { id } = await service.customer(own)
    await own.client.ok('updateConversation', { path: { id }, body: { state: 'handover' } })
    await send({}, own)

    const { conversation } = await own.client.ok('getConversation', { path: { id } })
    expect(conversation).toMatchObject({ state: 'handover', status: 'handover', unread_count: 0 })
  })
})

describe('the recipient', () => {
  it.each(['15550001234', '0015550001234', '+1 (555) 000-1234', '1.555.000.1234'])(
    'may be written as %s',
    async (phone) => {
      await send({ phone })
      expect(lastAsked()).toMatchObject({ to: '+15550001234' })
    },
  )

  it.each([
    ...['', '+', '123', '+1555000x234', '4'.repeat(40), '٠١٢٣٤٥٦٧٨٩', '0612345678'],
    ...[15550001234, null, true, ['+15550001234'], { number: '+15550001234' }],
  ])('is refused as invalid_phone when it is %j', async (phone) => {
    expect((await refused('invalid_phone', { phone })).status).toBe(400)
  })

  it('must be named exactly once', async () => {
    const { id } = await service.customer(project)
    expect((await refused('missing_recipient', { phone: undefined })).status).toBe(400)
    await refused('missing_recipient', { conversation_id: id })
  })

  it('may be a conversation, whose number is then used', async () => {
    const { id } = await service.customer(project)
    const sent = await send({ phone: undefined, conversation_id: id })
    expect(lastAsked()).toMatchObject({ to: '+15550001234' })
    expect(await messageOf(sent.id)).toMatchObject({ conversation_id: id })
  })

  it('may not be a conversation of another project, nor an unknown or a malformed one', async () => {
    const { id } = await service.customer(await service.project(), { phone: '+15550004321' })
    const foreign = await refused('not_found', { phone: undefined, conversation_id: id })
    const unknown = await refused('not_found', { phone: undefined, conversation_id: 999_999 })
    expect(foreign.status).toBe(404)
    expect(foreign.message.replace(String(id), '')).toBe(unknown.message.replace('999999', ''))
    for (const conversation_id of [0, -1, 1.5, '7', null, 2 ** 53, [id]]) {
      await refused('invalid_request', { phone: undefined, conversation_id })
    }
  })

  it('may be a customer whom the channel names by user id only', async () => {
    const own = await service.project()
    const message = { type: 'text', text: { body: 'Hi' } }
    const from = { userId: 'MX.13491208655302741918', name: 'Eva' }
    const account = await service.account(own.id)
    await service.callback(
      own.id,
      inboundCallback({ account, from, message, at: service.ctx.now() }),
    )
    const { conversations } = await own.client.ok('listConversations')
    expect(conversations).toMatchObject([{ contact: { phone: null, name: 'Eva' } }])

    const conversation_id = conversations[0]?.id
    const sent = await send({ phone: undefined, conversation_id }, own)
    expect(lastAsked()).toMatchObject({ recipient: from.userId })
    expect(lastAsked()).not.toHaveProperty('to')
    await service.sandbox.idle()
    expect(await messageOf(sent.id, own)).toMatchObject({ conversation_id, status: 'read' })
  })

  it('is found under either form of a Mexican number, and addressed as the caller wrote it', async () => {
    const own = await service.project()
    const { id } = await service.customer(own, { phone: '+5215512345678' })
    const sent = await send({ phone: '+525512345678' }, own)
    expect(lastAsked()).toMatchObject({ to: '+525512345678' })
    expect(await messageOf(sent.id, own)).toMatchObject({ conversation_id: id })
  })
})

describe('the content', () => {
  it('is 1 to 4,096 characters, an emoji counting as one', async () => {
    const { id } = await send({ content: '😀'.repeat(4_096) })
    expect((await messageOf(id)).content).toBe('😀'.repeat(4_096))
    expect((await refused('content_too_long', { content: 'a'.repeat(4_097) })).status).toBe(400)
    await refused('content_too_long', { content: '😀'.repeat(4_097) })
    await refused('missing_content', { content: '' })
    await refused('missing_content', { content: undefined })
  })

  it.each([
    '  ',
    '\u202eabc\u202c',
    "'; DROP TABLE messages; --",
    'a\r\n\tb',
    '__proto__',
    '{{1}}',
  ])('comes back as it was sent: %j', async (content) => {
    const { id } = await send({ content })
    expect((await messageOf(id)).content).toBe(content)
  })

  it.each([['\u0000'], ['\ud800'], ['a\udc00b'], [7], [null], [{}], [['a']]])(
    'is refused as invalid_request when it is %j',
    async (content) => {
      await refused('invalid_request', { content })
    },
  )
})

describe('the body', () => {
  it.each([undefined, null, 7, 'fax', 'TEXT', '', '__proto__', 'constructor', ['text']])(
    'of type %j is refused as unsupported_message_type',
    async (type) => {
      expect((await refused('unsupported_message_type', { type })).status).toBe(400)
    },
  )

  const tooLong = 'a'.repeat(256)
  it.each([{ foo: 1 }, { idempotency_key: 'a' }, { client_ref: '' }, { client_ref: tooLong }])(
    'with %j is refused as invalid_request, and nothing is sent',
    async (more) => {
      const { length } = service.sandbox.requests
      const { details } = await refused('invalid_request', more)
      expect(details.errors).toHaveLength(1)
      expect(service.sandbox.requests).toHaveLength(length)
    },
  )

  it('may quote a message by wamid or by number, and the channel is told the wamid', async () => {
    const { id: wamid } = await send()
    const { id } = await messageOf(wamid)
    for (const reply_to of [wamid, id, String(id)]) {
      const sent = await send({ reply_to })
      expect(lastAsked()).toMatchObject({ context: { message_id: wamid } })
      expect(await messageOf(sent.id)).toMatchObject({ reply_to: wamid })
    }
  })

  it('may not quote, by number, what is unknown or of another project', async () => {
    const other = await service.project()
    await service.customer(other)
    const { id } = await messageOf((await send({}, other)).id, other)
    for (const reply_to of ['999999', 999_999, String(id), id, '9'.repeat(20), 2 ** 53 - 1]) {
      await refused('not_found', { reply_to })
    }
  })
})

describe('GET /v1/messages/{id}', () => {
  it('finds a message by wamid and by number, and answers the same', async () => {
    const { id: wamid } = await send()
    await service.sandbox.idle()
    const message = await messageOf(wamid)
    expect(await messageOf(message.id)).toEqual(message)
  })

  it('answers 404 for another project, an unknown id and a number beyond every id', async () => {
    const other = await service.project()
    const { id: wamid } = await send()
    const { id } = await messageOf(wamid)
    for (const unknown of [
      wamid,
      String(id),
      '0',
      '00',
      '9'.repeat(20),
      'wamid.none',
      '-1',
      '1e3',
    ]) {
      await other.client.refused('getMessage', 'not_found', { path: { id: unknown } })
    }
  })

  it('finds a wamid with every character of base64, percent-encoded or as it is', async () => {
    const wamid = `wamid.+/${newWamid('1').slice(6)}//+==`
    const message = { type: 'text', text: { body: 'Hi' } }
    const from = { phone: '+15550001234' }
    const account = await service.account(project.id)
    const at = service.ctx.now()
    await service.callback(project.id, inboundCallback({ account, from, message, at, wamid }))
    expect(await messageOf(wamid)).toMatchObject({
      wamid,
      direction: 'inbound',
      status: 'received',
    })
    const { status, body } = await project.client.raw('GET', `/v1/messages/${wamid}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: { message: { wamid } } })
  })

  it('refuses an identifier that is none as invalid_id', async () => {
    for (const id of ['a b', 'wamid.\u00e9', 'a'.repeat(513), 'a\u0000']) {
      await project.client.refused('getMessage', 'invalid_id', { path: { id } })
    }
  })
})
