import { afterAll, beforeAll, expect, it } from '@jest/globals'
import express from 'express'
import { LIMITS } from '../../core/limits.ts'
import { createCallbackReader } from '../../middleware/callback-body.ts'
import { listen, type Listening } from '../support/channel.ts'
import { dial } from '../support/raw.ts'

const SMALL = LIMITS.callbackBytesAlways
const LARGE = SMALL + 1

/** What callbacks are dealt with by, other than at once. */
const works = new Map<string, Promise<void>>()
const outcomes = new Map<string, (outcome: unknown) => void>()
let server: Listening
beforeAll(async () => {
  const readers = new Map([
    ['patient', createCallbackReader({ roomBytes: LARGE })],
    ['hasty', createCallbackReader({ roomBytes: LARGE, timeoutMs: 20 })],
    ['roomy', createCallbackReader({ roomBytes: 4 * LARGE })],
  ])
  const app = express()
  app.post('/:project/:name', async (req, res) => {
    const read = readers.get(req.headers.host ?? '')!
    const { project } = req.params
    const outcome = await read(req, project, async (raw) => {
      await works.get(project)
      return raw.length
    }).catch((error: unknown) => error)
    outcomes.get(req.params.name)?.(outcome)
    res.end()
  })
  server = await listen(app)
})
afterAll(() => server.close())

let count = 0
/** Sends the head of a callback with so many bytes, and as many of them as are told. */
async function begin(bytes: number | 'unknown', sent = '', host = 'patient', project = 'demo') {
  const name = String(++count)
  const outcome = new Promise((resolve) => outcomes.set(name, resolve))
  const socket = await dial(server.url)
  const length = bytes === 'unknown' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
  socket.write(`POST /${project}/${name} HTTP/1.1\r\nHost: ${host}\r\n${length}\r\n\r\n${sent}`)
  return { socket, outcome }
}

/** So many bytes as one chunk of a body without a declared size; the body goes on. */
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`
const END = '0\r\n\r\n'

it('a large callback is refused while the others under way leave it no room, and a small one never', async () => {
  const first = await begin(LARGE, 'x')
  expect(await (await begin(1, 'x')).outcome).toBe(1)
  const busy = { status: 503, code: 'server_error', retryAfterS: 1 }
  expect(await (await begin(LARGE)).outcome).toMatchObject(busy)
  expect(await (await begin('unknown', chunk(SMALL) + END)).outcome).toBe(SMALL)
  expect(await (await begin('unknown', chunk(LARGE))).outcome).toMatchObject(busy)
  first.socket.write('x'.repeat(LARGE - 1))
  expect(await first.outcome).toBe(LARGE)
  expect(await (await begin(LARGE, 'x'.repeat(LARGE))).outcome).toBe(LARGE)
})

it('a callback without a declared size has as much room as has arrived of it', async () => {
  const first = await begin('unknown', chunk(LARGE))
  while ((await (await begin(LARGE, 'x'.repeat(LARGE))).outcome) === LARGE);
  first.socket.write(chunk(1))
  expect(await first.outcome).toMatchObject({ status: 503 })
  expect(await (await begin('unknown', chunk(LARGE) + END)).outcome).toBe(LARGE)
})

it('a large callback has its room until it is dealt with', async () => {
  let end = () => {}
  works.set('slow', new Promise<void>((resolve) => (end = resolve)))
  const first = await begin(LARGE, 'x'.repeat(LARGE), 'patient', 'slow')
  // It is read whole by the time that a later one, as large, is answered.
  expect(await (await begin(LARGE, 'x'.repeat(LARGE), 'roomy')).outcome).toBe(LARGE)
  expect(await (await begin(LARGE)).outcome).toMatchObject({ status: 503 })
  end()
  expect(await first.outcome).toBe(LARGE)
  expect(await (await begin(LARGE, 'x'.repeat(LARGE))).outcome).toBe(LARGE)
})

it('a callback that breaks off gives its room back', async () => {
  const first = await begin(LARGE, 'x')
  expect(await (await begin(1, 'x')).outcome).toBe(1)
  first.socket.destroy()
  expect(await first.outcome).toMatchObject({ status: 400, code: 'bad_request' })
  expect(await (await begin(LARGE, 'x'.repeat(LARGE))).outcome).toBe(LARGE)
})

it('a callback that does not arrive in its time is given up, and gives its room back', async () => {
  const late = { status: 400, code: 'bad_request' }
  for (let times = 0; times < 2; times++) {
    const { outcome, socket } = await begin(LARGE, 'x', 'hasty')
    expect(await outcome).toMatchObject(late)
    socket.destroy()
  }
})

it('large callbacks to one project leave the others as much room as they take', async () => {
  const toGreedy = () => begin(LARGE, '', 'roomy', 'greedy')
  const held = [await toGreedy(), await toGreedy()]
  expect(await (await begin(1, 'x', 'roomy')).outcome).toBe(1)
  expect(await (await toGreedy()).outcome).toMatchObject({ status: 503 })
  const other = await begin(LARGE, 'x'.repeat(LARGE), 'roomy', 'other')
  expect(await other.outcome).toBe(LARGE)
  for (const { socket } of held) socket.write('x'.repeat(LARGE))
  for (const { outcome } of held) expect(await outcome).toBe(LARGE)
  expect(await (await begin(LARGE, 'x'.repeat(LARGE), 'roomy', 'greedy')).outcome).toBe(LARGE)
})
