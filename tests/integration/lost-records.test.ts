import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { until } from '../support/until.ts'
import { failing, losing, through } from '../support/failing-sql.ts'
import { png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, storeTemplate } from '../support/templates.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

const whileFailing = <T>(times: Record<string, number>, work: () => Promise<T>) =>
  through(service.ctx, (sql) => failing(sql, times).sql, work)
const whileLosing = <T>(name: string, work: () => Promise<T>) =>
  through(service.ctx, (sql) => losing(sql, name), work)

const draftOf = (handle?: string) => ({
  name: 'greeting',
  language: 'en_US',
  category: 'UTILITY' as const,
  components: [
    ...(handle === undefined
      ? []
      : [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } }]),
    body('Hello.'),
  ],
})
const create = (handle?: string) => project.client.send('createTemplate', { body: draftOf(handle) })
const templates = async () => (await project.client.ok('listTemplates')).templates

describe('what the channel has taken while the database fails', () => {
  it('is in the list of templates as soon as that is back', async () => {
    await whileFailing({ 'write-templates': 2 }, async () => {
      expect(await create()).toMatchObject({ status: 500 })
      await until(async () => (await templates()).length === 1, 'it is listed')
    })
    expect(await templates()).toMatchObject([{ name: 'greeting', language: 'en_US' }])
    await project.client.refused('createTemplate', 'template_exists', { body: draftOf() })
  })

  it('is in the list of flows as soon as that is back', async () => {
    const flows = async () => (await project.client.ok('listFlows')).flows
    await whileFailing({ 'write-flow': 2 }, async () => {
      const request = { name: 'contact', prompt: 'A contact form with name and phone.' }
      expect(await project.client.send('createFlow', { body: request })).toMatchObject({
        status: 500,
      })
      await until(async () => (await flows()).length === 1, 'it is listed')
    })
    expect(await flows()).toMatchObject([{ name: 'contact', status: 'draft' }])
  })

  it('is published when that is asked again', async () => {
    const prompt = 'A contact form with name and phone.'
    const { flow } = await project.client.ok('createFlow', { body: { name: 'contact', prompt } })
    const path = { id: flow.id }
    // Nor does the callback that tells of it get in.
    await whileFailing({ 'write-flow': 1, 'move-flow': 9 }, async () => {
      expect(await project.client.send('publishFlow', { path })).toMatchObject({ status: 500 })
      const again = await project.client.ok('publishFlow', { path })
      expect(again.flow.status).toBe('published')
    })
  })
})

describe('the handle of a header sample', () => {
  async function sample(): Promise<string> {
    const data = png().toString('base64')
    const given = { format: 'IMAGE' as const, data, filename: 'a.png', mime: 'image/png' }
    return (await project.client.ok('uploadHeaderSample', { body: given })).handle
  }

  it('can be used again when nobody heard that it was', async () => {
    const handle = await sample()
    await whileLosing('redeem-header-sample', async () => {
      expect(await create(handle)).toMatchObject({ status: 500 })
    })
    expect(await create(handle)).toMatchObject({ status: 201 })
  })

  it('is given back later when the database fails as the channel refuses', async () => {
    const handle = await sample()
    await create()
    await service.ctx.db.template.deleteMany({ where: { projectId: project.id } })
    await whileFailing({ 'release-header-sample': 2 }, async () => {
      expect(await create(handle)).toMatchObject({ status: 409 })
      const unused = { projectId: project.id, usedAt: null }
      const isUnused = async () =>
        (await service.ctx.db.headerSample.count({ where: unused })) === 1
      await until(isUnused, 'it is given back')
    })
  })
})

describe('what is done is told as done, though the database fails right after it', () => {
  it('as with a new segment, whose contacts are not counted', async () => {
    const filter = { match: 'all' as const, conditions: [] }
    await whileFailing({ 'limit-statement-time': 1 }, async () => {
      const { segment } = await project.client.ok('createSegment', {
        body: { name: 'All', filter },
      })
      expect(segment.contact_count).toBeNull()
    })
  })

  it('as with a new broadcast, whose recipients are not counted', async () => {
    await storeTemplate(service, project, { name: 'news', components: [body('News.')] })
    const filter = { match: 'all' as const, conditions: [] }
    const named = { name: 'Offer', template_name: 'news', template_language: 'en_US' }
    await whileFailing({ 'limit-statement-time': 1 }, async () => {
      const { broadcast } = await project.client.ok('createBroadcast', {
        body: { ...named, audience: { filter } },
      })
      expect(broadcast.recipient_count).toBeNull()
    })
  })

  it('as with a webhook that is deleted, whose deliveries are swept', async () => {
    const { webhook } = await project.client.ok('createWebhook', {
      body: { url: 'https://hooks.example.com/x', events: ['order.paid'] },
    })
    const path = { id: webhook.id }
    await whileFailing({ 'cancel-deliveries-of-webhook': 2 }, async () => {
      await project.client.ok('updateWebhook', { path, body: { is_active: false } })
      expect(await project.client.ok('deleteWebhook', { path })).toMatchObject({ deleted: true })
    })
  })
})
