import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as connections from '../../capabilities/projects/connections.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { createBroadcast, type Draft, draftOf, storeContacts } from '../support/broadcasts.ts'
import { storedMedium, storeMedium } from '../support/media.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, buttons, header, setTemplateStatus, storeTemplate } from '../support/templates.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await storeMedium(service, project)
  await storeContacts(service, project, [
    { name: 'Ana', tags: ['vip'], optedIn: true },
    { name: 'Ben', tags: ['vip'] },
    { name: 'Cid', tags: ['silent'] },
  ])
  const store = (name: string, components: object[], more: object = {}) =>
    storeTemplate(service, project, { name, components, ...more })
  await store('news', [body('News for you.')])
  await store('order', [body('Hello {{1}}, your order {{2}} is here.')])
  await store('sale', [body('On sale.')], { category: 'MARKETING' })
  await store('titled', [header('TEXT', 'For {{1}}'), body('Hello.')])
  await store('pictured', [header('IMAGE'), body('Look.')])
  await store('documented', [header('DOCUMENT'), body('Read.')])
  await store('linked', [
    body('See.'),
    buttons({ type: 'URL', text: 'Go', url: 'https://a.example/{{1}}' }),
  ])
})
afterAll(() => service.stop())

const tagged = (value: string) => ({
  filter: {
    match: 'all' as const,
    conditions: [{ field: 'tags', op: 'contains' as const, value }],
  },
})
const create = (draft: Partial<Draft> = {}, by = project) => createBroadcast(service, by, draft)
const get = async (id: string, by = project) =>
  (await by.client.ok('getBroadcast', { path: { id } })).broadcast
const soon = () => new Date(service.ctx.now().getTime() + 3_600_000).toISOString()

/** Refuses a request, and keeps nothing of it. */
async function refused(code: ErrorCode, draft: object) {
  const before = await service.ctx.db.broadcast.count()
  const request = { body: draftOf(draft) }
  const refusal = await project.client.refused('createBroadcast', code, request)
  expect(await service.ctx.db.broadcast.count()).toBe(before)
  return refusal
}

describe('a broadcast', () => {
  it('waits for approval, with everything that it was given', async () => {
    const scheduledAt = soon()
    const created = await create({
      name: 'Orders',
      template_name: 'order',
      audience: tagged('vip'),
      template_variables: { '1': { field: 'name', fallback: 'there' }, '2': '1042' },
      scheduled_at: scheduledAt,
      wave_size: 100,
      auto_retarget_quality: true,
    })

    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      project_id: project.id,
      name: 'Orders',
      template_name: 'order',
      template_language: 'en_US',
      category: 'UTILITY',
      audience: { segment_id: null, ...tagged('vip') },
      template_variables: { '1': { field: 'name', fallback: 'there' }, '2': '1042' },
      header: null,
      status: 'pending_approval',
      failure_reason: null,
      scheduled_at: scheduledAt,
      approved_at: null,
      started_at: null,
      completed_at: null,
      created_by: project.keyId,
      creator_name: 'Key',
      creator_email: null,
      counts: null,
      wave_size: 100,
      wave_scheduled_at: null,
      wave_scheduled_count: null,
      auto_retarget_quality: true,
      retarget_parent_id: null,
      retarget_count: 0,
      recipient_count: 2,
      created_at: service.ctx.now().toISOString(),
      updated_at: service.ctx.now().toISOString(),
    })
    expect(await get(created.id)).toEqual(created)
  })

  it('has none of what it was not given', async () => {
    expect(await create()).toMatchObject({
      template_variables: {},
      header: null,
      scheduled_at: null,
      wave_size: null,
      auto_retarget_quality: false,
    })
  })

  it('names the connection that made it', async () => {
    const { connection, token } = await connections.create(service.ctx, {
      name: 'Campaign agent',
      grants: [{ projectId: project.id, scopes: ['broadcasts:manage'] }],
      defaultProjectId: undefined,
      expiresInS: undefined,
    })
    const { broadcast } = await project.client.as(token).ok('createBroadcast', {
      body: draftOf(),
      headers: { 'x-service-project': project.id },
    })
    expect(broadcast).toMatchObject({ created_by: connection.id, creator_name: 'Campaign agent' })
  })

  it('keeps the filter of a segment as it was, whatever becomes of the segment', async () => {
    const { segment } = await project.client.ok('createSegment', {
      body: { name: 'Important', ...tagged('vip') },
    })
    const path = { id: segment.id }
    const created = await create({ audience: { segment_id: segment.id } })
    expect(created.audience).toEqual({ segment_id: segment.id, ...tagged('vip') })

    await project.client.ok('updateSegment', { path, body: tagged('silent') })
    expect((await create({ audience: { segment_id: segment.id } })).recipient_count).toBe(1)
    await project.client.ok('deleteSegment', { path })
    expect(await get(created.id)).toEqual(created)
  })

  it('counts its audience anew each time', async () => {
    const own = await service.project()
    const created = await create({ audience: tagged('vip') }, own)
    await storeContacts(service, own, [{ tags: ['vip'] }, {}])
    expect(created.recipient_count).toBe(0)
    expect((await get(created.id, own)).recipient_count).toBe(1)
  })

  it.each([
    { status: 'sending' },
    { status: 'scheduled' },
    { created_by: 'me' },
    { project_id: 'other' },
    { counts: { total: 1 } },
    { approved_at: '2026-11-21T10:00:00Z' },
    { approved_by: 'me' },
    { approval_digest: '00' },
    { started_at: '2026-11-21T10:00:00Z' },
    { wave_scheduled_at: '2026-11-21T10:00:00Z' },
    { retarget_count: 0 },
    { id: NOBODY },
  ])("takes nothing that is not its maker's to say: %j", async (more) => {
    const { details } = await refused('invalid_request', more)
    expect(details.errors).toEqual([{ path: Object.keys(more)[0], message: 'is not known' }])
  })

  it("is nobody else's", async () => {
    const { id } = await create()
    const other = await service.project()
    await other.client.refused('getBroadcast', 'BROADCAST_NOT_FOUND', { path: { id } })
    const path = { id }
    await other.client.refused('listBroadcastRecipients', 'BROADCAST_NOT_FOUND', { path })
    expect((await other.client.ok('listBroadcasts')).broadcasts).toEqual([])
  })

  it('is made by those who manage broadcasts, and read by those who read them', async () => {
    const made = await create()
    const keyOf = async (scope: string) => {
      const draft = { projectId: project.id, name: 'Narrow', scopes: [scope], isTest: true }
      return project.client.as((await keys.create(service.ctx, draft)).secret)
    }
    const [manager, reader] = [await keyOf('broadcasts:manage'), await keyOf('broadcasts:read')]
    await manager.ok('createBroadcast', { body: draftOf() })
    await manager.refused('getBroadcast', 'insufficient_scope', { path: { id: made.id } })
    await reader.ok('getBroadcast', { path: { id: made.id } })
    await reader.refused('createBroadcast', 'insufficient_scope', { body: draftOf() })
  })
})

describe('the template of a broadcast', () => {
  it('must be there, in its language', async () => {
    await refused('template_not_found', { template_name: 'never_was' })
    await refused('template_not_found', { template_language: 'es' })
  })

  it('need not be approved before the broadcast is', async () => {
    const own = await service.project()
    const components = [body('Hello {{1}}, how are you?')]
    const template = await storeTemplate(service, own, {
      ...{ name: 'reviewed', components, status: 'PENDING' },
    })
    const draft = { template_name: 'reviewed', template_variables: { 1: 'Ana' } }
    const { id, status } = await create(draft, own)
    expect(status).toBe('pending_approval')
    const unfit = { body: draftOf({ template_name: 'reviewed' }) }
    await own.client.refused('createBroadcast', 'template_variable_mismatch', unfit)

    const approve = () => broadcastApprovals.approve(service.ctx, id, { by: 'Olga' })
    await expect(approve()).rejects.toMatchObject({ code: 'template_not_approved' })
    await setTemplateStatus(service, own, template, 'APPROVED')
    expect((await approve()).status).toBe('sending')
  })

  it("is not another project's", async () => {
    const other = await service.project()
    await storeTemplate(service, other, { name: 'theirs', components: [body('Ours.')] })
    await refused('template_not_found', { template_name: 'theirs' })
  })

  it.each<[string, object, object]>([
    ['too few', { '1': 'Ana' }, { missing: ['2'], unexpected: [] }],
    ['too many', { '1': 'Ana', '2': '7', '3': 'x' }, { missing: [], unexpected: ['3'] }],
    ['others', { first: 'Ana', '2': '7' }, { missing: ['1'], unexpected: ['first'] }],
  ])('is filled by neither more nor less: %s', async (_what, variables, differences) => {
    const { details } = await refused('template_variable_mismatch', {
      template_name: 'order',
      template_variables: variables,
    })
    expect(details).toEqual({ component: 'body', expected: ['1', '2'], ...differences })
  })

  it('has no button whose address a broadcast cannot fill', async () => {
    const { details } = await refused('template_variable_mismatch', { template_name: 'linked' })
    expect(details).toMatchObject({ component: 'buttons', missing: ['0'] })
  })

  it.each<[string, unknown, string]>([
    ['two lines', 'a\nb', 'template_variables.1'],
    [
      'a fallback of two lines',
      { field: 'name', fallback: 'a\nb' },
      'template_variables.1.fallback',
    ],
    ['nothing', '', 'template_variables.1'],
    ['a number', 7, 'template_variables.1'],
    ['no fallback', { field: 'name' }, 'template_variables.1.fallback'],
    ['an unknown field', { field: 'email', fallback: 'x' }, 'template_variables.1.field'],
    ['more than a field', { field: 'name', fallback: 'x', or: 'y' }, 'template_variables.1.or'],
  ])('is told where a variable cannot be: %s', async (_what, variable, path) => {
    const { details } = await refused('invalid_request', {
      template_name: 'order',
      template_variables: { '1': variable, '2': '7' },
    })
    expect(details.errors).toEqual([{ path, message: expect.any(String) }])
  })

  it('is not sent for marketing to people who never asked for it', async () => {
    const sale = { template_name: 'sale', audience: tagged('vip') }
    expect(await create(sale)).toMatchObject({ category: 'MARKETING', recipient_count: 1 })

    const { status } = await refused('empty_audience', { ...sale, audience: tagged('silent') })
    expect(status).toBe(400)
    expect((await create({ audience: tagged('nobody') })).recipient_count).toBe(0)
  })
})

describe('the header of a broadcast', () => {
  const nothing = { text: null, media_id: null, media_slug: null, media_url: null, filename: null }
  const { slug, media_id: mediaId } = storedMedium

  it.each<[string, string, object]>([
    ['a text', 'titled', { text: 'Ana' }],
    ['a slug', 'documented', { media_slug: slug, filename: 'November.pdf' }],
    ['a media id', 'documented', { media_id: mediaId }],
    ['an address', 'pictured', { media_url: 'https://a.example/b.png' }],
  ])('is %s, as in a send', async (_what, template, header) => {
    const created = await create({ template_name: template, header })
    expect(created.header).toEqual({ ...nothing, ...header })
  })

  it('must fit its template, and be there', async () => {
    const pictured = { template_name: 'pictured' }
    await refused('missing_media', pictured)
    await refused('missing_media', { ...pictured, header: { media_slug: slug, media_id: mediaId } })
    await refused('media_not_found', { ...pictured, header: { media_slug: 'never-was' } })
    await refused('invalid_request', { ...pictured, header: { media_slug: slug } })
    await refused('template_variable_mismatch', { ...pictured, header: { text: 'Ana' } })
    await refused('template_variable_mismatch', { header: { text: 'Ana' } })
    await refused('template_variable_mismatch', { template_name: 'titled' })
    await refused('invalid_request', { template_name: 'titled', header: {} })
  })
})

describe('the audience of a broadcast', () => {
  it.each<[string, unknown]>([
    ['nobody in particular', {}],
    ['two at once', { segment_id: NOBODY, filter: { conditions: [] } }],
    ['a list', []],
    ['everything', { everyone: true }],
    ['no id', { segment_id: 'vip' }],
    ['a URN', { segment_id: `urn:uuid:${NOBODY}` }],
  ])('is not %s', async (_what, audience) => {
    const { details } = await refused('invalid_request', { audience })
    expect(JSON.stringify(details.errors)).toContain('"path":"audience')
  })

  it('is a segment that the project has', async () => {
    await refused('SEGMENT_NOT_FOUND', { audience: { segment_id: NOBODY } })
    const other = await service.project()
    const { segment } = await other.client.ok('createSegment', {
      body: { name: 'Theirs', filter: { conditions: [] } },
    })
    const { status } = await refused('SEGMENT_NOT_FOUND', { audience: { segment_id: segment.id } })
    expect(status).toBe(404)
  })

  it('has a filter that is checked as those of segments are', async () => {
    const condition = { field: 'created_at', op: 'gt' as const, value: 'yesterday' }
    const filter = { conditions: [condition, { ...condition, value: null }] }
    const { details } = await refused('null_filter_value', { audience: { filter } })
    expect(details.errors).toMatchObject([
      { path: 'audience.filter.conditions.0.value' },
      { path: 'audience.filter.conditions.1.value' },
    ])
  })
})

describe('the plan of a broadcast', () => {
  it.each(['2020-01-01T00:00:00Z', '2026-12-31T23:59:60Z', '9999-12-31T23:59:59-12:00'])(
    'is not for %s',
    async (scheduled_at) => {
      const { details } = await refused('invalid_request', { scheduled_at })
      expect(details.errors).toMatchObject([{ path: 'scheduled_at' }])
    },
  )

  it('is for a later moment than now', async () => {
    const now = service.ctx.now().toISOString()
    await refused('invalid_request', { scheduled_at: now })
    await refused('invalid_request', { scheduled_at: 'tomorrow' })
    const last = '9999-12-31T23:59:59.999Z'
    expect((await create({ scheduled_at: last })).scheduled_at).toBe(last)
  })

  it.each([0, -1, 1.5, '10', 1e9])('has no first wave of %j', async (size) => {
    const { details } = await refused('invalid_request', { wave_size: size })
    expect(details.errors).toMatchObject([{ path: 'wave_size' }])
  })
})

describe('the list of broadcasts', () => {
  it('is of the project alone, the newest first, page by page', async () => {
    const own = await service.project()
    const made: string[] = []
    for (let n = 0; n < 5; n++) {
      made.unshift((await create({ name: `Number ${n}` }, own)).id)
      service.advance(1_000)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await own.client.ok('listBroadcasts', { query })
      seen.push(...page.broadcasts.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(made)
  })

  it('shows each as it is shown alone, and is filtered by status', async () => {
    const own = await service.project()
    const { id } = await create({ audience: tagged('vip') }, own)
    const canceled = await create({}, own)
    await service.ctx.db.broadcast.update({
      where: { id: canceled.id },
      data: { status: 'canceled' },
    })
    const pending = { query: { status: 'pending_approval' as const } }
    const { broadcasts, nextCursor } = await own.client.ok('listBroadcasts', pending)
    expect(broadcasts).toEqual([await get(id, own)])
    expect(nextCursor).toBeNull()

    const { nextCursor: cursor } = await own.client.ok('listBroadcasts', { query: { limit: 1 } })
    const query = { cursor: cursor ?? '', status: 'canceled' as const }
    await own.client.refused('listBroadcasts', 'invalid_cursor', { query })
    const unknown = { query: { status: 'approved' as never } }
    await own.client.refused('listBroadcasts', 'bad_request', unknown)
  })
})
