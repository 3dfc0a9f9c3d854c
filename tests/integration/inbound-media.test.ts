import { hash, randomInt } from 'node:crypto'
import { rename, rm, symlink } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openMediaFolder, sandboxMediaPath } from '../../channel/sandbox-media-folder.ts'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { listen } from '../support/channel.ts'
import { storeMedium } from '../support/media.ts'
import { jpeg, oggOpus, png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { connectTo, contentOf, leftovers, MIB, storedFiles } from '../support/uploads.ts'

const PHONE = '+15550001234'
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(() => service.stop())
afterEach(async () => {
  expect(await leftovers(service)).toEqual([])
})

type Sent = { type?: string; mime_type?: string; sha256?: string; filename?: string }

/** Lets a customer send a medium of this id. */
async function receive(id: string, { type = 'image', ...about }: Sent = {}) {
  const account = await service.account(project.id)
  const message = { type, [type]: { id, mime_type: 'image/jpeg', ...about } }
  const from = { phone: PHONE, name: 'Ana' }
  await service.callback(
    project.id,
    inboundCallback({ account, from, message, at: service.ctx.now() }),
  )
}

/** Puts bytes into the sandbox, as if a customer had sent them; answers with the channel's id. */
async function atChannel(bytes: Buffer, mimeType = 'image/jpeg'): Promise<string> {
  const folder = openMediaFolder(sandboxMediaPath(service.ctx.config.dataDir))
  async function* whole() {
    yield await Promise.resolve(bytes)
  }
  const staged = await folder.stage(whole(), 200 * MIB)
  if (!staged) throw new Error('The sandbox takes no more')
  const { phoneNumberId } = await service.account(project.id)
  const expiresAt = new Date(service.ctx.now().getTime() + WEEK_MS)
  return (await folder.keep(staged, { phoneNumberId, mimeType, expiresAt })).id
}

const anyId = () => String(randomInt(1_000_000_000, 2_000_000_000))
const get = (slug: string) => project.client.ok('getMedia', { path: { slug } })
async function lastMedia() {
  const { conversations } = await project.client.ok('listConversations', {
    query: { phone: PHONE },
  })
  const path = { id: conversations[0]?.id ?? 0 }
  return (await project.client.ok('listConversationMessages', { path })).messages[0]?.media
}

describe('what a customer has sent', () => {
  it('is fetched when it is asked for, and kept under a slug that its message tells', async () => {
    const id = await atChannel(jpeg())
    await receive(id, { sha256: hash('sha256', jpeg(), 'base64'), filename: 'The bike.jpg' })
    expect(await lastMedia()).toMatchObject({ media_id: id, slug: null })

    const { media } = await get(id)

    expect(media).toEqual({
      slug: expect.stringMatching(/^the-bike-/),
      media_id: null,
      kind: 'image',
      filename: 'The bike.jpg',
      mime_type: 'image/jpeg',
      size: jpeg().length,
      sha256: hash('sha256', jpeg()),
      expires_at: null,
      created_at: service.ctx.now().toISOString(),
    })
    expect(await lastMedia()).toMatchObject({ media_id: id, slug: media.slug })
    expect(await contentOf(project, id)).toEqual(jpeg())
    expect(await contentOf(project, media.slug)).toEqual(jpeg())
  })

  it('may be asked for by its content at once, and by digests in either form', async () => {
    for (const sha256 of [hash('sha256', png(), 'base64'), hash('sha256', png(), 'hex')]) {
      const id = await atChannel(png(), 'image/png')
      await receive(id, { sha256 })
      expect(await contentOf(project, id)).toEqual(png())
    }
  })

  it('is fetched once, however many ask at once, and the channel may forget it then', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const before = (await storedFiles(service)).length
    const asked = await Promise.all(Array.from({ length: 12 }, () => get(id)))
    expect(new Set(asked.map(({ media }) => media.slug)).size).toBe(1)
    expect(await storedFiles(service)).toHaveLength(before + 1)
    service.advance(WEEK_MS)
    expect(await contentOf(project, id)).toEqual(jpeg())
  })

  it('is a document when its kind is none of the usual ones, whatever it holds', async () => {
    const id = await atChannel(Buffer.from('PK any archive'), 'application/zip; x=<script>')
    await receive(id, { type: 'document', mime_type: 'application/zip', filename: '../a.zip' })
    const { status, headers } = await project.client.send('getMediaContent', { path: { slug: id } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect((await get(id)).media).toMatchObject({ kind: 'document', filename: 'a.zip' })
  })

  it('is sent on by its slug, as an upload of our own', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const { slug } = (await get(id)).media
    const body = { type: 'image', phone: PHONE, media_slug: slug } as const
    await project.client.ok('sendMessage', { body })
    const sent = service.sandbox.requests.at(-1)?.body.image as { id: string }
    expect(sent.id).toMatch(/^\d+$/)
    expect(sent.id).not.toBe(id)
    expect((await get(slug)).media.media_id).toBe(sent.id)
  })

  it('is fetched whole where it is larger than what may be sent, but not sent on', async () => {
    const id = await atChannel(Buffer.alloc(5 * MIB + 1, jpeg()))
    await receive(id)
    const { slug, size } = (await get(id)).media
    expect(size).toBe(5 * MIB + 1)
    const { length } = service.sandbox.requests

    const { details } = await project.client.refused('sendMessage', 'invalid_request', {
      body: { type: 'image', phone: PHONE, media_slug: slug },
    })

    const most = 'a medium of the kind image may have 5242880 at the most'
    const message = `names a file of 5242881 bytes; ${most}`
    expect(details.errors).toEqual([{ path: 'media_slug', message }])
    expect(service.sandbox.requests).toHaveLength(length)
    expect((await get(slug)).media.media_id).toBeNull()
  })

  it('is sent on with the parameters of its type, such as the coding of a voice message', async () => {
    const mimeType = 'audio/ogg; codecs=opus'
    const id = await atChannel(oggOpus(), mimeType)
    await receive(id, { type: 'audio', mime_type: mimeType })
    const { slug } = (await get(id)).media
    const body = { type: 'audio', phone: PHONE, media_slug: slug } as const
    await project.client.ok('sendMessage', { body })
    expect(service.sandbox.requests.at(-1)?.body.type).toBe('audio')
  })

  it('is forgotten when it is deleted, and fetched again when it is asked for', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const { slug } = (await get(id)).media
    expect(await project.client.ok('deleteMedia', { path: { slug: id } })).toMatchObject({
      id: slug,
    })
    expect(await lastMedia()).toMatchObject({ media_id: id, slug: null })
    await project.client.refused('getMedia', 'not_found', { path: { slug } })
    expect((await get(id)).media.slug).not.toBe(slug)
  })

  it('is not forgotten when another project deletes what the channel calls the same', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const { slug } = (await get(id)).media
    const own = project
    project = await service.project()
    await receive(id)
    const about = { kind: 'image' as const, inboundMediaId: id, slug: 'the-other-one' }
    await storeMedium(service, project, about)
    await project.client.ok('deleteMedia', { path: { slug: id } })
    project = own
    expect(await lastMedia()).toMatchObject({ media_id: id, slug })
  })

  it('tells its slug to the messages of its own project alone', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const own = project
    project = await service.project()
    await receive(id)
    await own.client.ok('getMedia', { path: { slug: id } })
    expect(await lastMedia()).toMatchObject({ media_id: id, slug: null })
  })
})

describe('what cannot be fetched', () => {
  it('is not_found when no message of the project brought it', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const other = await service.project()
    for (const [client, slug] of [
      [other.client, id],
      [project.client, anyId()],
    ] as const) {
      await client.refused('getMedia', 'not_found', { path: { slug } })
      await client.refused('getMediaContent', 'not_found', { path: { slug } })
    }
    await project.client.refused('deleteMedia', 'not_found', { path: { slug: id } })
  })

  it('is MEDIA_EXPIRED when the channel has it no more', async () => {
    const late = await atChannel(jpeg())
    await receive(late)
    service.advance(WEEK_MS)
    const unknown = anyId()
    await receive(unknown)
    for (const slug of [late, unknown]) {
      expect(
        await project.client.refused('getMedia', 'MEDIA_EXPIRED', { path: { slug } }),
      ).toMatchObject({
        status: 410,
      })
      await project.client.refused('getMediaContent', 'MEDIA_EXPIRED', { path: { slug } })
    }
  })

  it('is server_error, and no fault of the channel, when this machine cannot write it down', async () => {
    const id = await atChannel(jpeg())
    await receive(id)
    const uploads = path.join(service.ctx.config.dataDir, 'uploads')
    await rename(uploads, `${uploads}.away`)
    // A folder that takes no file, whoever asks.
    await symlink('/proc', uploads)
    try {
      const { status } = await project.client.refused('getMedia', 'server_error', {
        path: { slug: id },
      })
      expect(status).toBe(500)
    } finally {
      await rm(uploads)
      await rename(`${uploads}.away`, uploads)
    }
    expect((await get(id)).media.mime_type).toBe('image/jpeg')
  })

  it('is upstream_error when it is not what the customer sent', async () => {
    const id = await atChannel(jpeg())
    await receive(id, { sha256: hash('sha256', png(), 'base64') })
    const stored = await storedFiles(service)
    const { status } = await project.client.refused('getMedia', 'upstream_error', {
      path: { slug: id },
    })
    expect(status).toBe(502)
    expect(await storedFiles(service)).toEqual(stored)
    expect(await lastMedia()).toMatchObject({ slug: null })
  })
})

describe('the address of a medium', () => {
  const json = (value: object) => JSON.stringify(value)
  async function fetchedFrom(
    answer: (asked: number) => RequestListener,
    operation: 'getMedia' | 'getMediaContent' = 'getMedia',
    toldBytes: number | null = null,
  ) {
    let asked = 0
    const api = await listen((request, response) => {
      request.resume()
      if (request.url?.startsWith('/bytes')) return answer(asked)(request, response)
      const size = { file_size: toldBytes, mime_type: 'image/jpeg', id: '1' }
      asked++
      response.end(json({ url: `${api.url}/bytes`, ...size, sha256: '' }))
    })
    const id = anyId()
    await receive(id)
    await connectTo(service, project, api.url)
    const outcome = await project.client.send(operation, { path: { slug: id } })
    await api.close()
    return { ...outcome, asked }
  }

  it('is asked for again, once, when it has ended', async () => {
    const answer = await fetchedFrom(
      (asked) => (_request, response) => response.writeHead(asked < 2 ? 404 : 200).end(jpeg()),
    )
    expect(answer).toMatchObject({ status: 200, asked: 2 })
    const never = await fetchedFrom(() => (_request, response) => response.writeHead(404).end())
    expect(never).toMatchObject({ status: 410, asked: 2 })
  })

  const LARGEST = 100 * MIB
  const bytes = (size: number) => (_request: unknown, response: ServerResponse) => {
    Readable.from(Array.from({ length: Math.ceil(size / MIB) }, (_, part) => part))
      .map((part: number) => Buffer.alloc(Math.min(MIB, size - part * MIB)))
      .pipe(response)
  }

  it('may hold 100 MiB, whatever it is', async () => {
    const whole = await fetchedFrom(() => bytes(LARGEST))
    expect(whole).toMatchObject({ status: 200, body: { data: { media: { size: LARGEST } } } })
  })

  it('that holds more is not worth another try', async () => {
    const larger = await fetchedFrom(() => bytes(LARGEST + 1))
    const error = { code: 'upstream_error', details: { outcome: 'refused', retryable: false } }
    expect(larger).toMatchObject({ status: 502, body: { error } })
  })

  it('that is told to hold more is not even asked', async () => {
    let opened = 0
    const never = () => () => void opened++
    const larger = await fetchedFrom(never, 'getMedia', LARGEST + 1)
    const error = { code: 'upstream_error', details: { retryable: false } }
    expect(larger).toMatchObject({ status: 502, body: { error } })
    expect(opened).toBe(0)
  })

  const both = ['getMedia', 'getMediaContent'] as const

  it.each(both)('that breaks off is told as such by %s', async (operation) => {
    const cut = await fetchedFrom(
      () => (_request, response) => {
        response.writeHead(200, { 'Content-Length': jpeg().length })
        response.write(jpeg().subarray(0, 10), () => response.destroy())
      },
      operation,
    )
    expect(cut).toMatchObject({ status: 502, body: { error: { code: 'upstream_error' } } })
  })

  it.each(both)(
    'that is kept from us for our credentials is told as such by %s',
    async (operation) => {
      const api = await listen((_request, response) =>
        response.writeHead(401).end(json({ error: { code: 190, message: 'Bad token' } })),
      )
      const id = anyId()
      await receive(id)
      await connectTo(service, project, api.url)
      await project.client.refused(operation, 'upstream_auth_error', { path: { slug: id } })
      await api.close()
    },
  )

  it.each(both)(
    'that lets nobody in, for no reason told, may do so later: %s',
    async (operation) => {
      const closed = await fetchedFrom(
        () => (_request, response) => response.writeHead(401).end(),
        operation,
      )
      const error = { code: 'upstream_error', details: { outcome: 'refused', retryable: true } }
      expect(closed).toMatchObject({ status: 502, asked: 2, body: { error } })
    },
  )
})
