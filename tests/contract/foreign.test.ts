import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { OperationId } from '../../core/contract.ts'
import { declaredOperations, followed, type Schema } from '../support/document.ts'
import { storeMedium } from '../support/media.ts'
import { CUSTOMER_PHONE } from '../support/resources.ts'
import { png } from '../support/sample-files.ts'
import type { TestProject } from '../support/service.ts'
import { startSweep, type Sweep } from '../support/sweep.ts'
import { body, header, storeTemplate } from '../support/templates.ts'

/** A member of a body that names something of a project: what it is, and a request with it. */
type Reference = {
  owned: (by: TestProject, sweep: Sweep) => unknown
  never: unknown
  body: (value: unknown) => object
}

const to = { phone: CUSTOMER_PHONE }
const text = { type: 'text', content: 'Hi.' }
const pictured = { type: 'template', template_name: 'pictured', language: 'en_US', ...to }
const draft = { name: 'Offer', template_language: 'en_US', template_name: 'pictured' }
const everyone = { filter: { match: 'all', conditions: [] } }

const owns =
  (noun: string, name: string) =>
  (_by: TestProject, { others }: Sweep) =>
    others[noun]?.own[name]
const sample = async ({ client }: TestProject) => {
  const given = { data: png().toString('base64'), filename: 'a.png', mime: 'image/png' }
  const body = { format: 'IMAGE', ...given } as const
  return (await client.ok('uploadHeaderSample', { body })).handle
}

const REFERENCES: Record<string, Reference> = {
  'sendMessage conversation_id': {
    owned: owns('conversations', 'id'),
    never: 9_007_199_254_740_991,
    body: (conversation_id) => ({ ...text, conversation_id }),
  },
  'sendMessage reply_to': {
    owned: (_by, { others }) => String(others.messages?.own.id),
    never: '9007199254740991',
    body: (reply_to) => ({ ...text, ...to, reply_to }),
  },
  'sendMessage media_slug': {
    owned: () => 'their-image',
    never: 'never-was',
    body: (media_slug) => ({ type: 'image', ...to, media_slug }),
  },
  'sendMessage template_name': {
    owned: () => 'theirs_alone',
    never: 'never_was',
    body: (template_name) => ({ ...pictured, template_name }),
  },
  'sendMessage header.media_slug': {
    owned: () => 'their-image',
    never: 'never-was',
    body: (media_slug) => ({ ...pictured, header: { media_slug } }),
  },
  'createTemplate components.[].example.header_handle': {
    owned: sample,
    never: `hs_${'0'.repeat(43)}`,
    body: (handle) => ({
      name: 'new_one',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ ...header('IMAGE'), example: { header_handle: [handle] } }, body('Hi.')],
    }),
  },
  'createBroadcast template_name': {
    owned: () => 'theirs_alone',
    never: 'never_was',
    body: (template_name) => ({ ...draft, template_name, audience: everyone }),
  },
  'createBroadcast audience.segment_id': {
    owned: owns('segments', 'id'),
    never: '00000000-0000-4000-8000-000000000000',
    body: (segment_id) => ({ ...draft, audience: { segment_id } }),
  },
  'createBroadcast header.media_slug': {
    owned: () => 'their-image',
    never: 'never-was',
    body: (media_slug) => ({ ...draft, audience: everyone, header: { media_slug } }),
  },
}
/** Members that look like one of these, and why they are none. */
const NO_REFERENCES = [
  // The caller's own, for the caller alone.
  ...['sendMessage client_ref', 'sendMessage buttons.[].id', 'sendMessage sections.[].rows.[].id'],
  // What only the channel knows: it holds them to the number that the project sends from.
  ...['sendMessage flow_id', 'createTemplate components.[].buttons.[].flow_id'],
  ...['sendMessage media_id', 'sendMessage header.media_id', 'createBroadcast header.media_id'],
]
const LOOKS_LIKE_ONE = /(^|\.|_)(id|ids|slug|slugs|handle|handles|ref|reply_to|template_name)$/

let sweep: Sweep
beforeAll(async () => {
  sweep = await startSweep()
  const components = [header('IMAGE'), body('Hi.')]
  const { service, project, other } = sweep
  await storeTemplate(service, project, { name: 'pictured', components })
  await storeTemplate(service, other, { name: 'theirs_alone', components })
  const image = { kind: 'image', slug: 'their-image', bytes: png() } as const
  await storeMedium(service, other, { ...image, mediaId: '777' })
})
afterAll(() => sweep.service.stop())

describe.each(Object.entries(REFERENCES))('%s', (place, reference) => {
  it("answers for another project's as for one that never was", async () => {
    const [id = ''] = place.split(' ')
    const ask = async (value: unknown) => {
      const parts = { body: reference.body(value) }
      const { status, body } = await sweep.project.client.send(id as OperationId, parts)
      const { error, request_id } = body as { error?: object; request_id: string }
      const told = JSON.stringify(error ?? null).replaceAll(request_id, 'REQUEST')
      return { status, told: told.replaceAll(String(value), 'VALUE') }
    }

    const foreign = await ask(await reference.owned(sweep.other, sweep))

    expect(foreign.status).toBeGreaterThanOrEqual(400)
    expect(foreign.status).toBeLessThan(500)
    expect(foreign).toEqual(await ask(reference.never))
  })
})

it('every member of a body that names something is one of these', () => {
  const found = declaredOperations.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema ? namesIn(schema).map((name) => `${operationId} ${name}`) : []
  })
  expect(found.sort()).toEqual([...Object.keys(REFERENCES), ...NO_REFERENCES].sort())
})

/** The places in a body, from its top, whose names are those of references. */
function namesIn(start: Schema, above = '', open: readonly Schema[] = []): string[] {
  const { schema } = followed(start)
  if (open.includes(schema)) return []
  const within = [...open, schema]
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const place = above === '' ? name : `${above}.${name}`
    return [...(LOOKS_LIKE_ONE.test(name) ? [place] : []), ...namesIn(one, place, within)]
  })
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const found = [
    ...inner,
    ...parts.flatMap((one) => namesIn(one, above, within)),
    ...(schema.items ? namesIn(schema.items, `${above}.[]`, within) : []),
  ]
  return [...new Set(found)]
}
