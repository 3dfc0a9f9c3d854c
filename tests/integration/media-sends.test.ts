import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import { storedMedium, storeMedium } from '../support/media.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const
const PHONE = '+15550001234'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await service.customer(project, { phone: PHONE })
  for (const kind of KINDS) await storeMedium(service, project, ofKind(kind))
})
afterAll(() => service.stop())

async function send(request: object) {
  const body = { phone: PHONE, ...request } as never
  const { id } = await project.client.ok('sendMessage', { body })
  const { message } = await project.client.ok('getMessage', { path: { id } })
  return { asked: service.sandbox.requests.at(-1)?.body, message }
}
async function refused(code: ErrorCode, request: object) {
  const { length } = service.sandbox.requests
  const body = { phone: PHONE, ...request }
  const refusal = await project.client.refused('sendMessage', code, { body })
  expect(service.sandbox.requests).toHaveLength(length)
  return refusal
}
const { media_id: mediaId, slug } = storedMedium
const inAnHour = () => new Date(service.ctx.now().getTime() + 3_600_000)

/** One medium of each kind; that of documents is the usual one. */
function ofKind(kind: (typeof KINDS)[number]) {
  if (kind === 'document') return { kind, slug, mediaId }
  return { kind, slug: `a-${kind}`, mediaId: `10${KINDS.indexOf(kind)}` }
}
function keptOf(kind: (typeof KINDS)[number]) {
  const { slug, mediaId: media_id } = ofKind(kind)
  return { ...storedMedium, slug, media_id }
}

describe("a medium of the project's own", () => {
  it.each(KINDS.filter((type) => type !== 'document'))(
    'goes out as %s by its media id when it is named by its slug, and is kept whole',
    async (type) => {
      const kept = keptOf(type)
      const { asked, message } = await send({ type, media_slug: kept.slug })

      expect(asked).toMatchObject({ type })
      expect(asked?.[type]).toEqual({ id: kept.media_id })
      expect(message).toMatchObject({ type, media: kept })
    },
  )

  it('goes out as a document under the name it was uploaded with, or under another', async () => {
    const usual = await send({ type: 'document', media_slug: slug })
    expect(usual.asked?.document).toEqual({ id: mediaId, filename: storedMedium.filename })
    expect(usual.message.media).toEqual(storedMedium)

    const other = await send({ type: 'document', media_slug: slug, filename: 'new.pdf' })
    expect(other.asked?.document).toEqual({ id: mediaId, filename: 'new.pdf' })
    expect(other.message.media).toEqual({ ...storedMedium, filename: 'new.pdf' })
  })

  it('is kept whole when it is named by its media id, too', async () => {
    const { media_id } = keptOf('image')
    const { asked, message } = await send({ type: 'image', media_id })
    expect(asked?.image).toEqual({ id: media_id })
    expect(message.media).toEqual(keptOf('image'))
  })

  it('answers MEDIA_EXPIRED from the very millisecond at which its media id ends', async () => {
    const named = { slug: 'short-lived', mediaId: '555000111' }
    await storeMedium(service, project, { ...named, expiresAt: inAnHour() })
    const byId = { type: 'document', media_id: '555000111' }

    service.advance(3_600_000 - 1)
    await send(byId)
    service.advance(1)
    expect((await refused('MEDIA_EXPIRED', byId)).status).toBe(410)
  })

  it('answers MEDIA_EXPIRED to its slug only when its bytes are gone, too', async () => {
    const named = { slug: 'bytes-gone', mediaId: '555000222' }
    await storeMedium(service, project, { ...named, expiresAt: inAnHour() })
    const bySlug = { type: 'document', media_slug: 'bytes-gone' }

    service.advance(3_600_000 - 1)
    await send(bySlug)
    service.advance(1)
    expect((await refused('MEDIA_EXPIRED', bySlug)).status).toBe(410)
    await storeMedium(service, project, { slug: 'never-there', mediaId: null })
    await refused('MEDIA_EXPIRED', { type: 'document', media_slug: 'never-there' })
  })

  const pairs = KINDS.flatMap((type) =>
    KINDS.filter((kind) => kind !== type).map((kind) => ({ type, kind })),
  )
  it.each(pairs)('is refused as a $type when it is of the kind $kind', async ({ type, kind }) => {
    const { slug: media_slug, media_id } = keptOf(kind)
    for (const named of [{ media_slug }, { media_id }]) {
      const { status, details } = await refused('invalid_request', { type, ...named })
      const [path] = Object.keys(named)
      expect(status).toBe(400)
      expect(details.errors).toEqual([{ path, message: expect.stringContaining(kind) }])
    }
  })
})

describe('a message with a medium', () => {
  it('answers media_not_found for a slug that the project does not have', async () => {
    const other = await service.project()
    await storeMedium(service, other, { slug: 'of-another' })
    for (const media_slug of ['unknown', 'of-another', slug.toUpperCase(), `${slug}%`]) {
      const { status } = await refused('media_not_found', { type: 'image', media_slug })
      expect(status).toBe(404)
    }
  })

  it('never takes the details of a medium from another project', async () => {
    const other = await service.project()
    await storeMedium(service, other, { slug: 'foreign', mediaId: '777', expiresAt: new Date(0) })
    const { message } = await send({ type: 'image', media_id: '777' })
    expect(message.media).toMatchObject({ media_id: '777', slug: null, filename: null })
  })

  const sources = { media_id: mediaId, media_slug: slug, media_url: 'https://a.example/x' }
  const choices = Object.entries(sources)
  const wrong = [
    {},
    sources,
    ...choices.map(([left]) => Object.fromEntries(choices.filter(([name]) => name !== left))),
  ]
  it.each(KINDS.flatMap((type) => wrong.map((named) => ({ type, named }))))(
    'answers missing_media unless exactly one source is named: $type, $named',
    async ({ type, named }) => {
      expect((await refused('missing_media', { type, ...named })).status).toBe(400)
    },
  )

  it.each([
    ...['http://a.example/x', 'ftp://a.example/x', 'a.example/x', '//a.example/x', 'https://'],
    ...['https:///x', 'https://a b/x', 'javascript:alert(1)', 'data:image/png;base64,AA', '', null],
  ])('is refused as invalid_request when its media_url is %j', async (media_url) => {
    await refused('invalid_request', { type: 'image', media_url })
  })

  it.each<[string, number]>([
    ['media_id', 100],
    ['media_slug', 100],
  ])('is refused as invalid_request when its %s is empty or longer than %i', async (name, most) => {
    await refused('invalid_request', { type: 'image', [name]: '' })
    await refused('invalid_request', { type: 'image', [name]: '1'.repeat(most + 1) })
    await refused('invalid_request', { type: 'image', [name]: 7 })
  })
})
