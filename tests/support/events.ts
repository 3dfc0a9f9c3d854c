import { statement } from '../../core/sql.ts'
import { declaredEvents, jsonOf } from './document.ts'
import { validate } from './responses.ts'
import type { TestProject, TestService } from './service.ts'

/** What a webhook is told, as the contract has it. */
export type Told = {
  id: string
  event: string
  created_at: string
  webhook_id: string
  data: unknown
}

/** Holds what a webhook is told against the contract; throws what is wrong. */
export function checkEvent(told: Told): void {
  const name = Object.hasOwn(declaredEvents, told.event) ? told.event : 'custom'
  const declared = declaredEvents[name]
  if (!declared) throw new Error(`The contract has no webhook ${name}`)
  const { schema } = jsonOf({ description: '', content: declared.requestBody.content })
  validate(`webhook ${name}`, schema, told)
}

const written = statement(
  'test-written-deliveries',
  `SELECT d.id, e.name, to_char(e.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), d.webhook_id, e.data,
          d.event_id, e.subject
     FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.webhook_id = $1 ORDER BY d.event_id`,
)

/** Everything that a webhook is to be told, in its order, each held against the contract. */
export async function toldTo({ ctx }: TestService, webhookId: string) {
  const rows = await ctx.sql.rows(written, [webhookId])
  return rows.map(([id, event, createdAt, webhook, data, eventId, subject]) => {
    const told: Told = {
      id: id ?? '',
      event: event ?? '',
      created_at: createdAt ?? '',
      webhook_id: webhook ?? '',
      data: JSON.parse(data ?? '') as unknown,
    }
    checkEvent(told)
    return { ...told, eventId: eventId ?? '', subject: subject ?? null }
  })
}

const countEvents = statement(
  'test-count-events',
  'SELECT count(*) FROM events WHERE project_id = $1',
)

/** How many events are kept of a project. */
export async function eventCount({ ctx }: TestService, projectId: string): Promise<number> {
  return Number((await ctx.sql.rows(countEvents, [projectId]))[0]?.[0])
}

/** Registers an address that nobody listens at; answers with the webhook. */
export async function subscribe({ client }: TestProject, events: string[], isActive = true) {
  const url = 'https://hooks.example.com/events'
  const body = { url, events, is_active: isActive }
  return (await client.ok('createWebhook', { body })).webhook
}
