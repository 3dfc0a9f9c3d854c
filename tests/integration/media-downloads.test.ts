import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { listen, type Listening } from '../support/channel.ts'
import { isGone } from '../support/gone.ts'
import { pdf, png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, leftovers, MIB, storedFiles, text } from '../support/uploads.ts'

/** What the web answers next. */
let serve: (response: ServerResponse) => void
let web: Listening
let service: TestService
let project: TestProject

beforeAll(async () => {
  web = await listen((_request, response) => serve(response))
  service = await startTestService({ env: { ...AMPLE, EGRESS_ALLOW: new URL(web.url).host } })
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(async () => {
  await service.stop()
  await web.close()
})
afterEach(async () => {
  expect(await leftovers(service)).toEqual([])
})

const file = (bytes: Buffer, type: string | null, headers: Record<string, string> = {}) => {
  serve = (response) => {
    response.writeHead(200, { ...(type === null ? {} : { 'Content-Type': type }), ...headers })
    response.end(bytes)
  }
}
async function fetched(more: object = {}) {
  const body = { kind: 'image', source_url: `${web.url}/bikes/blue.png`, ...more } as never
  return (await project.client.ok('uploadMedia', { body })).media
}

describe('a file from an address', () => {
  it('is kept under the name and type that its server gives it', async () => {
    file(png(), 'image/png')
    expect(await fetched()).toMatchObject({
      kind: 'image',
      filename: 'blue.png',
      mime_type: 'image/png',
      size: png().length,
      slug: expect.stringMatching(/^blue-/),
    })
  })

  it('takes no more of the budget than it is, however many come at once', async () => {
    const own = await startTestService({ env: { EGRESS_ALLOW: new URL(web.url).host } })
    const { client } = await own.project()
    const waiting: ServerResponse[] = []
    const deliver = () => {
      for (const one of waiting.splice(0)) {
        one.writeHead(200, { 'Content-Type': 'application/pdf' }).end(pdf())
      }
    }
    serve = (response) => void (waiting.push(response) === 6 && deliver())
    const body = { kind: 'document', source_url: `${web.url}/prices.pdf` } as const
    const uploads = Array.from({ length: 6 }, () =>
      client.ok('uploadMedia', { body }).finally(deliver),
    )
    expect(await Promise.all(uploads)).toHaveLength(6)
    await own.stop()
  })

  it('is a sample for a header, too', async () => {
    file(pdf(), 'application/pdf')
    const body = { format: 'DOCUMENT', source_url: `${web.url}/prices` } as const
    const sample = await project.client.ok('uploadHeaderSample', { body })
    expect(sample).toEqual({
      handle: expect.stringMatching(/^hs_[\w-]{43}$/),
      format: 'DOCUMENT',
      filename: 'prices.pdf',
      mime_type: 'application/pdf',
      size: pdf().length,
    })
  })

  it('is what the request says, not what its server says', async () => {
    file(png(), 'text/html')
    const { details } = await project.client.refused('uploadMedia', 'unsupported_media_type', {
      body: { kind: 'image', source_url: `${web.url}/blue.png` },
    })
    expect(details).toMatchObject({ declared: 'text/html', detected: null })
    expect(await fetched({ mime: 'image/png', filename: 'red.png' })).toMatchObject({
      filename: 'red.png',
      mime_type: 'image/png',
    })
    const lie = { kind: 'image', source_url: `${web.url}/blue.png`, mime: 'image/jpeg' }
    const refusal = await project.client.refused('uploadMedia', 'unsupported_media_type', {
      body: lie,
    })
    expect(refusal.details).toMatchObject({ declared: 'image/jpeg', detected: 'image/png' })
  })

  it.each([null, 'application/octet-stream', 'binary/octet-stream'])(
    'is taken for what its name says when its server says %j',
    async (type) => {
      file(png(), type)
      expect(await fetched()).toMatchObject({ mime_type: 'image/png' })
    },
  )

  it('is taken for what its bytes are when neither its server nor its name says', async () => {
    file(png(), 'application/octet-stream')
    expect(await fetched({ source_url: `${web.url}/pictures/7` })).toMatchObject({
      filename: '7.png',
      mime_type: 'image/png',
    })
  })

  it.each([
    ['attachment; filename="../../x.png"', 'x.png'],
    ['attachment; filename="a\\..\\b.png"', 'b.png'],
    ["attachment; filename*=UTF-8''%2e%2e%2f%00a%0d%0ab.png", 'ab.png'],
    ["attachment; filename*=UTF-8''a%E2%80%AEb.png", 'ab.png'],
    [`attachment; filename="${'n'.repeat(300)}.png"`, `${'n'.repeat(251)}.png`],
    ['attachment; filename=".."', 'file.png'],
    ['attachment; filename="no-extension"', 'no-extension.png'],
  ])('that says %j is kept as %j', async (disposition, filename) => {
    file(png(), 'image/png', { 'Content-Disposition': disposition })
    expect((await fetched()).filename).toBe(filename)
  })

  it.each([
    ['%2e%2e%2fpasswd.png', 'passwd.png'],
    ['a%00b.png', 'ab.png'],
    ['a%0d%0ab.png', 'ab.png'],
    ['%E2%80%AEgnp.png', 'gnp.png'],
    ['', 'file.png'],
  ])('at /%s is kept as %j', async (name, filename) => {
    file(png(), 'image/png')
    expect((await fetched({ source_url: `${web.url}/${name}` })).filename).toBe(filename)
  })
})

describe('an address that does not deliver', () => {
  const failing: [string, () => void][] = [
    ['answers 404', () => (serve = (response) => void response.writeHead(404).end('no'))],
    ['breaks off', () => (serve = cutOff)],
    ['sends nothing', () => file(Buffer.alloc(0), 'image/png')],
    ['compresses', () => file(png(), 'image/png', { 'Content-Encoding': 'gzip' })],
  ]
  it.each(failing)('is bad_request when it %s', async (_what, prepare) => {
    prepare()
    const stored = await storedFiles(service)
    const body = { kind: 'image', source_url: `${web.url}/blue.png` }
    const { status } = await project.client.refused('uploadMedia', 'bad_request', { body })
    expect(status).toBe(400)
    expect(await storedFiles(service)).toEqual(stored)
  })

  it('is bad_request in the same words, whatever private place it leads to', async () => {
    const said = new Set<string>()
    for (const source_url of [
      ...['http://127.0.0.1:1/x', 'http://[::1]/x', 'http://169.254.169.254/latest/meta-data'],
      ...['http://localhost:3000/', 'https://10.0.0.1/x', 'http://metadata.internal/'],
    ]) {
      const body = { kind: 'image', source_url }
      said.add((await project.client.refused('uploadMedia', 'bad_request', { body })).message)
    }
    serve = (response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
    const body = { kind: 'image', source_url: `${web.url}/blue.png` }
    said.add((await project.client.refused('uploadMedia', 'bad_request', { body })).message)
    expect(said.size).toBe(1)
  })
})

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 1_000 })
  response.write(png(), () => response.destroy())
}

describe('a file that is too large', () => {
  const endless = (type: string) => (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': type })
    const chunk = text(65_536)
    const more = () => {
      while (!isGone(response) && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }

  it.each([
    ['when it says so', () => file(Buffer.alloc(5 * MIB + 1), 'image/png')],
    ['when it goes on and on', () => (serve = endless('image/png'))],
  ])('is file_too_large %s', async (_how, prepare) => {
    prepare()
    const body = { kind: 'image', source_url: `${web.url}/blue.png` }
    const { status, details } = await project.client.refused('uploadMedia', 'file_too_large', {
      body,
    })
    expect({ status, details }).toEqual({ status: 413, details: { limit_bytes: 5 * MIB } })
  })

  it('for what is left of the budget is rate_limited at once when its server says so', async () => {
    const own = await startTestService({
      env: { EGRESS_ALLOW: new URL(web.url).host, UPLOAD_BYTES_PER_MINUTE: String(3 * MIB) },
    })
    const { client } = await own.project()
    file(text(5 * MIB), 'text/plain', { 'Content-Length': String(5 * MIB) })
    const body = { kind: 'document', source_url: `${web.url}/log.txt` }
    const { details } = await client.refused('uploadMedia', 'rate_limited', { body })
    expect(Number(details?.remaining)).toBeGreaterThan(2 * MIB)
    await own.stop()
  })

  it('for what is left of the budget is rate_limited, and cut off there', async () => {
    const own = await startTestService({
      env: { EGRESS_ALLOW: new URL(web.url).host, UPLOAD_BYTES_PER_MINUTE: String(3 * MIB) },
    })
    const { client } = await own.project()
    let sent = 0
    serve = (response) => {
      const socket = response.socket
      endless('text/plain')(response)
      response.once('close', () => (sent = socket?.bytesWritten ?? 0))
    }
    const body = { kind: 'document', source_url: `${web.url}/log.txt` }
    const { status, details, headers } = await client.refused('uploadMedia', 'rate_limited', {
      body,
    })

    expect({ status, details }).toMatchObject({
      status: 429,
      details: { limit_name: 'upload-bytes', limit: 3 * MIB },
    })
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await leftovers(own)).toEqual([])
    await own.stop()
    // What the sockets of both sides had taken on is sent, but not read.
    expect(sent).toBeLessThan(16 * MIB)
  })
})
