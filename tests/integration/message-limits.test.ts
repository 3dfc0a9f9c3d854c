import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import { declaredOperations, requestExamplesOf } from '../support/document.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await service.customer(project)
  await storeFlow(service, project, { id: exampleOf.flow?.flow_id as string })
  await storeFlow(service, project, { id: 'é'.repeat(100) })
})
afterAll(() => service.stop())

const declared = declaredOperations.filter(({ operationId }) => operationId === 'sendMessage')
const examples = declared.flatMap(requestExamplesOf) as [string, Record<string, unknown>][]
const exampleOf = Object.fromEntries(examples)
/** The contract's example of a kind, changed. */
const one = (kind: string, more: object) => ({ ...exampleOf[kind], ...more })

/** Refused with the code, before the channel hears of it. */
async function refused(code: ErrorCode, body: unknown) {
  const { length } = service.sandbox.requests
  const refusal = await project.client.refused('sendMessage', code, { body })
  expect(service.sandbox.requests).toHaveLength(length)
  return refusal
}
const send = (body: unknown) => project.client.ok('sendMessage', { body: body as never })

const some = (count: number) => Array.from({ length: count }, (_, index) => index)
const buttons = (count: number) => some(count).map((n) => ({ id: `b${n}`, title: `B ${n}` }))
const rows = (count: number, from = 0) =>
  some(count).map((n) => ({ id: `r${from + n}`, title: `Row ${from + n}` }))
const sections = (...counts: number[]) =>
  counts.map((count, index) => ({ title: `S${index}`, rows: rows(count, index * 100) }))
const row = (more: object) => ({ sections: [{ rows: [{ id: 'r', title: 'Row', ...more }] }] })
const address = (length: number) => 'https://a.example/'.padEnd(length, 'a')
const card = (formatted_name: string) => ({ name: { formatted_name } })
const titled = (title: string) => ({ buttons: [{ id: 'i', title }] })
const withTitle = (title: string) => ({ sections: [{ title, rows: rows(1) }] })

type Make = (length: number) => object
const text =
  (make: (text: string) => object): Make =>
  (length) =>
    make('é'.repeat(length))

type Limit = [string, string, number, ErrorCode, Make]
const forEach = (kinds: string[], member: string, most: number, code: ErrorCode) =>
  kinds.map((kind): Limit => [member, kind, most, code, text((value) => ({ [member]: value }))])

const limits: Limit[] = [
  ...forEach(['text'], 'content', 4_096, 'content_too_long'),
  ...forEach(['image', 'video', 'document'], 'content', 1_024, 'content_too_long'),
  ...forEach(['buttons', 'list', 'cta_url', 'flow'], 'content', 1_024, 'content_too_long'),
  ...forEach(['buttons', 'list', 'cta_url', 'flow'], 'header', 60, 'invalid_request'),
  ...forEach(['buttons', 'list', 'cta_url', 'flow'], 'footer', 60, 'invalid_request'),
  ...forEach(['list', 'cta_url', 'flow'], 'button_text', 20, 'invalid_request'),
  ...forEach(['document'], 'filename', 240, 'invalid_request'),
  ...forEach(['flow'], 'flow_id', 100, 'invalid_request'),
  ...forEach(['flow'], 'screen', 80, 'invalid_request'),
  ...forEach(['flow'], 'flow_token', 200, 'invalid_request'),
  ...forEach(['location'], 'name', 1_000, 'invalid_request'),
  ...forEach(['location'], 'address', 1_000, 'invalid_request'),
  ...forEach(['reaction'], 'emoji', 32, 'invalid_request'),
  ...forEach(['text'], 'client_ref', 255, 'invalid_request'),
  [
    'button.id',
    'buttons',
    256,
    'invalid_request',
    text((id) => ({ buttons: [{ id, title: 'T' }] })),
  ],
  ['button.title', 'buttons', 20, 'invalid_request', text(titled)],
  ['buttons', 'buttons', 3, 'too_many_buttons', (n) => ({ buttons: buttons(n) })],
  ['row.id', 'list', 200, 'invalid_request', text((id) => row({ id }))],
  ['row.title', 'list', 24, 'invalid_request', text((title) => row({ title }))],
  ['row.description', 'list', 72, 'invalid_request', text((description) => row({ description }))],
  ['section.title', 'list', 24, 'invalid_request', text(withTitle)],
  ['rows of one section', 'list', 10, 'too_many_buttons', (n) => ({ sections: sections(n) })],
  [
    'rows of all sections',
    'list',
    10,
    'too_many_buttons',
    (n) => ({ sections: sections(4, n - 4) }),
  ],
  [
    'sections',
    'list',
    10,
    'too_many_buttons',
    (n) => ({ sections: sections(...some(n).map(() => 1)) }),
  ],
  ['url', 'cta_url', 2_000, 'invalid_request', (n) => ({ url: address(n) })],
  ['media_url', 'image', 2_000, 'invalid_request', (n) => ({ media_url: address(n) })],
  [
    'contacts',
    'contacts',
    20,
    'invalid_request',
    (n) => ({ contacts: some(n).map(() => card('A')) }),
  ],
  ['name', 'contacts', 200, 'invalid_request', text((name) => ({ contacts: [card(name)] }))],
  ['reply_to', 'text', 512, 'invalid_request', (n) => ({ reply_to: 'w'.repeat(n) })],
]

describe('a message', () => {
  it.each(limits)('takes %s of %s up to %i, and beyond answers %s', async (...limit) => {
    const [, kind, most, code, make] = limit
    await send(one(kind, make(most)))
    expect((await refused(code, one(kind, make(most + 1)))).status).toBe(400)
  })

  const edges = [{ latitude: 90 }, { latitude: -90 }, { longitude: 180 }, { longitude: -180 }]
  it.each(edges)('may be a location at %j, but not beyond', async (edge) => {
    const [[name, value]] = Object.entries(edge) as [[string, number]]
    await send(one('location', edge))
    await refused('invalid_request', one('location', { [name]: value + Math.sign(value) * 1e-9 }))
  })

  it.each(examples)('refuses a member that is not known, as in "%s"', async (_, body) => {
    const { details } = await refused('invalid_request', { ...body, surprise: 1 })
    expect(details.errors).toEqual([{ path: 'surprise', message: 'is not known' }])
  })

  it.each<[string, object]>([
    ['buttons', { buttons: [{ id: 'a', title: 'A', surprise: 1 }] }],
    ['list', row({ surprise: 1 })],
    ['list', { sections: [{ rows: rows(1), surprise: 1 }] }],
    ['template', { header: { text: 'a', surprise: 1 } }],
    ['template', { buttons: [{ index: 0, value: 'a', surprise: 1 }] }],
    ['audio', { content: 'A caption' }],
    ['sticker', { content: 'A caption' }],
    ['image', { filename: 'a.jpg' }],
    ['text', { media_id: '1' }],
    ['reaction', { content: 'Hi' }],
  ])('refuses a member that its %s does not have: %j', async (kind, more) => {
    await refused('invalid_request', one(kind, more))
  })

  it.each<[ErrorCode, string, string]>([
    ...['text', 'buttons', 'list', 'cta_url', 'flow'].map((kind): [ErrorCode, string, string] => [
      'missing_content',
      kind,
      'content',
    ]),
    ['invalid_request', 'location', 'latitude'],
    ['invalid_request', 'location', 'longitude'],
    ['invalid_request', 'contacts', 'contacts'],
    ['invalid_request', 'reaction', 'reply_to'],
    ['invalid_request', 'reaction', 'emoji'],
    ['invalid_request', 'buttons', 'buttons'],
    ['invalid_request', 'list', 'button_text'],
    ['invalid_request', 'list', 'sections'],
    ['invalid_request', 'cta_url', 'button_text'],
    ['invalid_request', 'cta_url', 'url'],
    ['invalid_request', 'flow', 'flow_id'],
    ['invalid_request', 'flow', 'button_text'],
  ])('answers %s for a %s without its %s', async (code, kind, member) => {
    const { details } = await refused(code, one(kind, { [member]: undefined }))
    expect(details.errors).toContainEqual({ path: member, message: 'is required' })
  })

  it('is told first what its code says, and its other faults after that', async () => {
    const body = one('text', { content: 'a'.repeat(5_000), surprise: 1 })
    const { message, details } = await refused('content_too_long', body)
    expect(details.errors).toMatchObject([{ path: 'content' }, { path: 'surprise' }])
    expect(message).toContain('content')
  })

  it.each(['image', 'video', 'document'])(
    'may have no caption as %s, but no empty one',
    async (kind) => {
      await send(one(kind, { content: undefined }))
      const { details } = await refused('invalid_request', one(kind, { content: '' }))
      expect(details.errors).toEqual([{ path: 'content', message: expect.any(String) }])
      await refused('content_too_long', one(kind, { content: 'a'.repeat(1_025) }))
    },
  )

  it.each(['text', 'buttons', 'list', 'cta_url', 'flow'])(
    'answers missing_content for a %s whose content is empty',
    (kind) => refused('missing_content', one(kind, { content: '' })),
  )

  it.each<[string, object]>([
    ['contacts', { contacts: [] }],
    ['contacts', { contacts: [{}] }],
    ['contacts', { contacts: [card('')] }],
    ['buttons', { buttons: [] }],
    ['buttons', { buttons: [{ id: '', title: 'A' }] }],
    ['buttons', { buttons: [{ id: ' a', title: 'A' }] }],
    ['buttons', { buttons: [{ id: 'a ', title: 'A' }] }],
    ['buttons', { buttons: [{ id: 'a' }] }],
    ['list', { sections: [] }],
    ['list', { sections: [{ title: 'A', rows: [] }] }],
    ['list', { button_text: '' }],
    ['flow', { flow_data: {} }],
    ['flow', { flow_data: [1] }],
    ['location', { latitude: '40' }],
    ['location', { name: '' }],
    ['cta_url', { url: 'example.org' }],
    ['cta_url', { url: 'ftp://example.org/' }],
    ['cta_url', { url: 'https://' }],
    ['cta_url', { url: 'https://a b.example/' }],
    ['text', { preview_url: 'yes' }],
    ['text', { reply_to: 'a b' }],
    ...[0, -1, 1.5, 2 ** 53, true, null, [7], {}].map((reply_to): [string, object] => [
      'text',
      { reply_to },
    ]),
    ['reaction', { emoji: null }],
  ])('refuses a %s with %j as invalid_request', async (kind, more) => {
    await refused('invalid_request', one(kind, more))
  })

  it.each([
    ['contacts', 'contacts', '[{"name":{"formatted_name":"Ana"},"since":1e400}]'],
    ['flow', 'flow_data', '{"price":{"most":-1e400}}'],
  ])('refuses a %s with a number that no double holds in its %s', async (kind, member, json) => {
    const body = JSON.stringify(one(kind, { [member]: '?' })).replace('"?"', json)
    const { details } = await refused('invalid_request', body)
    expect(details.errors).toEqual([{ path: member, message: expect.any(String) }])
  })

  it('refuses buttons that share an id or a title, and rows that share an id', async () => {
    const twice = (id: string, title: string) => [
      { id: 'a', title: 'A' },
      { id, title },
    ]
    await refused('invalid_request', one('buttons', { buttons: twice('a', 'B') }))
    await refused('invalid_request', one('buttons', { buttons: twice('b', 'A') }))
    const shared = [
      { title: 'S', rows: rows(1) },
      { title: 'T', rows: rows(1) },
    ]
    const { message, details } = await refused('invalid_request', one('list', { sections: shared }))
    expect(message).toBe("The body's sections must have different row ids.")
    expect(details.errors).toEqual([{ path: 'sections', message: 'must have different row ids' }])
  })

  it.each<[ErrorCode, object, string[]]>([
    ['invalid_phone', { content: '', phone: 5 }, ['phone', 'content', 'foo', 'client_ref']],
    ['missing_content', { content: '' }, ['content', 'foo', 'client_ref']],
    ['missing_content', { content: undefined }, ['content', 'foo', 'client_ref']],
    ['invalid_request', { preview_url: 1 }, ['foo', 'preview_url', 'client_ref']],
  ])(
    'tells every fault, and %s for all of %j, of which it says that first',
    async (code, more, paths) => {
      const body = one('text', { foo: 1, client_ref: '', ...more })
      const { message, details } = await refused(code, body)
      const told = (details.errors as { path: string }[]).map(({ path }) => path)
      expect(told.toSorted()).toEqual(paths.toSorted())
      expect(told[0]).toBe(paths[0])
      expect(message).toContain(`schema: ${paths[0]} `)
    },
  )

  const short = 'must NOT have fewer than 1 characters'
  it.each<[string, object, string, string[]]>([
    ['template', { variables: ['a', 5] }, 'variables.1', ['must be string']],
    ['template', { variables: { 1: '' } }, 'variables.1', [short]],
    ['template', { variables: 5 }, 'variables', ['must be object or array']],
    ['text', { reply_to: '' }, 'reply_to', [short, expect.stringContaining('pattern') as never]],
    ['text', { reply_to: 'a b' }, 'reply_to', [expect.stringContaining('pattern') as never]],
    ['text', { reply_to: 0 }, 'reply_to', ['must be >= 1']],
    ['text', { reply_to: true }, 'reply_to', ['must be integer or string']],
  ])('tells of the type that is meant, as in a %s with %j', async (kind, more, path, messages) => {
    const { message, details } = await refused('invalid_request', one(kind, more))
    expect(details.errors).toEqual(messages.map((message) => ({ path, message })))
    expect(message).toContain(`schema: ${path} `)
  })

  it('refuses several sections of which one has no title', async () => {
    const [first, second] = sections(1, 1)
    await refused('invalid_request', one('list', { sections: [first, { rows: second?.rows }] }))
  })

  it('answers too_many_buttons with the limit for rows that are too many only in sum', async () => {
    const { details } = await refused('too_many_buttons', one('list', { sections: sections(6, 5) }))
    expect(details).toEqual({ limit: 10, given: 11 })
  })
})
