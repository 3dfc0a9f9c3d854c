import { describe, expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const here = '106540352242922'
const receivedAt = new Date('2026-11-21T09:30:00Z')

function callback(value: object, field = 'messages') {
  const changes = [{ field, value: { metadata: { phone_number_id: here }, ...value } }]
  return { object: 'whatsapp_business_account', entry: [{ id: '1022', changes }] }
}

describe('an inbound message', () => {
  it('is joined with the first contact of its number or user id', () => {
    const contacts = [
      { wa_id: '34600111222', user_id: 'ES.1', profile: { name: 'By user id' } },
      { wa_id: '16505551234', user_id: 'US.1', profile: { name: 'By number' } },
      { wa_id: '16505551234', profile: { name: 'Again' } },
    ]
    const common = { timestamp: '1', type: 'text', text: { body: 'a' } }
    const messages = [
      { ...common, id: 'wamid.A', from: 16_505_551_234 },
      { ...common, id: 'wamid.B', from: '16505551234', from_user_id: 'ES.1' },
    ]

    const updates = readCallback(callback({ contacts, messages }), here, receivedAt)

    const names = updates.messages.map(({ profileName }) => profileName)
    expect(names).toEqual(['By number', 'By user id'])
  })

  it('is joined only with the contact that it names', () => {
    const contacts = [{ wa_id: '34600111222', user_id: 'ES.1', profile: { name: 'Other' } }]
    const messages = [
      { from: '16505551234', id: 'wamid.A', timestamp: '1', type: 'text', text: { body: 'a' } },
      { id: 'wamid.B', timestamp: '1', type: 'text', text: { body: 'b' } },
    ]

    const updates = readCallback(callback({ contacts, messages }), here, receivedAt)

    expect(updates.messages).toMatchObject([
      { waId: '16505551234', userId: null, profileName: null },
      { waId: '34600111222', userId: 'ES.1', profileName: 'Other' },
    ])
  })

  it.each([[undefined], [null], ['']])(
    'that names its sender as %j is of a lone contact',
    (from) => {
      const contacts = [{ wa_id: '16505551234', user_id: 'US.1', profile: { name: 'Ana' } }]
      const message = { id: 'wamid.A', timestamp: '1', type: 'text', text: { body: 'a' } }
      const messages = [{ ...message, from, from_user_id: from }]
      const updates = readCallback(callback({ contacts, messages }), here, receivedAt)
      expect(updates.messages).toMatchObject([
        { waId: '16505551234', userId: 'US.1', profileName: 'Ana' },
      ])
    },
  )

  it.each<[field: string, item: (index: number) => object]>([
    ['messages', (index) => ({ id: `wamid.${index}`, timestamp: '1', from: '16505551234' })],
    [
      'user_preferences',
      () => ({ category: 'marketing_messages', value: 'stop', timestamp: 1, user_id: 'US.1' }),
    ],
  ])(
    'is joined in no time, however many %s come with however many contacts',
    async (field, itemOf) => {
      const growth = await growthOf(5_000, (length) => {
        const contacts = Array.from({ length }, (_, index) => ({
          wa_id: String(16_505_600_000 + index),
          user_id: `US.${index + 2}`,
        }))
        const items = Array.from({ length }, (_, index) => itemOf(index))
        const all = callback({ contacts, [field]: items }, field)
        return () => readCallback(all, here, receivedAt)
      })
      expect(growth).toBeLessThan(LINEAR_MOST)
    },
  )
})
