import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { DownloadFault } from '../../core/egress.ts'
import { bytesOf, createDial, createYard, publicAddress } from '../support/egress.ts'
import { isGone } from '../support/gone.ts'

const yard = createYard()
afterEach(() => yard.close())

const file = Buffer.from('%PDF-1.7 a file of the test')
const bounds = { bytesMax: 100_000, timeoutMs: 2_000 }
const failed: DownloadFault = { fault: 'failed', message: expect.any(String) as unknown as string }
const tooLarge: DownloadFault = { fault: 'too_large', message: 'The file is too large.' }

/** Downloads from a server of this machine that is allowed; answers with the bytes. */
async function downloadFrom(
  listener: RequestListener,
  { path = '/file.pdf', ...more }: { path?: string } & Partial<typeof bounds> = {},
) {
  const server = await yard.serve(listener)
  const egress = yard.guard({ allow: [server.endpoint] })
  const answer = await egress.download(`${server.url}${path}`, { ...bounds, ...more })
  return { answer, server }
}

/** Reads to the end; what the body failed with, if it did. */
async function faultOf(body: AsyncIterable<Buffer>): Promise<DownloadFault | null> {
  return bytesOf(body).then(
    () => null,
    ({ fault, message }: DownloadFault) => ({ fault, message }),
  )
}

describe('a download', () => {
  it('has the bytes, and what the server says of them', async () => {
    let seen: unknown
    const { answer } = await downloadFrom((request, response) => {
      seen = { method: request.method, url: request.url, headers: request.headers }
      response.setHeader('Content-Type', 'Application/PDF; charset=x')
      response.setHeader('Content-Disposition', 'attachment; filename="report 1.pdf"')
      response.setHeader('Content-Length', file.length)
      response.end(file)
    })

    if (!answer.ok) throw new Error(answer.message)
    const { body, ...rest } = answer.download
    expect(rest).toEqual({
      filename: 'report 1.pdf',
      mimeType: 'application/pdf',
      sizeBytes: file.length,
    })
    expect(await bytesOf(body)).toEqual(file)
    expect(seen).toEqual({
      method: 'GET',
      url: '/file.pdf',
      headers: {
        host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        connection: 'keep-alive',
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'messaging-automation-service',
      },
    })
  })

  it('takes a name and no type from an address when the server says nothing', async () => {
    const { answer } = await downloadFrom((_, response) => void response.write(file), {
      path: '/a/%E2%82%AC%20rates.pdf?x=1',
    })

    expect(answer).toMatchObject({
      ok: true,
      download: { filename: '€ rates.pdf', mimeType: null, sizeBytes: null },
    })
  })

  it('leaves a fragment of its address out, as a browser does', async () => {
    let asked: string | undefined
    const { answer } = await downloadFrom(
      (request, response) => {
        asked = request.url
        response.end(file)
      },
      { path: '/a.pdf?x=1#page=2' },
    )

    expect(answer).toMatchObject({ ok: true, download: { filename: 'a.pdf' } })
    expect(asked).toBe('/a.pdf?x=1')
  })

  it('of plain http keeps the name in the Host header while it dials the checked address', async () => {
    let host: string | undefined
    const server = await yard.serve((request, response) => {
      host = request.headers.host
      response.end(file)
    })
    const { dial, dialled } = createDial(server.port)
    const egress = yard.guard({ resolve: async () => [publicAddress], dial })

    const answer = await egress.download('http://files.example.org:8080/a.pdf', bounds)

    if (!answer.ok) throw new Error(answer.message)
    expect(await bytesOf(answer.download.body)).toEqual(file)
    expect({ host, dialled }).toEqual({
      host: 'files.example.org:8080',
      dialled: [publicAddress],
    })
  })

  it.each([200, 201, 203, 206])('takes what comes with HTTP %i', async (status) => {
    const { answer } = await downloadFrom((_, response) => response.writeHead(status).end(file))

    expect(answer.ok).toBe(true)
  })

  it.each([300, 304, 305, 400, 401, 403, 404, 410, 429, 500, 503])(
    'fails with HTTP %i, and sends no credentials after it',
    async (status) => {
      let requests = 0
      const { answer } = await downloadFrom((_, response) => {
        requests += 1
        response.setHeader('WWW-Authenticate', 'Basic realm="a"')
        response.setHeader('Location', '/other')
        response.setHeader('Refresh', '0; url=/other')
        response.writeHead(status).end()
      })

      expect(answer).toEqual({ ok: false, ...failed })
      expect(requests).toBe(1)
    },
  )

  it.each([302, 404])(
    'does not wait for the body of an answer that is none, such as HTTP %i',
    async (status) => {
      const held: string[] = []
      const { answer, server } = await downloadFrom(
        ({ url = '' }, response) => {
          held.push(url)
          response.writeHead(url === '/file.pdf' ? status : 410, { Location: '/other' })
          response.write('and so on')
        },
        { timeoutMs: 600_000 },
      )

      expect(answer).toMatchObject(failed)
      await server.quiet()
      expect(held).toEqual(status === 302 ? ['/file.pdf', '/other'] : ['/file.pdf'])
    },
  )

  it('ignores redirects that are none of HTTP, and cookies', async () => {
    const cookies: unknown[] = []
    const server = await yard.serve((request, response) => {
      cookies.push(request.headers.cookie)
      response.setHeader('Set-Cookie', 'session=1')
      response.setHeader('Refresh', '0; url=/other')
      response.end('<meta http-equiv="refresh" content="0; url=/other">')
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    for (let round = 0; round < 2; round += 1) {
      const answer = await egress.download(`${server.url}/`, bounds)
      if (!answer.ok) throw new Error(answer.message)
      expect((await bytesOf(answer.download.body)).toString()).toMatch(/^<meta/)
    }
    expect(cookies).toEqual([undefined, undefined])
  })
})

describe('the size of a download', () => {
  it('is refused at once when the server declares more', async () => {
    const { answer, server } = await downloadFrom((_, response) => {
      response.setHeader('Content-Length', bounds.bytesMax + 1)
      response.write('a')
    })

    expect(answer).toEqual({ ok: false, ...tooLarge })
    await server.quiet()
  })

  it('may be exactly the bound', async () => {
    const { answer } = await downloadFrom((_, response) =>
      response.end(Buffer.alloc(bounds.bytesMax)),
    )

    if (!answer.ok) throw new Error(answer.message)
    expect(await bytesOf(answer.download.body)).toHaveLength(bounds.bytesMax)
  })

  it('is cut at the bound when the body has no end, and the connection is dropped', async () => {
    let writtenBytes = 0
    const { answer, server } = await downloadFrom((_, response) => {
      const more = () => {
        writtenBytes += 16_384
        if (!isGone(response)) response.write(Buffer.alloc(16_384), more)
      }
      more()
    })

    if (!answer.ok) throw new Error(answer.message)
    let readBytes = 0
    await expect(
      (async () => {
        for await (const chunk of answer.download.body) readBytes += chunk.length
      })(),
    ).rejects.toMatchObject(tooLarge)
    await server.quiet()
    expect(readBytes).toBeLessThanOrEqual(bounds.bytesMax)
    // What the sockets of both sides hold at most, on top.
    expect(writtenBytes).toBeLessThan(bounds.bytesMax + 8 * 1_048_576)
  })

  it('is what is read: a slow reader holds the sender back', async () => {
    let writtenBytes = 0
    const sizeBytes = 64 * 1_048_576
    const { answer, server } = await downloadFrom(
      (_, response) => {
        const more = () => {
          writtenBytes += 65_536
          if (writtenBytes < sizeBytes && !isGone(response))
            response.write(Buffer.alloc(65_536), more)
        }
        more()
      },
      { bytesMax: sizeBytes },
    )

    if (!answer.ok) throw new Error(answer.message)
    const reader = answer.download.body[Symbol.asyncIterator]()
    await reader.next()
    let before = -1
    while (before < writtenBytes) {
      before = writtenBytes
      await pause(100)
    }
    // What the sockets of both sides hold, and not the file.
    expect(writtenBytes).toBeLessThan(sizeBytes / 2)
    await reader.return?.()
    await server.quiet()
  })

  it.each<[string, string, number | null]>([
    ['shorter than declared', 'Content-Length: 100\r\n\r\nshort', null],
    ['of a length that is none', 'Content-Length: 1e2\r\n\r\nshort', null],
    ['of a negative length', 'Content-Length: -1\r\n\r\nshort', null],
    ['of two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nshort', null],
    ['of a length and in chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5', null],
    ['in broken chunks', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nshort', null],
    ['in chunks without an end', 'Transfer-Encoding: chunked\r\n\r\n5\r\nshort', null],
    ['longer than declared, by what comes after it', 'Content-Length: 5\r\n\r\nshort and more', 5],
    ['without a declared length', '\r\nshort', 5],
  ])('is told from a body that is %s', async (_, answer, readBytes) => {
    const server = await yard.serveRaw((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${answer}`))
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    const given = await egress.download(`${server.url}/`, bounds)

    if (readBytes === null) {
      expect(given.ok ? await faultOf(given.download.body) : given).toMatchObject(failed)
    } else {
      expect(given.ok && (await bytesOf(given.download.body))).toHaveLength(readBytes)
    }
  })

  it.each([['Identity'], [''], ['identity, IDENTITY']])(
    'is of what comes as it is, told by the encoding %j',
    async (encoding) => {
      const { answer } = await downloadFrom((_, response) => {
        response.setHeader('Content-Encoding', encoding)
        response.end(file)
      })

      if (!answer.ok) throw new Error(answer.message)
      expect(await bytesOf(answer.download.body)).toEqual(file)
    },
  )

  it.each([
    [['gzip']],
    [['gzip, gzip, gzip']],
    [['deflate']],
    [['br']],
    [['x-unknown']],
    [['identity', 'gzip']],
    [['gzip', 'gzip']],
  ])('does not grow: what is encoded as %j fails', async (encodings) => {
    const { answer } = await downloadFrom((_, response) => {
      response.setHeader('Content-Encoding', encodings)
      response.end(gzipSync(Buffer.alloc(1_048_576)))
    })

    expect(answer).toEqual({ ok: false, ...failed })
  })
})

describe('the time of a download', () => {
  const timeoutMs = 200
  const drip = (response: ServerResponse, text: string) => {
    const timer = setInterval(() => response.write(text), 20)
    response.on('close', () => clearInterval(timer))
  }

  const redirect = (response: ServerResponse, to: string) =>
    response.writeHead(302, { Location: to, Connection: 'close' }).end()

  it.each<[string, RequestListener]>([
    ['says nothing', () => {}],
    ['drips its body', (_, response) => drip(response, 'a')],
    [
      'redirects, and says nothing then',
      ({ url }, response) => {
        if (url === '/file.pdf') redirect(response, '/other')
      },
    ],
    [
      'redirects slowly, over and over',
      (_, response) => void setTimeout(redirect, 80, response, '/'),
    ],
  ])('is up when the server %s', async (_, listener) => {
    const startedAt = performance.now()
    const { answer, server } = await downloadFrom(listener, { timeoutMs })

    const fault = answer.ok ? await faultOf(answer.download.body) : answer
    expect(fault).toMatchObject({ fault: 'failed', message: 'The download took too long.' })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(timeoutMs - 5)
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs + 300)
    await server.quiet()
  })

  it('is up when the server drips its head', async () => {
    const server = await yard.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
      const timer = setInterval(() => socket.write('a'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    const answer = await egress.download(`${server.url}/`, { ...bounds, timeoutMs })

    expect(answer).toMatchObject({ ok: false, message: 'The download took too long.' })
    await server.quiet()
  })

  it('bounds a body that nobody reads, and that harms nobody', async () => {
    const { answer, server } = await downloadFrom(
      (_, response) => void response.write(Buffer.alloc(1_048_576)),
      { timeoutMs, bytesMax: 2_000_000 },
    )

    await server.quiet()
    if (!answer.ok) throw new Error(answer.message)
    expect(await faultOf(answer.download.body)).toMatchObject(failed)
  })
})

it.each([
  ['a header of 1 MB', `X-Big: ${'a'.repeat(1_048_576)}`],
  ['10,000 headers', Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`).join('\r\n')],
])('an answer with %s fails', async (_, headers) => {
  const server = await yard.serveRaw((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\nfile`))
  })
  const egress = yard.guard({ allow: [server.endpoint] })

  expect(await egress.download(`${server.url}/`, bounds)).toEqual({ ok: false, ...failed })
  await server.quiet()
})
