import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { readChannelError } from '../../channel/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import {
  broadcastOf,
  makeBroadcast,
  makeContacts,
  recipientsOf,
  sendAll,
  startBroadcast,
  startSendingService,
  withSender,
} from '../support/broadcast-sending.ts'
import type { TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'
import { setTemplateStatus } from '../support/templates.ts'

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

const optOut = statement(
  'test-opt-out',
  'UPDATE contacts SET opted_in = false WHERE id = ANY ($1::bigint[])',
)
const recategorise = statement(
  'test-recategorise-template',
  'UPDATE templates SET category = $2 WHERE id = $1',
)
const refuseOptOuts = statement(
  'test-refuse-opt-outs',
  'ALTER TABLE contacts ADD CONSTRAINT no_opt_outs CHECK (opted_in) NOT VALID',
)
const takeOptOuts = statement(
  'test-take-opt-outs',
  'ALTER TABLE contacts DROP CONSTRAINT no_opt_outs',
)

const copyBroadcast = statement(
  'test-copy-broadcast',
  `INSERT INTO broadcasts
   SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid()))).*
     FROM broadcasts b, generate_series(1, $2::int) WHERE b.id = $1`,
)
const copyRecipients = statement(
  'test-copy-recipients',
  `INSERT INTO broadcast_recipients
   SELECT (jsonb_populate_record(r, jsonb_build_object('broadcast_id', b.id))).*
     FROM broadcast_recipients r, broadcasts b
    WHERE r.broadcast_id = $1 AND b.project_id = $2 AND b.id <> $1`,
)

describe('a broadcast that nobody has approved', () => {
  it('is neither started nor sent, whatever the hour, and is in nobody’s way', async () => {
    const at = new Date(service.ctx.now().getTime() + 60_000)
    const later = { create: { scheduled_at: at.toISOString() } }
    const made = []
    for (const plan of [{}, later]) {
      const project = await service.project()
      made.push({ project, ...(await makeBroadcast(service, project, plan)) })
    }
    const project = await service.project()
    const { id } = await startBroadcast(service, project, later)
    for (const hours of [0, 1, 24]) {
      service.advance(hours * 3_600_000)
      await broadcastStarts.startDue(service.ctx)
      await broadcastWaves.releaseDue(service.ctx)
      await sendAll(service.ctx)
    }
    for (const one of made) {
      const waiting = { status: 'pending_approval', started_at: null, counts: null }
      expect(await broadcastOf(service, one.project, one.id)).toMatchObject(waiting)
    }
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'completed' })
    expect(stub.sends).toHaveLength(3)
  })
})

describe('a broadcast that is approved', () => {
  it('is sent to everyone: a real message each, made personal, in the conversation', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 120 })
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'sending',
      started_at: service.ctx.now().toISOString(),
      counts: { total: 120, queued: 120 },
    })
    await sendAll(service.ctx)

    const broadcast = await broadcastOf(service, project, id)
    expect(broadcast).toMatchObject({ status: 'completed', counts: { total: 120, sent: 120 } })
    expect(broadcast.completed_at).toBe(service.ctx.now().toISOString())
    expect(stub.sends).toHaveLength(120)
    expect(new Set(stub.sends.map(({ to }) => JSON.stringify(to))).size).toBe(120)
    const [first] = await recipientsOf(project, id)
    expect(first).toMatchObject({ status: 'sent', name: 'Customer 1', error: null })
    const { message } = await project.client.ok('getMessage', { path: { id: first!.wamid! } })
    expect(message).toMatchObject({
      origin: 'broadcast',
      type: 'template',
      content: 'Hello Customer 1',
      status: 'sent',
      template: { name: 'offer', language: 'en_US', variables: { '1': 'Customer 1' } },
    })
    const { conversations } = await project.client.ok('listConversations', {
      query: { phone: first!.phone! },
    })
    expect(conversations).toMatchObject([{ last_message: { id: message.id } }])
  })

  it('waits for its time, and starts at it, once, however many look', async () => {
    const project = await service.project()
    const at = new Date(service.ctx.now().getTime() + 3_600_000)
    const create = { scheduled_at: at.toISOString() }
    const { id } = await startBroadcast(service, project, { create })
    expect(await broadcastOf(service, project, id)).toMatchObject({ status: 'scheduled' })
    service.advance(3_599_999)
    await broadcastStarts.startDue(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: null })
    service.advance(1)
    await makeContacts(service, project.id, 2)
    await Promise.all(Array.from({ length: 4 }, () => broadcastStarts.startDue(service.ctx)))
    const started = await broadcastOf(service, project, id)
    expect(started).toMatchObject({ status: 'sending', counts: { total: 5, queued: 5 } })
    await makeContacts(service, project.id, 2)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { total: 5, sent: 5 } })
  })

  it('is complete at once when its audience has become empty', async () => {
    const project = await service.project()
    const { id, contactIds } = await makeBroadcast(service, project)
    await broadcastApprovals.approve(service.ctx, id, { by: 'Olga' })
    await service.ctx.sql.rows(optOut, [contactIds])
    await broadcastStarts.startDue(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { total: 0 },
    })
  })

  it('fails, with the reason, when its template is no longer approved at the start', async () => {
    const project = await service.project()
    const { id, templateId } = await makeBroadcast(service, project)
    await broadcastApprovals.approve(service.ctx, id, { by: 'Olga' })
    await setTemplateStatus(service, project, templateId, 'PAUSED')
    await broadcastStarts.startDue(service.ctx)
    const broadcast = await broadcastOf(service, project, id)
    expect(broadcast).toMatchObject({ status: 'failed', counts: null })
    expect(broadcast.failure_reason).toMatch(/approved/)
    await sendAll(service.ctx)
    expect(stub.sends).toEqual([])
  })

  it('does not reach one who has opted out since it started, who has failed for that', async () => {
    const project = await service.project()
    const { id, contactIds } = await startBroadcast(service, project)
    await service.ctx.sql.rows(optOut, [[contactIds[1]]])
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { total: 3, sent: 2, failed: 1 },
    })
    const recipients = await recipientsOf(project, id)
    expect(recipients.find(({ contact_id }) => contact_id === contactIds[1])).toMatchObject({
      status: 'failed',
      error: { code: 'not_opted_in' },
      wamid: null,
    })
    expect(stub.sends).toHaveLength(2)
  })

  it.each([
    ['UTILITY', 'MARKETING'],
    ['MARKETING', 'UTILITY'],
  ])('as %s is marketing also once the channel has its template as %s', async (category, now) => {
    const project = await service.project()
    const plan = { category, contacts: 4, create: { wave_size: 2 } }
    const { id, contactIds, templateId } = await startBroadcast(service, project, plan)
    await service.ctx.sql.rows(optOut, [[contactIds[1]]])
    await service.ctx.sql.rows(recategorise, [templateId, now])
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'sending',
      category,
      counts: { sent: 1, failed: 1, held: 2 },
    })
    const recipient = { contact_id: contactIds[1], error: { code: 'not_opted_in' } }
    expect((await recipientsOf(project, id))[1]).toMatchObject(recipient)
    expect(stub.sends).toHaveLength(1)
  })

  it('sends to nobody more while its project is paused, and goes on when it no longer is', async () => {
    const project = await service.project()
    stub.answerEach(async () => {
      if (stub.sends.length === 5) await projects.setStatus(service.ctx, project.id, 'paused')
      return null
    })
    const { id } = await startBroadcast(service, project, { contacts: 300 })
    await sendAll(service.ctx)
    const sent = stub.sends.length
    expect(sent).toBeLessThan(60)
    await projects.setStatus(service.ctx, project.id, 'active')
    expect((await broadcastOf(service, project, id)).counts).toMatchObject({ sent })
    await sendAll(service.ctx)
    expect((await broadcastOf(service, project, id)).counts).toMatchObject({ sent: 300 })
    expect(stub.sends).toHaveLength(300)
  })

  it('has its turn, however many larger ones were there before', async () => {
    for (let n = 0; n < LIMITS.broadcastsAtOnce; n++) {
      await startBroadcast(service, await service.project(), { contacts: 60 })
    }
    const project = await service.project()
    service.advance(1)
    await startBroadcast(service, project, { contacts: 1 })
    const [recipient] = await project.client.ok('listContacts').then(({ contacts }) => contacts)
    stub.answerEach(() => {
      service.advance(100)
      return null
    })
    await sendAll(service.ctx)
    const phones = stub.sends.map(({ to }) => ('phone' in to ? to.phone : null))
    expect(phones).toHaveLength(LIMITS.broadcastsAtOnce * 60 + 1)
    expect(phones.indexOf(recipient!.phone)).toBeLessThan(phones.length / 2)
  })

  it('is not kept waiting by as many as are looked at together that cannot be sent for the moment', async () => {
    const [bad, good] = [await service.project(), await service.project()]
    const { id: first } = await startBroadcast(service, bad, { contacts: 1 })
    await service.ctx.sql.rows(copyBroadcast, [first, LIMITS.broadcastsPerRun - 1])
    await service.ctx.sql.rows(copyRecipients, [first, bad.id])
    service.advance(1)
    const { id } = await startBroadcast(service, good, { contacts: 3 })
    const tries: unknown[] = []
    let isOver = false
    const { sql } = service.ctx
    const rows: typeof sql.rows = (asked, values = []) => {
      const isVain = asked.name === 'find-broadcast-content' && values[0] !== id && !isOver
      if (isVain) tries.push(values[0])
      return isVain ? Promise.reject(new Error('Not just now')) : sql.rows(asked, values)
    }
    await withSender({ ...service.ctx, sql: { ...sql, rows } }, async (sender) => {
      await sender.run()
      expect(await broadcastOf(service, good, id)).toMatchObject({ status: 'completed' })
      expect(tries).toHaveLength(LIMITS.broadcastsPerRun)
      expect(new Set(tries).size).toBe(LIMITS.broadcastsPerRun)
      isOver = true
      service.advance(LIMITS.broadcastSkipMs)
      await sender.run()
    })
    // They all have the same customer, who is written to by one at a time.
    expect(stub.sends).toHaveLength(3 + 1)
    await projects.setStatus(service.ctx, bad.id, 'paused')
  })

  it('uses none of the project’s daily quota', async () => {
    const project = await service.project()
    await startBroadcast(service, project)
    await sendAll(service.ctx)
    const { rows } = service.ctx.sql
    const used = statement('test-used', 'SELECT used FROM send_budgets WHERE project_id = $1')
    expect(await rows(used, [project.id])).toEqual([['0']])
  })
})

describe('what the channel refuses', () => {
  it.each([
    ['it is about him', { code: 131026, message: 'Undeliverable' }],
    ['the account may not write to his country', { code: 130497, message: 'Restricted' }],
  ])('fails its recipient alone, with the channel’s error, when %s', async (_why, error) => {
    const project = await service.project()
    const refused = { outcome: 'refused' as const, error: readChannelError(403, { error }) }
    stub.answerEach(({ message }) =>
      JSON.stringify(message).includes('Customer 2') ? refused : null,
    )
    const { id } = await startBroadcast(service, project)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: 2, failed: 1 },
    })
    const recipients = await recipientsOf(project, id)
    expect(recipients[1]).toMatchObject({ status: 'failed', error: { code: String(error.code) } })
  })

  it('opts a customer out who wants no marketing', async () => {
    const project = await service.project()
    stub.answerEach(() => refusal('opt_out', 131050))
    const { contactIds } = await startBroadcast(service, project, { contacts: 1 })
    service.advance(1_000)
    await sendAll(service.ctx)
    const { contact } = await project.client.ok('getContact', { path: { id: contactIds[0]! } })
    expect(contact.opted_in).toBe(false)
  })

  it('is on record no sooner than that the customer wants no marketing', async () => {
    const project = await service.project()
    stub.answerEach(() => refusal('opt_out', 131050))
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    service.advance(3_600_000)
    await service.ctx.sql.rows(refuseOptOuts)
    await withSender(service.ctx, (sender) => sender.run(), { pause: async () => {} })
    await service.ctx.sql.rows(takeOptOuts)
    expect(stub.sends).toHaveLength(1)
    expect(await recipientsOf(project, id)).toMatchObject([{ status: 'queued' }])
  })

  it.each([
    ['the credentials', refusal('auth', 190, 'Access token has expired'), /Access token/],
    ['a paused template', refusal('template_paused', 132015, 'Template is paused'), /paused/],
    ['an unknown template', refusal('template', 132001, 'No such template'), /No such template/],
  ])('fails the whole broadcast when it is %s', async (_what, answer, reason) => {
    const project = await service.project()
    stub.answerEach(() => answer)
    const { id } = await startBroadcast(service, project, { contacts: 400 })
    await sendAll(service.ctx)
    const broadcast = await broadcastOf(service, project, id)
    expect(broadcast).toMatchObject({ status: 'failed', counts: { total: 400, queued: 0 } })
    expect(broadcast.failure_reason).toMatch(reason)
    expect(broadcast.counts!.failed).toBeGreaterThan(0)
    expect(broadcast.counts!.canceled).toBeGreaterThan(200)
    expect(stub.sends.length).toBe(broadcast.counts!.failed)
  })

  it('for a passing reason is tried again, later each time, and fails after five tries', async () => {
    const project = await service.project()
    stub.answerEach(() => refusal('transient', 131016))
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    for (const tries of [1, 2, 3, 4]) {
      await sendAll(service.ctx)
      expect(stub.sends).toHaveLength(tries)
      expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 1 } })
      service.advance(120_000)
    }
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(5)
    expect(new Set(stub.sends.map(({ attemptId }) => attemptId)).size).toBe(5)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { failed: 1 } })
    const [recipient] = await recipientsOf(project, id)
    expect(recipient).toMatchObject({ error: { code: '131016' }, wamid: null })
  })

  it('because the number is too fast stops the number, for longer each time, and loses nobody', async () => {
    const project = await service.project()
    stub.answerEach(() => refusal('throughput', 130429))
    const { id } = await startBroadcast(service, project, { contacts: 300 })
    await sendAll(service.ctx)
    const { length } = stub.sends
    expect(length).toBeLessThan(200)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 300 } })
    service.advance(999)
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(length)
    service.advance(1)
    await sendAll(service.ctx)
    expect(stub.sends.length).toBeGreaterThan(length)
    stub.become('accepted')
    service.advance(1_999)
    const before = stub.sends.length
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(before)
    service.advance(1)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 300 } })
  })

  it('because one customer was written to too often keeps only him waiting', async () => {
    const project = await service.project()
    stub.answerEach(({ message }) =>
      JSON.stringify(message).includes('Customer 1') ? refusal('pair_rate', 131056) : null,
    )
    const { id } = await startBroadcast(service, project)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      counts: { queued: 1, sent: 2 },
    })
    stub.become('accepted')
    service.advance(6_000)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 3 } })
  })
})
