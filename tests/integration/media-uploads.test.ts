import { hash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { listen } from '../support/channel.ts'
import {
  jpeg,
  pdf,
  png,
  SAMPLES,
  webp,
  webpChunk,
  webpExtended,
  WEBP_PIXEL,
} from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  AMPLE,
  connectTo,
  contentOf,
  leftovers,
  MIB,
  storedFiles,
  text,
} from '../support/uploads.ts'

const KINDS: Record<string, string> = { 'image/webp': 'sticker' }
const kindOf = (mime: string) => {
  const [family = ''] = mime.split('/')
  return KINDS[mime] ?? (['image', 'video', 'audio'].includes(family) ? family : 'document')
}

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService({ env: AMPLE })
  project = await service.project()
})
afterAll(() => service.stop())
afterEach(async () => {
  expect(await leftovers(service)).toEqual([])
})

const image = { kind: 'image', filename: 'bike.png', mime: 'image/png' }
const base64 = (bytes: Buffer) => bytes.toString('base64')

async function upload(body: object) {
  const { media } = await project.client.ok('uploadMedia', { body: body as never })
  return media
}

describe('an upload in base64', () => {
  it.each(Object.entries(SAMPLES))('keeps %s and gives it to the channel', async (mime, bytes) => {
    const kind = kindOf(mime)
    const media = await upload({ kind, data: base64(bytes), filename: 'a file', mime })

    expect(media).toEqual({
      slug: expect.stringMatching(/^a-file-[a-z][a-z0-9]{5}$/),
      kind,
      mime_type: mime,
      media_id: expect.stringMatching(/^\d+$/),
      filename: 'a file',
      size: bytes.length,
      sha256: hash('sha256', bytes),
      created_at: service.ctx.now().toISOString(),
      expires_at: new Date(service.ctx.now().getTime() + 30 * 86_400_000).toISOString(),
    })
    expect(await contentOf(project, media.slug)).toEqual(bytes)
  })

  it.each([
    ['as it is', base64(png())],
    ['with a data: prefix', `data:image/png;base64,${base64(png())}`],
    ['with a data: prefix that names no type', `data:;base64,${base64(png())}`],
    ['with a data: prefix in capitals', `DATA:image/png;BASE64,${base64(png())}`],
    [
      'with a data: prefix of another type, for the bytes decide',
      `data:a/b;base64,${base64(png())}`,
    ],
    ['with a data: prefix that has parameters', `data:image/png;a=b;base64,${base64(png())}`],
  ])('is read %s', async (_how, data) => {
    expect(await upload({ ...image, data })).toMatchObject({ size: png().length })
  })

  const padded = Buffer.from(text(10))
  it.each([
    ['with spaces', `${base64(png()).slice(0, 8)} ${base64(png()).slice(8)}`],
    ['with line breaks', base64(png()).replace(/.{20}/g, '$&\r\n')],
    ['with a line break at its end', `${base64(png())}\n`],
    ['in the alphabet for addresses', Buffer.from('fbfffe', 'hex').toString('base64url')],
    ['without its padding', base64(padded).replace(/=+$/, '')],
    ['with more padding than is due', `${base64(padded)}=`],
    [
      'with bits that padding cuts off',
      base64(padded).replace(/.==$/, (end) => `/${end.slice(1)}`),
    ],
    ['with padding in its middle', `${base64(padded)}${base64(padded)}`],
    ['with two data: prefixes', `data:a/b;base64,data:a/b;base64,${base64(png())}`],
    ['with a data: prefix and nothing after it', 'data:;base64,'],
    ['with a data: prefix that is not of base64', `data:image/png,${base64(png())}`],
    ['with characters that are none of base64', '????'],
    ['with nothing in it', ''],
    ['with a single character', 'A'],
    ['with nothing but padding', '===='],
  ])('is refused as invalid_request %s', async (_how, data) => {
    const { status, details } = await project.client.refused('uploadMedia', 'invalid_request', {
      body: { ...image, data },
    })
    expect(status).toBe(400)
    expect(details.errors).toEqual([{ path: 'data', message: expect.any(String) }])
  })

  it('may have 5 MiB to the byte', async () => {
    const document = { kind: 'document', filename: 'log.txt', mime: 'text/plain' }
    for (const size of [5 * MIB - 1, 5 * MIB]) {
      expect(await upload({ ...document, data: base64(text(size)) })).toMatchObject({ size })
    }
    const body = { ...document, data: base64(text(5 * MIB + 1)) }
    const { status, details } = await project.client.refused('uploadMedia', 'file_too_large', {
      body,
    })
    expect({ status, details }).toEqual({ status: 413, details: { limit_bytes: 5 * MIB } })
  })

  it('may not exceed its kind either', async () => {
    const sticker = { kind: 'sticker', filename: 's.webp', mime: 'image/webp' }
    const body = { ...sticker, data: base64(Buffer.alloc(500 * 1024 + 1)) }
    const { details } = await project.client.refused('uploadMedia', 'file_too_large', { body })
    expect(details).toEqual({ limit_bytes: 500 * 1024 })
  })

  it('may have 100 KiB as a sticker that stands still', async () => {
    const sized = (bytes: number) => {
      const still = [webpExtended(0), WEBP_PIXEL]
      const rest = bytes - webp(...still, webpChunk('EXIF', Buffer.alloc(0))).length
      return webp(...still, webpChunk('EXIF', Buffer.alloc(rest)))
    }
    const sticker = { kind: 'sticker', filename: 's.webp', mime: 'image/webp' }
    const size = 100 * 1024
    expect(await upload({ ...sticker, data: base64(sized(size)) })).toMatchObject({ size })
    const body = { ...sticker, data: base64(sized(size + 2)) }
    const { details } = await project.client.refused('uploadMedia', 'file_too_large', { body })
    expect(details).toEqual({ limit_bytes: size })
  })
})

describe('the bytes of an upload decide', () => {
  const refusals: [string, object, Buffer, object][] = [
    ['a PDF that says that it is a picture', image, pdf(), { detected: 'application/pdf' }],
    ['a JPEG that says that it is a PNG', image, jpeg(), { detected: 'image/jpeg' }],
    ['a picture that ends early', image, png().subarray(0, 40), { detected: null }],
    ['a page that says that it is a picture', image, Buffer.from('<html>'), { detected: null }],
    [
      'a picture with a program behind it',
      image,
      Buffer.concat([png(), Buffer.from('MZ')]),
      { detected: null },
    ],
    [
      'a type that the kind does not take',
      { ...image, mime: 'image/webp' },
      png(),
      { declared: 'image/webp', detected: null },
    ],
    [
      'a type that nothing takes',
      { ...image, kind: 'document', mime: 'text/html' },
      Buffer.from('<html>'),
      { declared: 'text/html', detected: null },
    ],
  ]
  it.each(refusals)('against %s', async (_what, parts, bytes, expected) => {
    const stored = await storedFiles(service)
    const body = { ...parts, data: base64(bytes) }
    const { status, details } = await project.client.refused(
      'uploadMedia',
      'unsupported_media_type',
      { body },
    )
    expect(status).toBe(415)
    expect(details).toMatchObject({ accepted: expect.any(Array), ...expected })
    expect(await storedFiles(service)).toEqual(stored)
  })

  it('and an alias of a type is the type', async () => {
    const body = { ...image, mime: 'image/JPG; q=1', data: base64(jpeg()) }
    expect(await upload(body)).toMatchObject({ mime_type: 'image/jpeg' })
  })

  it.each(['application/octet-stream', ';'])(
    'and what its uploader declares as %s is not guessed at',
    async (mime) => {
      const body = { ...image, mime, data: base64(png()) }
      const { details } = await project.client.refused('uploadMedia', 'unsupported_media_type', {
        body,
      })
      expect(details).toMatchObject({ declared: mime })
    },
  )
})

describe('the name of an upload', () => {
  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\Users\\ana\\bike.png', 'bike.png'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['a\r\nSet-Cookie: x.png', 'aSet-Cookie: x.png'],
    ['\u0007\u200b', 'file.png'],
    ['..', 'file.png'],
    ['/', 'file.png'],
    [`${'n'.repeat(251)}.png`, `${'n'.repeat(251)}.png`],
    ['a"b;c%.png', 'a"b;c%.png'],
    ['велосипед 🚲.png', 'велосипед 🚲.png'],
  ])('%j becomes %j, also in the header that it goes out with', async (filename, expected) => {
    const { filename: kept, slug } = await upload({ ...image, filename, data: base64(png()) })
    const { headers } = await project.client.send('getMediaContent', { path: { slug } })

    expect(kept).toBe(expected)
    const disposition = headers.get('content-disposition') ?? ''
    const [, ascii, whole] =
      /^attachment; filename="([ -~]*)"; filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    expect(decodeURIComponent(whole ?? '')).toBe(expected)
    expect(ascii).not.toMatch(/["\\]/)
  })

  it.each(['', 'n'.repeat(256)])(
    'is refused when it is too short or too long',
    async (filename) => {
      const body = { ...image, filename, data: base64(png()) }
      const { details } = await project.client.refused('uploadMedia', 'invalid_request', { body })
      expect(details.errors).toEqual([{ path: 'filename', message: expect.any(String) }])
    },
  )
})

describe.each(['uploadMedia', 'uploadHeaderSample'] as const)('the body of %s', (operationId) => {
  const format = operationId === 'uploadMedia' ? { kind: 'image' } : { format: 'IMAGE' }
  const inline = { ...format, data: base64(png()), filename: 'a.png', mime: 'image/png' }
  const url = { ...format, source_url: 'https://a.example/a.png' }

  it.each<[string, object, string[]]>([
    ['both shapes mixed', { ...inline, ...url }, ['']],
    ['neither shape', format, ['']],
    ['no name in base64', { ...inline, filename: undefined }, ['filename']],
    ['no type in base64', { ...inline, mime: undefined }, ['mime']],
    [
      'nothing but the bytes',
      { data: inline.data },
      [Object.keys(format)[0] ?? '', 'filename', 'mime'],
    ],
    ['an unknown member beside base64', { ...inline, size: 7 }, ['size']],
    ['an unknown member beside an address', { ...url, size: 7 }, ['size']],
    ['an unknown kind', { ...inline, format: 'GIF', kind: 'gif' }, expect.any(Array) as never],
    ['an address that is none', { ...url, source_url: 'bike.png' }, ['source_url', 'source_url']],
    ['an address of files', { ...url, source_url: 'file:///etc/passwd' }, ['source_url']],
    ['an empty type', { ...url, mime: '' }, ['mime']],
    ['bytes that are no text', { ...inline, data: 7 }, ['data']],
  ])('is refused as invalid_request with %s', async (_what, body, paths) => {
    const { details } = await project.client.refused(operationId, 'invalid_request', { body })
    expect((details.errors as { path: string }[]).map(({ path }) => path)).toEqual(paths)
  })
})

describe('when the channel does not take an upload', () => {
  const failures: [number, object, ErrorCode, object][] = [
    [401, { code: 190, message: 'Bad token' }, 'upstream_auth_error', { channel_code: 190 }],
    [400, { code: 131053, message: 'No such medium' }, 'upstream_error', { channel_code: 131053 }],
    [500, { code: 131000, message: 'Out of order' }, 'upstream_error', { retryable: true }],
  ]
  it.each(failures)('nothing of it is kept: %i %j', async (status, error, code, details) => {
    const api = await listen((request, response) => {
      request.resume()
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ error: { type: 'OAuthException', ...error } }))
    })
    const own = await service.project()
    await connectTo(service, own, api.url)
    const stored = await storedFiles(service)
    const format = { format: 'IMAGE', filename: 'a.png', mime: 'image/png' }
    const data = base64(png())

    const medium = await own.client.refused('uploadMedia', code, { body: { ...image, data } })
    const sample = await own.client.refused('uploadHeaderSample', code, {
      body: { ...format, data },
    })
    await api.close()

    expect(medium).toMatchObject({ status: 502, details: { outcome: 'refused', ...details } })
    expect(sample).toMatchObject({ status: 502, details: { outcome: 'refused', ...details } })
    expect((await own.client.ok('listMedia')).media).toEqual([])
    expect(await storedFiles(service)).toEqual(stored)
  })
})

describe('a project whose channel is slow', () => {
  it('leaves the others room to upload', async () => {
    const held: (() => void)[] = []
    let isSlow = true
    const slow = await listen((request, response) => {
      request.resume()
      const end = () => void response.writeHead(500).end()
      if (isSlow) held.push(end)
      else end()
    })
    let uploads: Promise<unknown>[] = []
    try {
      const greedy = await service.project()
      await connectTo(service, greedy, slow.url)
      const body = { ...image, data: base64(png()) }
      uploads = Array.from({ length: 2 * LIMITS.uploadsAtOnce }, () =>
        greedy.client.send('uploadMedia', { body }),
      )
      const { uploadsAtOnceEach } = LIMITS
      await until(() => held.length === uploadsAtOnceEach, 'some uploads were passed on')

      expect(await upload(body)).toMatchObject({ size: png().length })

      expect(held).toHaveLength(uploadsAtOnceEach)
    } finally {
      isSlow = false
      for (const end of held) end()
      await Promise.allSettled(uploads)
      await slow.close()
    }
    await Promise.all(uploads)
  })
})
