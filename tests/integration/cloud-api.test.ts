import type { RequestListener } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Channel, SendOutcome } from '../../core/ports.ts'
import { ownConnect } from '../../egress/pools.ts'
import { accessToken, bodyOf, channelAccount, listen, textTo } from '../support/channel.ts'
import type { Listening } from '../support/channel.ts'
import { isGone } from '../support/gone.ts'
import { freePort } from '../../scripts/free-port.ts'

let channel: Channel
let servers: Listening[]

beforeEach(() => {
  channel = createCloudApi({ timeoutMs: 300 })
  servers = []
})

afterEach(async () => {
  await channel.close()
  await Promise.all(servers.map((server) => server.close()))
})

async function serve(listener: RequestListener): Promise<string> {
  const server = await listen(listener)
  servers.push(server)
  return server.url
}

async function sendTo(listener: RequestListener): Promise<SendOutcome> {
  return channel.send(channelAccount(await serve(listener)), textTo('+34600111222'))
}

const contacts = [{ wa_id: '34600111222' }]
const taken = JSON.stringify({ messages: [{ id: 'wamid.A' }], contacts })
const refusal = JSON.stringify({ error: { code: 131000, message: '(#131000) Wrong' } })

describe('the request', () => {
  it('has the path, the token and the body that the channel wants', async () => {
    let seen: unknown
    const url = await serve(async (request, response) => {
      const { method, url: path, headers } = request
      seen = { method, path, headers, body: JSON.parse((await bodyOf(request)).toString()) }
      response.end(taken)
    })

    const account = channelAccount(`${url}/graph/`)
    const outcome = await channel.send(account, { ...textTo('+34600111222'), replyTo: 'wamid.Q' })

    expect(outcome).toEqual({
      outcome: 'accepted',
      wamid: 'wamid.A',
      waId: '34600111222',
      userId: null,
    })
    expect(seen).toEqual({
      method: 'POST',
      path: '/graph/v25.0/106540352242922/messages',
      headers: expect.objectContaining({
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      }),
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '+34600111222',
        type: 'text',
        text: { body: 'Hello' },
        context: { message_id: 'wamid.Q' },
        biz_opaque_callback_data: 'att_1',
      },
    })
  })

  it('names a customer by user id, and quotes nothing in a reaction', async () => {
    let body: unknown
    const url = await serve(async (request, response) => {
      body = JSON.parse((await bodyOf(request)).toString())
      response.end(taken)
    })
    const reaction = { message_id: 'wamid.Q', emoji: '👍' }

    await channel.send(channelAccount(url), {
      to: { userId: 'MX.1' },
      message: { type: 'reaction', reaction },
      replyTo: 'wamid.Q',
      attemptId: 'att_2',
    })

    expect(body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      recipient: 'MX.1',
      type: 'reaction',
      reaction,
      biz_opaque_callback_data: 'att_2',
    })
  })

  it('has no other headers than its own, whatever the token holds', async () => {
    let names: string[] = []
    const url = await serve((request, response) => {
      names = Object.keys(request.headers)
      response.end(taken)
    })
    const account = channelAccount(url, { accessToken: 'token\r\nX-Other: 1' })

    await channel.send(account, textTo('+34600111222'))

    expect(names).not.toContain('x-other')
  })

  it('does not go through a proxy of the environment', async () => {
    let proxied = 0
    const proxy = await serve((_, response) => {
      proxied += 1
      response.end(taken)
    })
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = proxy

    const outcome = await sendTo((_, response) => response.end(taken))

    names.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name]
      else process.env[name] = before[index]
    })
    expect(outcome.outcome).toBe('accepted')
    expect(proxied).toBe(0)
  })
})

describe('a send is refused for certain', () => {
  it('when nothing listens', async () => {
    const account = channelAccount(`http://127.0.0.1:${await freePort()}`)

    expect(await channel.send(account, textTo('+34600111222'))).toEqual({
      outcome: 'refused',
      error: {
        kind: 'transient',
        code: null,
        subcode: null,
        title: 'The channel could not be reached',
        details: 'ECONNREFUSED',
        httpStatus: null,
        traceId: null,
        retryable: true,
      },
    })
  })

  it('when the TLS handshake fails', async () => {
    const url = await serve((_, response) => response.end(taken))
    const account = channelAccount(url.replace('http:', 'https:'))

    expect(await channel.send(account, textTo('+34600111222'))).toMatchObject({
      outcome: 'refused',
    })
  })

  it.each([['not an address'], ['ftp://127.0.0.1'], ['']])(
    'when its address is %j',
    async (apiUrl) => {
      expect(await channel.send(channelAccount(apiUrl), textTo('+34600111222'))).toMatchObject({
        outcome: 'refused',
      })
    },
  )

  it('after it was closed', async () => {
    const url = await serve((_, response) => response.end(taken))
    await channel.close()

    expect(await channel.send(channelAccount(url), textTo('+34600111222'))).toMatchObject({
      outcome: 'refused',
      error: { details: 'ERR_CLOSED' },
    })
  })

  it.each<[string, number, string, string]>([
    ["the channel's own error", 400, refusal, 'transient'],
    ["the channel's own error", 503, refusal, 'transient'],
    ["the channel's own error", 200, refusal, 'transient'],
    ['a page', 404, '<html>', 'transient'],
    ['a page', 401, '<html>', 'transient'],
    ['nothing', 429, '', 'throughput'],
    ['nothing', 500, '', 'transient'],
    ['a page', 503, '<html>', 'transient'],
  ])('when %s comes with HTTP %i', async (_, status, body, kind) => {
    const outcome = await sendTo((__, response) => response.writeHead(status).end(body))

    expect(outcome).toMatchObject({ outcome: 'refused', error: { kind, httpStatus: status } })
  })

  it('when the channel redirects, and the other address is not asked', async () => {
    let followed = 0
    const target = await serve((_, response) => {
      followed += 1
      response.end(taken)
    })

    const outcome = await sendTo((_, response) =>
      response.writeHead(302, { Location: `${target}/` }).end(),
    )

    expect(outcome).toMatchObject({
      outcome: 'refused',
      error: { kind: 'unknown', httpStatus: 302, retryable: false },
    })
    expect(followed).toBe(0)
  })

  it('when an error answer has a body of 10 MB, of which little is read', async () => {
    const bytes = 10 * 1024 * 1024
    let written = 0
    const outcome = await sendTo((_, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' })
      const more = () => {
        written += 64 * 1024
        if (written < bytes && !isGone(response)) response.write(' '.repeat(64 * 1024), more)
      }
      more()
    })

    expect(outcome).toMatchObject({ outcome: 'refused', error: { httpStatus: 400 } })
    expect(written).toBeLessThan(bytes)
  })

  it('without the token in the error, even when the channel repeats it', async () => {
    const outcome = await sendTo((request, response) => {
      const message = `Bad header ${request.headers.authorization}`
      response.writeHead(400).end(JSON.stringify({ error: { code: 100, message } }))
    })

    expect(outcome).toMatchObject({ error: { title: 'Bad header Bearer [token]' } })
    expect(JSON.stringify(outcome)).not.toContain(accessToken)
  })

  it.each<[string, (character: string) => string]>([
    ['all of it', (character) => `\\u00${character.charCodeAt(0).toString(16)}`],
    ['in capitals', (character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`],
    ['its slashes, as PHP does', (character) => (character === '/' ? '\\/' : character)],
  ])('nor when the channel escapes %s', async (_what, escape) => {
    const token = 'EAA/Kz+Jo.9~/='
    const answers: RequestListener = (_request, response) => {
      const message = `Bad header Bearer ${[...token].map(escape).join('')}`
      response.writeHead(400).end(`{"error":{"code":100,"message":"${message}"}}`)
    }
    const account = { ...channelAccount(await serve(answers)), accessToken: token }
    const outcome = await channel.send(account, textTo('+34600111222'))

    expect(outcome).toMatchObject({ error: { title: 'Bad header Bearer [token]' } })
  })
})

describe('the outcome of a send stays open', () => {
  it.each<[string, RequestListener]>([
    ['the connection is cut after the request', (_, response) => void response.destroy()],
    ['no answer comes in time', () => undefined],
    [
      'the answer drips in for ever',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'the answer breaks off',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '100' })
        response.write('{"messages":[{"id":"wam', () => response.destroy())
      },
    ],
    ['the answer is no JSON', (_, response) => void response.end('<html>ok</html>')],
    ['the answer is empty', (_, response) => void response.end()],
    ['the answer has no message id', (_, response) => void response.end('{"messages":[{}]}')],
    [
      'the answer is compressed unasked',
      (_, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(taken))
      },
    ],
    [
      'the answer is huge',
      (_, response) => {
        response.end(`{"messages":[{"id":"wamid.A"}],"x":"${'x'.repeat(1024 * 1024)}"}`)
      },
    ],
    ['a gateway gives up', (_, response) => void response.writeHead(504).end('<html>')],
    ['a gateway has no answer', (_, response) => void response.writeHead(502).end()],
  ])('when %s', async (_, listener) => {
    const startedAt = performance.now()

    const outcome = await sendTo(listener)

    expect(outcome).toMatchObject({ outcome: 'unknown', error: { kind: 'transient', code: null } })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})

describe('many sends at once', () => {
  // Longer than a busy machine takes to get all of them across.
  beforeEach(async () => {
    await channel.close()
    channel = createCloudApi({ timeoutMs: 15_000 })
  })

  it('each get their own answer, over a bounded number of connections', async () => {
    const sockets = new Set<unknown>()
    const url = await serve(async (request, response) => {
      sockets.add(request.socket)
      const body = JSON.parse((await bodyOf(request)).toString())
      response.end(JSON.stringify({ messages: [{ id: `wamid.${body.to}` }] }))
    })
    const phones = Array.from({ length: 1_000 }, (_, index) => `+3460011${1000 + index}`)

    const outcomes = await Promise.all(
      phones.map((phone) => channel.send(channelAccount(url), textTo(phone))),
    )

    expect(outcomes).toEqual(
      phones.map((phone) => expect.objectContaining({ wamid: `wamid.${phone}` })),
    )
    expect(sockets.size).toBeLessThanOrEqual(LIMITS.channelConnections)
  })

  it('are refused for certain only when the channel has not seen them', async () => {
    // One connection after the other, so that sends are given up before, as and after theirs is there.
    await channel.close()
    let asked = 0
    channel = createCloudApi({
      timeoutMs: 3_000,
      connect: async (target, signal) => {
        await pause(10 * asked++, undefined, { signal })
        return ownConnect(10_000)(target, signal)
      },
    })
    const seen = new Set<string>()
    const url = await serve(async (request) => {
      seen.add(JSON.parse((await bodyOf(request)).toString()).biz_opaque_callback_data)
    })
    const attemptIds = Array.from({ length: 1_000 }, (_, index) => `att_${index}`)

    const outcomes = await Promise.all(
      attemptIds.map((id) => channel.send(channelAccount(url), textTo('+34600111222', id))),
    )

    const refused = attemptIds.filter((_, index) => outcomes[index]?.outcome === 'refused')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter((id) => seen.has(id))).toEqual([])
    expect(seen.size).toBeGreaterThan(0)
  })

  it('keep no other waiting when they are all that broadcasts have under way, and have no answer', async () => {
    let speak = () => {}
    const spoken = new Promise<void>((resolve) => (speak = resolve))
    const url = await serve(async (request, response) => {
      const { to } = JSON.parse((await bodyOf(request)).toString())
      if (to !== '+34600111222') await spoken
      response.end(taken)
    })
    let answered = 0
    const silent = Array.from({ length: LIMITS.recipientsUnderWay }, async () => {
      await channel.send(channelAccount(url), textTo('+34600111333'))
      answered++
    })

    const outcome = await channel.send(channelAccount(url), textTo('+34600111222'))
    expect(outcome).toMatchObject({ outcome: 'accepted' })
    expect(answered).toBe(0)
    speak()
    await Promise.all(silent)
  })

  it('to more servers than are kept open all reach theirs', async () => {
    const urls = await Promise.all(
      Array.from({ length: 40 }, () => serve((_, response) => response.end(taken))),
    )

    const outcomes = await Promise.all(
      urls.map((url) => channel.send(channelAccount(url), textTo('+34600111222'))),
    )

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(urls.map(() => 'accepted'))
  })
})
