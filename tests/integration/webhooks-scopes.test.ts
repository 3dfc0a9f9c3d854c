import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as connections from '../../capabilities/projects/connections.ts'
import { EVENT_SCOPES } from '../../capabilities/webhooks/events.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import { ALL_SCOPES } from '../../capabilities/projects/scopes.ts'
import type { Scope } from '../../core/contract.ts'
import { subscribe } from '../support/events.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const url = 'https://hooks.example.com/events'
const EVENTS = [...EVENT_SCOPES]
const ALL = [...new Set(EVENT_SCOPES.values())]

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

/** The project's client under a key with just these scopes. */
async function holding(scopes: Scope[], projectId = project.id) {
  const made = await keys.create(service.ctx, { projectId, name: 'Key', scopes, isTest: true })
  return project.client.as(made.secret)
}

describe.each(EVENTS)('subscribing to %s', (event, scope) => {
  it(`takes ${scope}, and no other scope of an event stands for it`, async () => {
    const others = ALL_SCOPES.filter((one) => one !== scope)
    const client = await holding(others)
    const body = { url, events: ['order.paid', event] }
    const before = await project.client.ok('listWebhooks')

    const { status, details, headers } = await client.refused(
      'createWebhook',
      'insufficient_scope',
      {
        body,
      },
    )
    expect(status).toBe(403)
    expect(details).toEqual({ required: [scope], held: others, project_id: project.id })
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`
    expect(headers.get('www-authenticate')).toBe(challenge)
    expect(await project.client.ok('listWebhooks')).toEqual(before)

    const enough = await holding(['webhooks:manage', scope])
    const { webhook } = await enough.ok('createWebhook', { body })
    await enough.ok('deleteWebhook', { path: { id: webhook.id } })
  })

  it('takes it when a change adds the event, and nothing is changed without', async () => {
    const { id } = await subscribe(project, ['order.paid'])
    const path = { id }
    const client = await holding(['webhooks:manage', ...ALL.filter((one) => one !== scope)])
    const body = { url: 'https://hooks.example.com/moved', events: [event], is_active: false }
    const before = await client.ok('getWebhook', { path })
    const { details } = await client.refused('updateWebhook', 'insufficient_scope', { path, body })
    expect(details).toMatchObject({ required: [scope] })
    expect(await client.ok('getWebhook', { path })).toEqual(before)
  })

  it('takes nothing for a change that leaves it as it was', async () => {
    const { id } = await subscribe(project, [event])
    const client = await holding(['webhooks:manage'])
    const body = { events: ['order.paid', event], is_active: false }
    const { webhook } = await client.ok('updateWebhook', { path: { id }, body })
    expect(webhook).toMatchObject(body)
    await client.ok('updateWebhook', { path: { id }, body: { events: ['order.paid'] } })
    // It is not the webhook's any more.
    await client.refused('updateWebhook', 'insufficient_scope', { path: { id }, body })
  })
})

describe('another address', () => {
  const moved = 'https://hooks.example.com/moved'

  it.each(EVENTS)('for a webhook that is told of %s takes %s', async (event, scope) => {
    const { id } = await subscribe(project, ['order.paid', event])
    const path = { id }
    const client = await holding(['webhooks:manage', ...ALL.filter((one) => one !== scope)])
    const before = await client.ok('getWebhook', { path })
    for (const body of [{ url: moved }, { url: moved, events: [event], is_active: false }]) {
      const refused = await client.refused('updateWebhook', 'insufficient_scope', { path, body })
      expect(refused.details).toMatchObject({ required: [scope] })
    }
    expect(await client.ok('getWebhook', { path })).toEqual(before)

    const enough = await holding(['webhooks:manage', scope])
    const { webhook } = await enough.ok('updateWebhook', { path, body: { url: moved } })
    expect(webhook.url).toBe(moved)
  })

  it('takes the scope of an event that another change adds at the same moment', async () => {
    const { id } = await subscribe(project, ['order.paid'])
    const client = await holding(['webhooks:manage'])
    let asked: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(`UPDATE webhooks SET events = events || '{message.received}' WHERE id = $1`, [id])
      const parts = { path: { id }, body: { url: moved } }
      asked = client.refused('updateWebhook', 'insufficient_scope', parts)
      await untilWaiting(service.ctx)
    })
    await asked
    const { webhook } = await client.ok('getWebhook', { path: { id } })
    expect(webhook).toMatchObject({ url, events: ['order.paid', 'message.received'] })
  })

  it('takes no scope of events that the same change takes away', async () => {
    const { id } = await subscribe(project, ['order.paid', 'message.received'])
    const client = await holding(['webhooks:manage'])
    const body = { url: moved, events: ['order.paid'] }
    const { webhook } = await client.ok('updateWebhook', { path: { id }, body })
    expect(webhook).toMatchObject(body)
  })

  it('is none when it is the one that the webhook has, however it is written', async () => {
    const { id } = await subscribe(project, ['message.received'])
    const client = await holding(['webhooks:manage'])
    const { webhook } = await client.ok('getWebhook', { path: { id } })
    const url = webhook.url.replace('https://', 'HTTPS://')
    expect(await client.ok('updateWebhook', { path: { id }, body: { url } })).toMatchObject({
      webhook: { url: webhook.url },
    })
  })
})

describe('subscribing', () => {
  it('to names that only look like the platform takes no scope', async () => {
    const client = await holding(['webhooks:manage'])
    const events = ['Message.Received', 'message.receive', 'message', 'message.status.', 'template']
    const { webhook } = await client.ok('createWebhook', { body: { url, events } })
    expect(webhook.events).toEqual(events)
  })

  it('to several events names every scope that is due, once', async () => {
    const client = await holding(['webhooks:manage', 'events:message_status'])
    const body = { url, events: ['template.approved', 'template.rejected', 'message.status'] }
    const { details } = await client.refused('createWebhook', 'insufficient_scope', { body })
    expect(details.required).toEqual(['events:template_status', 'events:message_status'])
  })

  it('is checked against the selected project alone', async () => {
    const other = await service.project()
    const { token } = await connections.create(service.ctx, {
      name: 'Agent',
      grants: [
        { projectId: project.id, scopes: ['webhooks:manage', 'events:message_status'] },
        { projectId: other.id, scopes: ['webhooks:manage'] },
      ],
    })
    const client = project.client.as(token)
    const body = { url, events: ['message.status'] }
    const on = (id: string) => ({ body, headers: { 'x-service-project': id } })
    const { details } = await client.refused('createWebhook', 'insufficient_scope', on(other.id))
    expect(details).toMatchObject({ held: ['webhooks:manage'], project_id: other.id })
    await client.ok('createWebhook', on(project.id))
  })
})
