import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import { type SandboxAccount, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { createClient } from '../support/client.ts'
import {
  KILLED,
  type QuietChannel,
  startCrashingServer,
  startQuietChannel,
} from '../support/crashing.ts'
import { customerOf } from '../support/customers.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

/** The service that survives; the one that crashes is a process of its own on the same database. */
let service: TestService
let channel: QuietChannel
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService()
  channel = await startQuietChannel(service)
  project = await service.project()
  account = await channel.connect(project)
})
afterAll(async () => {
  await channel.close()
  await service.stop()
})

const attempts = statement(
  'test-attempts',
  'SELECT id FROM send_attempts WHERE project_id = $1 ORDER BY created_at',
)
const attemptIds = async () =>
  (await service.ctx.sql.rows(attempts, [project.id])).map(([id]) => id)

const age = statement(
  'test-age-attempts',
  `UPDATE send_attempts SET created_at = now() - interval '1 ms' * $2::float8 WHERE project_id = $1`,
)

describe('a server that is killed in the middle of a send', () => {
  it('after the channel took the message: it appears, once, when the channel reports on it', async () => {
    const customer = await customerOf(service, project, '+15558880001')
    const { url, exited } = await startCrashingServer(service, 'after:send')
    const client = createClient(url, project.key)
    const body = { ...customer.body, content: 'Taken', client_ref: 'order-7' }
    await expect(client.ok('sendMessage', { body })).rejects.toThrow('socket hang up')
    expect(await exited).toEqual(KILLED)

    const { wamid, body: asked } = channel.requests.at(-1)!
    const attemptId = String(asked.biz_opaque_callback_data)
    expect(await attemptIds()).toEqual([attemptId])
    expect(await customer.outbound()).toEqual([])

    const at = new Date(Math.floor(service.ctx.now().getTime() / 1000) * 1000 + 60_000)
    const delivered = statusCallback({
      account,
      wamid: wamid!,
      attemptId,
      at,
      status: 'delivered' as const,
      to: { phone: '+15558880001' },
    })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => service.callback(project.id, delivered)),
    )
    expect(answers).toEqual([200, 200, 200, 200])

    const messages = await customer.outbound()
    expect(messages).toMatchObject([
      {
        wamid,
        content: 'Taken',
        client_ref: 'order-7',
        origin: 'api',
        type: 'text',
        status: 'delivered',
        delivered_at: at.toISOString(),
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
    const { url, exited } = await startCrashingServer(service, 'before:send')
    const client = createClient(url, project.key)
    await expect(client.ok('sendMessage', { body: customer.body })).rejects.toThrow(
      'socket hang up',
    )
    expect(await exited).toEqual(KILLED)

    expect(channel.requests).toHaveLength(length)
    expect(await attemptIds()).toHaveLength(1)
    expect(await customer.outbound()).toEqual([])

    await service.ctx.sql.rows(age, [project.id, LIMITS.attemptsKeptMs - 60_000])
    await retention.pruneExpired(service.ctx)
    expect(await attemptIds()).toHaveLength(1)
    service.advance(LIMITS.attemptsKeptMs)
    await service.ctx.sql.rows(age, [project.id, LIMITS.attemptsKeptMs + 60_000])
    await retention.pruneExpired(service.ctx)
    expect(await attemptIds()).toEqual([])
    expect(await customer.outbound()).toEqual([])
  })
})
