import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { ChannelAnswer } from '../../core/channel-account.ts'
import type { Channel } from '../../core/ports.ts'
import { statement } from '../../core/sql.ts'
import { bodyOf, listen } from '../support/channel.ts'
import { untilWaiting } from '../support/locks.ts'
import { storeMedium } from '../support/media.ts'
import { png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body as bodyPart, header, storeTemplate } from '../support/templates.ts'
import { AMPLE, connectTo, fileForm } from '../support/uploads.ts'

const PHONE = '+15550001234'
const DAY_MS = 24 * 60 * 60 * 1000
type Upload = ChannelAnswer<{ mediaId: string }>

let service: TestService
let project: TestProject
/** What the channel has been given, and what it says in place of taking it. */
let uploads: string[] = []
let instead: Upload | null = null
/** What happens while a file is on its way to the channel. */
let meanwhile: () => Promise<unknown> = async () => {}
/** What the channel is to forget, as `number id`, and of which of these it cannot be asked. */
let deletions: string[] = []
let unreachable: string[] = []

beforeAll(async () => {
  const api = createCloudApi()
  const channel: Channel = {
    ...api,
    async uploadMedia(account, file) {
      uploads.push(file.filename)
      await meanwhile()
      return instead ?? api.uploadMedia(account, file)
    },
    async deleteMedia(account, mediaId) {
      deletions.push(`${account.phoneNumberId} ${mediaId}`)
      if (unreachable.includes(mediaId)) throw new Error('The line is dead')
      return api.deleteMedia(account, mediaId)
    },
  }
  service = await startTestService({ env: AMPLE, replaced: { channel } })
})
beforeEach(async () => {
  project = await service.project()
  await service.customer(project, { phone: PHONE })
  instead = null
  meanwhile = async () => {}
  deletions = []
  unreachable = []
})
afterAll(() => service.stop())

async function upload() {
  const form = fileForm(png(), 'bike.png', 'image/png') as never
  const { media } = await project.client.ok('uploadMedia', { body: form })
  uploads = []
  return media
}
const request = (media_slug: string) =>
  ({ type: 'image', phone: PHONE, media_slug }) as { type: 'image'; media_slug: string }
/** Sends by slug; the window is opened anew, for the clock has moved by days. */
async function send(slug: string): Promise<string> {
  await service.customer(project, { phone: PHONE })
  await project.client.ok('sendMessage', { body: request(slug) })
  const { image } = service.sandbox.requests.at(-1)?.body as { image: { id: string } }
  return image.id
}
const get = async (slug: string) => (await project.client.ok('getMedia', { path: { slug } })).media
const refusedUpload = (kind: 'transient' | 'auth'): Upload => ({
  ok: false,
  error: {
    kind,
    code: 1,
    subcode: null,
    title: 'No',
    details: null,
    httpStatus: 500,
    traceId: null,
    retryable: kind === 'transient',
  },
})

describe('a send by slug', () => {
  it('uses the copy that the channel has, for as long as it lasts a day more', async () => {
    const { slug, media_id } = await upload()
    service.advance(29 * DAY_MS - 1)
    expect(await send(slug)).toBe(media_id)
    expect(uploads).toEqual([])
    service.advance(1)
    const renewed = await send(slug)
    expect(renewed).not.toBe(media_id)
    expect(uploads).toEqual(['bike.png'])
    expect(await get(slug)).toMatchObject({
      slug,
      media_id: renewed,
      expires_at: new Date(service.ctx.now().getTime() + 30 * DAY_MS).toISOString(),
    })
  })

  it('leaves the former copy to those who name it, until it ends as if there were no other', async () => {
    const { slug, media_id: former } = await upload()
    service.advance(29 * DAY_MS)
    expect(await send(slug)).not.toBe(former)
    const body = { type: 'image' as const, phone: PHONE, media_id: former! }
    const { id } = await project.client.ok('sendMessage', { body })
    const { message } = await project.client.ok('getMessage', { path: { id } })
    expect(message.media).toMatchObject({ media_id: former, slug, filename: 'bike.png' })
    const wrong = { ...body, type: 'video' as const }
    await project.client.refused('sendMessage', 'invalid_request', { body: wrong })

    service.advance(DAY_MS)
    const { length } = service.sandbox.requests
    const { status } = await project.client.refused('sendMessage', 'MEDIA_EXPIRED', { body })
    expect(status).toBe(410)
    expect(service.sandbox.requests).toHaveLength(length)
  })

  it('leaves the former copy to its own project alone', async () => {
    const { slug, media_id: former } = await upload()
    service.advance(29 * DAY_MS)
    await send(slug)
    const other = await service.project()
    await service.customer(other, { phone: PHONE })
    const body = { type: 'image' as const, phone: PHONE, media_id: former! }
    const { id } = await other.client.ok('sendMessage', { body })
    const { message } = await other.client.ok('getMessage', { path: { id } })
    expect(message.media).toMatchObject({ media_id: former, slug: null, filename: null })
  })

  it('uploads the same bytes afresh when the copy has ended, and the message tells it', async () => {
    const { slug, media_id, sha256 } = await upload()
    service.advance(40 * DAY_MS)
    const renewed = await send(slug)

    expect(renewed).not.toBe(media_id)
    const { accessToken } = await service.account(project.id)
    const headers = { authorization: `Bearer ${accessToken}` }
    const found = await fetch(`${service.ctx.sandboxUrl()}/v25.0/${renewed}`, { headers })
    expect(await found.json()).toMatchObject({ sha256, mime_type: 'image/png' })
    const { conversations } = await project.client.ok('listConversations')
    const path = { id: conversations[0]?.id ?? 0 }
    const { messages } = await project.client.ok('listConversationMessages', { path })
    expect(messages[0]?.media).toMatchObject({ media_id: renewed, slug, sha256 })
  })

  it('uploads it once, however many sends want it at the same moment', async () => {
    const { slug } = await upload()
    service.advance(40 * DAY_MS)
    await service.customer(project, { phone: PHONE })
    const sends = Array.from({ length: 12 }, () =>
      project.client.ok('sendMessage', { body: request(slug) as never }),
    )
    await Promise.all(sends)
    const ids = service.sandbox.requests
      .slice(-12)
      .map(({ body }) => (body.image as { id: string }).id)
    expect(new Set(ids).size).toBe(1)
    expect(uploads).toEqual(['bike.png'])
  })

  it('leaves the lease of whoever has taken its work over meanwhile', async () => {
    const { slug } = await upload()
    service.advance(40 * DAY_MS)
    const { mediaLease } = service.ctx.db
    const own = { where: { projectId: project.id } }
    const taken = { owner: randomUUID(), lockedUntil: new Date(Date.now() + DAY_MS) }
    meanwhile = () => mediaLease.updateMany({ ...own, data: taken })
    await send(slug)
    expect(await mediaLease.findMany(own)).toMatchObject([taken])
  })

  it('goes out with the old copy while that lasts, when no new one can be made', async () => {
    const { slug, media_id } = await upload()
    service.advance(29.5 * DAY_MS)
    instead = refusedUpload('transient')
    expect(await send(slug)).toBe(media_id)
    service.advance(DAY_MS)
    await service.customer(project, { phone: PHONE })
    const { status, details } = await project.client.refused('sendMessage', 'upstream_error', {
      body: request(slug),
    })
    // Whatever the upload's fate, no message has left.
    expect({ status, details }).toMatchObject({ status: 502, details: { outcome: 'refused' } })
    instead = refusedUpload('auth')
    await project.client.refused('sendMessage', 'upstream_auth_error', { body: request(slug) })
  })

  it('takes neither credit nor key when no copy can be made, and a retry then sends', async () => {
    const { slug } = await upload()
    service.advance(40 * DAY_MS)
    await service.customer(project, { phone: PHONE })
    await service.ctx.db.sendBudget.update({
      where: { projectId: project.id },
      data: { credits: 1 },
    })
    const parts = { body: request(slug) as never, headers: { 'idempotency-key': 'one' } }
    instead = refusedUpload('transient')
    await project.client.refused('sendMessage', 'upstream_error', parts)
    instead = null
    const sent = await project.client.ok('sendMessage', parts)
    expect(await project.client.ok('sendMessage', parts)).toEqual(sent)
    const { credits } = await service.ctx.db.sendBudget.findUniqueOrThrow({
      where: { projectId: project.id },
    })
    expect(credits).toBe(0)
  })

  it('that was answered under its key is so again, and uploads nothing, when the copy has ended', async () => {
    const { slug } = await upload()
    const headers = { 'idempotency-key': 'one' }
    const parts = { body: request(slug) as never, headers }
    const sent = await project.client.ok('sendMessage', parts)
    const { length } = service.sandbox.requests
    service.advance(40 * DAY_MS)
    instead = refusedUpload('transient')

    expect(await project.client.ok('sendMessage', parts)).toEqual(sent)
    const other = { body: { ...request(slug), content: 'Look!' } as never, headers }
    await project.client.refused('sendMessage', 'idempotency_key_mismatch', other)
    expect(uploads).toEqual([])
    expect(service.sandbox.requests).toHaveLength(length)
  })

  it('makes a copy for the number that the project is connected to now', async () => {
    const { slug, media_id } = await upload()
    const seen: string[] = []
    const api = await listen((incoming: IncomingMessage, response) => {
      void bodyOf(incoming).then((bytes) => {
        seen.push(`${incoming.url} ${bytes.includes('"id":"4711"')}`)
        const isUpload = incoming.url?.endsWith('/media')
        const accepted = { messages: [{ id: 'wamid.1' }], contacts: [] }
        response.end(JSON.stringify(isUpload ? { id: '4711' } : accepted))
      })
    })
    await connectTo(service, project, api.url)
    await project.client.ok('sendMessage', { body: request(slug) as never })
    await api.close()

    expect(media_id).not.toBe('4711')
    const number = '/v25.0/106540352242922'
    expect(seen).toEqual([`${number}/media false`, `${number}/messages true`])
  })

  it('gives up on a medium that is deleted while it is uploaded', async () => {
    const { slug } = await upload()
    service.advance(40 * DAY_MS)
    await service.customer(project, { phone: PHONE })
    const sent = service.sandbox.requests.length
    meanwhile = () => project.client.ok('deleteMedia', { path: { slug } })
    await project.client.refused('sendMessage', 'media_not_found', { body: request(slug) })
    expect(service.sandbox.requests).toHaveLength(sent)
    await project.client.refused('sendMessage', 'media_not_found', { body: request(slug) })
  })

  it('also makes a copy for the header of a template', async () => {
    const components = [header('IMAGE'), bodyPart('Hi.')]
    await storeTemplate(service, project, { name: 'pictured', components })
    await storeMedium(service, project, {
      kind: 'image',
      slug: 'old',
      mediaId: '1',
      bytes: png(),
      expiresAt: service.ctx.now(),
    })
    uploads = []
    const named = { template_name: 'pictured', language: 'en_US', header: { media_slug: 'old' } }
    await project.client.ok('sendMessage', {
      body: { type: 'template', phone: PHONE, ...named } as never,
    })
    expect(uploads).toEqual(['prices.pdf'])
    const { media_id } = await get('old')
    expect(JSON.stringify(service.sandbox.requests.at(-1)?.body)).toContain(`{"id":"${media_id}"}`)
  })
})

const renewal = statement(
  'test-renewal',
  `WITH former AS (
     INSERT INTO former_media_copies (project_id, media_id, slug, phone_number_id, expires_at)
     SELECT project_id, media_id, slug, phone_number_id, expires_at FROM media
      WHERE project_id = $1 AND slug = $2
   )
   UPDATE media SET media_id = $3, expires_at = $4 WHERE project_id = $1 AND slug = $2`,
)

describe('a medium that is deleted after it was uploaded afresh', () => {
  /** What the channel says of a copy: 200 while it holds it. */
  async function atChannel(mediaId: string): Promise<number> {
    const { accessToken } = await service.account(project.id)
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await fetch(`${service.ctx.sandboxUrl()}/v25.0/${mediaId}`, { headers })).status
  }
  async function renewedOnce() {
    const { slug, media_id } = await upload()
    service.advance(29 * DAY_MS)
    return { slug, copies: [media_id!, await send(slug)] }
  }
  it('is gone at the channel with its former copies', async () => {
    const { slug, copies } = await renewedOnce()
    expect(await Promise.all(copies.map(atChannel))).toEqual([200, 200])

    await project.client.ok('deleteMedia', { path: { slug } })

    expect(await Promise.all(copies.map(atChannel))).toEqual([400, 400])
  })

  it('is gone here though the channel cannot be asked to forget them, which is logged', async () => {
    const { slug, copies } = await renewedOnce()
    unreachable = copies

    expect(await project.client.ok('deleteMedia', { path: { slug } })).toMatchObject({ id: slug })

    await project.client.refused('getMedia', 'not_found', { path: { slug } })
    const told = service.logLines.filter((line) => line.includes('media.copy_left')).join()
    for (const left of copies) expect(told).toContain(left)
  })

  it('has the channel asked for what it still holds alone, each by the number that it is bound to', async () => {
    const { slug, copies } = await renewedOnce()
    const { phoneNumberId } = await service.account(project.id)
    const former = { projectId: project.id, slug, phoneNumberId: '106540352242999' }
    const now = service.ctx.now()
    await service.ctx.db.formerMediaCopy.createMany({
      data: [
        { ...former, mediaId: '4711', expiresAt: new Date(now.getTime() + 1) },
        { ...former, mediaId: '4712', expiresAt: now },
      ],
    })

    await project.client.ok('deleteMedia', { path: { slug } })

    const own = copies.map((id) => `${phoneNumberId} ${id}`)
    expect(deletions.toSorted()).toEqual([...own, '106540352242999 4711'].toSorted())
  })

  it('has the channel asked for its twenty youngest former copies, however many there are', async () => {
    const { slug, media_id } = await upload()
    const now = service.ctx.now().getTime()
    const data = Array.from({ length: 30 }, (_, n) => ({
      projectId: project.id,
      slug,
      mediaId: `47${n}`,
      expiresAt: new Date(now + 1 + n),
    }))
    await service.ctx.db.formerMediaCopy.createMany({ data })

    await project.client.ok('deleteMedia', { path: { slug } })

    const youngest = data.slice(10).map(({ mediaId }) => mediaId)
    const asked = deletions.map((line) => line.split(' ')[1])
    expect(asked.toSorted()).toEqual([...youngest, media_id].toSorted())
  })

  it('is gone at the channel with the copy that a renewal replaces at the same moment', async () => {
    const { slug, media_id } = await upload()
    const { sql } = service.ctx
    const expiresAt = new Date(service.ctx.now().getTime() + 30 * DAY_MS)
    const deleted = await sql.transaction(async (tx) => {
      await tx.rows(renewal, [project.id, slug, '4713', expiresAt])
      const request = project.client.ok('deleteMedia', { path: { slug } })
      await untilWaiting(service.ctx)
      return { request }
    })
    await deleted.request
    const asked = deletions.map((line) => line.split(' ')[1])
    expect(asked.toSorted()).toEqual([media_id, '4713'].toSorted())
  })
})
