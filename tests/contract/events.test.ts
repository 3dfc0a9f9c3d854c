import { describe, expect, it } from '@jest/globals'
import { EVENT_SCOPES, TEST_EVENT } from '../../capabilities/webhooks/events.ts'
import {
  type DeclaredEvent,
  declaredEvents,
  declaredOperations,
  jsonOf,
  walk,
} from '../support/document.ts'
import { checkEvent, type Told } from '../support/events.ts'
import { validate } from '../support/responses.ts'

const events = Object.entries(declaredEvents)
const bodyOf = ({ requestBody }: DeclaredEvent) =>
  jsonOf({ description: '', content: requestBody.content })

/** Open on purpose: what a customer, a channel or a bot put there. */
const OPEN = ['Message.payload', 'MessageTemplate.variables']

/** What the registrations of the examples are told of, by their ids. */
const subscribed = new Map(
  declaredOperations
    .filter(({ operationId }) => operationId === 'createWebhook')
    .flatMap(({ responses }) => jsonOf(responses['201']!).examples)
    .map(([, { value }]) => (value as { data: { webhook: Registration } }).data.webhook)
    .map(({ id, events }) => [id, events]),
)
type Registration = { id: string; events: string[] }

describe('the events of the contract', () => {
  it("are the platform's, the test, and one that stands for all custom ones", () => {
    const names = [...EVENT_SCOPES.keys(), TEST_EVENT, 'custom']
    expect(Object.keys(declaredEvents).sort()).toEqual(names.sort())
  })
})

describe.each(events)('the event %s', (name, declared) => {
  it('says what it is, and is no operation of the service', () => {
    expect(declared.summary).toMatch(/\S/)
    expect(declared.description).toMatch(/\S/)
    expect(declared.tags).toEqual(['Events'])
    expect(declared).not.toHaveProperty('operationId')
  })

  it('names the scopes that subscribing to it takes, as the code checks them', () => {
    const scope = EVENT_SCOPES.get(name)
    const due = ['webhooks:manage', ...(scope ? [scope] : [])]
    expect(declared['x-required-scopes']).toEqual(due)
  })

  it('describes its headers, those of both signatures among them', () => {
    for (const { description } of declared.parameters) expect(description).toMatch(/\S/)
    expect(declared.parameters.map((header) => header.name)).toEqual([
      ...['X-Service-Event', 'X-Service-Signature'],
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'User-Agent'],
    ])
  })

  it('shows an example that fits, and that would not with a member more', () => {
    const { schema, examples } = bodyOf(declared)
    expect(examples).not.toEqual([])
    for (const [, { value }] of examples) {
      expect(() => validate(`example of ${name}`, schema, value)).not.toThrow()
      expect(() => checkEvent(value as Told)).not.toThrow()
      expect(() => checkEvent({ ...(value as Told), more: 1 } as Told)).toThrow('additional')
    }
  })

  it('goes in its example to a registration of the examples that is told of it', () => {
    for (const [, { value }] of bodyOf(declared).examples) {
      const { event, webhook_id } = value as { event: string; webhook_id: string }
      expect([...subscribed.keys()]).toContain(webhook_id)
      expect([...(subscribed.get(webhook_id) ?? []), TEST_EVENT]).toContain(event)
    }
  })

  it('is closed and lists every member as required, but for what others put there', () => {
    walk(bodyOf(declared).schema, ({ properties, additionalProperties, required }, place) => {
      if (!properties || OPEN.includes(place)) return
      expect([place, additionalProperties]).toEqual([place, false])
      expect([place, ...(required ?? [])].sort()).toEqual(
        [place, ...Object.keys(properties)].sort(),
      )
    })
  })
})
