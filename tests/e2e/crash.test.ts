import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import path from 'node:path'
import * as channelAccounts from '../../capabilities/channel-accounts.ts'
import * as retention from '../../capabilities/retention.ts'
import { startSandbox, type Sandbox, type SandboxAccount } from '../../channel/sandbox.ts'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { statement } from '../../core/sql.ts'
import { createClient } from '../support/client.ts'
import { customerOf } from '../support/customers.ts'
import {
  startTestService,
  TEST_ENCRYPTION_KEY,
  type TestProject,
  type TestService,
} from '../support/service.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

/** The service that survives; the one that crashes is a process of its own on the same database. */
let service: TestService
let channel: Sandbox
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService()
  // It takes messages and calls nobody back: what the channel reports, and when, is up to the test.
  channel = await startSandbox({ findAccount: async () => account, callbacks: false })
  project = await service.project()
  await channelAccounts.connect(service.ctx, project.id, {
    ...{ phoneNumberId: '106540352242922', businessAccountId: '102290129340398', appId: '1' },
    ...{ accessToken: 'EAAtests', appSecret: 'secret', verifyToken: 'verify' },
    apiUrl: channel.url,
  })
  account = await service.account(project.id)
})
afterAll(async () => {
  await channel.close()
  await service.stop()
})

async function startCrashing(moment: 'before:send' | 'after:send') {
  const file = path.join(PROJECT_ROOT, 'tests/support/crashing-server.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', file, moment], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...{ PORT: '0', HOST: '127.0.0.1', ROLE: 'api', LOG_LEVEL: 'error' },
      ...{ DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY },
    },
  })
  const exited = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  return { client: createClient(url, project.key), exited }
}

const attempts = statement(
  'test-attempts',
  'SELECT id FROM send_attempts WHERE project_id = $1 ORDER BY created_at',
)
const attemptIds = async () =>
  (await service.ctx.sql.rows(attempts, [project.id])).map(([id]) => id)

describe('a server that is killed in the middle of a send', () => {
  it('after the channel took the message: it appears, once, when the channel reports on it', async () => {
    const customer = await customerOf(service, project, '+15558880001')
    const { client, exited } = await startCrashing('after:send')
    const body = { ...customer.body, content: 'Taken', client_ref: 'order-7' }
    await expect(client.ok('sendMessage', { body })).rejects.toThrow('fetch failed')
    expect(await exited).toEqual([null, 'SIGKILL'])

    const { wamid, body: asked } = channel.requests.at(-1)!
    const attemptId = String(asked.biz_opaque_callback_data)
    expect(await attemptIds()).toEqual([attemptId])
    expect(await customer.outbound()).toEqual([])

    const at = new Date(Math.floor(service.ctx.now().getTime() / 1000) * 1000 + 60_000)
    const delivered = statusCallback({
      ...{ account, wamid: wamid!, attemptId, at },
      ...{ status: 'delivered' as const, to: { phone: '+15558880001' } },
    })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => service.callback(project.id, delivered)),
    )
    expect(answers).toEqual([200, 200, 200, 200])

    const messages = await customer.outbound()
    expect(messages).toMatchObject([
      {
        ...{ wamid, content: 'Taken', client_ref: 'order-7', origin: 'api', type: 'text' },
        ...{ status: 'delivered', delivered_at: at.toISOString() },
      },
    ])
    expect(await attemptIds()).toEqual([])
    expect(await customer.conversation()).toMatchObject({ last_message: { id: messages[0]!.id } })

    expect(await service.callback(project.id, delivered)).toBe(200)
    expect(await customer.outbound()).toEqual(messages)
  })

  it('before the channel heard of it: no message appears, and its trace is pruned', async () => {
    const { length } = channel.requests
    const customer = await customerOf(service, project, '+15558880002')
    const { client, exited } = await startCrashing('before:send')
    await expect(client.ok('sendMessage', { body: customer.body })).rejects.toThrow('fetch failed')
    expect(await exited).toEqual([null, 'SIGKILL'])

    expect(channel.requests).toHaveLength(length)
    expect(await attemptIds()).toHaveLength(1)
    expect(await customer.outbound()).toEqual([])

    service.advance(LIMITS.attemptsKeptMs - 60_000)
    await retention.pruneExpired(service.ctx)
    expect(await attemptIds()).toHaveLength(1)
    service.advance(120_000)
    await retention.pruneExpired(service.ctx)
    expect(await attemptIds()).toEqual([])
    expect(await customer.outbound()).toEqual([])
  })
})
