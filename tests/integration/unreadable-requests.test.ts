import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import type { Refused } from '../../middleware/exchange.ts'
import { createServer } from '../../middleware/server.ts'
import { dial, exchange, parseAnswers, readAll } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const patch = (id: string, size: string, body: string) =>
  `PATCH /v1/contacts/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\n` +
  `Content-Type: application/json\r\nX-Request-Id: ${id}\r\n${size}\r\n\r\n${body}`

/** The lines of the log that name a request, once there is one. */
async function linesOf(requestId: string) {
  const lines = () => service.logLines.filter((line) => line.includes(`"${requestId}"`))
  await until(() => lines().length > 0, 'its line')
  return lines().map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** How many requests were counted with a status. */
async function counted(status: number): Promise<number> {
  const { values } = await service.ctx.metrics.requests.get()
  return values
    .filter(({ labels }) => labels['status'] === status)
    .reduce((all, { value }) => all + value, 0)
}

describe('a request that has arrived whole', () => {
  it.each(['\0', 'more', '\r\n}}', 'GET /v1/ping HTTP/9.9\r\n\r\n'])(
    'gets its own answer, though %j follows it',
    async (more) => {
      const answers = await exchange(service.url, patch('whole', 'Content-Length: 2', `{}${more}`))

      expect(answers.map(({ status }) => status)).toEqual([400, 400])
      expect(answers[0]!.headers.get('x-request-id')).toBe('whole')
      expect(answers[0]!.body).toContain('"code":"invalid_request"')
      expect(answers[1]!.body).toContain('"code":"bad_request"')
    },
  )

  it('is answered before the refusal of what follows, also when others were sent ahead of it', async () => {
    const requests = ['first', 'second'].map((id) => patch(id, 'Content-Length: 2', '{}'))
    const answers = await exchange(service.url, `${requests.join('')}nonsense\r\n\r\n`)

    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(ids.slice(0, 2)).toEqual(['first', 'second'])
    expect(ids).toHaveLength(3)
  })
})

it('a request whose body cannot be read on is refused under its own id, and is in the log once, as refused', async () => {
  const [answer, ...others] = await exchange(
    service.url,
    patch('half-read', 'Transfer-Encoding: chunked', '1\r\n{\r\nzz\r\n'),
  )

  expect(others).toEqual([])
  expect(answer).toMatchObject({ status: 400 })
  expect(answer!.headers.get('x-request-id')).toBe('half-read')
  expect(JSON.parse(answer!.body)).toMatchObject({ request_id: 'half-read' })
  expect(await linesOf('half-read')).toMatchObject([
    { event: 'request.completed', operation: 'updateContact', status: 400, code: 'bad_request' },
  ])
})

it('a request whose body cannot be read on is refused after those ahead of it are answered', async () => {
  const whole = patch('ahead', 'Content-Length: 2', '{}')
  const broken = patch('half-read-2', 'Transfer-Encoding: chunked', '1\r\n{\r\nzz\r\n')
  const answers = await exchange(service.url, whole + broken)

  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  expect(ids).toEqual(['ahead', 'half-read-2'])
  expect(answers.map(({ status }) => status)).toEqual([400, 400])
  expect(await linesOf('half-read-2')).toMatchObject([{ status: 400, code: 'bad_request' }])
})

const head = (line: string, fields = '') => `${line} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`
type Case = [what: string, status: number, code: string, method: string | null, bytes: string]
const cases: Case[] = [
  ['noise', 400, 'bad_request', null, 'nonsense\r\n\r\n'],
  ['too large a header', 431, 'bad_request', null, head('GET /', `A: ${'x'.repeat(17_408)}\r\n`)],
  ['an unknown expectation', 417, 'bad_request', 'GET', head('GET /', 'Expect: x\r\n')],
  ['CONNECT', 405, 'method_not_allowed', 'CONNECT', head('CONNECT a:1')],
]
it.each(cases)(
  '%s is in the log and the metrics under the id of its answer',
  async (_what, status, code, method, bytes) => {
    const before = await counted(status)
    const [answer] = await exchange(service.url, bytes)

    expect(answer).toMatchObject({ status })
    expect(await linesOf(answer!.headers.get('x-request-id')!)).toMatchObject([
      { event: 'request.completed', operation: 'none', method, status, code },
    ])
    expect((await counted(status)) - before).toBe(1)
  },
)

it('a tunnel is refused under the id that its request names', async () => {
  const asked = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: tunnel\r\n\r\n'
  const [answer] = await exchange(service.url, asked)
  expect(answer!.headers.get('x-request-id')).toBe('tunnel')
})

it('a connection on which no request ever began is not told as one', async () => {
  const refused: Refused[] = []
  const { server } = createServer(express(), 5_000, { onRefused: (one) => refused.push(one) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const accepted = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const client = await dial(`http://127.0.0.1:${port}`)
  const [socket] = (await accepted) as [Socket]
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.emit('clientError', late, socket)

  expect(parseAnswers(await readAll(client)).map(({ status }) => status)).toEqual([408])
  expect(refused).toEqual([])
  server.close()
})
