import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import { LIMITS } from '../../core/limits.ts'
import { createServer } from '../../middleware/server.ts'
import { until } from '../support/until.ts'
import { checkAnswer } from '../support/responses.ts'
import { dial, exchange, parseAnswers, type RawAnswer, readAll } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const HOST = 'Host: a\r\n'
const get = (fields: string) => `GET /v1/ping HTTP/1.1\r\n${fields}\r\n`
const patch = (fields: string, body: string) =>
  `PATCH /v1/contacts/1 HTTP/1.1\r\n${HOST}Authorization: Bearer ${project.key}\r\n` +
  `Content-Type: application/json\r\n${fields}\r\n${body}`
const chunked = (body: string) => patch('Transfer-Encoding: chunked\r\n', body)

function mustBeEnvelope({ status, headers, body, reason }: RawAnswer): string {
  const failure = JSON.parse(body) as { error: { code: string } }
  checkAnswer(null, { status, headers, body: failure })
  expect(reason).toBe(STATUS_CODES[status])
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('connection')).toBe('close')
  return failure.error.code
}

describe('a request that is no proper HTTP gets one answer in the envelope, and the connection ends', () => {
  const cases: [string, number, () => string][] = [
    ['a line of noise', 400, () => '\x16\x03\x01 hello\r\n\r\n'],
    ['an unknown method', 400, () => `FETCH /v1/ping HTTP/1.1\r\n${HOST}\r\n`],
    ['a space in the path', 400, () => `GET /v1 /ping HTTP/1.1\r\n${HOST}\r\n`],
    ['HTTP/0.9', 400, () => 'GET /v1/ping\r\n\r\n'],
    ['HTTP/2.0', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/3.7', 400, () => `GET /v1/ping HTTP/3.7\r\n${HOST}\r\n`],
    ['no Host', 400, () => get('')],
    ['two Hosts', 400, () => get(`${HOST}Host: b\r\n`)],
    ['a header of 17 KB', 431, () => get(`${HOST}X-Long: ${'x'.repeat(17_408)}\r\n`)],
    ['headers of 20 KB in all', 431, () => get(HOST + `X-A: ${'x'.repeat(95)}\r\n`.repeat(200))],
    ['a path of 20 KB', 431, () => `GET /${'x'.repeat(20_480)} HTTP/1.1\r\n${HOST}\r\n`],
    ['a space before the colon', 400, () => get(`${HOST}Transfer-Encoding : chunked\r\n`)],
    ['a folded header', 400, () => get(`${HOST}X-A: 1\r\n 2\r\n`)],
    ['bare line feeds', 400, () => get(HOST).replaceAll('\r\n', '\n')],
    ['a bare line feed in a header', 400, () => get(`${HOST}X-A: 1\nX-B: 2\r\n`)],
    ['a bare carriage return in a header', 400, () => get(`${HOST}X-A: 1\rX-B: 2\r\n`)],
    ['a NUL in a header', 400, () => get(`${HOST}X-A: 1\0\r\n`)],
    ['a NUL in a header name', 400, () => get(`${HOST}X\0A: 1\r\n`)],
    ['a header without a colon', 400, () => get(`${HOST}nonsense\r\n`)],
    ['a header without a name', 400, () => get(`${HOST}: 1\r\n`)],
    [
      'length and chunks',
      400,
      () => patch('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ],
    [
      'chunks and length',
      400,
      () => patch('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'),
    ],
    ['two lengths', 400, () => patch('Content-Length: 2\r\nContent-Length: 3\r\n', '{}')],
    ['a list of lengths', 400, () => patch('Content-Length: 2, 2\r\n', '{}')],
    ['a signed length', 400, () => patch('Content-Length: +2\r\n', '{}')],
    ['a negative length', 400, () => patch('Content-Length: -2\r\n', '{}')],
    [
      'a length beyond every number',
      400,
      () => patch(`Content-Length: ${'9'.repeat(30)}\r\n`, '{}'),
    ],
    [
      'an unknown transfer coding',
      400,
      () => patch('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'),
    ],
    [
      'a transfer coding that is not undone',
      400,
      () => patch('Transfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
    ],
    ['chunked twice', 400, () => patch('Transfer-Encoding: chunked, chunked, x\r\n', '0\r\n\r\n')],
    ['a chunk size that is no number', 400, () => chunked('zz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk size beyond every number', 400, () => chunked('fffffffffffffffff\r\n{}\r\n')],
    ['a chunk longer than its size', 400, () => chunked('1\r\n{}\r\n0\r\n\r\n')],
    ['chunk extensions of 20 KB', 413, () => chunked(`2;${'x'.repeat(20_480)}\r\n{}\r\n0\r\n\r\n`)],
    ['a trailer without a colon', 400, () => chunked('2\r\n{}\r\n0\r\nnonsense\r\n\r\n')],
    ['an expectation that nobody knows', 417, () => get(`${HOST}Expect: 200-ok\r\n`)],
    [
      'two lengths that agree',
      400,
      () => patch('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    ],
    [
      'two content types',
      400,
      () => patch('Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'),
    ],
  ]

  it.each(cases)('%s: %i', async (_what, status, bytes) => {
    const answers = await exchange(service.url, bytes())

    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect(mustBeEnvelope(answers[0]!)).toBe(status === 413 ? 'payload_too_large' : 'bad_request')
  })

  it('and a request smuggled behind it is never read', async () => {
    const hidden = `GET /v1/ping HTTP/1.1\r\n${HOST}Authorization: Bearer ${project.key}\r\n\r\n`
    const fields = `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n`
    const answers = await exchange(service.url, patch(fields, `0\r\n\r\n${hidden}`))

    expect(answers.map(({ status }) => status)).toEqual([400])
  })

  it('and CONNECT is refused like any other method', async () => {
    const [answer, ...more] = await exchange(service.url, `CONNECT a:443 HTTP/1.1\r\n${HOST}\r\n`)

    expect(more).toEqual([])
    expect(answer?.status).toBe(405)
    expect(mustBeEnvelope(answer!)).toBe('method_not_allowed')
  })

  it('and an answer that is being sent is not broken by it', async () => {
    const socket = await dial(service.url)
    const arrived = new Promise((resolve) => socket.once('readable', resolve))
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n')
    await arrived
    socket.write('nonsense\r\n\r\n')

    const answers = parseAnswers(await readAll(socket))
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })
})

it('a check of a balancer that speaks HTTP/1.0, and so names no host, is answered', async () => {
  const answers = await exchange(service.url, 'GET /readyz HTTP/1.0\r\n\r\n')
  expect(answers.map(({ status }) => status)).toEqual([200])
})

describe('a connection is kept', () => {
  it('for the next request, after answers of every kind', async () => {
    const ask = (method: string, path: string, fields = '') =>
      `${method} ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${project.key}\r\n${fields}\r\n`
    const answers = await exchange(
      service.url,
      patch('Content-Length: 2\r\n', '{}'),
      ask('GET', '/v1/ping'),
      ask('GET', '/v1/nothing'),
      ask('DELETE', '/v1/ping'),
      ask('GET', '/v1/contacts/x'),
      ask('GET', '/v1/openapi.json', 'If-None-Match: *\r\n'),
      ask('GET', '/v1/ping', 'Connection: close\r\n'),
    )

    expect(answers.map(({ status }) => status)).toEqual([400, 200, 404, 405, 400, 304, 200])
  })
})

describe('requests that are sent ahead', () => {
  const ahead = (count: number) => 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count)
  const last = 'GET /v1/ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

  it('are answered in their order', async () => {
    const answers = await exchange(service.url, ahead(LIMITS.requestsAhead - 1) + last)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
    expect(answers).toHaveLength(LIMITS.requestsAhead)
  })

  it('may be any number when each waits for the answer to the one before', async () => {
    const socket = await dial(service.url)
    const answers = readAll(socket)
    for (let sent = 0; sent <= LIMITS.requestsAhead; sent++) {
      socket.write(ahead(1))
      await once(socket, 'data')
    }
    socket.write(last)
    expect(parseAnswers(await answers)).toHaveLength(LIMITS.requestsAhead + 2)
  })

  it('end the connection when they are more than any client has under way', async () => {
    const answered = () => service.ctx.metrics.requests.get()
    const sum = async () => (await answered()).values.reduce((all, { value }) => all + value, 0)
    const before = await sum()
    await exchange(service.url, ahead(1_000) + last)
    expect((await sum()) - before).toBeLessThanOrEqual(LIMITS.requestsAhead)
  })
})

describe('a client that is slow', () => {
  it('is bounded in headers, whole requests and idleness, and so are connections', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = createServer(
      express(),
      5_000,
    ).server

    expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 5_000,
      maxConnections: 4_096,
    })
  })

  it('and gives up in the middle of a body ends its own request alone', async () => {
    const socket = await dial(service.url)
    socket.end(patch('Content-Length: 100\r\n', '{"name":'))
    const answers = parseAnswers(await readAll(socket))

    expect(answers.map(({ status }) => status)).toEqual([400])
    expect((await project.client.send('ping')).status).toBe(200)
  })

  it('and is gone before its body is read is in the log as gone, and as no fault of ours', async () => {
    const socket = await dial(service.url)
    const head = patch('Content-Length: 100\r\nX-Request-Id: gone\r\n', '{"name":')
    await new Promise((resolve) => socket.write(head, resolve))
    socket.destroy()
    const lines = () => service.logLines.filter((line) => line.includes('"gone"'))
    await until(() => lines().length > 0, 'its line')
    // What becomes of the request itself is told at the latest when another one has gone the same way.
    await project.client.send('ping')
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ status: 499 }])
  })
})

describe('a client that asks for a tunnel', () => {
  /** One on a server of its own, and that server's end of the connection. */
  async function tunnel() {
    const { server, drain } = createServer(express(), 5_000)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const accepted = once(server, 'connection')
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    const [socket] = (await accepted) as [Socket]
    const closed = new Promise((resolve) => socket.once('close', resolve))
    return { server, drain, client, closed }
  }
  const asked = `CONNECT a:443 HTTP/1.1\r\n${HOST}\r\n`

  it('and breaks off at once ends its own connection alone', async () => {
    const { server, drain, client, closed } = await tunnel()
    server.once('connect', () => client.resetAndDestroy())
    client.write(asked)
    await closed
    await drain()
  })

  it('and never hangs up keeps no server from stopping', async () => {
    const { drain, client } = await tunnel()
    client.write(asked)
    client.resume()
    await once(client, 'end')
    await drain()
    client.destroy()
  })
})

describe('more than two thousand headers', () => {
  it('are all read, so that none of them hides another', async () => {
    const many = 'a:b\r\n'.repeat(2_100)
    const [answer] = await exchange(
      service.url,
      get(`${HOST}Connection: close\r\n${many}Host: b\r\n`),
    )

    expect(answer?.status).toBe(400)
  })
})
