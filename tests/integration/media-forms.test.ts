import { once } from 'node:events'
import http from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { pdf, png } from '../support/sample-files.ts'
import { dial, exchange } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import {
  AMPLE,
  contentOf,
  fileForm,
  form,
  formType,
  leftovers,
  MIB,
  type Part,
  storedFiles,
  text,
} from '../support/uploads.ts'

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

async function upload(body: FormData) {
  const { media } = await project.client.ok('uploadMedia', { body: body as never })
  return media
}

/** Sends a form as it is written here, byte by byte. */
async function post(body: Buffer | string, type = formType(), more = '') {
  const head =
    `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}Connection: close\r\n\r\n`
  const [answer] = await exchange(service.url, head, body)
  return { status: answer?.status, ...(JSON.parse(answer?.body ?? '') as { error?: Failure }) }
}
type Failure = { code: string; message: string; details: { errors: { path: string }[] } }

const file: Part = { name: 'file', bytes: png(), filename: 'bike.png', type: 'image/png' }

describe('a form with a file', () => {
  it.each<[string, Buffer, string, string]>([
    ['image', png(), 'bike.png', 'image/png'],
    ['document', pdf(), 'prices.pdf', 'application/pdf'],
    ['document', text(3 * MIB), 'log.txt', 'text/plain'],
  ])('is kept as %s, as its bytes say', async (kind, bytes, filename, mime) => {
    const media = await upload(fileForm(bytes, filename, mime))
    expect(media).toMatchObject({ kind, filename, mime_type: mime, size: bytes.length })
    // Jest would compare three million bytes one by one.
    expect((await contentOf(project, media.slug)).equals(bytes)).toBe(true)
  })

  it.each([
    ['image', png(), 'image/png'],
    ['document', pdf(), 'application/pdf'],
  ])(
    'is kept as %s by its bytes when neither its type nor its name says',
    async (kind, bytes, mime) => {
      const media = await upload(fileForm(bytes, 'x', 'application/octet-stream'))
      expect(media).toMatchObject({ kind, mime_type: mime })
    },
  )

  it('is not taken for a text, which anything may look like, when nothing says so', async () => {
    const body = fileForm(text(100), 'x', 'application/octet-stream') as never
    await project.client.refused('uploadMedia', 'unsupported_media_type', { body })
  })

  it('may tell its name and type beside the file, before or after it', async () => {
    const texts = [
      { name: 'filename', bytes: 'other.png' },
      { name: 'mime', bytes: 'image/png' },
    ]
    const odd = { ...file, filename: 'x.bin', type: 'application/x-odd' }
    for (const parts of [
      [...texts, odd],
      [odd, ...texts],
    ]) {
      const { status } = await post(form(parts))
      expect(status).toBe(201)
      const { media } = await project.client.ok('listMedia', { query: { limit: 1 } })
      expect(media).toMatchObject([{ filename: 'other.png', mime_type: 'image/png' }])
    }
  })

  it('is read whatever its boundary, with text before and after its parts', async () => {
    const boundary = "'()+_,-./:=? 0".replaceAll(' ', '')
    const body = Buffer.concat([
      Buffer.from('hello\r\n'),
      form([file], boundary),
      Buffer.from('bye'),
    ])
    expect((await post(body, formType(`"${boundary}"`))).status).toBe(201)
  })

  it.each<[string, Part, object]>([
    ['a picture', { ...file, type: undefined }, { kind: 'image', mime_type: 'image/png' }],
    [
      'a picture of another name',
      { name: 'file', bytes: pdf(), filename: 'a.png' },
      { kind: 'document' },
    ],
    ['a document without a name', { name: 'file', bytes: pdf() }, { mime_type: 'application/pdf' }],
    ['plain text', { name: 'file', bytes: 'All is well.' }, { mime_type: 'text/plain' }],
    ['a picture with an empty type', { ...file, type: '' }, { mime_type: 'image/png' }],
  ])('without a type is taken for what its bytes are: %s', async (_what, part, expected) => {
    expect(await post(form([part]))).toMatchObject({ status: 201, data: { media: expected } })
  })

  it('without a type is refused when its bytes are of none, or not of the type beside it', async () => {
    const unknown = { name: 'file', bytes: Buffer.from([0, 1, 2, 3]), filename: 'a.png' }
    expect(await post(form([unknown]))).toMatchObject({
      status: 415,
      error: { code: 'unsupported_media_type', details: { declared: null, detected: null } },
    })
    const beside = [
      { name: 'mime', bytes: 'text/plain' },
      { ...file, type: undefined },
    ]
    expect(await post(form(beside))).toMatchObject({
      status: 415,
      error: { details: { declared: 'text/plain', detected: 'image/png' } },
    })
  })

  it('that is declared as plain text is taken for that, and for nothing else', async () => {
    expect(await post(form([{ ...file, type: 'text/plain' }]))).toMatchObject({
      status: 415,
      error: { details: { declared: 'text/plain', detected: 'image/png' } },
    })
  })

  it('may have 5 MiB as a picture, and not a byte more', async () => {
    const refused = await project.client.refused('uploadMedia', 'file_too_large', {
      body: fileForm(Buffer.alloc(5 * MIB + 1), 'a.png', 'image/png'),
    })
    expect(refused).toMatchObject({ status: 413, details: { limit_bytes: 5 * MIB } })
  })

  it('may have 100 MiB to the byte as a document', async () => {
    const media = await upload(fileForm(text(100 * MIB), 'log.txt', 'text/plain'))
    expect(media).toMatchObject({ size: 100 * MIB })
    const over = fileForm(text(100 * MIB + 1), 'log.txt', 'text/plain')
    const { details } = await project.client.refused('uploadMedia', 'file_too_large', {
      body: over,
    })
    expect(details).toEqual({ limit_bytes: 100 * MIB })
  })

  it.each([
    ['of its file', ''],
    ['behind its last part', `\r\n--${formType().split('=')[1]}--\r\n`],
  ])(
    'is read no further than its ceiling, however much is sent %s',
    async (_where, ended) => {
      const { status, sentBytes } = await sendWithoutEnd(ended)
      expect(status).toBe(413)
      // What the sockets hold on both sides comes on top.
      expect(sentBytes).toBeLessThan(132 * MIB)
    },
    60_000,
  )
})

/** Sends a form that does not end, and stops when the answer comes; `ended` comes first of what has no end. */
async function sendWithoutEnd(ended: string) {
  const request = http.request(new URL('/v1/media', service.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': formType() },
  })
  request.on('error', () => undefined)
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  let isAnswered = false
  answered.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  )
  const [head = ''] = form([{ name: 'file', bytes: '#', filename: 'a.txt', type: 'text/plain' }])
    .toString()
    .split('#')
  request.write(head + ended)
  const chunk = text(MIB)
  let sentBytes = 0
  while (!isAnswered && sentBytes < 400 * MIB) {
    sentBytes += chunk.length
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answered])
  }
  const [response] = await answered
  request.destroy()
  return { status: response.statusCode, sentBytes }
}

describe('a form of another shape is refused as invalid_request', () => {
  const texts = (name: string, bytes: string) => ({ name, bytes })
  it.each<[string, Part[], string]>([
    ['with no part at all', [], ''],
    ['without its file', [texts('filename', 'a.png')], ''],
    ['with two files', [file, file], ''],
    ['with a file under another name', [{ ...file, name: 'upload' }], 'upload'],
    ['with an unknown text', [file, texts('kind', 'image')], 'kind'],
    ['with a text twice', [file, texts('mime', 'image/png'), texts('mime', 'image/png')], 'mime'],
    ['with too many parts', [file, ...'abcd'.split('').map((name) => texts(name, ''))], 'a'],
    ['with an empty name', [texts('filename', ''), file], 'filename'],
    ['with a name that is too long', [texts('filename', 'n'.repeat(256)), file], 'filename'],
    ['with a name far too long', [texts('filename', 'n'.repeat(100_000)), file], 'filename'],
    ['with a NUL in its type', [texts('mime', 'image/png\0'), file], 'mime'],
    ['with an empty file', [{ ...file, bytes: '' }], 'file'],
  ])('%s', async (_what, parts, path) => {
    const { status, error } = await post(form(parts))
    expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(error?.details.errors).toEqual([{ path, message: expect.any(String) }])
  })

  it.each<[Part[], string, string]>([
    [[], '', 'needs one part named file'],
    [[file, file], '', 'must hold one file, and filename and mime at most'],
    [[file, texts('kind', 'image')], 'kind', 'is not known'],
    [[file, texts('mime', 'a/b'), texts('mime', 'a/b')], 'mime', 'is given twice'],
    [[texts('filename', ''), file], 'filename', 'must have 1 to 255 characters'],
  ])('and says what is wrong as of any other body: %#', async (parts, path, message) => {
    const { error } = await post(form(parts))
    expect(error?.details.errors).toEqual([{ path, message }])
    const where = path || 'it'
    expect(error?.message).toBe(`The body does not match the schema: ${where} ${message}.`)
  })

  it.each([
    ['whose boundary is another', form([file]), formType('another')],
    ['without a boundary', form([file]), 'multipart/form-data'],
    ['that does not end', form([file]).subarray(0, -10), formType()],
    ['that ends within its file', form([file]).subarray(0, 150), formType()],
    ['that is no form', Buffer.from('{"kind":"image"}'), formType()],
  ])('%s', async (_what, body, type) => {
    expect(await post(body, type)).toMatchObject({
      status: 400,
      error: { code: 'invalid_request' },
    })
  })

  it('and a compressed one as unsupported_media_type', async () => {
    expect(await post(form([file]), formType(), 'Content-Encoding: gzip\r\n')).toMatchObject({
      status: 415,
      error: { code: 'unsupported_media_type' },
    })
  })
})

describe('a form that breaks off', () => {
  /** Sends the beginning of a form and, once its file is being written down, closes the connection. */
  async function breakOff(own: TestService, key: string) {
    const body = form([{ ...file, bytes: text(9 * MIB), type: 'text/plain' }])
    const socket = await dial(own.url)
    socket.write(
      `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: ${formType()}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, MIB))
    while ((await leftovers(own)).length === 0) await new Promise(setImmediate)
    socket.destroy()
    await once(socket, 'close')
    while ((await leftovers(own)).length > 0) await new Promise(setImmediate)
  }

  it("is its client's own doing: the log tells of no error, and of a request that nobody waited for", async () => {
    const own = await startTestService({ env: AMPLE })
    await breakOff(own, (await own.project()).key)
    await own.stop()

    const lines = own.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    const told = expect.objectContaining({ operation: 'uploadMedia', status: 499 }) as unknown
    expect(lines).toContainEqual(told)
  })

  it('leaves no file and no medium, and only what came of it counts', async () => {
    const own = await startTestService({ env: { UPLOAD_BYTES_PER_MINUTE: String(10 * MIB) } })
    const { key, client } = await own.project()
    await breakOff(own, key)

    expect((await client.ok('listMedia')).media).toEqual([])
    expect(await storedFiles(own)).toEqual([])
    const rest = fileForm(text(8 * MIB), 'log.txt', 'text/plain')
    const { status, headers } = await client.send('uploadMedia', { body: rest })
    expect(status).toBe(201)
    expect(headers.get('ratelimit')).toMatch(/"upload-bytes";r=[1-9]\d{5,};/)
    await own.stop()
  })
})

it('a form that does not tell its length is cut off where the budget of bytes ends', async () => {
  const own = await startTestService({ env: { UPLOAD_BYTES_PER_MINUTE: String(3 * MIB) } })
  const { key } = await own.project()
  const part = { name: 'file', bytes: text(5 * MIB), filename: 'log.txt', type: 'text/plain' }
  const answer = await fetch(new URL('/v1/media', own.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': formType() },
    body: new Blob([new Uint8Array(form([part]))]).stream(),
    duplex: 'half',
  })
  expect(answer.status).toBe(429)
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'rate_limited',
      details: { limit_name: 'upload-bytes', limit: 3 * MIB, remaining: 0 },
    },
  })
  expect(await storedFiles(own)).toEqual([])
  await own.stop()
})

describe('a form that is too large', () => {
  it('is payload_too_large at once when it says so', async () => {
    const answer = await exchange(
      service.url,
      `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\n` +
        `Content-Type: ${formType()}\r\nContent-Length: ${101 * MIB}\r\nConnection: close\r\n\r\n`,
      'x',
    )
    expect(answer).toMatchObject([{ status: 413 }])
    expect(JSON.parse(answer[0]?.body ?? '')).toMatchObject({
      error: { code: 'payload_too_large', details: { limit_bytes: 100 * MIB + 65_536 } },
    })
  })

  it('is answered 401 without a credential, before it is read', async () => {
    const body = fileForm(text(20 * MIB), 'log.txt', 'text/plain')
    const { status } = await service.client.refused('uploadMedia', 'api_key_required', { body })
    expect(status).toBe(401)
  })
})
