import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { dial, parseAnswers, readAll } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const MIB = 1_048_576
/** More than the buffers between the two take up, and less than is read. */
const SENT_MIB = 14
const FORM = 'multipart/form-data; boundary=b'

it.each<[string, string, string, number, string | null]>([
  ['a body that is too large', '/v1/messages', 'application/json', 413, null],
  ['a file that is too large', '/v1/templates/header-sample', 'application/json', 413, null],
  ['a form that is too large', '/v1/media', FORM, 413, null],
  ['a form that nobody may send', '/v1/media', FORM, 401, 'nonsense'],
  ['a body of another kind', '/v1/messages', 'text/plain', 415, null],
  ['a body for a path that is none', '/v1/none', 'application/json', 404, null],
])(
  'the answer to %s reaches a client that goes on sending',
  async (_what, path, type, due, key) => {
    const socket = await dial(service.url)
    let failure: Error | null = null
    socket.on('error', (error) => (failure = error))
    const received = readAll(socket)
    const size = path === '/v1/media' ? 101 * MIB : SENT_MIB * MIB
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key ?? project.key}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`,
    )
    for (let sent = 0; sent < SENT_MIB && !failure; sent++) {
      if (!socket.write(Buffer.alloc(MIB, 'x'))) await once(socket, 'drain').catch(() => {})
    }
    const [answer, ...others] = parseAnswers(await received)

    expect(failure).toBeNull()
    expect(others).toEqual([])
    expect(answer?.status).toBe(due)
    expect(answer?.headers.get('connection')).toBe('close')
  },
)
