import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15550001234'
const QUOTED = 'wamid.quoted'

let service: TestService
let project: TestProject
let conversationId: number

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  const { id } = await service.customer(project, { phone: PHONE })
  conversationId = id
  const [account, at] = [await service.account(project.id), service.ctx.now()]
  const message = { type: 'text', text: { body: 'Quote me' } }
  const quoted = { account, from: { phone: PHONE }, message, at, wamid: QUOTED }
  await service.callback(project.id, inboundCallback(quoted))
  await storeFlow(service, project, { id: '12345' })
})
afterAll(() => service.stop())

/** Sends a message; answers with what the channel was asked and with the stored message. */
async function send(request: object) {
  const body = { phone: PHONE, ...request } as never
  const { id } = await project.client.ok('sendMessage', { body })
  const { message } = await project.client.ok('getMessage', { path: { id } })
  return { asked: service.sandbox.requests.at(-1)?.body, message }
}

const envelope = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: PHONE,
  biz_opaque_callback_data: expect.stringMatching(/^[0-9a-f-]{36}$/),
}
const link = 'https://cdn.example.org/file'
const noMedium = { media_id: null, slug: null, mime_type: null, filename: null, sha256: null }
const card = {
  name: { formatted_name: 'Ana Ruiz', first_name: 'Ana' },
  phones: [{ phone: '+34600111222', type: 'WORK' }],
  birthday: '1990-05-17',
}
const sections = [
  { title: 'Fast', rows: [{ id: 'exp', title: 'Express', description: '1-2 days' }] },
  { title: 'Cheap', rows: [{ id: 'std', title: 'Standard' }] },
]
const yesAndNo = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
]
const flow = { flow_message_version: '3', flow_id: '12345', flow_cta: 'Start' }
const interactive = (type: string, action: object, more: object = {}) => ({
  type: 'interactive',
  interactive: { type, body: { text: 'Choose' }, action, ...more },
})

type Case = { does: string; request: object; asked: object; held?: object }

const cases: Case[] = [
  {
    does: 'a text without a preview',
    request: { type: 'text', content: 'Hi https://a.example' },
    asked: { type: 'text', text: { body: 'Hi https://a.example', preview_url: false } },
    held: { content: 'Hi https://a.example' },
  },
  {
    does: 'a text with a preview',
    request: { type: 'text', content: 'Hi', preview_url: true },
    asked: { type: 'text', text: { body: 'Hi', preview_url: true } },
    held: { content: 'Hi' },
  },
  ...['image', 'video'].map((type) => ({
    does: `one ${type} with a caption`,
    request: { type, media_url: link, content: 'Look' },
    asked: { type, [type]: { link, caption: 'Look' } },
    held: { content: 'Look', media: noMedium },
  })),
  ...['image', 'video', 'audio', 'document', 'sticker'].map((type) => ({
    does: `one ${type} by its media id, with nothing else`,
    request: { type, media_id: '987654' },
    asked: { type, [type]: { id: '987654' } },
    held: { media: { ...noMedium, media_id: '987654' } },
  })),
  {
    does: 'a document with its name',
    request: { type: 'document', media_url: link, content: 'Yours', filename: 'a b.pdf' },
    asked: { type: 'document', document: { link, caption: 'Yours', filename: 'a b.pdf' } },
    held: { content: 'Yours', media: { ...noMedium, filename: 'a b.pdf' } },
  },
  {
    does: 'a location, whose coordinates become texts',
    request: { type: 'location', latitude: 40.4168, longitude: -3.7, name: 'Shop', address: 'A 1' },
    asked: {
      type: 'location',
      location: { latitude: '40.4168', longitude: '-3.7', name: 'Shop', address: 'A 1' },
    },
    held: { payload: { latitude: 40.4168, longitude: -3.7, name: 'Shop', address: 'A 1' } },
  },
  {
    does: 'a location with nothing but coordinates, never written as powers of ten',
    request: { type: 'location', latitude: 1e-7, longitude: -180 },
    asked: { type: 'location', location: { latitude: '0', longitude: '-180' } },
    held: { payload: { latitude: 1e-7, longitude: -180, name: null, address: null } },
  },
  {
    does: "contact cards in the channel's own shape, with a part of the name beside the whole of it",
    request: { type: 'contacts', contacts: [card, { name: { formatted_name: 'Bo' } }] },
    asked: {
      type: 'contacts',
      contacts: [card, { name: { formatted_name: 'Bo', first_name: 'Bo' } }],
    },
    held: { payload: { contacts: [card, { name: { formatted_name: 'Bo' } }] } },
  },
  ...['👍', '👩‍👩‍👧‍👦', ''].map((emoji) => ({
    does: `a reaction with "${emoji}", which quotes nothing`,
    request: { type: 'reaction', reply_to: QUOTED, emoji },
    asked: { type: 'reaction', reaction: { message_id: QUOTED, emoji } },
    held: { payload: { message_id: QUOTED, emoji }, reply_to: QUOTED },
  })),
  {
    does: 'buttons',
    request: { type: 'buttons', content: 'Choose', buttons: yesAndNo },
    asked: interactive('button', {
      buttons: yesAndNo.map((reply) => ({ type: 'reply', reply })),
    }),
    held: { content: 'Choose', payload: { header: null, footer: null, buttons: yesAndNo } },
  },
  {
    does: 'a list with a header and a footer',
    request: {
      type: 'list',
      content: 'Choose',
      header: 'Top',
      footer: 'End',
      button_text: 'Options',
      sections,
    },
    asked: interactive(
      'list',
      { button: 'Options', sections },
      { header: { type: 'text', text: 'Top' }, footer: { text: 'End' } },
    ),
    held: {
      content: 'Choose',
      payload: { header: 'Top', footer: 'End', button_text: 'Options', sections },
    },
  },
  {
    does: 'a list of one section without a title',
    request: { type: 'list', content: 'Choose', button_text: 'Go', sections: [{ rows: yesAndNo }] },
    asked: interactive('list', { button: 'Go', sections: [{ rows: yesAndNo }] }),
    held: {
      content: 'Choose',
      payload: { header: null, footer: null, button_text: 'Go', sections: [{ rows: yesAndNo }] },
    },
  },
  {
    does: 'a button that opens a page',
    request: {
      type: 'cta_url',
      content: 'Choose',
      button_text: 'See',
      url: 'https://a.example/?c=9',
    },
    asked: interactive('cta_url', {
      name: 'cta_url',
      parameters: { display_text: 'See', url: 'https://a.example/?c=9' },
    }),
    held: {
      content: 'Choose',
      payload: { header: null, footer: null, button_text: 'See', url: 'https://a.example/?c=9' },
    },
  },
  {
    does: 'a flow with nothing but its button',
    request: { type: 'flow', content: 'Choose', flow_id: '12345', button_text: 'Start' },
    asked: interactive('flow', { name: 'flow', parameters: flow }),
    held: {
      content: 'Choose',
      payload: {
        header: null,
        footer: null,
        flow_id: '12345',
        button_text: 'Start',
        screen: null,
        flow_data: null,
        flow_token: null,
      },
    },
  },
  {
    does: 'a flow with its first screen, data and token',
    request: {
      type: 'flow',
      content: 'Choose',
      flow_id: '12345',
      button_text: 'Start',
      screen: 'WELCOME',
      flow_data: { a: { b: [1] } },
      flow_token: 't-1',
    },
    asked: interactive('flow', {
      name: 'flow',
      parameters: {
        ...flow,
        flow_token: 't-1',
        flow_action: 'navigate',
        flow_action_payload: { screen: 'WELCOME', data: { a: { b: [1] } } },
      },
    }),
    held: {
      content: 'Choose',
      payload: expect.objectContaining({ flow_data: { a: { b: [1] } }, flow_token: 't-1' }),
    },
  },
]

describe('POST /v1/messages sends and keeps', () => {
  it.each(cases)('$does', async ({ request, asked, held }) => {
    const sent = await send(request)

    expect(sent.asked).toEqual({ ...envelope, ...asked })
    expect(sent.message).toMatchObject({
      type: (request as { type: string }).type,
      direction: 'outbound',
      origin: 'api',
      content: null,
      media: null,
      payload: null,
      template: null,
      reply_to: null,
      ...held,
    })
  })

  it.each(cases.filter(({ asked }) => !('reaction' in asked)))(
    '$does, as a quotation, into a conversation and with a reference',
    async ({ request, asked }) => {
      const more = { conversation_id: conversationId, reply_to: QUOTED, client_ref: 'r-1' }
      const sent = await send({ ...request, ...more, phone: undefined })

      expect(sent.asked).toEqual({ ...envelope, ...asked, context: { message_id: QUOTED } })
      expect(sent.message).toMatchObject({
        conversation_id: conversationId,
        reply_to: QUOTED,
        client_ref: 'r-1',
      })
    },
  )

  it('a reaction to a message that is named by its number', async () => {
    const { message } = await project.client.ok('getMessage', { path: { id: QUOTED } })
    const sent = await send({ type: 'reaction', reply_to: message.id, emoji: '👍' })

    expect(sent.asked).toMatchObject({ reaction: { message_id: QUOTED } })
    expect(sent.message).toMatchObject({ reply_to: QUOTED, payload: { message_id: QUOTED } })
  })
})
