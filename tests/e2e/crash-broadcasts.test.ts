import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { giveUpLost } from '../../capabilities/broadcasts/broadcast-progress.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import { type SandboxAccount, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { broadcastOf, makeBroadcast, sendAll } from '../support/broadcast-sending.ts'
import { KILLED, type QuietChannel, runUntilCrash, startQuietChannel } from '../support/crashing.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const RECIPIENTS = 60
const FIRST_WAVE = 40
const FAST = { BROADCAST_MESSAGES_PER_SECOND: '100000' }

/** The service that survives; the worker that crashes is a process of its own on the same database. */
let service: TestService
let channel: QuietChannel
let account: SandboxAccount

const sends = () => channel.requests

beforeAll(async () => {
  // The worker goes by the real clock, and so must who takes over.
  service = await startTestService({ env: FAST, replaced: { now: () => new Date() } })
})
beforeEach(async () => {
  channel = await startQuietChannel(service)
})
afterEach(() => channel.close())
afterAll(() => service.stop())

async function prepare() {
  const project = await service.project()
  const { id } = await makeBroadcast(service, project, {
    contacts: RECIPIENTS,
    create: { wave_size: FIRST_WAVE },
  })
  account = await channel.connect(project)
  const now = service.ctx.now()
  // Long over by the time that a worker has started.
  const nextWaveAt = new Date(now.getTime() + 50)
  const ctx = { ...service.ctx, now: () => now }
  await broadcastApprovals.approve(ctx, id, { by: 'Olga', nextWaveAt })
  return { project, id }
}

/** Sends until the worker dies in that step; answers with how it ended. */
async function sendUntilCrash(step: string, times: number): Promise<unknown[]> {
  const end = await runUntilCrash(service, 'sender', [step, String(times)], FAST)
  // PostgreSQL rolls back what the dead had begun as soon as it sees that they have gone.
  await until(
    async () => (await service.ctx.sql.rows(unfinished)).length === 0,
    'the end of what the dead had begun',
  )
  return end
}

const unfinished = statement(
  'test-unfinished',
  `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
)

const endLeases = statement(
  'test-end-leases',
  `UPDATE broadcast_recipients SET lease_until = now() - interval '1 ms' WHERE broadcast_id = $1`,
)
const longAgo = statement(
  'test-dispatched-long-ago',
  `UPDATE broadcast_recipients SET dispatched_at = dispatched_at - interval '10 minutes 1 second'
    WHERE broadcast_id = $1 AND dispatched_at IS NOT NULL`,
)

const timesSent = () => {
  const times = new Map<string, number>()
  for (const { body } of sends()) {
    const to = String(body.to)
    times.set(to, (times.get(to) ?? 0) + 1)
  }
  return times
}

describe.each([
  { step: 'before_commit start-broadcast', times: 1 },
  { step: 'after_commit start-broadcast', times: 1 },
  { step: 'before_commit release-wave', times: 1 },
  { step: 'after_commit release-wave', times: 1 },
  { step: 'after_commit take-pace', times: 1 },
  { step: 'after_commit lease-recipients', times: 1 },
  { step: 'after_commit lease-recipients', times: 2 },
  { step: 'before_commit dispatch-recipients', times: 1 },
  { step: 'after_commit dispatch-recipients', times: 1 },
  { step: 'before_send', times: 1 },
  { step: 'before_send', times: 10 },
  { step: 'after_send', times: 1 },
  { step: 'after_send', times: 10 },
  { step: 'before_commit record-sends', times: 1 },
  { step: 'before_commit follow-messages', times: 1 },
  { step: 'after_commit follow-messages', times: 1 },
  { step: 'after_commit follow-messages', times: 2 },
])('a worker that is killed at $step, time $times', ({ step, times }) => {
  it('sends to nobody twice and loses nobody, and the counts add up throughout', async () => {
    const { project, id } = await prepare()
    expect(await sendUntilCrash(step, times)).toEqual(KILLED)
    const sentByTheDead = sends().length
    await broadcastOf(service, project, id)

    await broadcastStarts.startDue(service.ctx)
    await broadcastWaves.releaseDue(service.ctx)
    await service.ctx.sql.rows(endLeases, [id])
    await sendAll(service.ctx)
    const stuck = (await broadcastOf(service, project, id)).counts!
    expect(stuck.held).toBe(0)
    for (const { wamid, body } of sends()) {
      const attemptId = String(body.biz_opaque_callback_data)
      const to = { phone: String(body.to) }
      const told = { account, wamid: wamid!, attemptId, to, at: service.ctx.now() }
      expect(
        await service.callback(project.id, statusCallback({ ...told, status: 'delivered' })),
      ).toBe(200)
    }
    await service.ctx.sql.rows(longAgo, [id])
    await giveUpLost(service.ctx)

    const broadcast = await broadcastOf(service, project, id)
    expect(broadcast).toMatchObject({ status: 'completed', failure_reason: null })
    expect(Math.max(...timesSent().values())).toBe(1)
    // Only those that had left when the worker died, and never came, are given up.
    const taken = sends().length
    expect(broadcast.counts).toMatchObject({
      total: RECIPIENTS,
      delivered: taken,
      failed: RECIPIENTS - taken,
    })
    expect(RECIPIENTS - taken).toBeLessThanOrEqual(32)
    if (step.startsWith('after_send')) expect(sentByTheDead).toBeGreaterThanOrEqual(times)
    if (!/dispatch|send|record|follow/.test(step)) expect(taken).toBe(RECIPIENTS)
  }, 30_000)
})
