import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { retargetDue } from '../../capabilities/broadcasts/broadcast-retargets.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import {
  broadcastOf,
  makeBroadcast,
  sendAll,
  startAnother,
  startBroadcast,
  withSender,
} from '../support/broadcast-sending.ts'
import { ahead, startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

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

const later = (ms: number) => new Date(service.ctx.now().getTime() + ms)
const retriesOf = statement(
  'test-retries-of',
  `SELECT extract(epoch FROM min(retry_at) - now()) * 1000,
          extract(epoch FROM max(retry_at) - now()) * 1000
     FROM broadcast_recipients WHERE broadcast_id = $1`,
)
const putOff = statement(
  'test-put-off-recipients',
  `UPDATE broadcast_recipients SET retry_at = now() + $2::interval WHERE broadcast_id = $1`,
)
const writtenTo = statement(
  'test-messages-ahead',
  `SELECT count(*), count(*) FILTER (WHERE created_at > now()) FROM messages WHERE project_id = $1`,
)

/** What was sent to the customers of a project. */
async function sendsTo({ client }: TestProject) {
  const { contacts } = await client.ok('listContacts')
  const phones = new Set(contacts.map(({ phone }) => phone))
  return stub.sends.filter(({ to }) => 'phone' in to && phones.has(to.phone))
}

describe('a worker whose clock is ahead', () => {
  it('does not start a broadcast before its time, nor does an approval by it', async () => {
    const create = { scheduled_at: later(10 * MINUTE_MS).toISOString() }
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { create })
    const late = await service.project()
    const other = await makeBroadcast(service, late, { create })
    await broadcastApprovals.approve(ahead(service.ctx, 11 * MINUTE_MS), other.id, { by: 'Olga' })
    await broadcastStarts.startDue(ahead(service.ctx, 11 * MINUTE_MS))
    for (const [owner, one] of [
      [project, id],
      [late, other.id],
    ] as const) {
      expect(await broadcastOf(service, owner, one)).toMatchObject({
        status: 'scheduled',
        started_at: null,
        counts: null,
      })
    }
  })

  it('does not release a wave before its time', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, {
      contacts: 5,
      create: { wave_size: 2 },
      approve: { nextWaveAt: later(10 * MINUTE_MS) },
    })
    await broadcastWaves.releaseDue(ahead(service.ctx, 11 * MINUTE_MS))
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { held: 3 } })
  })

  it('puts nobody off for longer than the channel asked, and tries nobody earlier', async () => {
    const project = await service.project()
    stub.answerEach(() => refusal('transient', 131000))
    const { id } = await startBroadcast(service, project, { contacts: 2 })
    await sendAll(ahead(service.ctx, DAY_MS))
    expect(await sendsTo(project)).toHaveLength(2)
    await sendAll(ahead(service.ctx, DAY_MS))
    expect(await sendsTo(project)).toHaveLength(2)
    const [[soonest, latest] = []] = await service.ctx.sql.rows(retriesOf, [id])
    expect(Number(soonest)).toBeGreaterThan(0)
    expect(Number(latest)).toBeLessThanOrEqual(1.5 * LIMITS.broadcastRetryMs)
  })

  it('puts nobody off for longer who has just been written to', async () => {
    const project = await service.project()
    await startBroadcast(service, project, { contacts: 1 })
    await sendAll(ahead(service.ctx, DAY_MS))
    const again = await startAnother(service, project)
    await sendAll(ahead(service.ctx, DAY_MS))
    expect(await sendsTo(project)).toHaveLength(1)
    const [[soonest, latest] = []] = await service.ctx.sql.rows(retriesOf, [again])
    expect(Number(soonest)).toBeGreaterThan(0)
    expect(Number(latest)).toBeLessThanOrEqual(LIMITS.pairGapMs)
  })

  it('writes to nobody tomorrow, which would keep the next broadcast waiting until then', async () => {
    const project = await service.project()
    await startBroadcast(service, project, { contacts: 1 })
    await sendAll(ahead(service.ctx, DAY_MS))
    const [[count, leapt] = []] = await service.ctx.sql.rows(writtenTo, [project.id])
    expect([count, leapt]).toEqual(['1', '0'])
  })

  it('does not begin a follow-up before its day is over', async () => {
    const project = await service.project()
    const create = { auto_retarget_quality: true }
    const { id } = await startBroadcast(service, project, { contacts: 1, create })
    stub.answerEach(() => refusal('marketing_limit', 131049))
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
    await retargetDue(ahead(service.ctx, DAY_MS + MINUTE_MS))
    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 0 })
  })
})

describe('a recipient whom a clock of tomorrow has put off', () => {
  it('is sent to at once, and one who waits no longer than a number may be closed is not', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    await service.ctx.sql.rows(putOff, [id, `${LIMITS.paceClosedMs} ms`])
    await sendAll(service.ctx)
    expect(await sendsTo(project)).toEqual([])
    await service.ctx.sql.rows(putOff, [id, '1 day'])
    await sendAll(service.ctx)
    expect(await sendsTo(project)).toHaveLength(1)
  })
})

describe('a worker whose clock is set back', () => {
  /** A clock that is set back by an hour once a statement of this name is done. */
  function setBackAfter(name: string) {
    let isBack = false
    const { sql } = service.ctx
    const together: typeof sql.together = async (asked) => {
      const found = await sql.together(asked)
      isBack ||= asked.some(({ statement }) => statement.name === name)
      return found
    }
    return {
      ...service.ctx,
      sql: { ...sql, together },
      now: () => later(isBack ? -60 * MINUTE_MS : 0),
    }
  }

  it.each(['take-pace', 'lease-recipients'])(
    'does not wait that long for places that it has: after %s',
    async (name) => {
      const project = await service.project()
      const { id } = await startBroadcast(service, project, { contacts: 20 })
      const waits: number[] = []
      const pause = async (ms: number) => void waits.push(ms)
      await withSender(setBackAfter(name), (sender) => sender.run(), { pause })
      expect(Math.max(...waits)).toBeLessThanOrEqual(LIMITS.paceQueueMs)
      expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 20 } })
    },
  )

  it('leaves its place to the next broadcast all the same', async () => {
    for (let n = 0; n <= LIMITS.broadcastsAtOnce; n++) {
      await startBroadcast(service, await service.project(), { contacts: 60 })
      service.advance(1)
    }
    const project = await service.project()
    await startBroadcast(service, project, { contacts: 1 })
    await withSender(setBackAfter('lease-recipients'), (sender) => sender.run(), {
      pause: async () => {},
    })
    const place = stub.sends.indexOf((await sendsTo(project))[0]!)
    expect(place).toBeLessThan(stub.sends.length / 2)
  })
})
