import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import * as templateNews from '../../capabilities/templates/template-news.ts'
import * as templateSync from '../../capabilities/templates/template-sync.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { type ListedTemplate, listenForTemplates } from '../support/template-channel.ts'
import { body, header, storeTemplate } from '../support/templates.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const businessAccountId = '102290129340398'

const { run: syncDue } = jobs['sync-templates']
let service: TestService
let channel: Awaited<ReturnType<typeof listenForTemplates>>
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 3_600_000 })
  channel = await listenForTemplates()
})
afterAll(async () => {
  await service.stop()
  await channel.close()
})
beforeEach(async () => {
  channel.answers(null)
  channel.whileListing(null)
  channel.pagesOf(100)
  channel.templates.length = 0
  channel.requests.length = 0
  project = await connected()
})

async function connected(): Promise<TestProject> {
  const made = await service.project()
  await channelAccounts.connect(service.ctx, made.id, {
    phoneNumberId: '106540352242922',
    businessAccountId,
    appId: '1',
    accessToken: 'EAAtests',
    appSecret: 'secret',
    verifyToken: 'verify',
    apiUrl: channel.url,
  })
  return made
}

const listed = (id: string, name: string, more: Partial<ListedTemplate> = {}): ListedTemplate => ({
  id,
  name,
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [body('Hi.')],
  ...more,
})
const store = (name: string, status = 'APPROVED') =>
  storeTemplate(service, project, { name, status, components: [body('Hi.')] })
const kept = async (by = project) => {
  const { templates } = await by.client.ok('listTemplates')
  return templates.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
/** What the channel says of the template `a`, as of this second by the clock of who hears it. */
async function told(event: string, ctx = service.ctx): Promise<void> {
  const at = new Date(Math.floor(ctx.now().getTime() / 1_000) * 1_000)
  const news = { kind: 'status' as const, event, reason: null, category: null }
  const update = { businessAccountId, id: null, name: 'a', language: 'en_US', at, news }
  const to = { projectId: project.id, account: { businessAccountId } }
  await ctx.sql.transaction((tx) => templateNews.apply(ctx, tx, to, [update]))
}
/** A process whose clock is the database's. */
const punctual = (): Context => ({ ...service.ctx, now: () => new Date() })
/** As though so many milliseconds had passed since the templates were fetched. */
const letPass = statement(
  'test-let-pass',
  `UPDATE template_syncs SET started_at = started_at - interval '1 ms' * $2::int WHERE project_id = $1`,
)
const sync = (by = project) => templateSync.sync(service.ctx, by.id)

describe('fetching the templates', () => {
  it('adds those made elsewhere, changes those that differ, and removes those that are gone', async () => {
    const id = await store('b_changed', 'PENDING')
    await store('c_gone')
    channel.templates.push(
      listed('1', 'a_new', { parameter_format: 'NAMED', rejected_reason: 'NONE' }),
      listed(id, 'b_changed', {
        status: 'REJECTED',
        rejected_reason: 'SCAM',
        category: 'MARKETING',
        components: [body('Ho.')],
      }),
    )
    expect(await sync()).toEqual({ added: 1, changed: 1, removed: 1 })
    expect(await kept()).toMatchObject([
      { id: '1', name: 'a_new', status: 'APPROVED', parameter_format: 'NAMED' },
      { id, status: 'REJECTED', rejection_reason: 'SCAM', components: [body('Ho.')] },
    ])
  })

  it('reads every page', async () => {
    channel.pagesOf(2)
    channel.templates.push(...['a', 'b', 'c', 'd', 'e'].map((name) => listed(`9${name}`, name)))
    expect(await sync()).toMatchObject({ added: 5 })
    expect(channel.requests).toHaveLength(3)
  })

  it('changes nothing, not even an instant, when nothing differs', async () => {
    const handle = (value: string) => ({ ...header('IMAGE'), example: { header_handle: [value] } })
    channel.templates.push(listed('1', 'a', { components: [handle('https://cdn/1'), body('Hi.')] }))
    await sync()
    const before = await kept()
    service.advance(60_000)
    channel.templates[0]!.components = [handle('https://cdn/2'), body('Hi.')]
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await kept()).toEqual(before)
  })

  it.each(['DELETED', 'PENDING_DELETION'])(
    'takes a template that is %s as gone',
    async (status) => {
      const id = await store('a')
      channel.templates.push(listed(id, 'a', { status }))
      expect(await sync()).toMatchObject({ removed: 1 })
    },
  )

  it('takes a template that was made anew under its name for the new one', async () => {
    await store('a')
    channel.templates.push(listed('77', 'a'))
    expect(await sync()).toEqual({ added: 1, changed: 0, removed: 1 })
    expect(await kept()).toMatchObject([{ id: '77' }])
  })

  it('touches neither what comes nor what goes while the channel is listing', async () => {
    const deleted = await store('deleted_meanwhile')
    channel.templates.push(listed(deleted, 'deleted_meanwhile'))
    channel.whileListing(async () => {
      await service.ctx.db.template.deleteMany({ where: { projectId: project.id } })
      await store('created_meanwhile')
    })
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await kept()).toMatchObject([{ name: 'created_meanwhile' }])
  })

  it('does not undo what a callback has said since the listing began', async () => {
    const id = await store('a', 'PENDING')
    channel.templates.push(listed(id, 'a', { status: 'PENDING', components: [body('Hi {{1}}')] }))
    channel.whileListing(async () => {
      const statusAt = new Date(service.ctx.now().getTime() + 1_000)
      const where = { projectId_id: { projectId: project.id, id } }
      await service.ctx.db.template.update({ where, data: { status: 'APPROVED', statusAt } })
    })
    await sync()
    expect(await kept()).toMatchObject([{ status: 'APPROVED', components: [body('Hi {{1}}')] }])
  })

  it('does not undo what the channel says within the second in which the listing began', async () => {
    const id = await store('a', 'PENDING')
    channel.templates.push(listed(id, 'a', { status: 'PENDING' }))
    service.advance(1_100 - (service.ctx.now().getTime() % 1_000))
    channel.whileListing(() => told('APPROVED'))
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await kept()).toMatchObject([{ status: 'APPROVED' }])
  })

  it('keeps a template that a page has left out, of which the channel speaks meanwhile', async () => {
    await store('a', 'PENDING')
    channel.whileListing(() => told('APPROVED'))
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(await kept()).toMatchObject([{ status: 'APPROVED' }])
    channel.whileListing(null)
    expect(await sync()).toMatchObject({ removed: 1 })
  })

  it('does not undo what the channel says, and takes back at once, while it is listing', async () => {
    const id = await store('a', 'PENDING')
    service.advance(1_100 - (service.ctx.now().getTime() % 1_000))
    await told('APPROVED')
    channel.templates.push(listed(id, 'a', { status: 'PAUSED' }))
    channel.whileListing(async () => {
      await told('PAUSED')
      await told('FLAGGED')
    })
    await sync()
    expect(await kept()).toMatchObject([{ status: 'APPROVED' }])
  })

  it('is not newer than what the channel says within the same second', async () => {
    const id = await store('a', 'PENDING')
    channel.templates.push(listed(id, 'a', { status: 'APPROVED' }))
    service.advance(1_100 - (service.ctx.now().getTime() % 1_000))
    await sync()
    await told('PAUSED')
    expect(await kept()).toMatchObject([{ status: 'PAUSED' }])
  })

  it.each([
    ['an error', { status: 500, body: { error: { code: 2, message: 'No' } } }],
    ['a page of HTML', { status: 200, body: '<html>' }],
    ['no list', { status: 200, body: { data: null } }],
  ])('leaves everything as it is when %s comes', async (_what, answer) => {
    await store('a')
    channel.answers(answer)
    await expect(sync()).rejects.toMatchObject({ code: 'upstream_error' })
    expect(await kept()).toMatchObject([{ name: 'a' }])
  })

  it('ends with a list that never ends, and removes nothing then', async () => {
    await store('kept')
    channel.pagesOf(1)
    const many = Array.from({ length: LIMITS.templatePages + 1 }, (_, n) => listed(`${n}`, `t${n}`))
    channel.templates.push(...many)
    await expect(sync()).rejects.toThrow('pages of templates')
    expect(await kept()).toMatchObject([{ name: 'kept' }])
  })

  it('forgets what was said of templates that are not coming', async () => {
    const at = service.ctx.now()
    const where = { projectId: project.id }
    await service.ctx.db.parkedTemplateStatus.create({
      data: { ...where, name: 'a', language: 'en_US', status: 'APPROVED', at, receivedAt: at },
    })
    service.advance(1_000)
    await sync()
    expect(await service.ctx.db.parkedTemplateStatus.count({ where })).toBe(0)
  })
})

describe('the job', () => {
  const due = () => service.advance(LIMITS.syncDueMs)

  it('fetches for every active project, however many others fail, and not for paused ones', async () => {
    due()
    const failing = await connected()
    await channelAccounts.connect(service.ctx, failing.id, {
      phoneNumberId: '1',
      businessAccountId: '2',
      appId: '3',
      accessToken: 'EAA',
      appSecret: 's',
      verifyToken: 'v',
      apiUrl: 'http://127.0.0.1:9',
    })
    const paused = await connected()
    await projects.setStatus(service.ctx, paused.id, 'paused')
    channel.templates.push(listed('1', 'a'))

    await syncDue(service.ctx)

    expect(await kept()).toMatchObject([{ name: 'a' }])
    const where = { projectId: paused.id }
    expect(await service.ctx.db.template.count({ where })).toBe(0)
    expect(service.logLines.join('')).toContain('templates.sync_failed')
  })

  it('on two workers at once, and again too early, fetches once for each project', async () => {
    due()
    await Promise.all([syncDue(service.ctx), syncDue(service.ctx)])
    const { length } = channel.requests
    expect(length).toBeGreaterThan(0)
    await syncDue(service.ctx)
    expect(channel.requests).toHaveLength(length)
    const active = await service.ctx.db.channelAccount.count({
      where: { apiUrl: channel.url, project: { status: 'active' } },
    })
    expect(length).toBe(active)
    due()
    await syncDue(service.ctx)
    expect(channel.requests).toHaveLength(2 * length)
  })

  it('leaves the templates of a project on the sandbox as they are', async () => {
    const own = await service.project()
    const content = { type: 'BODY' as const, text: 'Hi.' }
    const draft = { language: 'en_US', category: 'UTILITY' as const, components: [content] }
    await own.client.ok('createTemplate', { body: { name: 'a', ...draft } })
    await service.sandbox.idle()
    const before = await kept(own)
    due()
    await syncDue(service.ctx)
    expect(await kept(own)).toEqual(before)
  })
})

describe('a worker whose clock is a day ahead', () => {
  const ahead = (): Context => ({
    ...service.ctx,
    now: () => new Date(service.ctx.now().getTime() + DAY_MS),
  })

  it('makes nothing that the channel says afterwards older than its listing', async () => {
    const id = await store('a', 'PENDING')
    channel.templates.push(listed(id, 'a', { status: 'APPROVED' }))
    expect(await templateSync.sync(ahead(), project.id)).toMatchObject({ changed: 1 })
    await told('PAUSED', punctual())
    expect(await kept()).toMatchObject([{ status: 'PAUSED' }])
  })

  it('does not forget what was said of a template while the channel is listing', async () => {
    channel.whileListing(() => told('APPROVED', punctual()))
    await templateSync.sync(ahead(), project.id)
    const where = { projectId: project.id }
    expect(await service.ctx.db.parkedTemplateStatus.count({ where })).toBe(1)
  })

  it('fetches once, and keeps nobody from the next time', async () => {
    channel.templates.push(listed('1', 'a'))
    service.advance(LIMITS.syncDueMs)
    await syncDue(ahead())
    channel.templates.push(listed('2', 'b'))
    await syncDue(ahead())
    expect(await kept()).toHaveLength(1)
    await service.ctx.sql.rows(letPass, [project.id, LIMITS.syncDueMs])
    await syncDue(punctual())
    expect(await kept()).toHaveLength(2)
  })

  it('that told of it without a time makes nothing that comes afterwards older', async () => {
    await store('a', 'PENDING')
    const news = { kind: 'status' as const, event: 'APPROVED', reason: null, category: null }
    const update = { businessAccountId, id: null, name: 'a', language: 'en_US', at: null, news }
    const to = { projectId: project.id, account: { businessAccountId } }
    await service.ctx.sql.transaction((tx) => templateNews.apply(ahead(), tx, to, [update]))
    await told('PAUSED', punctual())
    expect(await kept()).toMatchObject([{ status: 'PAUSED' }])
  })
})

describe('an instant that a clock of tomorrow has left', () => {
  const tomorrow = () => new Date(Date.now() + DAY_MS)

  it('keeps neither callbacks nor listings from a template', async () => {
    const id = await store('a', 'APPROVED')
    const leave = () =>
      service.ctx.db.template.update({
        where: { projectId_id: { projectId: project.id, id } },
        data: { status: 'PENDING', statusAt: tomorrow() },
      })
    await leave()
    await told('PAUSED')
    expect(await kept()).toMatchObject([{ status: 'PAUSED' }])
    await leave()
    channel.templates.push(listed(id, 'a', { status: 'APPROVED' }))
    await sync()
    expect(await kept()).toMatchObject([{ status: 'APPROVED' }])
  })

  it('does not keep what is said of a template that is not here yet', async () => {
    const where = { projectId: project.id }
    await told('PENDING')
    await service.ctx.db.parkedTemplateStatus.updateMany({ where, data: { at: tomorrow() } })
    await told('APPROVED')
    const parked = await service.ctx.db.parkedTemplateStatus.findMany({ where })
    expect(parked).toMatchObject([{ status: 'APPROVED' }])
  })

  it('puts off no listing', async () => {
    channel.templates.push(listed('1', 'a'))
    const startedAt = tomorrow()
    await service.ctx.db.templateSync.create({ data: { projectId: project.id, startedAt } })
    await syncDue(service.ctx)
    expect(await kept()).toHaveLength(1)
  })
})
