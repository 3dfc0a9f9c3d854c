import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { phoneMatchKey } from '../../core/phone.ts'
import { inTheWay, OPEN_CONVERSATION, untilWaiting } from '../support/locks.ts'
import { storedMedium, storeMedium } from '../support/media.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, buttons, header, storeTemplate, type TemplateParts } from '../support/templates.ts'

const PHONE = '+15550001234'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 7 * 24 * 3_600_000 })
  project = await service.project()
  await storeMedium(service, project)
  await storeMedium(service, project, { kind: 'image', slug: 'bike', mediaId: '43' })
})
afterAll(() => service.stop())

let made = 0
/** Keeps a template under a name of its own. */
async function store(components: object[], more: Partial<TemplateParts> = {}, by = project) {
  const name = `template_${++made}`
  await storeTemplate(service, by, { name, components, ...more })
  return name
}
const request = (name: string, more: object = {}) => ({
  type: 'template' as const,
  phone: PHONE,
  template_name: name,
  language: 'en_US',
  ...more,
})
async function send(name: string, more: object = {}, by = project) {
  const { id } = await by.client.ok('sendMessage', { body: request(name, more) })
  const { message } = await by.client.ok('getMessage', { path: { id } })
  const asked = service.sandbox.requests.at(-1)?.body as { to: string; template: object }
  return { asked, message }
}
const text = (value: string) => ({ type: 'text', text: value })
const { media_id: mediaId, slug, filename } = storedMedium
const link = 'https://cdn.example.org/a.pdf'
const hello = body('Hello {{1}}, order {{2}} is here.')

describe('a template', () => {
  it('without variables is sent by its name and language, without components', async () => {
    const footer = { type: 'FOOTER', text: 'Bye' }
    const name = await store([header('TEXT', 'News'), body('We are open.'), footer])
    const { asked, message } = await send(name)

    expect(asked).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: PHONE,
      type: 'template',
      template: { name, language: { code: 'en_US' } },
      biz_opaque_callback_data: expect.any(String),
    })
    expect(message).toMatchObject({
      type: 'template',
      content: 'We are open.',
      media: null,
      payload: null,
      template: { name, language: 'en_US', variables: {} },
    })
  })

  it.each([[{ 1: 'Ana', 2: '1042' }], [{ 2: '1042', 1: 'Ana' }], [['Ana', '1042']]])(
    'takes its positional variables as %j, and its content is the body with them',
    async (variables) => {
      const name = await store([hello])
      const { asked, message } = await send(name, { variables })

      const components = [{ type: 'body', parameters: [text('Ana'), text('1042')] }]
      expect(asked.template).toEqual({ name, language: { code: 'en_US' }, components })
      expect(message).toMatchObject({
        content: 'Hello Ana, order 1042 is here.',
        template: { name, language: 'en_US', variables: { 1: 'Ana', 2: '1042' } },
      })
    },
  )

  it.each([[{ order: '1042', first_name: 'Ana' }], [['Ana', '1042']]])(
    'takes its named variables as %j, and the channel is told their names',
    async (variables) => {
      const named = body('Hello {{first_name}}, order {{order}} is here, {{first_name}}.')
      const name = await store([named], { parameterFormat: 'NAMED' })
      const { asked, message } = await send(name, { variables })

      const parameters = [
        { type: 'text', parameter_name: 'first_name', text: 'Ana' },
        { type: 'text', parameter_name: 'order', text: '1042' },
      ]
      expect(asked.template).toMatchObject({ components: [{ type: 'body', parameters }] })
      expect(message).toMatchObject({
        content: 'Hello Ana, order 1042 is here, Ana.',
        template: { variables: { first_name: 'Ana', order: '1042' } },
      })
    },
  )

  it('takes the variable of a text header, by position or by name', async () => {
    const given = { header: { text: '1042' } }
    const positional = await send(await store([header('TEXT', 'Order {{1}}'), body('Hi.')]), given)
    expect(positional.asked.template).toMatchObject({
      components: [{ type: 'header', parameters: [text('1042')] }],
    })
    expect(positional.message.payload).toEqual({ ...given, buttons: [] })

    const format = { parameterFormat: 'NAMED' as const }
    const named = await send(
      await store([header('TEXT', 'Order {{id}}'), body('Hi.')], format),
      given,
    )
    const parameters = [{ type: 'text', parameter_name: 'id', text: '1042' }]
    expect(named.asked.template).toMatchObject({ components: [{ type: 'header', parameters }] })
  })

  const unknown = { media_id: null, slug: null, mime_type: null, filename: null, sha256: null }
  const titled = { filename: 'b.pdf' }
  it.each<[string, object, object, object]>([
    ['IMAGE', { media_id: '42' }, { id: '42' }, { ...unknown, media_id: '42' }],
    [
      'IMAGE',
      { media_slug: 'bike' },
      { id: '43' },
      { ...storedMedium, slug: 'bike', media_id: '43' },
    ],
    ['VIDEO', { media_url: link }, { link }, unknown],
    ['DOCUMENT', { media_slug: slug }, { id: mediaId, filename }, storedMedium],
    ['DOCUMENT', { media_url: link, ...titled }, { link, ...titled }, { ...unknown, ...titled }],
  ])('with a header of %s takes %j', async (format, given, medium, held) => {
    const name = await store([header(format), body('Here it is.')])
    const { asked, message } = await send(name, { header: given })

    const type = format.toLowerCase()
    const components = [{ type: 'header', parameters: [{ type, [type]: medium }] }]
    expect(asked.template).toEqual({ name, language: { code: 'en_US' }, components })
    expect(message.media).toEqual(held)
  })

  it('takes the values of its buttons, each at its place, and leaves out what needs none', async () => {
    const all = buttons(
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'QUICK_REPLY', text: 'Stop' },
      { type: 'URL', text: 'Home', url: 'https://a.example/' },
      { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}' },
      { type: 'COPY_CODE', example: 'SAVE25' },
      { type: 'FLOW', text: 'Start', flow_id: '7' },
    )
    const given = [
      { index: 4, value: 'SAVE30' },
      { index: 1, value: 'stop:\n77' },
      { index: 3, value: 'o/1042?x=1' },
    ]
    const more = { variables: ['Ana', '7'], buttons: given }
    const { asked, message } = await send(await store([hello, all]), more)

    const button = (sub_type: string, index: string, parameter: object) => ({
      type: 'button',
      sub_type,
      index,
      parameters: [parameter],
    })
    expect(asked.template).toHaveProperty('components', [
      { type: 'body', parameters: [text('Ana'), text('7')] },
      button('quick_reply', '1', { type: 'payload', payload: 'stop:\n77' }),
      button('url', '3', text('o/1042?x=1')),
      button('copy_code', '4', { type: 'coupon_code', coupon_code: 'SAVE30' }),
      button('flow', '5', { type: 'action', action: {} }),
    ])
    expect(message.payload).toEqual({ header: null, buttons: given })
  })

  it('of a one-time code gives the code twice: in its body and to its button', async () => {
    const category = 'AUTHENTICATION'
    const bare = { type: 'BODY', add_security_recommendation: true }
    const name = await store([bare, buttons({ type: 'OTP', otp_type: 'COPY_CODE' })], { category })
    const { asked, message } = await send(name, { variables: ['123456'] })

    expect(asked.template).toHaveProperty('components', [
      { type: 'body', parameters: [text('123456')] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [text('123456')] },
    ])
    expect(message.content).toBe('*123456* is your verification code.')
  })

  it('may quote a message and carry a reference', async () => {
    const more = { reply_to: 'wamid.quoted', client_ref: 'r-1' }
    const { asked, message } = await send(await store([body('Hi.')]), more)
    expect(asked).toMatchObject({ context: { message_id: 'wamid.quoted' } })
    expect(message).toMatchObject({ reply_to: 'wamid.quoted', client_ref: 'r-1' })
  })
})

describe('the customer of a template', () => {
  it('may never have written: contact and conversation are made, with it on top', async () => {
    const own = await service.project()
    await service.customer(own, { phone: '+15550001111' })
    service.advance(1_000)
    const name = await store([hello], {}, own)
    const { asked, message } = await send(
      name,
      { phone: '+1 555 000 2222', variables: ['A', 'B'] },
      own,
    )

    expect(asked).toMatchObject({ to: '+15550002222' })
    const { conversations } = await own.client.ok('listConversations')
    expect(conversations).toHaveLength(2)
    expect(conversations[0]).toMatchObject({
      id: message.conversation_id,
      state: 'unstructured',
      unread_count: 0,
      contact: { phone: '+15550002222', name: null },
      last_inbound_at: null,
      window: { open: false, expires_at: null },
      last_message: { id: message.id, type: 'template', content: 'Hello A, order B is here.' },
    })
    const { contact } = await own.client.ok('getContact', { path: { id: message.contact_id } })
    expect(contact).toMatchObject({ phone: '+15550002222' })
  })

  it('may be a contact who has no conversation yet, and keeps what is known of him', async () => {
    const own = await service.project()
    const phone = '+5215512345678'
    const contact = { projectId: own.id, phone, matchKey: phoneMatchKey(phone), name: 'Eva' }
    const { id } = await service.ctx.db.contact.create({ data: { ...contact, tags: ['vip'] } })
    const otherForm = { phone: '+525512345678' }
    const { message } = await send(await store([body('Hi.')], {}, own), otherForm, own)

    expect(message).toMatchObject({ contact_id: Number(id) })
    const { contacts } = await own.client.ok('listContacts')
    expect(contacts).toMatchObject([{ id: Number(id), phone, name: 'Eva', tags: ['vip'] }])
  })

  it('gets one conversation, however often and under whichever form he is written to', async () => {
    const own = await service.project()
    const name = await store([body('Hi.')], {}, own)
    const phones = ['+5215512345678', '+525512345678', '+5215512345678', '+525512345678']
    await Promise.all(phones.map((phone) => send(name, { phone }, own)))
    await service.customer(own, { phone: '+5215512345678' })

    const { conversations } = await own.client.ok('listConversations')
    expect(conversations).toHaveLength(1)
    const path = { id: conversations[0]!.id }
    expect((await own.client.ok('listConversationMessages', { path })).messages).toHaveLength(5)
  })

  it('may write his first message at the same moment, when PostgreSQL ends one of the two', async () => {
    const own = await service.project()
    const name = await store([body('Hi.')], {}, own)
    const { id } = await service.ctx.db.contact.create({
      data: { projectId: own.id, phone: PHONE, matchKey: '15550001234', tags: [] },
    })
    let sending: ReturnType<typeof send> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(OPEN_CONVERSATION, [own.id, id])
      sending = send(name, {}, own)
      await untilWaiting(service.ctx)
      await query("UPDATE contacts SET profile_name = 'Ana' WHERE id = $1", [id])
    })
    expect((await sending)?.message).toMatchObject({ contact_id: Number(id) })
  })

  it('is reached by number and conversation outside the window, which stays shut', async () => {
    const own = await service.project()
    const { id } = await service.customer(own, { phone: PHONE })
    const name = await store([body('Hi.')], {}, own)
    service.advance(25 * 3_600_000)

    await send(name, {}, own)
    const { asked, message } = await send(name, { phone: undefined, conversation_id: id }, own)
    expect(asked).toMatchObject({ to: PHONE })
    expect(message).toMatchObject({ conversation_id: id })
    await service.customer(own, { phone: '+15550001111' })
    const free = { type: 'text', phone: PHONE, content: 'Hi' }
    await own.client.refused('sendMessage', 'outside_24h_window', { body: free })
  })

  it('hears of delivery and reading as of any message', async () => {
    const { message } = await send(await store([body('Hi.')]), { phone: '+15550003333' })
    await service.sandbox.idle()
    const { message: read } = await project.client.ok('getMessage', { path: { id: message.wamid } })
    expect(read).toMatchObject({ status: 'read', delivered_at: expect.any(String) })
  })

  it('must be a conversation of the project, if it is one', async () => {
    const name = await store([body('Hi.')])
    const { id } = await service.customer(await service.project(), { phone: PHONE })
    for (const conversation_id of [id, 999_999]) {
      const wrong = request(name, { phone: undefined, conversation_id })
      await project.client.refused('sendMessage', 'not_found', { body: wrong })
    }
  })
})
