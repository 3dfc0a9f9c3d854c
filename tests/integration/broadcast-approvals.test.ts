import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastAudits from '../../capabilities/broadcasts/broadcast-audits.ts'
import { holdBroadcast } from '../../capabilities/broadcasts/broadcast-counters.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Schema } from '../../core/contract.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { createBroadcast, type Draft, putRecipients, storeContacts } from '../support/broadcasts.ts'
import { untilWaiting } from '../support/locks.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

type Broadcast = Schema<'Broadcast'>
type Statuses = Parameters<typeof putRecipients>[2]

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 24 * HOUR_MS })
  project = await service.project()
})
afterAll(() => service.stop())

const HOUR_MS = 3_600_000
const by = 'Olga'
const later = (ms: number) => new Date(service.ctx.now().getTime() + ms)
const create = (draft: Partial<Draft> = {}, own = project) => createBroadcast(service, own, draft)
const approve = (id: string, plan: broadcastApprovals.WavePlan = {}) =>
  broadcastApprovals.approve(service.ctx, id, { by, ...plan })
const cancel = (id: string) => broadcastApprovals.cancel(service.ctx, id, { by })
const release = async (id: string, count?: number) =>
  (await broadcastApprovals.release(service.ctx, id, { by, count })).broadcast
const get = async (id: string, own = project) =>
  (await own.client.ok('getBroadcast', { path: { id } })).broadcast
const acts = (id: string) => broadcastAudits.list(service.ctx, id)

/** A broadcast that is approved and has come so far. */
async function sending(statuses: Statuses, plan: broadcastApprovals.WavePlan = {}, own = project) {
  const { id } = await create({}, own)
  await putRecipients(service, await approve(id, plan), statuses)
  return get(id, own)
}

async function refused(
  code: ErrorCode,
  { id, project_id }: Broadcast,
  act: () => Promise<unknown>,
) {
  const before = await service.ctx.db.broadcast.findUnique({ where: { id } })
  const told = await acts(id)
  await expect(act()).rejects.toMatchObject({ code })
  expect(await service.ctx.db.broadcast.findUnique({ where: { id } })).toEqual(before)
  expect(await acts(id)).toEqual(told)
  expect(before?.projectId).toBe(project_id)
}

/** How many recipients there are of each kind, by the rows themselves. */
async function counted(id: string) {
  const rows = await service.ctx.db.broadcastRecipient.findMany({ where: { broadcastId: id } })
  const many = (status: string, held = false) =>
    rows.filter((row) => row.status === status && row.held === held).length
  return {
    total: rows.length,
    queued: many('queued'),
    sent: many('sent'),
    held: many('queued', true),
    delivered: many('delivered'),
    read: many('read'),
    failed: many('failed'),
    canceled: many('canceled'),
  }
}

describe('the approval of a broadcast', () => {
  it('lets it be sent, and is on record', async () => {
    const created = await create()
    service.advance(1_000)
    const approved = await approve(created.id)

    const now = service.ctx.now().toISOString()
    expect(approved).toEqual({
      ...created,
      status: 'sending',
      approved_at: now,
      updated_at: now,
    })
    expect(await get(created.id)).toEqual(approved)
    const details = { wave_size: null, next_wave_at: null, next_wave_count: null }
    expect(await acts(created.id)).toEqual([
      {
        at: now,
        action: 'approved',
        actor: 'Olga',
        details,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  it('leaves it until its time, when that is to come', async () => {
    const { id } = await create({ scheduled_at: later(HOUR_MS).toISOString() })
    expect((await approve(id)).status).toBe('scheduled')
  })

  it('sends it now, when its time has passed', async () => {
    const { id } = await create({ scheduled_at: later(HOUR_MS).toISOString() })
    service.advance(HOUR_MS)
    expect((await approve(id)).status).toBe('sending')
  })

  it('plans its waves', async () => {
    const { id } = await create({ wave_size: 10 })
    const next = later(HOUR_MS)
    expect(await approve(id, { waveSize: 5, nextWaveAt: next, nextWaveCount: 20 })).toMatchObject({
      wave_size: 5,
      wave_scheduled_at: next.toISOString(),
      wave_scheduled_count: 20,
    })
    const kept = await create({ wave_size: 10 })
    expect((await approve(kept.id, { nextWaveAt: next })).wave_size).toBe(10)
  })

  it('takes no plan that cannot be kept', async () => {
    const plain = await create()
    const waved = await create({ wave_size: 10, scheduled_at: later(HOUR_MS).toISOString() })
    const wrong = (broadcast: Broadcast, plan: broadcastApprovals.WavePlan) =>
      refused('bad_request', broadcast, () => approve(broadcast.id, plan))
    await wrong(plain, { nextWaveAt: later(HOUR_MS) })
    await wrong(plain, { waveSize: 5, nextWaveCount: 5 })
    await wrong(plain, { waveSize: 5, nextWaveAt: later(0) })
    await wrong(waved, { nextWaveAt: later(HOUR_MS) })
  })

  it('happens once', async () => {
    const created = await create()
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => approve(created.id)))
    expect(all.map(({ status }) => status).sort()).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ])
    expect(await acts(created.id)).toHaveLength(1)
  })

  it('needs a broadcast, and a project that is in use', async () => {
    const own = await service.project()
    const created = await create({}, own)
    await projects.setStatus(service.ctx, own.id, 'paused')
    await refused('bad_request', created, () => approve(created.id))
    const nobody = '00000000-0000-4000-8000-000000000000'
    for (const id of [nobody, 'x', '']) {
      for (const act of [approve, cancel, release]) {
        await expect(act(id)).rejects.toMatchObject({ code: 'BROADCAST_NOT_FOUND' })
      }
    }
  })

  it('needs the template as it was: there, approved, and of the same category', async () => {
    const own = await service.project()
    const created = await create({}, own)
    const change = (data: object) =>
      service.ctx.db.template.updateMany({ where: { projectId: own.id }, data })
    await change({ status: 'PAUSED' })
    await refused('template_not_approved', created, () => approve(created.id))
    await change({ status: 'APPROVED', category: 'MARKETING' })
    await refused('bad_request', created, () => approve(created.id))
    await service.ctx.db.template.deleteMany({ where: { projectId: own.id } })
    await refused('template_not_found', created, () => approve(created.id))
  })
})

describe('the database', () => {
  it.each(['scheduled', 'sending', 'completed', 'failed'])(
    'holds no broadcast that is %s and was never approved',
    async (status) => {
      const { id } = await create()
      const change = service.ctx.db.broadcast.update({ where: { id }, data: { status } })
      await expect(change).rejects.toThrow('broadcasts_approved_first')
    },
  )

  it('holds no counts that do not add up', async () => {
    const { id } = await sending(['sent'])
    const change = service.ctx.db.broadcast.update({ where: { id }, data: { sent: 2 } })
    await expect(change).rejects.toThrow('broadcasts_counts_add_up')
  })
})

describe('the release of a wave', () => {
  it('queues as many as are asked for, the first ones first', async () => {
    const { id } = await sending(['sent', 'held', 'held', 'held'])
    service.advance(1_000)
    const { counts } = await release(id, 2)
    expect(counts).toMatchObject({ total: 4, sent: 1, queued: 2, held: 1 })
    expect(counts).toEqual(await counted(id))

    const { recipients } = await project.client.ok('listBroadcastRecipients', { path: { id } })
    expect(recipients.map(({ held }) => held)).toEqual([false, false, false, true])
    expect(recipients[1]?.queued_at).toBe(service.ctx.now().toISOString())
    expect((await acts(id)).at(-1)).toMatchObject({ action: 'released', details: { count: 2 } })
  })

  it('takes the place of the wave that was due, with its number', async () => {
    const plan = { waveSize: 1, nextWaveAt: later(HOUR_MS), nextWaveCount: 2 }
    const { id } = await sending(['sent', 'held', 'held', 'held'], plan)
    expect(await release(id)).toMatchObject({
      wave_scheduled_at: null,
      wave_scheduled_count: null,
      counts: { queued: 2, held: 1 },
    })
  })

  it('is one, when two ask for the next one at the same moment', async () => {
    const plan = { waveSize: 1, nextWaveAt: later(HOUR_MS), nextWaveCount: 2 }
    const { id } = await sending(['sent', 'held', 'held', 'held', 'held'], plan)
    const both: Promise<unknown>[] = []
    await service.ctx.sql.transaction(async (tx) => {
      await holdBroadcast(tx, id)
      both.push(release(id), release(id))
      // Each has seen what is planned, and waits.
      await untilWaiting(service.ctx, 2)
    })
    const ends = await Promise.allSettled(both)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await counted(id)).toMatchObject({ queued: 2, held: 2 })
  })

  it('queues all that are held when nothing else was said', async () => {
    const { id } = await sending(['sent', 'held', 'held'])
    expect((await release(id)).counts).toMatchObject({ queued: 2, held: 0 })
    expect((await acts(id)).at(-1)).toMatchObject({ details: { count: 2 } })
  })

  it('needs somebody who is held, in a broadcast that is being sent', async () => {
    const whole = await sending(['sent'])
    await refused('bad_request', whole, () => release(whole.id))
    const pending = await create()
    await refused('bad_request', pending, () => release(pending.id))
    const canceled = await sending(['held'])
    const ended = await cancel(canceled.id)
    await refused('bad_request', ended, () => release(ended.id))
  })

  it.each<[string, object]>([
    ['says something else', { components: [{ type: 'BODY', text: 'Other news.' }] }],
    ['is in another category', { category: 'MARKETING' }],
    ['is paused', { status: 'PAUSED' }],
  ])('fails the broadcast when its template %s by now', async (_what, data) => {
    const own = await service.project()
    const { id } = await sending(['sent', 'dispatched', 'queued', 'held'], {}, own)
    await service.ctx.db.template.updateMany({ where: { projectId: own.id }, data })

    await expect(release(id)).rejects.toMatchObject({ code: 'bad_request' })

    const failed = await get(id, own)
    expect(failed).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/\.$/) })
    expect(failed.counts).toMatchObject({ total: 4, sent: 1, queued: 1, held: 0, canceled: 2 })
    expect((await acts(id)).at(-1)).toMatchObject({ action: 'failed', actor: 'Olga' })
  })

  it.each<[string, object]>([
    ['whom it is for', { filter: { match: 'any', conditions: [] } }],
    ['what its placeholders say', { templateVariables: { '1': 'Other' } }],
    ['its header', { header: { text: 'Other' } }],
    ['its first wave', { waveSize: 7 }],
    ['whether it is retargeted', { autoRetargetQuality: true }],
  ])(
    'fails a broadcast of which somebody has changed %s behind its approval',
    async (_what, data) => {
      const { id } = await sending(['sent', 'held'])
      await service.ctx.db.broadcast.update({ where: { id }, data })
      await expect(release(id)).rejects.toThrow('not what was approved')
      expect((await get(id)).status).toBe('failed')
    },
  )
})

describe('the cancellation of a broadcast', () => {
  it('stops everyone who has not left, and nobody else', async () => {
    const statuses = [
      'sent',
      'delivered',
      'read',
      'failed',
      'dispatched',
      'queued',
      'held',
    ] as const
    const plan = { waveSize: 6, nextWaveAt: later(HOUR_MS) }
    const { id } = await sending([...statuses, 'held'], plan)
    const canceled = await cancel(id)

    expect(canceled).toMatchObject({ status: 'canceled', wave_scheduled_at: null })
    expect(canceled.counts).toEqual(await counted(id))
    expect(canceled.counts).toEqual({
      total: 8,
      queued: 1,
      sent: 1,
      delivered: 1,
      read: 1,
      failed: 1,
      canceled: 3,
      held: 0,
    })
    const { recipients } = await project.client.ok('listBroadcastRecipients', { path: { id } })
    expect(recipients.map(({ status }) => status)).toEqual([
      ...['sent', 'delivered', 'read', 'failed', 'queued', 'canceled', 'canceled', 'canceled'],
    ])
    expect((await acts(id)).at(-1)).toMatchObject({
      action: 'canceled',
      actor: 'Olga',
      details: { was: 'sending' },
    })
  })

  it('stops one that waits for approval, or for its time', async () => {
    const pending = await create()
    expect(await cancel(pending.id)).toMatchObject({ status: 'canceled', counts: null })
    const scheduled = await create({ scheduled_at: later(HOUR_MS).toISOString() })
    await approve(scheduled.id)
    expect(await cancel(scheduled.id)).toMatchObject({ status: 'canceled', counts: null })
    expect((await acts(scheduled.id)).at(-1)).toMatchObject({ details: { was: 'scheduled' } })
  })

  it.each(['completed', 'failed', 'canceled'])('is too late for one that is %s', async (status) => {
    const { id } = await sending(['sent'])
    await service.ctx.db.broadcast.update({ where: { id }, data: { status } })
    const broadcast = await get(id)
    for (const act of [cancel, approve, release]) {
      await refused('bad_request', broadcast, () => act(id))
    }
  })

  it('and the release of waves at the same time leave counts that are right', async () => {
    await storeContacts(service, project, [{}])
    for (let round = 0; round < 10; round++) {
      const { id } = await sending(['queued', 'dispatched', ...Array<'held'>(20).fill('held')])
      await Promise.allSettled([release(id, 5), release(id, 5), cancel(id), release(id, 5)])
      const { status, counts } = await get(id)
      expect(status).toBe('canceled')
      expect(counts).toEqual(await counted(id))
      expect(counts).toMatchObject({ queued: 1, held: 0, canceled: 21 })
    }
  })
})
