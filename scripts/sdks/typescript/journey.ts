import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from '../../../generated/openapi.ts'

const ADDRESS = 'http://127.0.0.1:9/events'
const PHONE = '+15550001234'
const PAGES_MOST = 20
/** The sandbox reviews a template after two seconds. */
const LOOK_MS = 200
const LOOKS_MOST = 100

/** Walks through the service with a generated client; throws where it does not answer as typed. */
export async function journey(baseUrl: string, key: string): Promise<void> {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

  const ping = await api.GET('/v1/ping')
  assert.equal(ping.data?.data.ok, true)

  const wamids: string[] = []
  for (const content of ['One', 'Two', 'Three']) {
    const { data, error } = await api.POST('/v1/messages', {
      body: { type: 'text', phone: PHONE, content },
    })
    assert.equal(error, undefined)
    wamids.push(data?.data.id ?? '')
  }

  const [wamid = ''] = wamids
  const found = await api.GET('/v1/messages/{id}', { params: { path: { id: wamid } } })
  assert.equal(found.data?.data.message.content, 'One')
  const id = found.data.data.message.conversation_id

  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MOST; page++) {
    const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
    const path = '/v1/conversations/{id}/messages'
    const { data } = await api.GET(path, { params: { path: { id }, query } })
    assert(data)
    for (const message of data.data.messages) seen.add(message.wamid)
    cursor = data.data.nextCursor ?? undefined
    if (cursor === undefined) break
  }
  assert.equal(cursor, undefined)
  for (const one of wamids) assert(seen.has(one), `${one} is on no page`)

  const made = await api.POST('/v1/webhooks', { body: { url: ADDRESS, events: ['order.paid'] } })
  assert(made.data, JSON.stringify(made.error))
  const { webhook } = made.data.data
  const listed = await api.GET('/v1/webhooks')
  assert(listed.data?.data.webhooks.some((one) => one.id === webhook.id))
  const off = await api.PATCH('/v1/webhooks/{id}', {
    params: { path: { id: webhook.id } },
    body: { is_active: false },
  })
  assert.equal(off.data?.data.webhook.is_active, false, JSON.stringify(off.error))
  const gone = await api.DELETE('/v1/webhooks/{id}', { params: { path: { id: webhook.id } } })
  assert.equal(gone.data?.data.deleted, true)

  const template = { name: 'journey_typescript', language: 'en_US' }
  const text = 'Dear {{1}}, order {{2}} is ready.'
  const button = { text: 'See it', url: 'https://example.com/{{1}}' }
  const written = await api.POST('/v1/templates', {
    body: {
      ...template,
      category: 'UTILITY',
      components: [
        { type: 'BODY', text, example: { body_text: [['Ana', '1042']] } },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', ...button, example: ['https://example.com/1042'] }],
        },
      ],
    },
  })
  assert(written.data, JSON.stringify(written.error))
  let status: string | undefined
  for (let look = 0; status !== 'APPROVED' && look < LOOKS_MOST; look++) {
    await pause(LOOK_MS)
    const path = { id: written.data.data.template.id }
    status = (await api.GET('/v1/templates/{id}', { params: { path } })).data?.data.template.status
  }
  const filled = await api.POST('/v1/messages', {
    body: {
      type: 'template',
      phone: PHONE,
      template_name: template.name,
      language: template.language,
      variables: { '1': 'Ana', '2': '1042' },
      buttons: [{ index: 0, value: '1042' }],
    },
  })
  assert(filled.data, JSON.stringify(filled.error))
  const path = { id: filled.data.data.id }
  const kept = await api.GET('/v1/messages/{id}', { params: { path } })
  assert.equal(kept.data?.data.message.content, 'Dear Ana, order 1042 is ready.')

  const refused = await api.GET('/v1/contacts', { params: { query: { limit: 1000 } } })
  assert.equal(refused.response.status, 400)
  assert.equal(refused.error?.error.code, 'bad_request')
  assert.match(JSON.stringify(refused.error.error.details), /"path":"limit"/)
}

const [, , url, key] = process.argv
if (url !== undefined && key !== undefined && import.meta.url.endsWith('/journey.ts')) {
  await journey(url, key)
}
