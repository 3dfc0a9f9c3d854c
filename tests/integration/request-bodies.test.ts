import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { dial, exchange, parseAnswers, readAll } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let path: { id: number }

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await service.customer(project)
  const { contacts } = await project.client.ok('listContacts')
  path = { id: contacts[0]!.id }
})
afterAll(() => service.stop())

const LIMIT = 1_048_576
const JSON_TYPE = 'application/json'

const head = (key: string | null, fields: string) =>
  `PATCH /v1/contacts/${path.id} HTTP/1.1\r\nHost: a\r\n` +
  (key === null ? '' : `Authorization: Bearer ${key}\r\n`) +
  `${fields}\r\n`

/** Changes the contact with these very bytes; answers with the status and the code. */
async function patch(bytes: Buffer | string, type: string | null = JSON_TYPE, more = '') {
  const body = Buffer.from(bytes)
  const declared = type === null ? '' : `Content-Type: ${type}\r\n`
  const fields = `${declared}Content-Length: ${body.length}\r\nConnection: close\r\n${more}`
  const [answer, ...others] = await exchange(
    service.url,
    Buffer.concat([Buffer.from(head(project.key, fields), 'latin1'), body]),
  )
  expect(others).toEqual([])
  const { error } = JSON.parse(answer!.body) as {
    error?: { code: string; message: string; details?: unknown }
  }
  return { status: answer!.status, ...error }
}

const name = async () => (await project.client.ok('getContact', { path })).contact.name

describe('the type of a body', () => {
  it.each([
    JSON_TYPE,
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('may be %s', async (type) => expect((await patch('{"name":"Ana"}', type)).status).toBe(200))

  const refused = [
    null,
    '',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/json, text/plain',
    'application/xml',
    'multipart/form-data; boundary=a',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'json',
    '*/*',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;CHARSET="iso-8859-1"',
  ]
  it.each(refused)(
    'is 415 unsupported_media_type when it is %j, and nothing changes',
    async (type) => {
      const before = await name()
      expect(await patch('{"name":"Changed"}', type)).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        details: { declared: type, detected: null, accepted: [JSON_TYPE] },
      })
      expect(await name()).toBe(before)
    },
  )

  it.each(['gzip', 'deflate', 'br', 'zzz', 'gzip, gzip'])(
    'with Content-Encoding %s is 415: compressed bodies are not read',
    async (coding) => {
      const zipped = gzipSync('{"name":"Zipped"}')
      const answer = await patch(zipped, JSON_TYPE, `Content-Encoding: ${coding}\r\n`)
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it.each(['Identity', '', 'identity, IDENTITY'])(
    'with Content-Encoding %j is read: it comes as it is',
    async (coding) => {
      const answer = await patch('{"name":"Ana"}', JSON_TYPE, `Content-Encoding: ${coding}\r\n`)
      expect(answer.status).toBe(200)
    },
  )
})

it('a byte order mark before a body is passed over', async () => {
  expect((await patch('\ufeff{"name":"Marked"}')).status).toBe(200)
  expect(await name()).toBe('Marked')
})

describe('a body that is no JSON', () => {
  const texts: (string | Buffer)[] = [
    ' ',
    '{',
    '{"name":"a",}',
    "{'name':1}",
    '{"name":"a"} x',
    '// a\n{}',
    'NaN',
    'undefined',
    '{"name":01}',
    '{"name":"\t"}',
    '[1',
    '"\\x"',
    '{"name":"a"}{"name":"b"}',
    Buffer.from('{"name":"a"}', 'utf16le'),
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    Buffer.from('{"name":"caf\xe9"}', 'latin1'),
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ]
  it.each(texts)('is invalid_json, and nothing changes: %j', async (text) => {
    const before = await name()
    expect(await patch(text)).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(await name()).toBe(before)
  })
})

describe('a body that is JSON but not of the schema', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const texts = [
    'null',
    'true',
    '1',
    '"x"',
    '[]',
    '{}',
    '{"name":7}',
    '{"name":["a"]}',
    '{"nothing":1}',
    '1e999',
    '{"name":"a","id":1}',
    '{"name":"a","project_id":"b"}',
    '{"__proto__":{"name":"a"}}',
    '{"name":"a","__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"attributes":{"a":{"b":1}}}',
    '{"attributes":{"__proto__":{"admin":true}}}',
    '{"toString":"a"}',
    '{"name":"\\u0000"}',
    '{"name":"a\\ud800"}',
    '{"name":"\\udc00a"}',
    '{"attributes":{"\\u0000":"a"}}',
    '{"attributes":{"\\ud800":"a"}}',
    '{"tags":{"add":["\\u0000"]}}',
    '{"attributes":{"n":1e999}}',
    deep(5_000),
    '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
    deep(500_000),
  ]
  it.each(texts.map((text) => [text.slice(0, 60), text]))(
    'is invalid_request, and nothing changes: %s',
    async (_shown, text) => {
      const before = await project.client.ok('getContact', { path })
      expect(await patch(text)).toMatchObject({ status: 400, code: 'invalid_request' })

      expect(await project.client.ok('getContact', { path })).toEqual(before)
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    },
  )

  it('may nest 64 levels as far as reading goes, and not one more', async () => {
    const nested = (levels: number, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels)
    for (const inner of ['', '1', '"a"', 'null']) {
      const within = await patch(nested(64, inner))
      const beyond = await patch(nested(65, inner))

      expect(within).toMatchObject({ details: { errors: expect.anything() } })
      expect(beyond.message).toMatch(/deeper than 64/)
    }
  })
})

describe('a request without a body where one is due', () => {
  it.each(['', 'Content-Length: 0\r\n', `Content-Type: ${JSON_TYPE}\r\n`])(
    'is invalid_request: %j',
    async (fields) => {
      const [answer] = await exchange(
        service.url,
        head(project.key, `${fields}Connection: close\r\n`),
      )
      expect(answer?.status).toBe(400)
      expect(JSON.parse(answer!.body)).toMatchObject({ error: { code: 'invalid_request' } })
    },
  )

  it.each(['PATCH /v1/contacts/1', 'POST /v1/deployments'])(
    'is invalid_request when its chunks are empty: %s',
    async (line) => {
      const fields = `Content-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n`
      const empty = `${head(project.key, fields).replace(/^PATCH \S+/, line)}0\r\n\r\n`
      const [answer] = await exchange(service.url, empty)
      expect(answer?.status).toBe(400)
      expect(JSON.parse(answer!.body)).toMatchObject({
        error: { code: 'invalid_request', message: 'The request needs a body.' },
      })
    },
  )
})

describe('the size of a body', () => {
  /** A valid change of exactly so many bytes. */
  const sized = (bytes: number) => '{"name":"Sized"' + ' '.repeat(bytes - 16) + '}'

  it('may be 1 MiB to the byte', async () => {
    expect((await patch(sized(LIMIT))).status).toBe(200)
    expect(await name()).toBe('Sized')
  })

  it.each(['of a known length', 'in chunks'])('of one byte more is 413, %s', async (how) => {
    const body = sized(LIMIT + 1)
    const known = `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`
    const request =
      how === 'in chunks'
        ? `${head(project.key, `Content-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n`)}` +
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : head(project.key, known) + body
    const answers = await exchange(service.url, request)

    expect(answers.map(({ status }) => status)).toEqual([413])
    expect(JSON.parse(answers[0]!.body)).toMatchObject({
      error: { code: 'payload_too_large', details: { limit_bytes: LIMIT } },
    })
    expect(answers[0]!.headers.get('connection')).toBe('close')
  })

  it('is told at once to who says it, and not when all has come', async () => {
    const socket = await dial(service.url)
    const received = readAll(socket)
    socket.write(
      head(project.key, `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${LIMIT + 1}\r\n`),
    )
    const answers = parseAnswers(await received)

    expect(answers.map(({ status }) => status)).toEqual([413])
    expect(JSON.parse(answers[0]!.body)).toMatchObject({
      error: { code: 'payload_too_large', details: { limit_bytes: LIMIT } },
    })
  })

  it('does not matter without a credential: 401 comes before the body is read', async () => {
    const socket = await dial(service.url)
    const received = readAll(socket)
    socket.write(head(null, `Content-Type: ${JSON_TYPE}\r\nContent-Length: 104857600\r\n`))
    socket.write('x'.repeat(1_024))
    const [answer, ...more] = parseAnswers(await received)

    expect(more).toEqual([])
    expect(answer?.status).toBe(401)
    expect(answer?.headers.get('connection')).toBe('close')
    expect(socket.bytesWritten).toBeLessThan(65_536)
  })

  it.each([401, 413])(
    'reaches an ordinary client as %i, though it is still sending',
    async (status) => {
      const client = status === 401 ? service.client : project.client
      for (let round = 0; round < 20; round++) {
        const answer = await client.send('updateContact', { path, body: 'x'.repeat(3 * LIMIT) })
        expect(answer.status).toBe(status)
      }
    },
  )

  it('cannot be used to make the service read on after its answer', async () => {
    const socket = await dial(service.url)
    const received = readAll(socket)
    socket.write(head(null, `Content-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n`))
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    let sent = 0
    while (!socket.destroyed && sent < 200 * LIMIT) {
      sent += chunk.length
      if (!socket.write(chunk)) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await received

    expect(sent).toBeLessThan(32 * LIMIT)
  })
})
