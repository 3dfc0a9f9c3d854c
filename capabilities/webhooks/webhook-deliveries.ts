import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoFromSql, isoOrNull, json, must, type Row, statement } from '../../core/sql.ts'
import { endpointOf, post } from './delivery-attempts.ts'
import { TEST_EVENT } from './events.ts'
import { readPage } from '../list-pages.ts'
import { unknownWebhook } from './webhooks.ts'

const recordTest = statement(
  'record-webhook-test',
  `WITH webhook AS (
     UPDATE webhooks SET last_triggered_at = greatest(last_triggered_at, $5)
      WHERE project_id = $1 AND id = $2 RETURNING epoch
   ), event AS (
     INSERT INTO events (project_id, name, data, created_at)
     SELECT $1, '${TEST_EVENT}', 'null', $5::timestamptz FROM webhook RETURNING id
   )
   INSERT INTO deliveries (webhook_id, event_id, id, epoch, status, attempts, attempt_log, created_at,
     finished_at)
   SELECT $2, event.id, $3::uuid, webhook.epoch, $4, 1, $6::jsonb, $5::timestamptz, $7
     FROM event, webhook`,
)

/**
 * Sends one `webhook.test` event now, also to an inactive registration, and answers how it went. The delivery
 * is stored only once it has ended, so it is never retried, and it counts neither as a failure nor as a
 * success. Throws `not_found`.
 */
export async function test(ctx: ProjectContext, id: string): Promise<Schema<'WebhookTest'>> {
  const endpoint = await endpointOf(ctx, id)
  if (endpoint?.projectId !== ctx.project.id) throw unknownWebhook(id)
  const at = ctx.now()
  const told = { id: randomUUID(), name: TEST_EVENT, createdAt: at.toISOString(), data: 'null' }
  const { attempt, isSuccess, endedAt } = await post(ctx, endpoint, told, 1)
  const status = isSuccess ? 'delivered' : 'dropped'
  const log = JSON.stringify([attempt])
  await ctx.sql.rows(recordTest, [ctx.project.id, id, told.id, status, at, log, endedAt])
  const { status_code, duration_ms, error } = attempt
  return { delivered: isSuccess, status_code, duration_ms, error }
}

/**
 * What a registration was told in the last 7 days, the latest event first; throws `not_found` and
 * `invalid_cursor`.
 */
export async function list(
  ctx: ProjectContext,
  id: string,
  query: OperationRequest<'listWebhookDeliveries'>['query'],
): Promise<Data<'listWebhookDeliveries'>> {
  const endpoint = await endpointOf(ctx, id)
  if (endpoint?.projectId !== ctx.project.id) throw unknownWebhook(id)
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listWebhookDeliveries', ctx.project.id, id],
    rows: `SELECT d.id, e.name, d.status, d.attempt_log,
            CASE WHEN d.status = 'pending' THEN coalesce(d.next_attempt_at, d.created_at) END,
            d.created_at, d.event_id
       FROM deliveries d
      CROSS JOIN LATERAL (SELECT name FROM events WHERE id = d.event_id LIMIT 1) AS e
      WHERE d.webhook_id = $1 AND d.created_at > $2`,
    values: [id, new Date(ctx.now().getTime() - LIMITS.deliveriesKeptMs)],
    keys: [['d.event_id', 6]],
  })
  return { deliveries: rows.map(present), nextCursor }
}

function present([id, event, status, attempts, nextAttemptAt, createdAt]: Row): Schema<'Delivery'> {
  return {
    id: must(id),
    event: must(event),
    status: must(status) as Schema<'DeliveryStatus'>,
    attempts: json(attempts) ?? [],
    next_attempt_at: isoOrNull(nextAttemptAt),
    created_at: isoFromSql(must(createdAt)),
  }
}
