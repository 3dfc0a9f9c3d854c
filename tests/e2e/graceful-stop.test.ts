import { EventEmitter, once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { dial } from '../support/raw.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const CLIENTS = 20
/** So many that every client has had some. */
const WARM_UP_ANSWERS = 200
const REQUESTS_MAX = 100_000
/** What no code of the service does: nobody hears that it has failed. */
const MISTAKE = `process.on('SIGUSR2', () => Promise.reject(new Error('A mistake')))`

let database: TestDatabase
let service: ServiceProcess

beforeEach(async () => {
  database = await createDatabase()
  service = await startProcess({
    DATABASE_URL: database.url,
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(MISTAKE)}`,
  })
})
afterEach(async () => {
  await service.kill()
  await database.drop()
})

type Outcome = 'answered' | 'refused' | `lost: ${string}`

/** One request: answered in full, refused before a connection was made, or lost. */
function ask(
  agent: Agent,
  key: string,
  method: string,
  path: string,
  body?: string,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': body.length }),
    }
    const sent = request(service.url + path, { agent, method, headers }, (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => (text += chunk.toString()))
      res.on('error', (error) => resolve(`lost: ${error.message}`))
      res.on('end', () => {
        const isFull =
          res.statusCode === 200 && text.startsWith('{"success":true') && text.endsWith('}')
        resolve(isFull ? 'answered' : `lost: ${res.statusCode} ${text}`)
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : `lost: ${error.code} ${error.message}`)
    })
    sent.end(body)
  })
}

/** Asks again and again over one connection, until the service refuses a new one. */
async function keepAsking(send: (agent: Agent) => Promise<Outcome>): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const outcomes: Outcome[] = []
  try {
    while (outcomes.at(-1) !== 'refused' && outcomes.length < REQUESTS_MAX)
      outcomes.push(await send(agent))
    return outcomes
  } finally {
    agent.destroy()
  }
}

/** Lets every client ask; `warmedUp` resolves when they have had enough answers. */
function askAll(send: (agent: Agent, index: number) => Promise<Outcome>) {
  let answers = 0
  const warm = new EventEmitter()
  const warmedUp = once(warm, 'answers')
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    keepAsking(async (agent) => {
      const outcome = await send(agent, index)
      if (++answers === WARM_UP_ANSWERS) warm.emit('answers')
      return outcome
    }),
  )
  return { clients, warmedUp }
}

describe('a service that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load answers all it took, loses nothing and ends with 0',
    async (signal) => {
      const key = printedKey(service)
      const text = JSON.stringify({ type: 'text', phone: '+15550001234', content: 'Hello' })
      const { clients, warmedUp } = askAll((agent, index) =>
        index % 4 === 0
          ? ask(agent, key, 'POST', '/v1/messages', text)
          : ask(agent, key, 'GET', '/v1/conversations'),
      )
      await warmedUp
      const exited = once(service.child, 'exit')
      service.child.kill(signal)

      const outcomes = (await Promise.all(clients)).flat()
      const [code] = (await exited) as [number | null]
      const lost = outcomes.filter((outcome) => outcome.startsWith('lost'))

      expect(lost).toEqual([])
      expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(
        WARM_UP_ANSWERS,
      )
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(CLIENTS)
      expect(code).toBe(0)
    },
  )

  it('does not wait for connections on which nothing happens', async () => {
    const agent = new Agent({ keepAlive: true })
    expect(await ask(agent, printedKey(service), 'GET', '/v1/ping')).toBe('answered')
    const exited = once(service.child, 'exit')
    const startedAt = performance.now()
    service.child.kill('SIGTERM')

    expect(await exited).toEqual([0, null])
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    agent.destroy()
  })

  it('ends at once for somebody who asks again, though a request is not complete', async () => {
    const socket = await dial(service.url)
    await new Promise((resolve) => socket.write('GET /v1/ping HTTP/1.1\r\n', resolve))
    const exited = once(service.child, 'exit')
    service.child.kill('SIGINT')
    // Longer than an echo of the first one may take.
    await pause(500)
    service.child.kill('SIGINT')
    expect(await exited).toEqual([1, null])
    socket.destroy()
  })
})

it('a service that finds a mistake of its own stops as if it were told to, and ends with 1', async () => {
  const exited = once(service.child, 'exit')
  service.child.kill('SIGUSR2')
  expect(await exited).toEqual([1, null])
  expect(service.output()).toContain('Unhandled: Error: A mistake')
})
