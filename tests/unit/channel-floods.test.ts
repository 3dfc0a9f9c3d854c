import { expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'
import { holdsMoreValues } from '../../core/json-values.ts'

const here = '106540352242922'
const receivedAt = new Date('2026-11-21T09:30:00Z')

function read(value: object) {
  const metadata = { display_phone_number: '15550783881', phone_number_id: here }
  const changes = [{ field: 'messages', value: { metadata, ...value } }]
  const body = { object: 'whatsapp_business_account', entry: [{ id: '1022', changes }] }
  return readCallback(body, here, receivedAt)
}

function message(more: object) {
  const common = { from: '16505551234', id: 'wamid.A', timestamp: '1749416383' }
  return read({ messages: [{ ...common, ...more }] })
}

it.each<[string, unknown]>([
  ['lists', Array.from({ length: 50_000 }, () => [])],
  ['members', Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))],
  ['texts', Array.from({ length: 50 }, () => 'x'.repeat(60_000))],
  [
    'empty texts behind one that takes all room',
    ['x', 'x', 'x', 'x', 'x'].map((x) => x.repeat(65_536)),
  ],
  ['names', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`.padEnd(250), 0]))],
])(
  'a message holds no more than can be read again and again: of a flood of %s, the beginning',
  (_, flood) => {
    const { messages } = message({
      type: 'order',
      order: { catalog_id: '1', product_items: flood },
    })
    const { payload } = messages[0] ?? {}
    const kept = JSON.stringify(payload)
    expect(payload).toMatchObject({ catalog_id: '1', product_items: expect.anything() })
    expect(kept.length).toBeLessThan(600_000)
    expect(holdsMoreValues(Buffer.from(kept), 20_010)).toBe(false)
  },
)

it('a flow reply of megabytes is kept as its beginning, and not read', () => {
  const response_json = `[${'[],'.repeat(1_000_000)}0]`
  const nfm_reply = { name: 'flow', body: 'Sent', response_json }
  const { messages } = message({ type: 'interactive', interactive: { nfm_reply } })
  expect(messages[0]?.payload?.response).toBe(response_json.slice(0, 65_536))
})

it('a callback of more updates than the channel ever sends together brings none, and says so', () => {
  const many = (count: number) => {
    const statuses = Array.from({ length: count }, (_, n) => ({ id: `w${n}`, status: 'read' }))
    return read({ statuses })
  }
  expect(many(5_000).statuses).toHaveLength(5_000)
  expect(many(5_001)).toMatchObject({
    statuses: [],
    rejected: [{ reason: 'It holds more than 5000 updates.' }],
  })
})
