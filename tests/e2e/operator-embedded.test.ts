import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { findPostmaster, stopPostmaster } from '../../database/postgres-process.ts'
import { type Env, runProgram, startProgram } from '../support/operator.ts'
import { until } from '../support/until.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

/** The sandbox reports what is sent to this number as delivered, and no more. */
const NEVER_READS = '+15550000008'
const PATIENCE_MS = 60_000

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('on the embedded database', () => {
  let env: Env
  let servers: ChildProcess[] = []

  beforeAll(() => {
    env = { DATA_DIR: join(folder, 'embedded'), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' }
  })
  afterEach(() => {
    for (const server of servers) server.kill('SIGKILL')
    servers = []
  })
  afterAll(() => stopPostmaster(postgres()))

  const postgres = () => join(folder, 'embedded', 'postgres')
  const operator = (...argv: string[]) => runProgram(env, 'scripts/operator', ...argv)

  async function startServer(more: Env = {}) {
    const server = startProgram({ ...env, ...more }, 'main')
    servers.push(server)
    if (!server.stdout) throw new Error('The server has no output.')
    for await (const line of createInterface({ input: server.stdout })) {
      const url = /^Ready at (\S+)/.exec(line)?.[1]
      if (!url) continue
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      return { url, stop: stopper(server) }
    }
    throw new Error('The server has ended before it was ready.')
  }

  const messagePath = ({ wamid }: { wamid: string }) => `/messages/${encodeURIComponent(wamid)}`

  function stopper(server: ChildProcess) {
    return async (signal: NodeJS.Signals) => {
      const ended = once(server, 'exit')
      server.kill(signal)
      return (await ended)[0]
    }
  }

  it('a command starts PostgreSQL, and the last one to end stops it', async () => {
    const first = await operator('project', 'create', '--name=Shop', '--id=shop')
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^Preparing a PostgreSQL/) })
    expect(JSON.parse(first.out)).toMatchObject({ project: { id: 'shop' } })
    expect(await findPostmaster(postgres())).toBeUndefined()

    const list = () => operator('project', 'list')
    const all = await Promise.all([list(), list(), list()])
    for (const { code, err } of all) expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('an event is accepted with and without a server that runs', async () => {
    const emit = ['event', 'emit', '--project=shop', '--name=order.paid', '--data={"order":1042}']
    const accepted = { code: 0, out: '{\n  "accepted": true\n}\n', err: '' }
    expect(await operator(...emit)).toEqual(accepted)
    const server = await startServer()
    expect(await operator(...emit)).toEqual(accepted)
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  it('a command that fails leaves no PostgreSQL behind', async () => {
    expect(await operator('project', 'pause', 'nope')).toMatchObject({ code: 1, out: '' })
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('a customer writes in, and reads the answer, through the server that runs', async () => {
    const server = await startServer()
    const before = await findPostmaster(postgres())
    const key = await operator('key', 'create', '--project=shop', '--name=K', '--scopes=all')
    const { secret } = JSON.parse(key.out)
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const response = await fetch(`${server.url}/v1${path}`, { ...init, headers })
      const { data } = Object(await response.json())
      return data
    }

    const inbound = ['sandbox', 'inbound', '--project=SHOP', '--from=+1 555 000 1234']
    const image = '{"type":"image","image":{"id":"1","mime_type":"image/png","caption":"-x"}}'
    const [text, picture] = await Promise.all([
      operator(...inbound, '--text=-x', '--name=Ana'),
      operator(...inbound, '--json', image),
    ])
    expect(JSON.parse(text.out)).toEqual({
      delivered: true,
      wamid: expect.stringMatching(/^wamid\./),
    })
    expect(picture).toMatchObject({ code: 0, err: '' })
    const { conversations } = await call('/conversations')
    expect(conversations).toMatchObject([{ contact: { phone: '+15550001234' } }])
    const written = await call(messagePath(JSON.parse(picture.out)))
    expect(written.message).toMatchObject({ type: 'image', direction: 'inbound' })

    await operator('sandbox', 'inbound', '--project=shop', '--from', NEVER_READS, '--text=Hi')
    const body = { type: 'text', phone: NEVER_READS, content: 'Yes' }
    const sent = await call('/messages', { method: 'POST', body: JSON.stringify(body) })
    const wamid = sent.id
    const status = ['sandbox', 'status', '--project=shop', '--wamid', wamid, '--status']
    const played = await operator(...status, 'played')
    expect(JSON.parse(played.out)).toEqual({ delivered: true, wamid })
    expect((await call(messagePath({ wamid }))).message).toMatchObject({ status: 'read' })

    expect(await findPostmaster(postgres())).toEqual(before)
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
    const late = await operator(...inbound, '--text=Hello?')
    expect(late).toEqual({
      code: 1,
      out: '',
      err: `No server answers at ${server.url}; start one with npm start.\n`,
    })
  })

  it('the tools of PostgreSQL reach it by a command, with and without a server that runs', async () => {
    const tool = join(folder, 'tool.mjs')
    await writeFile(
      tool,
      `import pg from '${import.meta.resolve('pg')}'
       const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
       await client.connect()
       const { rows } = await client.query('SELECT id FROM projects ORDER BY id')
       process.stdout.write(rows.map(({ id }) => id).join())
       await client.end()`,
    )
    const line = `"${process.execPath}" "${tool}"`
    const seen = { code: 0, out: 'shop', err: '' }
    expect(await operator('database', 'run', line)).toEqual(seen)
    expect(await findPostmaster(postgres())).toBeUndefined()
    const server = await startServer()
    expect(await operator('database', 'run', line)).toEqual(seen)
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  it('a tool that fails is told by its exit code, and one that runs is ended with the command', async () => {
    expect(await operator('database', 'run', 'echo no >&2; exit 7')).toEqual({
      code: 7,
      out: '',
      err: 'no\n',
    })
    expect(await operator('database', 'run', 'kill -9 $$')).toMatchObject({ code: 137 })
    const command = startProgram(
      env,
      'scripts/operator',
      'database',
      'run',
      'echo on; exec sleep 60',
    )
    if (!command.stdout) throw new Error('The command has no output.')
    await once(createInterface({ input: command.stdout }), 'line')
    expect(await stopper(command)('SIGTERM')).toBe(143)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('a second server is refused, and leaves the database of the first one alone', async () => {
    const server = await startServer()
    const before = await findPostmaster(postgres())
    const second = await runProgram(env, 'main')
    expect(second.code).toBe(1)
    expect(second.err).toContain(`A server already runs on ${env.DATA_DIR}, at ${server.url}.`)
    expect(await findPostmaster(postgres())).toEqual(before)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('a PostgreSQL that is killed is started again by its server, whose it stays', async () => {
    const server = await startServer({ LOG_LEVEL: 'warn' })
    let log = ''
    servers[0]?.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString())).resume()
    const killed = await findPostmaster(postgres())
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    const isDone = () => log.includes('"database.started_again"')
    await until(isDone, () => `a PostgreSQL after it: ${log}`, PATIENCE_MS)
    const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200
    await until(isReady, 'the server', PATIENCE_MS)
    const second = await runProgram(env, 'main')
    expect(second.err).toContain(`A server already runs on ${env.DATA_DIR}, at ${server.url}.`)
    expect((await operator('project', 'list')).code).toBe(0)
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('a server stops at its end the PostgreSQL that a killed one has left, whoever looks into it', async () => {
    const killed = await startServer()
    const left = await findPostmaster(postgres())
    await killed.stop('SIGKILL')
    const next = await startServer()
    expect(await findPostmaster(postgres())).toEqual(left)
    const access = JSON.parse(await readFile(`${postgres()}.json`, 'utf8'))
    const database = { host: '127.0.0.1', user: 'postgres', database: 'service' }
    const somebody = new pg.Client({ ...database, ...access })
    somebody.on('error', () => {})
    await somebody.connect()
    expect(await next.stop('SIGTERM')).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
    await somebody.end()
  })

  it('a server that is told to stop while it starts leaves no PostgreSQL behind', async () => {
    const server = startProgram(env, 'main')
    servers.push(server)
    while (!(await findPostmaster(postgres()))) await pause(1)
    expect(await stopper(server)('SIGTERM')).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('a server whose terminal is closed goes on until it is told, and leaves no PostgreSQL behind', async () => {
    const { url, stop } = await startServer({ LOG_LEVEL: 'info' })
    for (const server of servers) {
      server.stdout?.destroy()
      server.stderr?.destroy()
    }
    // Each is a line of the log, which nobody reads any more.
    for (let n = 0; n < 3; n++) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await stop('SIGHUP')).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('a Ctrl-C that npm passes on to a server, which has had it, is one', async () => {
    const { stop } = await startServer()
    const stopped = stop('SIGINT')
    await pause(20)
    for (const server of servers) server.kill('SIGINT')
    expect(await stopped).toBe(0)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it.each([
    ['SIGHUP', 129],
    ['SIGTERM', 143],
  ] as const)('a command that gets %s leaves no PostgreSQL behind', async (signal, code) => {
    const command = startProgram(
      env,
      'scripts/operator',
      ...['contact', 'import', '--project=shop', '--file=-'],
    )
    while (!(await findPostmaster(postgres()))) await pause(1)
    expect(await stopper(command)(signal)).toBe(code)
    expect(await findPostmaster(postgres())).toBeUndefined()
  })
})
