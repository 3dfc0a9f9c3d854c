import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import type { Context } from '../../core/context.ts'
import {
  broadcastOf,
  makeBroadcast,
  moveTo,
  recipientsOf,
  sendAll,
  startAnother,
  startBroadcast,
  withSender,
  writeTo,
} from '../support/broadcast-sending.ts'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { seededRandom } from '../../scripts/chaos/random.ts'
import { inTheWay, OPEN_CONVERSATION, untilWaiting } from '../support/locks.ts'
import { ahead, startTestService, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const PER_SECOND = 80

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

describe('the pace of a number', () => {
  it('is 80 messages a second within 2 %, by four workers who now and then are late', async () => {
    const random = seededRandom(7)
    const startedAt = service.ctx.now().getTime()
    let nowMs = startedAt
    const ctx: Context = { ...service.ctx, now: () => new Date(nowMs) }
    const workers = [0, 0, 0, 0].map(() => ({ at: startedAt }))
    const sent: number[] = []
    while (nowMs < startedAt + 60_000) {
      const worker = workers.reduce((a, b) => (b.at < a.at ? b : a))
      nowMs = Math.max(nowMs, worker.at)
      const slots = await pace.reserve(ctx, 'number-1', 20)
      if (!slots) throw new Error('The number is closed')
      for (let n = 0; n < 20; n++) {
        sent.push(Math.max(nowMs, slots.startAt + n * slots.intervalMs))
      }
      worker.at = Math.max(...sent.slice(-20)) + random.between(0, 40)
    }
    for (let from = startedAt; from < startedAt + 50_000; from += 1_000) {
      const within = sent.filter((at) => at >= from && at < from + 10_000).length
      expect(within).toBeGreaterThanOrEqual(10 * PER_SECOND * 0.98)
      expect(within).toBeLessThanOrEqual(10 * PER_SECOND * 1.02)
    }
  })

  it('is not held up for long by a worker whose clock was an hour ahead', async () => {
    await pace.reserve(ahead(service.ctx, 3_600_000), 'number-2', 1)
    const slots = await pace.reserve(service.ctx, 'number-2', 1)
    expect(slots!.startAt - service.ctx.now().getTime()).toBeLessThanOrEqual(60_000)
  })

  it('is kept by two senders of two broadcasts together', async () => {
    const projects = [await service.project(), await service.project()]
    const { phoneNumberId } = await service.account(projects[0]!.id)
    await moveTo(service, projects[1]!, phoneNumberId)
    for (const project of projects) await startBroadcast(service, project, { contacts: 200 })
    const startedAt = service.ctx.now().getTime()
    const pause = async (ms: number) => service.advance(Math.max(0, ms))
    const options = { pause: untilAt(service, pause) }
    await withSender(
      service.ctx,
      (one) => withSender(service.ctx, (other) => Promise.all([one.run(), other.run()]), options),
      options,
    )
    expect(stub.sends).toHaveLength(400)
    const tookMs = service.ctx.now().getTime() - startedAt
    expect(tookMs).toBeGreaterThanOrEqual((400 / PER_SECOND) * 1_000 * 0.98)
    // Each of the four took a quarter of a second's places at its end, and found nobody for them.
    expect(tookMs).toBeLessThanOrEqual((400 / PER_SECOND + 4 * 0.25) * 1_000 * 1.02)
  })
})

const closedFor = statement(
  'test-closed-for',
  `SELECT extract(epoch FROM closed_until - now()) * 1000 FROM channel_paces
    WHERE phone_number_id = $1`,
)
const closeUntil = statement(
  'test-close-until',
  `UPDATE channel_paces SET closed_until = $2::timestamptz WHERE phone_number_id = $1`,
)

/** Does something while a sender has leased recipients, and waits for his turn to write to them. */
async function sendWhile(phoneNumberId: string, work: () => Promise<void>): Promise<void> {
  await withSender(service.ctx, async (sender) => {
    let running: Promise<void> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('broadcast ' || $1, 0))`, [
        phoneNumberId,
      ])
      running = sender.run()
      await untilWaiting(service.ctx)
      await work()
    })
    await running
  })
}

describe('a number that is closed', () => {
  const silence = { firstMs: 60_000, longestMs: LIMITS.paceClosedMs }
  /** The clock of a process knows milliseconds, and that of PostgreSQL microseconds. */
  const mostMs = silence.firstMs + 1
  const closedForMs = async (number: string) =>
    Number((await service.ctx.sql.rows(closedFor, [number]))[0]?.[0])

  it('is so for no longer, and no shorter, for a worker whose clock is ahead', async () => {
    const worker = ahead(service.ctx, 30 * 60_000)
    await pace.reserve(service.ctx, 'number-3', 1)
    expect(await pace.close(worker, 'number-3', silence)).toBe(true)
    for (const one of [service.ctx, worker]) {
      expect(await pace.reserve(one, 'number-3', 1)).toBeNull()
      expect(await pace.close(one, 'number-3', silence)).toBe(false)
    }
    expect(await closedForMs('number-3')).toBeLessThanOrEqual(mostMs)
  })

  it('lets nothing leave of a broadcast whose project moves to it meanwhile', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 60 })
    const phoneNumberId = 'number-5'
    await pace.reserve(service.ctx, phoneNumberId, 1)
    await pace.close(service.ctx, phoneNumberId, silence)
    stub.answerEach(async () => {
      if (stub.sends.length === 1) await moveTo(service, project, phoneNumberId)
      return null
    })

    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(1)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 59 } })
  })

  it('while somebody waits to write to its customers lets none of that leave', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    const { phoneNumberId } = await service.account(project.id)
    await sendWhile(phoneNumberId, async () => {
      expect(await pace.close(service.ctx, phoneNumberId, silence)).toBe(true)
    })
    expect(stub.sends).toEqual([])
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 1 } })
  })

  it('for longer than any is, as a clock that had leapt leaves it, is open', async () => {
    await pace.reserve(service.ctx, 'number-4', 1)
    const tomorrow = ahead(service.ctx, 24 * 3_600_000).now()
    await service.ctx.sql.rows(closeUntil, ['number-4', tomorrow])
    expect(await pace.reserve(service.ctx, 'number-4', 1)).not.toBeNull()
    expect(await pace.close(service.ctx, 'number-4', silence)).toBe(true)
    expect(await pace.reserve(service.ctx, 'number-4', 1)).toBeNull()
    expect(await closedForMs('number-4')).toBeLessThanOrEqual(mostMs)
  })
})

/** Moves the clock to where a wait ends, unless another wait has moved it further already. */
function untilAt({ ctx }: TestService, advance: (ms: number) => Promise<void>) {
  return async (ms: number) => {
    const until = ctx.now().getTime() + ms
    await new Promise((resolve) => setImmediate(resolve))
    await advance(until - ctx.now().getTime())
  }
}

const setLease = statement(
  'test-set-lease',
  `UPDATE broadcast_recipients
      SET fence = fence + $2::int, lease_until = now() + $3::int * interval '1 ms'
    WHERE broadcast_id = $1`,
)
const readFence = statement(
  'test-read-fence',
  'SELECT fence FROM broadcast_recipients WHERE broadcast_id = $1',
)

describe('a recipient whom a worker has for itself', () => {
  /** What becomes of him when his lease is another one by the time that he is written to. */
  async function sendUnder(change: { leases: number; leftMs: number }) {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    const { phoneNumberId } = await service.account(project.id)
    await sendWhile(phoneNumberId, async () => {
      await service.ctx.sql.rows(setLease, [id, change.leases, change.leftMs])
    })
    const [recipient] = await recipientsOf(project, id)
    const [row] = await service.ctx.sql.rows(readFence, [id])
    return { status: recipient?.status, leases: Number(row?.[0]), sends: stub.sends.length }
  }

  it('is left to another one who has him by now', async () => {
    const outcome = await sendUnder({ leases: 1, leftMs: LIMITS.recipientLeaseMs })
    expect(outcome).toEqual({ status: 'queued', leases: 2, sends: 0 })
  })

  it('is not written to when too little is left of his lease for a send', async () => {
    const outcome = await sendUnder({ leases: 0, leftMs: LIMITS.recipientLeaseLeftMs / 2 })
    expect(outcome).toEqual({ status: 'queued', leases: 1, sends: 0 })
  })
})

describe('a broadcast that is just being canceled', () => {
  it('lets nobody leave until that is decided', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    await withSender(service.ctx, async (sender) => {
      let running: Promise<void> | undefined
      await inTheWay(service.databaseUrl, async (query) => {
        await query(`UPDATE broadcasts SET status = 'canceled' WHERE id = $1`, [id])
        running = sender.run()
        await untilWaiting(service.ctx)
      })
      await running
    })
    expect(stub.sends).toEqual([])
  })
})

describe('a project that is paused', () => {
  it('lets nobody leave whom a worker has for itself, and he is free when it goes on', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    const { phoneNumberId } = await service.account(project.id)
    await sendWhile(phoneNumberId, async () => {
      await projects.setStatus(service.ctx, project.id, 'paused')
    })
    expect(stub.sends).toEqual([])
    await projects.setStatus(service.ctx, project.id, 'active')
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 1 } })
  })
})

describe('one customer', () => {
  /** The clock is moved, and who is to wait does so for as long as the database agrees. */
  let behind: TestService

  beforeAll(async () => {
    behind = await startTestService({ replaced: { channel: stub.channel }, behindMs: 3_600_000 })
  })
  afterAll(() => behind.stop())

  it('gets no two messages within six seconds, of two broadcasts or after any other', async () => {
    const project = await behind.project()
    const first = await startBroadcast(behind, project, { contacts: 1 })
    const again = await startAnother(behind, project)
    await Promise.all([sendAll(behind.ctx), sendAll(behind.ctx)])
    expect(stub.sends).toHaveLength(1)
    behind.advance(5_999)
    await sendAll(behind.ctx)
    expect(stub.sends).toHaveLength(1)
    behind.advance(1)
    await sendAll(behind.ctx)
    expect(stub.sends).toHaveLength(2)
    for (const id of [first.id, again]) {
      expect(await broadcastOf(behind, project, id)).toMatchObject({ counts: { sent: 1 } })
    }
  })

  it('waits his turn when a program has just written to him, and is not forgotten', async () => {
    const project = await behind.project()
    const { id } = await makeBroadcast(behind, project, { contacts: 1 })
    const contacts = await project.client.ok('listContacts', { query: {} })
    const phone = contacts.contacts[0]!.phone!
    await writeTo(project, phone)
    await broadcastApprovals.approve(behind.ctx, id, { by: 'Olga' })
    await broadcastStarts.startDue(behind.ctx)
    await sendAll(behind.ctx)
    expect(stub.sends).toHaveLength(1)
    expect(await recipientsOf(project, id)).toMatchObject([{ status: 'queued' }])
    behind.advance(6_000)
    await sendAll(behind.ctx)
    expect(await recipientsOf(project, id)).toMatchObject([{ status: 'sent' }])
  })

  it('is not kept waiting because he has just written himself', async () => {
    const project = await behind.project()
    const { id } = await makeBroadcast(behind, project, { contacts: 1 })
    const { contacts } = await project.client.ok('listContacts', { query: {} })
    await behind.customer(project, { phone: contacts[0]!.phone! })
    await broadcastApprovals.approve(behind.ctx, id, { by: 'Olga' })
    await broadcastStarts.startDue(behind.ctx)
    await sendAll(behind.ctx)
    expect(await recipientsOf(project, id)).toMatchObject([{ status: 'sent' }])
  })

  it('waits no longer for that where the clock of all processes is ahead of the database’s', async () => {
    const minutesAhead = await startTestService({
      replaced: { channel: stub.channel },
      behindMs: -5 * 60_000,
    })
    try {
      const project = await minutesAhead.project()
      const { id } = await startBroadcast(minutesAhead, project, { contacts: 2 })
      const { contacts } = await project.client.ok('listContacts', { query: {} })
      await writeTo(project, contacts[0]!.phone!)
      minutesAhead.advance(6_000)
      await writeTo(project, contacts[1]!.phone!)
      await sendAll(minutesAhead.ctx)
      const recipients = await recipientsOf(project, id)
      const statusOf = (phone: string) => recipients.find((one) => one.phone === phone)?.status
      expect(contacts.map(({ phone }) => statusOf(phone!))).toEqual(['sent', 'queued'])
    } finally {
      await minutesAhead.stop()
    }
  })

  it('does not stop a broadcast by writing at the same moment, when PostgreSQL ends one of the two', async () => {
    const project = await service.project()
    const { id, contactIds } = await startBroadcast(service, project, { contacts: 3 })
    const [, second, third] = contactIds
    await withSender(service.ctx, async (sender) => {
      let running: Promise<void> | undefined
      await inTheWay(service.databaseUrl, async (query) => {
        await query(OPEN_CONVERSATION, [project.id, third])
        running = sender.run()
        await untilWaiting(service.ctx)
        await query(OPEN_CONVERSATION, [project.id, second])
      })
      await running
    })
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
  })
})
