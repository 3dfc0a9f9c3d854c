import type { Scope } from '../../core/contract.ts'
import { type SqlClient, statement } from '../../core/sql.ts'

const SCOPES = {
  'message.received': 'events:message_received',
  'message.status': 'events:message_status',
  'template.approved': 'events:template_status',
  'template.rejected': 'events:template_status',
} as const satisfies Record<string, Scope>

export type PlatformEvent = keyof typeof SCOPES

/** The scope that it takes to subscribe to each event of the platform; all others take none. */
export const EVENT_SCOPES: ReadonlyMap<string, Scope> = new Map(Object.entries(SCOPES))

/** What a test of a webhook sends, to that webhook alone; it has no data. */
export const TEST_EVENT = 'webhook.test'

export type NewEvent = {
  name: string
  /** JSON, sent as it is; `null` when the event has none. */
  data: string
  /** By the service's clock. */
  at: Date
  /** What it is about: events of one subject are told in their order. Null: of nothing in particular. */
  subject: string | null
}

/** The table `told`: the active registrations of the project `$1` for any of the names. */
export const told = (names: string) => `
     told AS (
       SELECT id, epoch, events FROM webhooks
        WHERE project_id = $1 AND is_active AND events && ${names}
     )`

/**
 * What writes the events of the table `happened (name, subject, data, at, position)` in a statement
 * that has `told` too: each event that anyone is to be told of, and a delivery to everyone who is.
 * `delivery` has a row for each.
 */
export const FAN_OUT = `
     event AS (
       INSERT INTO events (project_id, name, subject, data, created_at)
       SELECT $1, name, subject, data, at FROM happened
        WHERE EXISTS (SELECT FROM told WHERE happened.name = ANY (told.events))
        ORDER BY position
       RETURNING id, name, created_at
     ), delivery AS (
       INSERT INTO deliveries (webhook_id, event_id, epoch, created_at)
       SELECT told.id, event.id, told.epoch, event.created_at
         FROM event JOIN told ON event.name = ANY (told.events)
       RETURNING 1
     )`

/** Whether the project `$1` has an active registration for the event; PostgreSQL looks once. */
export const isTold = (name: PlatformEvent) =>
  `EXISTS (SELECT FROM webhooks WHERE project_id = $1 AND is_active AND '${name}' = ANY (events))`

const write = statement(
  'emit-events',
  `WITH ${told('$2::text[]')}, happened AS (
     SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])
       WITH ORDINALITY AS happened (name, subject, data, at, position)
   ), ${FAN_OUT}
   SELECT count(*) FROM delivery`,
)

/** So many events are told of in one statement: a hundred webhooks may be told of each. */
export const TOLD_AT_ONCE = 1_000

/**
 * Writes what has happened, in its order, and a delivery to every active registration for it, as a part
 * of what `tx` commits; nothing when there is none. One statement, unless it is more than a thousand
 * events. Answers how many deliveries that makes.
 */
export async function emit(tx: SqlClient, projectId: string, events: NewEvent[]): Promise<number> {
  let deliveries = 0
  for (let first = 0; first < events.length; first += TOLD_AT_ONCE) {
    const some = events.slice(first, first + TOLD_AT_ONCE)
    const column = <K extends keyof NewEvent>(name: K) => some.map((event) => event[name])
    const values = [projectId, column('name'), column('subject'), column('data'), column('at')]
    const [row] = await tx.rows(write, values)
    deliveries += Number(row?.[0])
  }
  if (deliveries > 0) tx.announce('deliveries')
  return deliveries
}

/** What subscribers are told of a template: what the channel's review came to, or a return to use. */
export type TemplateReview = {
  name: string
  language: string
  category: string
  status: 'APPROVED' | 'REJECTED'
}

/** The event of a review, to be emitted in the transaction that writes its outcome down. */
export function templateEvent(review: TemplateReview, at: Date): NewEvent {
  const { name, language, category, status } = review
  return {
    name: status === 'APPROVED' ? 'template.approved' : 'template.rejected',
    data: JSON.stringify({ name, language, category, status }),
    at,
    subject: `template ${name} ${language}`,
  }
}
