import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'

const folder = new URL('../fixtures/channel/', import.meta.url)
const callbacks = /^(in|status|tpl|account|business|phone|value)_.*\.json$/
const names = readdirSync(folder).filter((name) => callbacks.test(name))
const here = '106540352242922'
const receivedAt = new Date('2026-11-21T09:30:00Z')

type Envelope = { entry: [{ changes: [{ value: Record<string, unknown> }] }] }

function fixture(name: string): Envelope {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
}

function numberIn(body: Envelope): string {
  const { metadata } = body.entry[0].changes[0].value as { metadata?: { phone_number_id: string } }
  return metadata?.phone_number_id ?? here
}

function read(name: string) {
  const body = fixture(name)
  return readCallback(body, numberIn(body), receivedAt)
}

function callback(value: object, field = 'messages') {
  const metadata = { display_phone_number: '15550783881', phone_number_id: here }
  const changes = [{ field, value: { metadata, ...value } }]
  return { object: 'whatsapp_business_account', entry: [{ id: '1022', changes }] }
}

function message(more: object) {
  const common = { from: '16505551234', id: 'wamid.A', timestamp: '1749416383' }
  return readCallback(callback({ messages: [{ ...common, ...more }] }), here, receivedAt)
}

function status(more: object) {
  const common = { id: 'wamid.A', timestamp: '1749416383', recipient_id: '16505551234' }
  return readCallback(callback({ statuses: [{ ...common, ...more }] }), here, receivedAt)
}

describe('a recorded callback', () => {
  it.each(names)('%s is read without loss', (name) => {
    const body = fixture(name.replace('.json', ''))

    const updates = readCallback(body, numberIn(body), receivedAt)

    const { messages, statuses, templates, others, rejected } = updates
    expect(rejected).toEqual([])
    expect([...messages, ...statuses, ...templates, ...others]).toHaveLength(1)
  })

  it.each<[string, object]>([
    [
      'in_text_product_inquiry',
      {
        type: 'text',
        content: 'Is this still available?',
        payload: {
          context: {
            referred_product: { catalog_id: '194836987003835', product_retailer_id: 'di9ozbzfi4' },
          },
        },
        replyTo: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGA9wcm9kdWN0X2lucXVpcnkA',
        waId: '16505551234',
        userId: null,
        profileName: 'Sheena Nelson',
        sentAt: new Date(1_750_016_800_000),
        opensWindow: true,
      },
    ],
    ['in_text_bsuid_only', { type: 'text', waId: null, userId: 'US.13491208655302741918' }],
    [
      'in_image',
      {
        type: 'image',
        content: 'Taj Mahal',
        media: {
          media_id: '1003383421387256',
          slug: null,
          mime_type: 'image/jpeg',
          filename: null,
          sha256: '49f227634806293b0995459bc310b593e1400f41591efcf07e9bced335f41942',
        },
        payload: null,
      },
    ],
    ['in_audio_voice', { type: 'audio', content: null, payload: { voice: true } }],
    ['in_sticker', { type: 'sticker', payload: { animated: true } }],
    [
      'in_document',
      {
        type: 'document',
        content: 'caption',
        media: expect.objectContaining({ filename: 'filename.pdf' }),
        payload: { context: { forwarded: true } },
      },
    ],
    [
      'in_location_minimal',
      {
        type: 'location',
        payload: {
          latitude: 12.25089,
          longitude: 43.90539,
          name: null,
          address: null,
          context: { forwarded: true },
        },
      },
    ],
    [
      'in_reaction',
      {
        type: 'reaction',
        payload: {
          message_id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI0RTJEOTc2ODVERUY5RDlGNkYA',
          emoji: '👍',
        },
      },
    ],
    [
      'in_reaction_removed_empty',
      {
        type: 'reaction',
        payload: { message_id: 'wamid.yzxyzx=', emoji: null },
      },
    ],
    [
      'in_button_template_quick_reply',
      {
        type: 'button_reply',
        content: 'Unsubscribe',
        payload: { id: 'Unsubscribe', title: 'Unsubscribe' },
      },
    ],
    [
      'in_interactive_button_reply',
      {
        type: 'button_reply',
        content: 'Cancel',
        payload: { id: 'cancel-button', title: 'Cancel' },
      },
    ],
    [
      'in_interactive_list_reply',
      {
        type: 'list_reply',
        content: 'Priority Mail Express',
        payload: {
          id: 'priority_express',
          title: 'Priority Mail Express',
          description: 'Next Day to 2 Days',
        },
      },
    ],
    [
      'in_interactive_nfm_reply_no_token',
      {
        type: 'flow_reply',
        content: 'Sent',
        payload: {
          name: 'flow',
          response: expect.objectContaining({ comment_text: 'Comment Text' }),
          flow_token: null,
        },
        replyTo: 'wamid.gvwegfretge==',
      },
    ],
    [
      'in_system_user_changed_number',
      {
        type: 'system',
        opensWindow: false,
        payload: expect.objectContaining({ wa_id: '12195555358', type: 'user_changed_number' }),
      },
    ],
    [
      'in_unsupported_with_subtype',
      {
        type: 'unsupported',
        payload: expect.objectContaining({ unsupported: { type: 'edit' } }),
      },
    ],
  ])('%s becomes one of our messages', (name, expected) => {
    expect(read(name).messages).toEqual([expect.objectContaining(expected)])
  })

  it.each<[string, object]>([
    ['status_sent', { status: 'sent', waId: '972987654321', error: null }],
    ['status_played', { status: 'read' }],
    ['status_delivered_bsuid', { status: 'delivered', userId: 'US.13491208655302741918' }],
    [
      'status_failed_131049',
      {
        status: 'failed',
        error: expect.objectContaining({ code: '131049', retryable: true }),
      },
    ],
  ])('%s becomes a step in the life of a message', (name, expected) => {
    expect(read(name).statuses).toEqual([expect.objectContaining(expected)])
  })

  it('about anything else is handed on under its field', () => {
    expect(read('value_errors_130429').others[0]?.field).toBe('errors')
  })
})

describe('an inbound message', () => {
  it.each([
    ['of an unknown type', { type: 'hologram', hologram: { id: 1 } }],
    ['without a type', {}],
    ['whose object is missing', { type: 'interactive' }],
    ['named like a member of every object', { type: 'constructor', constructor: {} }],
    ['that was edited', { type: 'edit', edit: { original_message_id: 'wamid.0' } }],
    ['that was revoked', { type: 'revoke', revoke: { original_message_id: 'wamid.0' } }],
  ])('%s is kept whole as unsupported', (_, raw) => {
    const { messages, rejected } = message(raw)

    expect(messages).toMatchObject([{ type: 'unsupported', payload: { id: 'wamid.A', ...raw } }])
    expect(rejected).toEqual([])
  })

  it('keeps an order, a referral and a contact card under the payload', () => {
    const items = [{ product_retailer_id: 'p', quantity: 2, item_price: 3, currency: 'USD' }]
    const referral = { source_type: 'ad', source_id: '1' }
    const cards = [{ name: { formatted_name: 'Ana' } }]

    const order = message({ type: 'order', order: { catalog_id: 'c', product_items: items } })
    const text = message({ type: 'text', text: { body: 'hi' }, referral })
    const contacts = message({ type: 'contacts', contacts: cards })

    expect(order.messages[0]?.payload).toEqual({
      catalog_id: 'c',
      text: null,
      product_items: items,
    })
    expect(text.messages[0]?.payload).toEqual({ referral })
    expect(contacts.messages[0]?.payload).toEqual({ contacts: cards })
  })

  it('keeps the answers of a flow, readable or not', () => {
    const flow = (json: unknown) =>
      message({
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: json } },
      }).messages[0]?.payload

    expect(flow('{"flow_token":"t:1","rating":"5"}')).toEqual({
      name: 'flow',
      response: { flow_token: 't:1', rating: '5' },
      flow_token: 't:1',
    })
    expect(flow('{"rating":')).toMatchObject({ response: '{"rating":', flow_token: null })
    expect(flow(undefined)).toMatchObject({ response: null, flow_token: null })
  })

  it('holds nothing that the database refuses, and no endless text', () => {
    const body = `a\u0000b\ud800c${'x'.repeat(70_000)}`

    const referral = { 'k\u0000': ['\udfff'] }

    const { messages } = message({ type: 'text', text: { body }, referral })

    expect(messages[0]?.content).toMatch(/^ab\ufffdcx+$/)
    expect(messages[0]?.content?.length).toBeLessThanOrEqual(65_536)
    expect(messages[0]?.payload).toEqual({ referral: { k: ['\ufffd'] } })
  })

  it('does not take the prototype from a payload, nor bottomless nesting', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    const polluted = JSON.parse('{"__proto__":{"admin":true},"type":"x"}')

    const { messages } = message({ type: 'system', system: polluted, referral: deep })

    expect(messages).toHaveLength(1)
    expect(Object.getPrototypeOf(messages[0]?.payload)).toBe(Object.prototype)
    expect(messages[0]?.payload).not.toHaveProperty('admin')
    expect(() => JSON.stringify(messages)).not.toThrow()
  })

  it.each([
    ['no id', { id: undefined }],
    ['an id too long to be stored', { id: 'w'.repeat(600) }],
    ['no sender', { from: undefined }],
    ['a sender that is no number', { from: 'x'.repeat(9) }],
  ])('with %s is rejected with a reason', (_, raw) => {
    const { messages, rejected } = message({ type: 'text', text: { body: 'hi' }, ...raw })

    expect(messages).toEqual([])
    expect(rejected).toEqual([{ reason: expect.stringMatching(/\w+/) }])
  })

  it.each([1_749_416_383, '1749416383000', 1_749_416_383_999])('is of the time %j', (timestamp) => {
    const { messages } = message({ type: 'text', text: { body: 'hi' }, timestamp })
    expect(messages[0]?.sentAt).toEqual(new Date('2025-06-08T20:59:43Z'))
  })

  it.each([undefined, 'soon', -5, '9'.repeat(13)])('is of its receipt for %j', (timestamp) => {
    const { messages } = message({ type: 'text', text: { body: 'hi' }, timestamp })
    expect(messages).toMatchObject([{ content: 'hi', sentAt: receivedAt }])
  })
})

describe('a status', () => {
  it('carries the attempt that caused the message', () => {
    expect(status({ status: 'sent', biz_opaque_callback_data: 'att_1' }).statuses).toMatchObject([
      { wamid: 'wamid.A', status: 'sent', attemptId: 'att_1', waId: '16505551234' },
    ])
  })

  it.each([undefined, 'soon'])('is of its receipt for the time %j', (timestamp) => {
    expect(status({ status: 'read', timestamp }).statuses).toMatchObject([{ at: receivedAt }])
  })

  it('that failed has an error even when the channel gives none', () => {
    expect(status({ status: 'failed' }).statuses[0]?.error).toEqual({
      code: 'unknown',
      title: 'Unknown channel error',
      details: null,
      retryable: false,
    })
  })

  it('of a payment says nothing of the message, and is not followed', () => {
    const { statuses, rejected } = status({ status: 'failed', type: 'payment' })
    expect([statuses, rejected]).toEqual([[], [{ reason: expect.stringContaining('payment') }]])
  })

  it.each([['deleted'], ['warning'], ['SENT'], [null], [{}], [{ toString: 1 }]])(
    '%j is not followed, and said so',
    (name) => {
      const { statuses, rejected } = status({ status: name })

      expect(statuses).toEqual([])
      expect(rejected).toHaveLength(1)
    },
  )
})

describe('a callback that is not as it should be', () => {
  const text = { type: 'text', text: { body: 'a' } }
  const good = { from: '16505551234', id: 'w', timestamp: '1', ...text }

  it.each([
    [null],
    [undefined],
    ['text'],
    [[]],
    [{}],
    [{ object: 'page', entry: [] }],
    [{ object: 'whatsapp_business_account', entry: 'x' }],
    [{ object: 'whatsapp_business_account', entry: [null] }],
    [{ object: 'whatsapp_business_account', entry: [{ changes: {} }] }],
    [{ object: 'whatsapp_business_account', entry: [{ changes: [7] }] }],
    [{ object: 'whatsapp_business_account', entry: [{ changes: [{}] }] }],
    [{ object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages' }] }] }],
    [callback({ messages: {} })],
    [callback({ messages: [3] })],
    [callback({ statuses: [null] })],
  ])('%j is rejected without an exception', (body) => {
    const { messages, statuses, others, rejected } = readCallback(body, here, receivedAt)

    expect([messages, statuses, others]).toEqual([[], [], []])
    expect(rejected).toHaveLength(1)
  })

  it.each([['messages'], ['user_preferences']])(
    'is rejected when its %s are for another phone number',
    (field) => {
      const updates = readCallback(callback({ messages: [good] }, field), '999', receivedAt)

      expect(updates).toMatchObject({ messages: [], others: [] })
      expect(updates.rejected).toHaveLength(1)
    },
  )

  it('does not keep its good parts from being read', () => {
    const body = callback({ messages: [{}, good, null], statuses: 'x' })

    const updates = readCallback(body, here, receivedAt)

    expect(updates.messages).toMatchObject([{ wamid: 'w' }])
    expect(updates.rejected).toHaveLength(3)
  })
})
