import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import * as parkedStatuses from '../../capabilities/statuses/parked-statuses.ts'
import type { ChannelSend, SendOutcome } from '../../core/ports.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import {
  broadcastOf,
  makeBroadcast,
  recipientsOf,
  report,
  sendAll,
  startBroadcast,
  startSendingService,
  withSender,
} from '../support/broadcast-sending.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000
const { run: giveUpLost } = jobs['give-up-lost-recipients']

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

async function countsOf({ client }: TestProject, id: string) {
  const { broadcast } = await client.ok('getBroadcast', { path: { id } })
  return broadcast.counts!
}

const optAllOut = statement(
  'test-opt-all-out',
  'UPDATE contacts SET opted_in = false WHERE project_id = $1',
)
const countMessages = statement(
  'test-count-messages',
  'SELECT count(*), count(DISTINCT attempt_id) FROM messages WHERE project_id = $1',
)
const longAgo = statement(
  'test-dispatched-long-ago',
  `UPDATE broadcast_recipients SET dispatched_at = dispatched_at - interval '10 minutes 1 second'
    WHERE broadcast_id = $1 AND dispatched_at IS NOT NULL`,
)

describe('what the channel reports of a broadcast’s messages', () => {
  it('moves recipients and counts, forward only, in whatever order it comes', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 4 })
    await sendAll(service.ctx)
    const wamids = (await recipientsOf(project, id)).map(({ wamid }) => wamid!)
    const [first, second, third] = wamids as [string, string, string]
    expect(await report(service, project, { wamid: first, status: 'delivered' })).toBe(200)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      counts: { sent: 3, delivered: 1 },
    })
    await report(service, project, { wamid: first, status: 'read' })
    await report(service, project, { wamid: first, status: 'sent' })
    await report(service, project, { wamid: second, status: 'read' })
    await report(service, project, { wamid: second, status: 'delivered' })
    await report(service, project, { wamid: third, status: 'failed' })
    await report(service, project, { wamid: third, status: 'delivered' })
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: 1, delivered: 0, read: 2, failed: 1 },
    })
    const recipients = await recipientsOf(project, id)
    const at = service.ctx.now().toISOString()
    expect(recipients[0]).toMatchObject({ status: 'read', delivered_at: at, read_at: at })
    expect(recipients[2]).toMatchObject({ status: 'failed', error: { code: '131049' } })
  })

  it('settles a send whose answer never came, and nobody is sent to twice', async () => {
    const project = await service.project()
    stub.become('unknown')
    const { id } = await startBroadcast(service, project, { contacts: 2 })
    await sendAll(service.ctx)
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(2)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 2 } })
    const [{ attemptId }] = stub.sends as [ChannelSend]
    const told = { wamid: 'wamid.lost-1', attemptId, status: 'delivered' as const }
    expect(await Promise.all([1, 2, 3].map(() => report(service, project, told)))).toEqual([
      200, 200, 200,
    ])
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'sending',
      counts: { queued: 1, delivered: 1 },
    })
    await service.ctx.sql.rows(longAgo, [id])
    await Promise.all([giveUpLost(service.ctx), giveUpLost(service.ctx)])
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { queued: 0, delivered: 1, failed: 1 },
    })
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(2)
    const failed = (await recipientsOf(project, id)).find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({ error: { code: 'unknown_outcome' } })
  })

  it('is logged when it completes the broadcast, once', async () => {
    const project = await service.project()
    stub.become('unknown')
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    await sendAll(service.ctx)
    const [{ attemptId }] = stub.sends as [ChannelSend]
    const told = { wamid: 'wamid.last', attemptId }
    await report(service, project, { ...told, status: 'delivered' })
    await report(service, project, { ...told, status: 'read' })
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
    const lines = service.logLines.filter((line) => line.includes('broadcast.completed'))
    expect(lines.filter((line) => line.includes(id))).toHaveLength(1)
  })

  it('counts even for one that was given up', async () => {
    const project = await service.project()
    stub.become('unknown')
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    await sendAll(service.ctx)
    await service.ctx.sql.rows(longAgo, [id])
    await giveUpLost(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { failed: 1 } })
    const [{ attemptId }] = stub.sends as [ChannelSend]
    await report(service, project, { wamid: 'wamid.late-1', attemptId, status: 'delivered' })
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { failed: 0, delivered: 1 },
    })
    const [recipient] = await recipientsOf(project, id)
    expect(recipient).toMatchObject({ wamid: 'wamid.late-1', error: null, failed_at: null })
  })

  it.each([
    ['with the attempt’s id', (attemptId: string) => ({ attemptId })],
    ['without it, and is kept until then', () => ({})],
  ])('may come before the send is recorded, %s', async (_how, withId) => {
    const project = await service.project()
    stub.answerEach(async ({ attemptId }) => {
      const wamid = `wamid.early-${attemptId}`
      expect(
        await report(service, project, { wamid, status: 'delivered', ...withId(attemptId) }),
      ).toBe(200)
      return { outcome: 'accepted', wamid, waId: null, userId: null }
    })
    const { id } = await startBroadcast(service, project, { contacts: 20 })
    await sendAll(service.ctx)
    await parkedStatuses.sweep(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { total: 20, delivered: 20 },
    })
    expect(await service.ctx.sql.rows(countMessages, [project.id])).toEqual([['20', '20']])
  })
})

describe('a broadcast in waves', () => {
  it.each([
    ['fits into its first wave', 'sending', 3],
    ['has gone', 'completed', 0],
  ])('has no next wave once it has started, when its audience %s', async (_, status, total) => {
    const project = await service.project()
    const { id } = await makeBroadcast(service, project, { contacts: 3 })
    const nextWaveAt = new Date(service.ctx.now().getTime() + HOUR_MS)
    const plan = { waveSize: 3, nextWaveAt, nextWaveCount: 2 }
    await broadcastApprovals.approve(service.ctx, id, { by: 'Olga', ...plan })
    if (total === 0) await service.ctx.sql.rows(optAllOut, [project.id])
    await broadcastStarts.startDue(service.ctx)
    const noWave = { wave_size: 3, wave_scheduled_at: null, wave_scheduled_count: null }
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status,
      counts: { total, queued: total, held: 0 },
      ...noWave,
    })
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: total },
      ...noWave,
    })
  })

  it('sends the first, holds the rest, and releases the next at its time, once', async () => {
    const project = await service.project()
    const nextWaveAt = new Date(service.ctx.now().getTime() + HOUR_MS)
    const { id } = await startBroadcast(service, project, {
      contacts: 10,
      create: { wave_size: 4 },
      approve: { nextWaveAt, nextWaveCount: 3 },
    })
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'sending',
      counts: { total: 10, sent: 4, held: 6 },
      wave_scheduled_count: 3,
    })
    service.advance(HOUR_MS - 1)
    await broadcastWaves.releaseDue(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { held: 6 } })
    service.advance(1)
    await Promise.all(Array.from({ length: 8 }, () => broadcastWaves.releaseDue(service.ctx)))
    expect(await broadcastOf(service, project, id)).toMatchObject({
      counts: { queued: 3, held: 3 },
      wave_scheduled_at: null,
      wave_scheduled_count: null,
    })
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(7)
    await broadcastApprovals.release(service.ctx, id, { by: 'Olga' })
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: 10, held: 0 },
    })
  })

  it('releases a wave that was due while no worker ran, all that are held by default', async () => {
    const project = await service.project()
    const nextWaveAt = new Date(service.ctx.now().getTime() + HOUR_MS)
    const { id } = await startBroadcast(service, project, {
      contacts: 5,
      create: { wave_size: 2 },
      approve: { nextWaveAt },
    })
    await sendAll(service.ctx)
    service.advance(48 * HOUR_MS)
    await broadcastWaves.releaseDue(service.ctx)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { total: 5, sent: 5 },
    })
  })
})

describe('a broadcast that is canceled while it is sent', () => {
  it('sends to nobody more; those on the wire settle as they would have', async () => {
    const project = await service.project()
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    stub.answerEach(async (): Promise<SendOutcome | null> => {
      if (stub.sends.length >= 120) arrive()
      if (stub.sends.length > 100) await gate
      return null
    })
    const { id } = await startBroadcast(service, project, {
      contacts: 500,
      create: { wave_size: 400 },
    })
    await withSender(service.ctx, async (sender) => {
      const sending = sender.run()
      await arrival
      // What was answered is written, and what is not waits at the gate: nothing moves any more.
      await until(async () => (await countsOf(project, id)).sent === 100, 'the first are written')
      await broadcastApprovals.cancel(service.ctx, id, { by: 'Olga' })
      // Whatever is found now, the sender can be stopped.
      const after = await broadcastOf(service, project, id).finally(open)
      expect(after).toMatchObject({ status: 'canceled', counts: { total: 500, held: 0 } })
      const { queued: onTheWire, sent } = after.counts!
      expect(onTheWire).toBeGreaterThanOrEqual(20)
      expect(after.counts!.canceled).toBe(500 - onTheWire - sent)
      await sending
      expect(await broadcastOf(service, project, id)).toMatchObject({
        status: 'canceled',
        counts: { queued: 0, sent: sent + onTheWire },
      })
      expect(stub.sends).toHaveLength(sent + onTheWire)
    })
  })

  it('does not try again whom the channel puts off just then', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    stub.become('refused')
    const refused = stub.channel.send
    await withSender(
      {
        ...service.ctx,
        channel: {
          ...stub.channel,
          async send(account, request) {
            await broadcastApprovals.cancel(service.ctx, id, { by: 'Olga' })
            return refused(account, request)
          },
        },
      },
      (sender) => sender.run(),
    )
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'canceled',
      counts: { queued: 0, canceled: 1 },
    })
  })
})

// For longer than any lease lasts, and between two dispatches: leases that last are nobody's to take from them.
const takeOver = statement(
  'test-take-over',
  `WITH held AS MATERIALIZED (SELECT id FROM broadcasts WHERE id = $1 FOR UPDATE)
   UPDATE broadcast_recipients SET fence = fence + 1, lease_until = now() + interval '1 hour'
     FROM held
    WHERE broadcast_id = held.id AND lease_until IS NOT NULL AND dispatched_at IS NULL RETURNING seq`,
)
const countTaken = statement(
  'test-count-taken',
  `SELECT count(*) FROM broadcast_recipients
    WHERE broadcast_id = $1 AND lease_until > now() + interval '10 minutes'`,
)

describe('a sender that is stopped', () => {
  it('gives back whom it has not sent to, so that another one need not wait', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 200 })
    const slow = { ...service.ctx.config, broadcastMessagesPerSecond: 100 }
    await withSender({ ...service.ctx, config: slow }, async (sender) => {
      void sender.run()
      while (stub.sends.length < 5) await new Promise((resolve) => setTimeout(resolve, 5))
      await sender.stop()
    })
    const { length } = stub.sends
    expect(length).toBeLessThan(100)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      counts: { sent: length, queued: 200 - length },
    })
    service.advance(1_000)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 200 } })
    expect(stub.sends).toHaveLength(200)
  })

  it('gives nobody back whom another one has by now', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 200 })
    const slow = { ...service.ctx.config, broadcastMessagesPerSecond: 20 }
    let taken = 0
    await withSender({ ...service.ctx, config: slow }, async (sender) => {
      void sender.run()
      await until(() => stub.sends.length >= 5, 'some are sent to')
      taken = (await service.ctx.sql.rows(takeOver, [id])).length
      await sender.stop()
    })
    expect(taken).toBeGreaterThan(0)
    expect(await service.ctx.sql.rows(countTaken, [id])).toEqual([[`${taken}`]])
  })
})
