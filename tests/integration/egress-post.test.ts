import type { RequestListener, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { bodyOf } from '../support/channel.ts'
import { createYard, event, reachFromProcess } from '../support/egress.ts'
import { isGone } from '../support/gone.ts'
import { until } from '../support/until.ts'

const yard = createYard()
afterEach(() => yard.close())

const durationMs: unknown = expect.any(Number)

/** Posts an event to a server of this machine that is allowed. */
async function postTo(listener: RequestListener, timeoutMs = event.timeoutMs) {
  const server = await yard.serve(listener)
  const egress = yard.guard({ allow: [server.endpoint] })
  return { outcome: await egress.post(`${server.url}/hook`, { ...event, timeoutMs }), server }
}

describe('a post', () => {
  it('is the request that it was given, and no more', async () => {
    let seen: unknown
    const { outcome } = await postTo(async (request, response) => {
      const { method, url, rawHeaders } = request
      seen = { method, url, rawHeaders, body: (await bodyOf(request)).toString() }
      response.setHeader('Set-Cookie', 'a=1').end()
    })

    expect(outcome).toEqual({ statusCode: 200, error: null, durationMs })
    expect(seen).toEqual({
      method: 'POST',
      url: '/hook',
      rawHeaders: [
        ...['host', expect.stringMatching(/^127\.0\.0\.1:\d+$/), 'connection', 'keep-alive'],
        ...['Content-Type', 'application/json', 'User-Agent', 'Service-Webhooks/1.0'],
        ...['content-length', '8'],
      ],
      body: event.body,
    })
  })

  it.each([200, 201, 202, 204, 205, 299, 300, 304, 400, 401, 407, 410, 429, 500, 503, 599])(
    'is answered by HTTP %i, whatever that means',
    async (status) => {
      const { outcome } = await postTo((_, response) => response.writeHead(status).end())

      expect(outcome).toEqual({ statusCode: status, error: null, durationMs })
    },
  )

  it.each([
    [204, 'HTTP/1.1 204 No Content'],
    [304, 'HTTP/1.1 304 Not Modified'],
  ])(
    'is answered by HTTP %i that tells the length of a body which it cannot have',
    async (status, line) => {
      const server = await yard.serveRaw((socket) => {
        socket.on('data', () => socket.write(`${line}\r\nContent-Length: 2\r\n\r\n`))
      })
      const egress = yard.guard({ allow: [server.endpoint] })

      for (let post = 0; post < 2; post++) {
        expect(await egress.post(server.url, event)).toEqual({
          statusCode: status,
          error: null,
          durationMs,
        })
      }
    },
  )

  it.each([301, 302, 303, 307, 308])('is not sent on after HTTP %i', async (status) => {
    const target = await yard.serveRaw(() => {})
    let requests = 0
    const { outcome } = await postTo((_, response) => {
      requests += 1
      response.writeHead(status, { Location: requests === 1 ? target.url : '/' }).end()
    })

    expect(outcome).toEqual({ statusCode: status, error: null, durationMs })
    expect(requests).toBe(1)
    expect(target.connections()).toBe(0)
  })

  it('reads past what comes before the answer', async () => {
    const { outcome } = await postTo((_, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(201).end()
    })

    expect(outcome.statusCode).toBe(201)
  })

  it('gives up a server that never comes to its answer', async () => {
    const { outcome } = await postTo((_, response) => {
      const more = () => {
        if (isGone(response)) return
        for (let heads = 0; heads < 1_000; heads++) response.writeProcessing()
        setImmediate(more)
      }
      more()
    })

    expect(outcome).toEqual({ statusCode: null, error: 'bad_answer', durationMs })
    expect(outcome.durationMs).toBeLessThan(event.timeoutMs)
  })

  it('reads 64 KB of an answer and drops the connection of a longer one', async () => {
    let writtenBytes = 0
    const endless = (response: ServerResponse) => {
      const more = () => {
        writtenBytes += 16_384
        if (!isGone(response)) response.write(Buffer.alloc(16_384), more)
      }
      more()
    }
    const { outcome, server } = await postTo((_, response) => endless(response))

    expect(outcome).toEqual({ statusCode: 200, error: null, durationMs })
    await server.quiet()
    expect(server.connections()).toBe(1)
    expect(writtenBytes).toBeLessThan(8 * 1_048_576)
  })

  it('is made over plain http only where that is allowed', async () => {
    const egress = yard.guard()

    for (const url of ['http://hooks.example.org/', 'http://93.184.216.34/', 'nonsense', '']) {
      expect(await egress.post(url, event)).toMatchObject({ error: 'refused_address' })
    }
  })

  it('is not made with a header that is none', async () => {
    const server = await yard.serve((_, response) => response.end())
    const egress = yard.guard({ allow: [server.endpoint] })
    const headers = { 'X-Event': 'a\r\nX-Other: b' }

    expect(await egress.post(server.url, { ...event, headers })).toEqual({
      statusCode: null,
      error: 'failed',
      durationMs,
    })
    expect(server.connections()).toBe(0)
  })

  it('is not made once the guard is closed', async () => {
    const server = await yard.serve((_, response) => response.end())
    const egress = yard.guard({ allow: [server.endpoint] })
    await egress.close()

    expect(await egress.post(server.url, event)).toMatchObject({ error: 'closed' })
    expect(await egress.download(server.url, { bytesMax: 1, timeoutMs: 100 })).toMatchObject({
      fault: 'failed',
    })
  })
})

describe('a post without an answer says', () => {
  it('connection_refused where nobody listens', async () => {
    const server = await yard.serveRaw(() => {})
    await yard.close()
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.post(server.url, event)).toEqual({
      statusCode: null,
      error: 'connection_refused',
      durationMs,
    })
  })

  it('dns for a name that is allowed and does not exist', async () => {
    const egress = yard.guard({ allow: ['receiver.invalid:9000'] })

    expect(await egress.post('http://receiver.invalid:9000/', event)).toMatchObject({
      error: 'dns',
    })
  })

  it.each<[string, string, string]>([
    ['connection_reset', 'is cut before the answer', ''],
    ['connection_reset', 'is cut in its head', 'HTTP/1.1 200 OK\r\nX-A'],
    ['connection_reset', 'is cut in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na'],
    ['connection_reset', 'says only to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['failed', 'changes the protocol', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n'],
    ['bad_answer', 'is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['bad_answer', 'has a head of 20 KB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_480)}\r\n\r\n`],
    [
      'bad_answer',
      'breaks its chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n',
    ],
  ])('%s when it %s', async (error, _, answer) => {
    const server = await yard.serveRaw((socket) => {
      socket.once('data', () => socket.end(answer, () => socket.destroy()))
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.post(server.url, event)).toEqual({ statusCode: null, error, durationMs })
  })

  const slow = 150
  it.each<[string, RequestListener]>([
    ['is silent', () => {}],
    ['is silent after its head', (_, response) => response.flushHeaders()],
    [
      'drips',
      (_, response) => {
        const timer = setInterval(() => response.write('a'), 10)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'keeps saying that it works on it',
      (_, response) => {
        const timer = setInterval(() => response.writeProcessing(), 10)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('timeout when the server %s, and the connection is gone', async (_, listener) => {
    const { outcome, server } = await postTo(listener, slow)

    expect(outcome).toEqual({ statusCode: null, error: 'timeout', durationMs })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(slow - 5)
    expect(outcome.durationMs).toBeLessThan(slow + 300)
    await server.quiet()
    expect(server.connections()).toBe(1)
  })

  it('timeout when the TLS handshake is silent, and the connection is gone', async () => {
    const server = await yard.serveRaw(() => {})
    const egress = yard.guard({ allow: [server.endpoint], connectTimeoutMs: 600_000 })
    const url = `https://${server.endpoint}/`

    const outcome = await egress.post(url, { ...event, timeoutMs: slow })

    expect(outcome).toEqual({ statusCode: null, error: 'timeout', durationMs })
    await server.quiet()
    expect(server.connections()).toBe(1)
  })

  it('timeout when the connection alone takes too long', async () => {
    const server = await yard.serveRaw(() => {})
    const egress = yard.guard({ allow: [server.endpoint], connectTimeoutMs: slow })

    const outcome = await egress.post(`https://${server.endpoint}/`, event)

    expect(outcome).toMatchObject({ statusCode: null, error: 'timeout' })
    expect(outcome.durationMs).toBeLessThan(event.timeoutMs)
    await server.quiet()
  })
})

describe('the connections of posts', () => {
  it('are kept and used again, one after the other', async () => {
    const server = await yard.serve((_, response) => response.end('ok'))
    const egress = yard.guard({ allow: [server.endpoint] })

    for (let round = 0; round < 20; round += 1) await egress.post(server.url, event)

    // The next post may come a moment before the connection is free again.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  it('are bounded for each origin, and every post gets through', async () => {
    const server = await yard.serve((_, response) => void setTimeout(() => response.end(), 2))
    const egress = yard.guard({ allow: [server.endpoint], connectionsMax: 64 })

    const posts = Array.from({ length: 500 }, () => egress.post(server.url, event))
    const outcomes = await Promise.all(posts)

    expect(new Set(outcomes.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(server.connections()).toBeLessThanOrEqual(64)
  })

  it('are as many, unless told otherwise, as there can be deliveries under way', async () => {
    const held: ServerResponse[] = []
    const server = await yard.serve((_, response) => void held.push(response))
    const egress = yard.guard({ allow: [server.endpoint] })
    const patient = { ...event, timeoutMs: 60_000 }
    const most = LIMITS.attemptsUnderWay
    const posts = Array.from({ length: most + 1 }, () => egress.post(server.url, patient))
    await until(() => held.length === most, 'all connections are in use')
    for (const response of held.splice(0)) response.end()
    await until(() => held.length === 1, 'the last post has one of them')
    held[0]?.end()

    expect((await Promise.all(posts)).every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(server.connections()).toBe(most)
  })

  it('are not lost to posts that gave up while they waited for one', async () => {
    const held: ServerResponse[] = []
    const server = await yard.serve((_, response) => void held.push(response))
    const egress = yard.guard({ allow: [server.endpoint], connectionsMax: 64 })
    const patient = Array.from({ length: 64 }, () => egress.post(server.url, event))
    while (held.length < 64) await new Promise((resolve) => setTimeout(resolve, 2))

    const hasty = { ...event, timeoutMs: 50 }
    const waiting = Array.from({ length: 200 }, () => egress.post(server.url, hasty))
    const errors = (await Promise.all(waiting)).map(({ error }) => error)
    for (const response of held) response.end()

    expect(new Set(errors)).toEqual(new Set(['timeout']))
    expect((await Promise.all(patient)).every(({ statusCode }) => statusCode === 200)).toBe(true)
    const later = egress.post(server.url, event)
    while (held.length < 65) await new Promise((resolve) => setTimeout(resolve, 2))
    held[64]?.end()
    expect(await later).toMatchObject({ statusCode: 200 })
    expect(server.connections()).toBe(64)
    expect(held).toHaveLength(65)
  })
})

it('warns at its start of what it allows, and of nothing when that is nothing', () => {
  const warnings: unknown[][] = []
  const log = { warn: (...words: unknown[]) => void warnings.push(words) as never }

  yard.guard({ log })
  yard.guard({ log, allow: ['127.0.0.1:9000', 'receiver:80'] })

  const allow = ['127.0.0.1:9000', 'receiver:80']
  expect(warnings).toEqual([['egress.private_addresses_allowed', { allow }]])
})

it('goes directly, whatever proxy the environment names', async () => {
  const proxy = await yard.serve((_, response) => response.end('proxied'))
  const { url, endpoint } = await yard.serve((_, response) => response.writeHead(202).end())
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
  const proxies = Object.fromEntries(names.map((name) => [name, proxy.url]))
  const env = { ...proxies, NODE_USE_ENV_PROXY: '1' }

  expect(await reachFromProcess({ url, allow: endpoint, env })).toEqual([202, null, true])
  expect(proxy.connections()).toBe(0)
})
