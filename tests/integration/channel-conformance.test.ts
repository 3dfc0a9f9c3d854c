import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { messageBody } from '../../channel/cloud-api.ts'
import { startSandbox } from '../../channel/sandbox.ts'
import type { Sandbox } from '../../channel/sandbox.ts'
import { accessToken, phoneNumberId, sandboxAccount } from '../support/channel.ts'
import { faults } from '../support/channel-schema.ts'

function bodyFor(message: { type: string } & Record<string, unknown>, replyTo?: string) {
  const to = { phone: '+34600111222' }
  return messageBody({ to, message, attemptId: 'att_1', ...(replyTo ? { replyTo } : {}) })
}

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({
    findAccount: () => Promise.resolve(sandboxAccount('http://127.0.0.1:9')),
    callbacks: false,
  })
})

afterAll(() => sandbox.close())

async function post(body: unknown) {
  const answer = await fetch(`${sandbox.url}/v25.0/${phoneNumberId}/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const interactive = (more: object) => ({
  type: 'interactive',
  interactive: { body: { text: 'Choose' }, ...more },
})

/** One good message of each type; the schema does not know link buttons. */
const messages: [string, string | null, { type: string } & Record<string, unknown>][] = [
  ['text', 'TextMessage', { type: 'text', text: { body: 'Hello', preview_url: true } }],
  ['image', 'ImageMessage', { type: 'image', image: { id: '1', caption: 'c' } }],
  ['video', 'VideoMessage', { type: 'video', video: { link: 'https://example.org/v.mp4' } }],
  ['audio', 'AudioMessage', { type: 'audio', audio: { id: '1' } }],
  ['document', 'DocumentMessage', { type: 'document', document: { id: '1', filename: 'a.pdf' } }],
  ['sticker', 'StickerMessage', { type: 'sticker', sticker: { id: '1' } }],
  [
    'location',
    'LocationMessage',
    {
      type: 'location',
      location: { latitude: '40.4', longitude: '-3.7', name: 'Office', address: 'Mayor 1' },
    },
  ],
  [
    'contacts',
    'ContactsMessage',
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Ana Ruiz', first_name: 'Ana' } }],
    },
  ],
  [
    'reaction',
    'ReactionMessage',
    {
      type: 'reaction',
      reaction: { message_id: 'wamid.A', emoji: '👍' },
    },
  ],
  [
    'buttons',
    'InteractiveMessage',
    interactive({
      type: 'button',
      action: { buttons: [reply('a', 'Yes'), reply('b', 'No')] },
    }),
  ],
  [
    'list',
    'InteractiveMessage',
    interactive({
      type: 'list',
      action: { button: 'Options', sections: [{ title: 'S', rows: [{ id: 'a', title: 'A' }] }] },
    }),
  ],
  [
    'flow',
    'InteractiveMessage',
    interactive({
      type: 'flow',
      action: {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Start' },
      },
    }),
  ],
  [
    'link button',
    null,
    interactive({
      type: 'cta_url',
      action: {
        name: 'cta_url',
        parameters: { display_text: 'See', url: 'https://example.org/' },
      },
    }),
  ],
  [
    'template',
    'TemplateMessage',
    {
      type: 'template',
      template: {
        name: 'spring_offer',
        language: { code: 'es_MX' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
      },
    },
  ],
]

describe("the channel's published schema", () => {
  it.each(messages)('fits what is sent and answered for %s', async (_, schema, message) => {
    const body = bodyFor(message, 'wamid.Q')

    const answer = await post(body)

    if (schema) expect(faults(schema, body)).toEqual([])
    expect(answer.status).toBe(200)
    expect(faults('MessageResponsePayload', answer.body)).toEqual([])
  })

  it('is no formality: it refuses what is not a message', () => {
    const misspelled = bodyFor({ type: 'text', text: { content: 'x' } })
    const mislabelled = bodyFor({ type: 'image', text: { body: 'x' } })

    expect(faults('TextMessage', misspelled)).not.toEqual([])
    expect(faults('TextMessage', mislabelled)).not.toEqual([])
    expect(faults('MessageResponsePayload', { messages: [{ id: 1 }] })).not.toEqual([])
  })
})

describe('the sandbox refuses, as the channel does,', () => {
  const text = (body: unknown) => ({ type: 'text', text: { body } })
  const buttons = (...all: unknown[]) => interactive({ type: 'button', action: { buttons: all } })
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }))
  const list = (...sections: unknown[]) =>
    interactive({ type: 'list', action: { button: 'Options', sections } })
  const template = (...components: object[]) => ({
    type: 'template',
    template: { name: 'a', language: { code: 'en' }, components },
  })

  it.each<[string, { type: string } & Record<string, unknown>, number]>([
    ['a text of 4,097 characters', text('x'.repeat(4097)), 100],
    ['an empty text', text(''), 131008],
    ['a text that is none', text(5), 100],
    ['a type that it does not know', { type: 'hologram', hologram: {} }, 100],
    ['a type without its object', { type: 'image' }, 131008],
    ['media with id and link', { type: 'image', image: { id: '1', link: 'https://a.b/' } }, 100],
    ['media with neither', { type: 'image', image: {} }, 100],
    ['media at an address that is none', { type: 'image', image: { link: 'file:///x' } }, 131009],
    ['a caption on a sticker', { type: 'sticker', sticker: { id: '1', caption: 'c' } }, 100],
    ['a long caption', { type: 'image', image: { id: '1', caption: 'x'.repeat(1025) } }, 100],
    [
      'a place that is not on earth',
      {
        type: 'location',
        location: { latitude: 91, longitude: 0 },
      },
      131009,
    ],
    ['a card without a name', { type: 'contacts', contacts: [{}] }, 131008],
    ['four buttons', buttons(...['a', 'b', 'c', 'd'].map((id) => reply(id, id))), 131009],
    ['a long button', buttons(reply('a', 'x'.repeat(21))), 100],
    ['two buttons with one id', buttons(reply('a', 'A'), reply('a', 'B')), 131009],
    ['a button whose id ends with a blank', buttons(reply('a ', 'A')), 131009],
    ['eleven rows', list({ title: 'A', rows: rows(11) }), 131009],
    ['two sections without titles', list({ rows: rows(1) }, { rows: rows(1) }), 131008],
    ['a template without a language', { type: 'template', template: { name: 'a' } }, 131008],
    [
      'a template parameter with a line break',
      template({
        type: 'body',
        parameters: [{ type: 'text', text: 'a\nb' }],
      }),
      132018,
    ],
    [
      'an empty template parameter',
      template({
        type: 'body',
        parameters: [{ type: 'text', text: '' }],
      }),
      131008,
    ],
    ['a template component that it does not know', template({ type: 'footer' }), 100],
    [
      'a template header without its medium',
      template({
        type: 'header',
        parameters: [{ type: 'image', image: {} }],
      }),
      100,
    ],
    [
      'a named template image',
      template({
        type: 'header',
        parameters: [{ type: 'image', image: { id: '1', filename: 'a' } }],
      }),
      100,
    ],
    [
      'a template button without its place',
      template({
        type: 'button',
        sub_type: 'quick_reply',
        parameters: [],
      }),
      131009,
    ],
    [
      'a template button without its kind',
      template({
        type: 'button',
        index: '0',
        parameters: [],
      }),
      131008,
    ],
    [
      'a long coupon code',
      template({
        type: 'button',
        sub_type: 'copy_code',
        index: '0',
        parameters: [{ type: 'coupon_code', coupon_code: 'x'.repeat(21) }],
      }),
      100,
    ],
  ])('%s', async (_, message, code) => {
    const answer = await post(bodyFor(message))

    const error = { code, type: 'OAuthException' }
    expect(answer).toMatchObject({ status: 400, body: { error } })
  })

  it.each<[string, object, number]>([
    ['no recipient', { to: undefined }, 131008],
    ['a recipient that is no number', { to: 'someone' }, 131009],
    ['another product', { messaging_product: 'telegram' }, 100],
    ['a long callback text', { biz_opaque_callback_data: 'x'.repeat(513) }, 100],
    ['a context without an id', { context: {} }, 131008],
  ])('%s', async (_, more, code) => {
    const answer = await post({ ...bodyFor(text('Hello')), ...more })

    expect(answer).toMatchObject({ status: 400, body: { error: { code } } })
  })

  it('a body that is no JSON object', async () => {
    expect(await post([1])).toMatchObject({ status: 400, body: { error: { code: 100 } } })
  })
})
