import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as keys from '../../capabilities/projects/keys.ts'
import { LIMITS } from '../../core/limits.ts'
import { dial, parseAnswers, readAll } from '../support/raw.ts'
import { checkAnswer } from '../support/responses.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const UPLOAD_BYTES = 8 * 1024 * 1024

let service: TestService
let greedy: TestProject
let other: TestProject

beforeAll(async () => {
  service = await startTestService()
  greedy = await service.project()
  other = await service.project()
})
afterAll(() => service.stop())

/** Sends the head of an upload and as much of its body as is told; answers with the connection. */
async function begin(
  { key }: TestProject,
  length: number | 'chunked',
  sent = '',
  type = 'application/json',
) {
  const socket = await dial(service.url)
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(
    `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: ${type}\r\nConnection: close\r\n${size}\r\n\r\n${sent}`,
  )
  return socket
}

async function answerOf(project: TestProject, length: number | 'chunked', sent = '') {
  const [answer] = parseAnswers(await readAll(await begin(project, length, sent)))
  const { status, headers } = answer!
  const body = JSON.parse(answer!.body) as { error: { code: string } }
  checkAnswer('uploadMedia', { status, headers, body })
  return { status, code: body.error.code, retryAfter: headers.get('retry-after') }
}

/** One chunk of a body without a declared size; the body goes on. */
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`

it('any number of small bodies may arrive at once, though they declare no size', async () => {
  const sends = Array.from(
    { length: 2 * (LIMITS.bodyBytesAtOnce / LIMITS.bodyBytes) },
    async () => {
      const socket = await dial(service.url)
      const head =
        `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${other.key}\r\n` +
        'Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
      socket.write(`${head}1\r\n{\r\n`)
      return socket
    },
  )
  const sockets = await Promise.all(sends)
  await other.client.ok('ping')
  for (const socket of sockets) socket.write('1\r\n}\r\n0\r\n\r\n')
  const answers = await Promise.all(sockets.map((socket) => readAll(socket)))
  const statuses = answers.map((answer) => parseAnswers(answer)[0]!.status)
  expect(new Set(statuses)).toEqual(new Set([400]))
})

it('large bodies of one project leave the others as much room as they take, and small ones need none', async () => {
  const busy = { status: 500, code: 'server_error', retryAfter: '1' }
  const read = { status: 400, code: 'invalid_request' }
  const held = []
  while (held.length < LIMITS.bodyBytesAtOnce / UPLOAD_BYTES / 2) {
    held.push(await begin(greedy, UPLOAD_BYTES, '{'))
    // On a connection made later, as the next one is: what came before has been looked at by then.
    expect(await answerOf(greedy, 2, '{}')).toMatchObject(read)
  }
  expect(await answerOf(greedy, UPLOAD_BYTES)).toEqual(busy)
  expect(await answerOf(greedy, 'chunked', chunk(LIMITS.bodyBytesAlways + 1))).toEqual(busy)
  // Another key is no other project.
  const named = { projectId: greedy.id, name: 'Other', scopes: ['all'], isTest: true }
  const { secret } = await keys.create(service.ctx, named)
  expect(await answerOf({ ...greedy, key: secret }, UPLOAD_BYTES)).toEqual(busy)
  expect(await answerOf(greedy, 2, '{}')).toMatchObject(read)
  expect(await answerOf(greedy, 'chunked', `2\r\n{}\r\n0\r\n\r\n`)).toMatchObject(read)

  const upload = `{}${' '.repeat(UPLOAD_BYTES - 2)}`
  expect(await answerOf(other, UPLOAD_BYTES, upload)).toMatchObject(read)
  for (const socket of held) socket.destroy()
  while ((await answerOf(greedy, UPLOAD_BYTES, upload)).status === 500);
  expect(await answerOf(greedy, UPLOAD_BYTES, upload)).toMatchObject(read)
})

it('a body that is larger than it may be is refused for that, however little room there is', async () => {
  const huge = 1_000 * LIMITS.bodyBytesAtOnce
  expect(await answerOf(other, huge, '{')).toMatchObject({ status: 413, code: 'payload_too_large' })
})

it('forms take no room, however large: their files go to disk', async () => {
  const form = 'multipart/form-data; boundary=a'
  const held = []
  while (held.length < 10) held.push(await begin(other, UPLOAD_BYTES, '', form))
  await other.client.ok('ping')
  expect(await answerOf(other, UPLOAD_BYTES, `{}${' '.repeat(UPLOAD_BYTES - 2)}`)).toMatchObject({
    status: 400,
    code: 'invalid_request',
  })
  for (const socket of held) socket.destroy()
})
