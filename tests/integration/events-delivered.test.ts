import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkEvent, type Told } from '../support/events.ts'
import { envOf, operate } from '../support/operator.ts'
import { type Receiver, startReceiver, verifies } from '../support/receiver.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const EVENTS = ['message.received', 'message.status', 'order.paid']

let service: TestService
let receiver: Receiver
beforeAll(async () => {
  service = await startTestService({ env: { ROLE: 'all' } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.stop()
  await receiver.close()
})

describe('what happens to a project', () => {
  it('reaches its webhook in order, signed, and as the contract has it', async () => {
    const project = await service.project()
    const body = { url: `${receiver.url}/hooks`, events: EVENTS }
    const { webhook, secret } = await project.client.ok('createWebhook', { body })
    const phone = '+15557770100'
    const count = (most: number) => until(() => receiver.received.length >= most, `${most} events`)

    await service.customer(project, { phone, text: 'Is it paid? 🙂' })
    await count(1)
    const content = 'It is: "1042".'
    const message = { type: 'text' as const, phone, content, client_ref: 'order-1042' }
    const { id: wamid } = await project.client.ok('sendMessage', { body: message })
    await count(4)
    const env = envOf(service)
    const emit = ['event', 'emit', '--project', project.id, '--name', 'order.paid']
    expect(await operate(env, [...emit, '--data', '{"order":1042}'])).toMatchObject({ code: 0 })
    await count(5)

    const told = receiver.received.map(({ body }) => JSON.parse(body) as Told)
    told.forEach(checkEvent)
    const step = (status: string) => ({
      event: 'message.status',
      webhook_id: webhook.id,
      data: { message_id: wamid, status, client_ref: 'order-1042' },
    })
    expect(told).toMatchObject([
      { event: 'message.received', data: { message: { content: 'Is it paid? 🙂' } } },
      ...['sent', 'delivered', 'read'].map(step),
      { event: 'order.paid', data: { order: 1042 } },
    ])
    const nowS = service.ctx.now().getTime() / 1000
    for (const one of receiver.received) {
      expect(one.headers['x-service-event']).toBe(one.event)
      expect(verifies(one, secret, nowS)).toBe(true)
    }
    const path = { id: webhook.id }
    const { deliveries } = await project.client.ok('listWebhookDeliveries', { path })
    expect(deliveries.map(({ id }) => id).reverse()).toEqual(told.map(({ id }) => id))
  })

  it('ends with the secret of the registration, whatever a change does to the rest', async () => {
    const project = await service.project()
    const before = receiver.received.length
    const body = { url: `${receiver.url}/old`, events: ['order.paid'], is_active: false }
    const { webhook, secret } = await project.client.ok('createWebhook', { body })
    const path = { id: webhook.id }
    const change = { url: `${receiver.url}/new`, events: ['order.lost'], is_active: true }
    await project.client.ok('updateWebhook', { path, body: change })
    expect(await project.client.ok('testWebhook', { path })).toMatchObject({ delivered: true })
    const [one, ...more] = receiver.received.slice(before)
    expect(more).toEqual([])
    expect(one).toMatchObject({ path: '/new', event: 'webhook.test' })
    expect(one && verifies(one, secret, service.ctx.now().getTime() / 1000)).toBe(true)
    checkEvent(JSON.parse(one?.body ?? '') as Told)
  })
})
