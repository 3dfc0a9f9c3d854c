import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readCallback } from '../../channel/callback.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

const recorded = (name: string) => {
  const file = path.join(PROJECT_ROOT, `tests/fixtures/channel/${name}.json`)
  return readCallback(JSON.parse(readFileSync(file, 'utf8')), '106540352242922', new Date(0))
}
const read = (field: string, value: unknown, entry: object = {}) => {
  const changes = [{ field, value }]
  const body = { object: 'whatsapp_business_account', entry: [{ id: '1', changes, ...entry }] }
  return readCallback(body, '106540352242922', new Date(0))
}
const offer = {
  message_template_id: 7,
  message_template_name: 'offer',
  message_template_language: 'en-US',
}

describe('a recorded callback on a template', () => {
  it('tells which one, of when, and what', () => {
    expect(recorded('tpl_status_rejected').templates).toEqual([
      {
        businessAccountId: '102290129340398',
        id: '1689556908129835',
        name: 'abandoned_cart',
        language: 'en',
        at: new Date(1_751_247_548_000),
        news: {
          kind: 'status',
          event: 'REJECTED',
          reason: 'INVALID_FORMAT',
          category: 'MARKETING',
        },
      },
    ])
    expect(recorded('tpl_category_impending').templates).toMatchObject([
      { language: 'en_US', news: { kind: 'category', category: 'UTILITY' } },
    ])
    expect(recorded('tpl_quality_update').templates).toMatchObject([
      { news: { kind: 'quality', from: 'GREEN', to: 'YELLOW' } },
    ])
  })
})

describe('a callback on a template', () => {
  const field = 'message_template_status_update'

  it('is read in upper case, its language with an underscore, "NONE" as no reason', () => {
    const value = { ...offer, event: 'paused', reason: 'none' }
    expect(read(field, value).templates).toMatchObject([
      { id: '7', language: 'en_US', at: null, news: { event: 'PAUSED', reason: null } },
    ])
  })

  it("is known by its news where the field is another update's", () => {
    const value = { ...offer, new_quality_score: 'RED' }
    expect(read('template_category_update', value).templates).toMatchObject([
      { news: { kind: 'quality', to: 'RED' } },
    ])
  })

  it('has no id when the number cannot hold it', () => {
    const value = { ...offer, message_template_id: 2 ** 60, event: 'APPROVED' }
    expect(read(field, value).templates).toMatchObject([{ id: null, name: 'offer' }])
  })

  it.each([
    [field, null],
    [field, [offer]],
    [field, { ...offer }],
    [field, { ...offer, event: '' }],
    [field, { ...offer, event: 'APPROVED', message_template_name: null }],
    [field, { ...offer, event: 'APPROVED', message_template_language: 5.5 }],
    ['template_category_update', { ...offer }],
    ['message_template_components_update', { ...offer }],
    ['message_template_quality_update', { ...offer, new_quality_score: null }],
  ])('that says nothing is rejected with its reason: %s %j', (name, value) => {
    const { templates, rejected } = read(name, value)
    expect(templates).toEqual([])
    expect(rejected).toHaveLength(1)
  })
})
