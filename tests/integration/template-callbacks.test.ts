import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import type { SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { permutations } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, buttons, header, storeTemplate, type TemplateParts } from '../support/templates.ts'

let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService({ behindMs: 2 * LIMITS.parkedStatusesKeptMs })
  project = await service.project()
  account = await service.account(project.id)
})
afterAll(() => service.stop())

const seconds = () => Math.floor(service.ctx.now().getTime() / 1000)
const store = (parts: Partial<TemplateParts> & { name: string }) =>
  storeTemplate(service, project, { components: [body('Hi.')], status: 'PENDING', ...parts })
const templateOf = async (id: string) =>
  (await project.client.ok('getTemplate', { path: { id } })).template
const parkedOf = (name: string) =>
  service.ctx.db.parkedTemplateStatus.findMany({ where: { projectId: project.id, name } })

type Told = { field?: string; time?: number; businessAccountId?: string }
/** Posts a callback of one change; the template's id is a number, as the channel sends it. */
async function tell(name: string, id: string, value: object, told: Told = {}): Promise<void> {
  const { field = 'message_template_status_update', time = seconds(), businessAccountId } = told
  const named = {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: 'en_US',
  }
  const change = { field, value: { ...named, ...value } }
  const entry = [{ id: businessAccountId ?? account.businessAccountId, time, changes: [change] }]
  const payload = { object: 'whatsapp_business_account', entry }
  expect(await service.callback(project.id, payload)).toBe(200)
}

/** A recorded callback of the channel's, sent to the project's own account. */
async function tellRecorded(name: string): Promise<void> {
  const file = path.join(PROJECT_ROOT, `tests/fixtures/channel/${name}.json`)
  const payload = JSON.parse(readFileSync(file, 'utf8')) as { entry: { id: string }[] }
  for (const entry of payload.entry) entry.id = account.businessAccountId
  expect(await service.callback(project.id, payload)).toBe(200)
}

describe('a status update', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['approved', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
    ['PAUSED', 'PAUSED'],
    ['paused', 'PAUSED'],
    ['DISABLED', 'DISABLED'],
    ['FLAGGED', 'APPROVED'],
    ['REINSTATED', 'APPROVED'],
    ['UNARCHIVED', 'APPROVED'],
    ['IN_APPEAL', 'PENDING'],
    ['LOCKED', 'DISABLED'],
    ['ARCHIVED', 'DISABLED'],
    ['LIMIT_EXCEEDED', 'DISABLED'],
  ])('of %s makes the template %s', async (event, status) => {
    const name = `told_${event.toLowerCase()}_${event === event.toLowerCase() ? 'low' : 'up'}`
    const id = await store({ name, status: status === 'PENDING' ? 'REJECTED' : 'PENDING' })
    await tell(name, id, { event, reason: 'NONE' })
    expect(await templateOf(id)).toMatchObject({ status, rejection_reason: null })
  })

  it('as recorded from the channel rejects with the reason', async () => {
    const id = await store({ id: '1689556908129835', name: 'abandoned_cart', language: 'en' })
    await tellRecorded('tpl_status_rejected')
    const rejected = { status: 'REJECTED', rejection_reason: 'INVALID_FORMAT' }
    expect(await templateOf(id)).toMatchObject({ ...rejected, category: 'MARKETING' })
  })

  it('clears the reason of a rejection that was withdrawn', async () => {
    const id = await store({ name: 'appealed' })
    await tell('appealed', id, { event: 'REJECTED', reason: 'SCAM' })
    expect(await templateOf(id)).toMatchObject({ rejection_reason: 'SCAM' })
    await tell('appealed', id, { event: 'APPROVED', reason: 'NONE' })
    expect(await templateOf(id)).toMatchObject({ status: 'APPROVED', rejection_reason: null })
  })

  it.each(permutations(['PENDING', 'APPROVED', 'PAUSED'] as const))(
    'of an older instant does not undo a newer one: %s, %s, %s, each twice',
    async (...order) => {
      const name = `ordered_${order.join('_').toLowerCase()}`
      const id = await store({ name, status: 'REJECTED' })
      const times = { PENDING: 1, APPROVED: 2, PAUSED: 3 }
      for (const event of [...order, ...order]) {
        await tell(name, id, { event }, { time: seconds() + times[event] })
      }
      expect((await templateOf(id)).status).toBe('PAUSED')
    },
  )

  it('of what is so already still keeps older ones from undoing it', async () => {
    const id = await store({ name: 'confirmed', status: 'APPROVED' })
    const before = await templateOf(id)
    service.advance(1_000)
    await tell('confirmed', id, { event: 'APPROVED' }, { time: seconds() + 2 })
    await tell('confirmed', id, { event: 'PENDING' }, { time: seconds() + 1 })
    expect(await templateOf(id)).toEqual(before)
  })

  it('that is repeated changes nothing', async () => {
    const id = await store({ name: 'repeated' })
    await tell('repeated', id, { event: 'APPROVED' })
    const before = await templateOf(id)
    service.advance(60_000)
    await tell('repeated', id, { event: 'APPROVED' })
    expect(await templateOf(id)).toEqual(before)
  })

  it('finds the template by its name when the number has lost digits of the id', async () => {
    const id = await store({ name: 'long_id' })
    await tell('long_id', '12345678901234567890', { event: 'APPROVED' })
    expect((await templateOf(id)).status).toBe('APPROVED')
  })

  it('takes the language in either form', async () => {
    const id = await store({ name: 'hyphened' })
    const language = { message_template_language: 'en-US' }
    await tell('hyphened', id, { event: 'APPROVED', ...language })
    expect((await templateOf(id)).status).toBe('APPROVED')
  })

  it.each(['DELETED', 'PENDING_DELETION'])('of %s removes the template', async (event) => {
    const name = `gone_${event.toLowerCase()}`
    const id = await store({ name })
    await tell(name, id, { event, reason: null })
    await project.client.refused('getTemplate', 'not_found', { path: { id } })
  })

  it('of a deletion does not remove another template of the same name', async () => {
    const id = await store({ name: 'renewed', status: 'APPROVED' })
    await tell('renewed', '999', { event: 'DELETED' })
    expect((await templateOf(id)).status).toBe('APPROVED')
  })

  it('from before a template was made is of the one that had its name, and moves nothing', async () => {
    const id = await store({ name: 'made_again' })
    await service.ctx.db.template.update({
      where: { projectId_id: { projectId: project.id, id } },
      data: { createdAt: service.ctx.now() },
    })
    await tell('made_again', '994', { event: 'REJECTED', reason: 'SCAM' }, { time: seconds() - 1 })
    expect((await templateOf(id)).status).toBe('PENDING')
    await tell('made_again', '993', { event: 'APPROVED' })
    expect((await templateOf(id)).status).toBe('APPROVED')
  })

  it('of another business account moves no template by its name', async () => {
    const id = await store({ name: 'namesake' })
    await tell('namesake', '998', { event: 'APPROVED' }, { businessAccountId: '1' })
    expect((await templateOf(id)).status).toBe('PENDING')
    expect(await parkedOf('namesake')).toEqual([])
  })

  it('of a template that is not here is kept, the latest one', async () => {
    await tell('unknown_yet', '997', { event: 'APPROVED' }, { time: seconds() + 2 })
    await tell('unknown_yet', '997', { event: 'PENDING' }, { time: seconds() + 1 })
    await tell('unknown_yet', '997', { event: 'DELETED' }, { time: seconds() + 3 })
    expect(await parkedOf('unknown_yet')).toMatchObject([{ language: 'en_US', status: 'APPROVED' }])
  })

  it('of a word that is not known changes nothing', async () => {
    const id = await store({ name: 'odd', status: 'APPROVED' })
    await tell('odd', id, { event: 'LEVITATED' })
    expect((await templateOf(id)).status).toBe('APPROVED')
  })

  it('lets the template be sent, or not, from then on', async () => {
    const id = await store({ name: 'halting' })
    const send = { type: 'template' as const, phone: '+15550001234', template_name: 'halting' }
    const body = { ...send, language: 'en_US' }
    await tell('halting', id, { event: 'APPROVED' })
    await project.client.ok('sendMessage', { body })
    await tell('halting', id, { event: 'PAUSED' })
    await project.client.refused('sendMessage', 'template_not_approved', { body })
  })
})

describe('of two callbacks of one second', () => {
  it.each([
    ['APPROVED', 'PAUSED'],
    ['PAUSED', 'APPROVED'],
  ])('the one that comes later counts: %s, %s', async (first, second) => {
    const name = `arrived_${first.toLowerCase()}`
    const id = await store({ name })
    for (const event of [first, second]) await tell(name, id, { event })
    expect((await templateOf(id)).status).toBe(second)
  })

  it('the first one undoes nothing when it is repeated, and is not told again', async () => {
    const webhook = await subscribe(project, ['template.approved'])
    const id = await store({ name: 'resounding' })
    for (const event of ['APPROVED', 'PAUSED', 'APPROVED', 'PAUSED', 'APPROVED']) {
      await tell('resounding', id, { event })
    }
    expect((await templateOf(id)).status).toBe('PAUSED')
    expect(await toldTo(service, webhook.id)).toHaveLength(1)
  })

  it('the first one undoes nothing when it is repeated before the template is here', async () => {
    for (const event of ['APPROVED', 'PAUSED', 'APPROVED']) {
      await tell('not_here_yet', '996', { event })
    }
    expect(await parkedOf('not_here_yet')).toMatchObject([{ status: 'PAUSED' }])
  })

  it('the first one moves nothing into its former category when it is repeated', async () => {
    const id = await store({ name: 'recategorised', category: 'UTILITY' })
    for (const category of ['MARKETING', 'UTILITY', 'MARKETING']) {
      const value = { previous_category: null, new_category: category }
      await tell('recategorised', id, value, { field: 'template_category_update' })
    }
    expect((await templateOf(id)).category).toBe('UTILITY')
  })

  it('is remembered for as long as the channel repeats it', async () => {
    const own = { where: { projectId: project.id } }
    await tell('remembered', '995', { event: 'APPROVED' })
    service.advance(LIMITS.parkedStatusesKeptMs - 1_000)
    await retention.pruneExpired(service.ctx)
    expect(await service.ctx.db.heardNews.count(own)).toBeGreaterThan(0)
    service.advance(2_000)
    await retention.pruneExpired(service.ctx)
    expect(await service.ctx.db.heardNews.count(own)).toBe(0)
  })
})

describe('other news of a template', () => {
  it('moves it into another category, and only when it has moved', async () => {
    const offered = { id: '278077987957091', name: 'welcome_template' }
    const id = await store({ ...offered, category: 'UTILITY' })
    await tellRecorded('tpl_category_impending')
    expect((await templateOf(id)).category).toBe('UTILITY')
    const value = { previous_category: 'UTILITY', new_category: 'MARKETING' }
    await tell('welcome_template', id, value, { field: 'template_category_update' })
    expect((await templateOf(id)).category).toBe('MARKETING')
  })

  it('leaves it in the category that it was moved into since', async () => {
    const id = await store({ name: 'moved_since', category: 'UTILITY' })
    const moved = { previous_category: 'UTILITY', new_category: 'MARKETING' }
    await tell('moved_since', id, moved, { field: 'template_category_update' })
    const before = { event: 'APPROVED', message_template_category: 'UTILITY' }
    await tell('moved_since', id, before, { time: seconds() - 60 })
    expect(await templateOf(id)).toMatchObject({ status: 'APPROVED', category: 'MARKETING' })
  })

  it('of its quality is noted in the log and moves nothing', async () => {
    const id = await store({ name: 'rated' })
    const before = await templateOf(id)
    const value = { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' }
    await tell('rated', id, value, { field: 'message_template_quality_update' })
    expect(await templateOf(id)).toEqual(before)
    expect(service.logLines.join('')).toContain('template.quality_changed')
    await tellRecorded('tpl_quality_update')
  })

  it('gives it the texts that it was edited to, which sends then fill', async () => {
    const row = buttons(
      { type: 'QUICK_REPLY', text: 'Old' },
      { type: 'URL', text: 'See', url: 'https://a.example' },
    )
    const components = [
      header('TEXT', 'Old'),
      body('Old {{1}}.'),
      { type: 'FOOTER', text: 'Old' },
      row,
    ]
    const id = await store({ name: 'edited', status: 'APPROVED', components })
    const value = {
      message_template_title: 'New',
      message_template_element: 'New {{1}}, {{2}}.',
      message_template_footer: 'Newer',
      message_template_buttons: [
        { message_template_button_type: 'QUICK_REPLY', message_template_button_text: 'Yes' },
        {
          message_template_button_type: 'URL',
          message_template_button_text: 'Look',
          message_template_button_url: 'https://b.example',
        },
      ],
    }
    await tell('edited', id, value, { field: 'message_template_components_update' })

    expect((await templateOf(id)).components).toEqual([
      header('TEXT', 'New'),
      body('New {{1}}, {{2}}.'),
      { type: 'FOOTER', text: 'Newer' },
      buttons(
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Look', url: 'https://b.example' },
      ),
    ])
    const send = { type: 'template' as const, phone: '+15550001234', template_name: 'edited' }
    await project.client.ok('sendMessage', {
      body: { ...send, language: 'en_US', variables: ['a', 'b'] },
    })
  })

  it.each([
    ['message_template_status_update', {}],
    ['template_category_update', { new_category: 7 }],
    ['message_template_components_update', { message_template_name: '' }],
  ])('that cannot be read is kept as it came: %s %j', async (field, value) => {
    const where = { projectId: project.id }
    const before = await service.ctx.db.unreadCallback.count({ where })
    await tell('unreadable', '5', value, { field })
    expect(await service.ctx.db.unreadCallback.count({ where })).toBe(before + 1)
  })
})
