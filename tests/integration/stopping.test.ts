import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import pg from 'pg'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { createServer, type HttpServer } from '../../middleware/server.ts'
import { startBroadcast } from '../support/broadcast-sending.ts'
import { createDatabase } from '../support/postgres.ts'
import { dial, parseAnswers, readAll } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { allRows, applySql } from '../support/tables.ts'
import { until } from '../support/until.ts'

const CLIENTS = 30
/** More than two sockets hold. */
const LARGE_BYTES = 32 * 1024 * 1024
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

const countSent = statement(
  'test-count-sent',
  `SELECT count(*) FROM broadcast_recipients WHERE broadcast_id = $1 AND status = 'sent'`,
)

let http: HttpServer
let port: number
let accepted: number
/** Ends the slow requests that have begun. */
let working: (() => void)[]
let isLargeSent: boolean

beforeEach(async () => {
  const app = express()
  app.get('/', (_req, res) => void res.send('yes'))
  app.get('/large', (_req, res) => {
    res.send(Buffer.alloc(LARGE_BYTES, 'a'))
    isLargeSent = true
  })
  app.get('/slow', (_req, res) => void working.push(() => res.send('done')))
  http = createServer(app, 5_000)
  accepted = 0
  working = []
  isLargeSent = false
  http.server.on('connection', () => accepted++)
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  port = (http.server.address() as AddressInfo).port
})
afterEach(() => {
  http.server.closeAllConnections()
})

const dialHere = () => dial(`http://127.0.0.1:${port}`)

/** The answers that came before the server closed the connection, and what became of it by each. */
async function answersOf(received: Promise<Buffer>) {
  const answers = parseAnswers(await received)
  return answers.map(({ status, body, headers }) => [status, body, headers.get('connection')])
}

describe('a server that stops', () => {
  it('answers those who had connected, also whom it has not accepted yet', async () => {
    const sockets = Array.from({ length: CLIENTS }, (): Socket => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.on('error', () => {}) // Shows as an answer that is missing.
      socket.write(REQUEST)
      return socket
    })
    const answers = sockets.map((socket) => answersOf(readAll(socket)))
    // The kernel connects them as soon as they ask, and the server's turn to accept has not come.
    await new Promise((resolve) => process.nextTick(resolve))
    expect(accepted).toBe(0)
    await http.drain()

    expect(accepted).toBe(CLIENTS)
    for (const answer of await Promise.all(answers)) {
      expect(answer.map(([status, body]) => [status, body])).toEqual([[200, 'yes']])
    }
    const late = connect({ host: '127.0.0.1', port })
    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
  })

  it('answers one more request over each connection, as its last', async () => {
    const socket = await dialHere()
    const answers = answersOf(readAll(socket))
    socket.write(REQUEST)
    await once(socket, 'data')
    const drained = http.drain()
    while (http.server.listening) await turn()
    socket.write(REQUEST)
    await drained

    expect(await answers).toEqual([
      [200, 'yes', 'keep-alive'],
      [200, 'yes', 'close'],
    ])
  })

  it('answers what it works on, as the last over its connection', async () => {
    const socket = await dialHere()
    const answers = answersOf(readAll(socket))
    socket.write(REQUEST.replace('/', '/slow'))
    await until(() => working.length === 1, 'the request')
    const drained = http.drain()
    while (http.server.listening) await turn()
    working[0]?.()
    await drained
    expect(await answers).toEqual([[200, 'done', 'close']])
  })

  it.each([1, 3])('lets a client that reads slowly have all of its %i answers', async (count) => {
    const socket = await dialHere()
    socket.pause().write(REQUEST.replace('/', '/large').repeat(count))
    await until(() => isLargeSent, 'the request')
    const drained = http.drain()
    await pause(LIMITS.idleDrainMs + 200)
    const answers = readAll(socket)
    socket.resume()
    const lengths = parseAnswers(await answers).map(({ body }) => body.length)
    expect(lengths).toEqual(Array.from({ length: count }, () => LARGE_BYTES))
    await drained
  })

  it.each<[string, string, (rest: () => void) => Promise<void>]>([
    [
      'that is a moment on its way over an idle connection',
      '',
      async (send) => {
        await pause(LIMITS.idleDrainMs / 2)
        send()
      },
    ],
    [
      'that lies unread while the process is busy',
      '',
      async (send) => {
        while (http.server.listening) await turn()
        send()
        const end = performance.now() + LIMITS.idleDrainMs + 50
        while (performance.now() < end);
      },
    ],
    [
      'of which a part has come',
      REQUEST.slice(0, 10),
      async (send) => {
        await pause(LIMITS.idleDrainMs + 100)
        send()
      },
    ],
  ])('answers a request %s', async (_what, begun, sendAt) => {
    const socket = await dialHere()
    const answers = answersOf(readAll(socket))
    if (begun === '') {
      socket.write(REQUEST)
      await once(socket, 'data')
    } else await new Promise((resolve) => socket.write(begun, resolve))
    await turn()
    const drained = http.drain()
    await sendAt(() => void socket.write(REQUEST.slice(begun.length)))
    await drained
    expect((await answers).at(-1)).toEqual([200, 'yes', 'close'])
  })

  it('waits for nobody longer than it may', async () => {
    const socket = await dialHere()
    const answers = answersOf(readAll(socket))
    socket.write(REQUEST.replace('/', '/slow'))
    await until(() => working.length === 1, 'the request')
    await http.drain(50)
    expect(await answers).toEqual([])
  })

  it('waits neither for connections that are idle nor for those that were never used', async () => {
    const [used, unused] = [await dialHere(), await dialHere()]
    used.write(REQUEST)
    await once(used, 'data')
    const startedAt = performance.now()
    await http.drain()

    expect(performance.now() - startedAt).toBeLessThan(LIMITS.headersTimeoutMs / 2)
    expect(await answersOf(readAll(unused))).toEqual([])
  })
})

describe('a service that stops', () => {
  it('sends nothing more from that moment on, however long a client has it wait', async () => {
    const stub = createStubChannel()
    const service = await startTestService({
      env: { ROLE: 'all', BROADCAST_MESSAGES_PER_SECOND: '100000' },
      replaced: { channel: stub.channel },
    })
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    stub.answerEach(async () => {
      await answered
      return null
    })
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 30 })
    await until(() => stub.sends.length === 1, 'the first message')
    const socket = await dial(service.url)
    const answers = answersOf(readAll(socket))
    const head = `GET /v1/broadcasts/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${project.key}\r\n`
    await new Promise((resolve) => socket.write(head, resolve))
    const stopped = service.stop()
    answer()
    const { sql } = service.ctx
    await until(async () => (await sql.rows(countSent, [id]))[0]?.[0] === '1', 'its record')
    // As long as it takes to ask a few times more.
    for (let n = 0; n < 20; n++) await sql.rows(countSent, [id])
    expect(stub.sends).toHaveLength(1)
    socket.write('\r\n')
    await stopped
    const [[status, body] = []] = await answers
    expect([status, JSON.parse(String(body))]).toMatchObject([
      200,
      { data: { broadcast: { counts: { sent: 1, queued: 29 } } } },
    ])
    expect(stub.sends).toHaveLength(1)
  })

  it('leaves neither connections to PostgreSQL behind nor anything that goes on', async () => {
    const database = await createDatabase()
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const countOthers = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    const service = await startTestService({ databaseUrl: database.url, env: { ROLE: 'all' } })
    const project = await service.project()
    await applySql(service, project, 'CREATE TABLE t (id integer PRIMARY KEY)')
    await project.client.ok('insertRows', { path: { table: 't' }, body: { rows: [{ id: 1 }] } })
    expect(await allRows(project, 't')).toEqual([{ id: 1 }])
    await service.stop()

    const logged = service.logLines.length
    const isAlone = async () => (await admin.query(countOthers)).rowCount === 0
    await until(isAlone, 'the connections have ended', 5_000)
    // Whatever looks for work does so once a second or more often, and would tell that it cannot.
    await admin.query('SELECT pg_sleep(1.5)')
    expect(service.logLines.slice(logged)).toEqual([])
    await admin.end()
    await database.drop()
  })
})
