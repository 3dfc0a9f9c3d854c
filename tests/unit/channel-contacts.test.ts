import { describe, expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'

const here = '106540352242922'

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

    const updates = readCallback(callback({ contacts, messages }), here)

    const names = updates.messages.map(({ profileName }) => profileName)
    expect(names).toEqual(['By number', 'By user id'])
  })

  it('is joined in no time, however many messages come with however many contacts', () => {
    const length = 4_000
    const contacts = Array.from({ length }, (_, index) => ({ wa_id: String(10_000 + index) }))
    const messages = Array.from({ length }, (_, index) => ({
      ...{ id: `wamid.${index}`, timestamp: '1', from: '16505551234' },
    }))
    const user_preferences = Array.from({ length }, () => ({
      ...{ category: 'marketing_messages', value: 'stop', timestamp: 1, user_id: 'US.1' },
    }))
    const startedAt = performance.now()
    readCallback(callback({ contacts, messages }), here)
    readCallback(callback({ contacts, user_preferences }, 'user_preferences'), here)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})
