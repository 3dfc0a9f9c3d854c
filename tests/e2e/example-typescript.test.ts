import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { run } from '../../scripts/sdks/command.ts'
import { type Client, createClient } from '../support/client.ts'
import { freePort } from '../../scripts/free-port.ts'
import { operate } from '../support/operator.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { TEST_ENCRYPTION_KEY } from '../support/service.ts'

// The example is compiled, and two processes start, perhaps on a busy machine.
jest.setTimeout(180_000)

const CUSTOMER = '+15550001234'
const WAIT_MS = 30_000
const POLL_MS = 50

let folder: string
let port: number
let database: TestDatabase
let service: ServiceProcess
let client: Client
let bot: ChildProcess | undefined
beforeAll(async () => {
  port = await freePort()
  folder = await mkdtemp(path.join(tmpdir(), 'example-'))
  database = await createDatabase()
  service = await startProcess({
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, 'data'),
    LOG_LEVEL: 'error',
    EGRESS_ALLOW: `localhost:${port}`,
  })
  client = createClient(service.url, printedKey(service))
  bot = await startBot()
})
afterAll(async () => {
  bot?.kill('SIGKILL')
  await service.kill()
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('the example in TypeScript', () => {
  it('answers a customer who asks for an order, quoting the question', async () => {
    await customerWrites('Where is order 1042?')

    const answer = await until(async () =>
      (await messages()).find(({ origin }) => origin === 'api'),
    )

    expect(answer.content).toBe('Order 1042 is on its way and arrives tomorrow.')
    expect(answer.reply_to).toBe((await messages())[1]?.wamid)
  })

  it('hands everybody else over to a person', async () => {
    await customerWrites('I want to speak with somebody.')

    const [conversation] = await until(async () => {
      const { conversations } = await client.ok('listConversations', {
        query: { phone: CUSTOMER, state: 'handover' },
      })
      return conversations.length > 0 ? conversations : undefined
    })

    expect(conversation?.last_message?.direction).toBe('inbound')
  })

  it('refuses what the service has not signed', async () => {
    const headers = {
      'x-service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
    }
    const forged = await fetch(`http://localhost:${port}/events`, {
      method: 'POST',
      headers,
      body: '{"event":"message.received"}',
    })

    expect(forged.status).toBe(401)
  })

  it('takes its webhook away when it is stopped', async () => {
    const ended = once(bot!, 'exit')
    bot!.kill('SIGTERM')

    expect(await ended).toEqual([0, null])
    expect(await client.ok('listWebhooks')).toEqual({ webhooks: [] })
  })
})

/** Compiles the example as its own README says, and starts it; resolves when it listens. */
async function startBot(): Promise<ChildProcess> {
  const cwd = path.join(folder, 'bot')
  await cp(path.join(PROJECT_ROOT, 'examples/typescript'), cwd, { recursive: true })
  await rm(path.join(cwd, 'node_modules'), { recursive: true, force: true })
  await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(cwd, 'node_modules'))
  const env = { API_URL: service.url, API_KEY: printedKey(service), PORT: String(port) }
  for (const script of ['generate', 'build']) await run('npm', ['run', script], { cwd, env })
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  expect(line.toString()).toMatch(/^Listening for customers as wh_/)
  return child
}

async function customerWrites(text: string): Promise<void> {
  const { port } = new URL(service.url)
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, PORT: port }
  const args = ['--project', 'demo', '--from', CUSTOMER, '--text', text]
  const { code, err } = await operate(env, ['sandbox', 'inbound', ...args])
  expect([code, err]).toEqual([0, ''])
}

/** The conversation's messages, the newest first. */
async function messages() {
  const { conversations } = await client.ok('listConversations', { query: { phone: CUSTOMER } })
  const path = { id: conversations[0]?.id ?? 0 }
  return (await client.ok('listConversationMessages', { path })).messages
}

/** What the look-up finds, once it finds something; throws when that takes too long. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + WAIT_MS
  while (performance.now() < deadline) {
    const found = await look()
    if (found !== undefined) return found
    await pause(POLL_MS)
  }
  throw new Error('It did not come')
}
