import { describe, expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'

const here = '106540352242922'
const receivedAt = new Date('2026-11-21T09:30:00Z')

function callback(field: string, value: object) {
  const changes = [{ field, value: { metadata: { phone_number_id: here }, ...value } }]
  const body = { object: 'whatsapp_business_account', entry: [{ id: '1022', changes }] }
  return readCallback(body, here, receivedAt)
}

function message(more: object) {
  const common = { from: '16505551234', id: 'wamid.A', timestamp: '1749416383' }
  return callback('messages', { messages: [{ ...common, ...more }] })
}

describe('an inbound message', () => {
  it.each([
    [
      { type: 'text', text: { body: 'New' } },
      { type: 'text', content: 'New', media: null },
    ],
    [
      { type: 'image', image: { id: '7', caption: 'New' } },
      { type: 'image', content: 'New' },
    ],
  ])('that edits another says which, and what that is to say: %j', (edited, expected) => {
    const edit = { original_message_id: 'wamid.0', message: edited }

    const { messages } = message({ type: 'edit', edit })

    expect(messages).toMatchObject([
      {
        ...expected,
        payload: { original_message_id: 'wamid.0' },
        opensWindow: false,
        change: { kind: 'edit', target: 'wamid.0' },
      },
    ])
  })

  it.each([
    ['an edit of what cannot be edited', { type: 'edit', message: { type: 'edit', edit: {} } }],
    ['an edit without content', { type: 'edit', message: { type: 'text' } }],
  ])('with %s is kept as unsupported and changes nothing', (_, { type, message: edited }) => {
    const edit = { original_message_id: 'wamid.0', message: edited }
    expect(message({ type, edit }).messages).toMatchObject([{ type: 'unsupported', change: null }])
  })

  it('that revokes another says which', () => {
    expect(
      message({ type: 'revoke', revoke: { original_message_id: 'wamid.0' } }).messages,
    ).toMatchObject([
      { opensWindow: false, content: null, change: { kind: 'revoke', target: 'wamid.0' } },
    ])
  })

  it.each([
    [
      { type: 'user_changed_number', wa_id: '34600111222' },
      { waId: '34600111222', userId: null },
    ],
    [
      { type: 'user_changed_user_id', user_id: 'ES.2' },
      { waId: null, userId: 'ES.2' },
    ],
    [
      { type: 'customer_changed_number', wa_id: '34600111222' },
      { waId: '34600111222', userId: null },
    ],
    [{ type: 'user_changed_number' }, null],
    [{ type: 'customer_identity_changed', user_id: 'ES.2', wa_id: '34600111222' }, null],
    [{ type: { toString: 1 }, wa_id: '34600111222' }, null],
  ])('from the system, %j, says what the customer is called now', (system, expected) => {
    const change = expected && { kind: 'identity', ...expected }
    expect(message({ type: 'system', system }).messages).toMatchObject([{ type: 'system', change }])
  })

  const notice = (system: object, more: object = {}) =>
    callback('messages', { messages: [{ id: 'wamid.A', type: 'system', system, ...more }] })
  const changed = 'User Ana changed from ES.1 to ES.2'

  it.each([
    [{ type: 'user_changed_user_id', user_id: 'ES.2', body: changed }, null, 'ES.1'],
    [
      {
        type: 'user_changed_number',
        wa_id: '34600111222',
        body: 'A changed from 34600111 to 34600111222',
      },
      '34600111',
      null,
    ],
    // Everything before the last change is the name that the customer has chosen.
    [
      {
        type: 'user_changed_user_id',
        user_id: 'ES.2',
        body: 'User X changed from ES.9 to ES.8 changed from ES.1 to ES.2',
      },
      null,
      'ES.1',
    ],
    [{ type: 'user_changed_user_id', user_id: 'ES.2', body: `${changed} now` }, null, 'ES.2'],
    [{ type: 'user_changed_user_id', user_id: 'ES.2' }, null, 'ES.2'],
    [
      { type: 'user_changed_user_id', user_id: 'ES.2', wa_id: '34600111222' },
      '34600111222',
      'ES.2',
    ],
  ])(
    'from the system, %j, that names no sender is of the customer in it',
    (system, waId, userId) => {
      expect(notice(system)).toMatchObject({
        messages: [{ type: 'system', waId, userId, change: { kind: 'identity' } }],
        rejected: [],
      })
    },
  )

  it('from the system is of its sender, whatever its text says of a number', () => {
    const body = 'A changed from 34600333 to 34600222'
    const system = { type: 'user_changed_number', wa_id: '34600222', body }
    expect(notice(system, { from: '34600111' }).messages).toMatchObject([{ waId: '34600111' }])
  })

  it.each([
    [{ type: 'user_changed_user_id', user_id: 'ES.2' }, {}, null],
    // The number is the sender's former one, and need not be known here.
    [
      { type: 'user_changed_number', user_id: 'ES.2', wa_id: '34600111222' },
      { from: '34600111' },
      '34600111',
    ],
    [{ type: 'user_changed_user_id', user_id: 'ES.2' }, { from_user_id: 'ES.2' }, null],
  ])('from the system, %j, is of the one who had the former user id', (system, more, waId) => {
    const told = { ...system, previous_user_id: 'ES.1' }
    expect(notice(told, more).messages).toMatchObject([{ waId, userId: 'ES.1' }])
  })

  it('from the system that says nothing of names is of nobody without a sender', () => {
    const { messages, rejected } = notice({ type: 'customer_identity_changed', body: changed })
    expect(messages).toEqual([])
    expect(rejected).toEqual([{ reason: 'Message wamid.A: it names no sender.' }])
  })
})

describe('a customer’s choice on marketing', () => {
  const chosen = { category: 'marketing_messages', value: 'stop', timestamp: 1_749_416_383 }
  const contacts = [{ wa_id: '16505551234', user_id: 'US.1', profile: { name: 'Ana' } }]

  it('names him by all that the callback tells of him', () => {
    const preference = { ...chosen, wa_id: '16505551234' }
    const { preferences } = callback('user_preferences', {
      contacts,
      user_preferences: [preference],
    })
    expect(preferences).toEqual([
      { waId: '16505551234', userId: 'US.1', optedIn: false, at: new Date('2025-06-08T20:59:43Z') },
    ])
  })

  it.each([[{}], [{ user_preferences: 'x' }], [{ user_preferences: [7] }]])(
    'that is not as it should be is rejected with a reason: %j',
    (value) => {
      const { preferences, rejected } = callback('user_preferences', value)
      expect(preferences).toEqual([])
      expect(rejected).toHaveLength(1)
    },
  )
})
