import type { Scope } from '../../core/contract.ts'
import { type SqlClient, statement } from '../../core/sql.ts'

const SCOPES = {
  'message.received': 'events:message_received',
  'message.status': 'events:message_status',
  'template.approved': 'events:template_status',
  'template.rejected': 'events:template_status',
} as const satisfies Record<string, Scope>

export type PlatformEvent = keyof typeof SCOPES

/** The scope that each platform event needs in a subscription; custom events need none. */
export const EVENT_SCOPES: ReadonlyMap<string, Scope> = new Map(Object.entries(SCOPES))

/** The event that a test of a webhook sends, to that webhook alone; it has no data. */
export const TEST_EVENT = 'webhook.test'

export type NewEvent = {
  name: string
  /** JSON, sent as it is; `null` when the event has none. */
  data: string
  /** By the service's clock. */
  at: Date
  /**
   * What the event is about: events of one subject are delivered in their order. Null when order does not
   * matter.
   */
  subject: string | null
}

/** SQL of the table `told`: the active registrations of project `$1` for any of the names. */
export const told = (names: string) => `
     told AS (
       SELECT id, epoch, events FROM webhooks
        WHERE project_id = $1 AND is_active AND events && ${names}
     )`

/**
 * SQL that stores the events of the table `happened (name, subject, data, at, position)`, in a statement that
 * also has `told`: each event with at least one subscriber, and one delivery per subscriber. `delivery` has a
 * row for each.
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

/**
 * SQL of whether project `$1` has an active registration for the event; PostgreSQL evaluates it once per
 * statement.
 */
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

/** Events per statement; each may go to a hundred webhooks. */
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

/** What subscribers are told of a template: the outcome of the channel's review, or its return to use. */
export type TemplateReview = {
  name: string
  language: string
  category: string
  status: 'APPROVED' | 'REJECTED'
}

/** The event of a review, to be emitted in the transaction that stores its outcome. */
export function templateEvent(review: TemplateReview, at: Date): NewEvent {
  const { name, language, category, status } = review
  return {
    name: status === 'APPROVED' ? 'template.approved' : 'template.rejected',
    data: JSON.stringify({ name, language, category, status }),
    at,
    subject: `template ${name} ${language}`,
  }
}
