import type { Context } from '../../core/context.ts'
import type { PostOutcome } from '../../core/egress.ts'
import { must, mustJson, statement } from '../../core/sql.ts'
import type { EndedAttempt } from './delivery-settlements.ts'
import { type SigningKeys, signatureHeaders, signingKeys } from './webhook-signature.ts'
import { openSecret } from './webhooks.ts'

/** Where a registration's events go, with its secret opened. */
export type Endpoint = {
  webhookId: string
  projectId: string
  url: string
  host: string
  events: readonly string[]
  isActive: boolean
  epoch: number
  keys: SigningKeys
}

const find = statement(
  'find-endpoint',
  'SELECT project_id, url, to_json(events), is_active, epoch, secret FROM webhooks WHERE id = $1',
)

/** The endpoint as it is now: a change that was answered before the call counts. Null when it is gone. */
export function endpointOf(ctx: Context, webhookId: string): Promise<Endpoint | null> {
  return ctx.cache.load(`webhook ${webhookId}`, async () => {
    const [row] = await ctx.sql.rows(find, [webhookId])
    if (!row) return null
    const [projectId, url, events, isActive, epoch, secret] = row
    return {
      webhookId,
      projectId: must(projectId),
      url: must(url),
      host: new URL(must(url)).host,
      events: mustJson<string[]>(events),
      isActive: isActive === 't',
      epoch: Number(epoch),
      keys: signingKeys(openSecret(ctx, webhookId, must(secret))),
    }
  })
}

/** What is told of an event; the same bytes in every attempt. */
export type Told = { id: string; name: string; createdAt: string; data: string }

/** The exact bytes that are signed and sent: made of what is stored, never parsed and printed again. */
export function bodyOf(webhookId: string, { id, name, createdAt, data }: Told): string {
  return `{"id":"${id}","event":"${name}","created_at":"${createdAt}","webhook_id":"${webhookId}","data":${data}}`
}

/**
 * Makes one attempt, signed as of now, and logs it. Only a 2xx is a success; nothing is followed. Never
 * throws on account of the receiver.
 */
export async function post(
  ctx: Context,
  endpoint: Endpoint,
  told: Told,
  attempt: number,
): Promise<{ attempt: EndedAttempt; isSuccess: boolean; endedAt: Date }> {
  const at = ctx.now()
  const body = bodyOf(endpoint.webhookId, told)
  const outcome = await ctx.egress.post(endpoint.url, {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': told.name,
      ...signatureHeaders(endpoint.keys, { id: told.id, body, at }),
    },
    body,
    timeoutMs: ctx.config.webhookTimeoutMs,
  })
  const { statusCode, error } = outcome
  const isSuccess = statusCode !== null && statusCode >= 200 && statusCode < 300
  logAttempt(ctx, endpoint, told, { attempt, isSuccess, outcome })
  const ended = {
    at: at.toISOString(),
    status_code: statusCode,
    error,
    duration_ms: Math.round(outcome.durationMs),
  }
  return { attempt: ended, isSuccess, endedAt: ctx.now() }
}

type Logged = { attempt: number; isSuccess: boolean; outcome: PostOutcome }

/** Names the host alone: a path or a query may hold the receiver's own secrets. */
function logAttempt(ctx: Context, endpoint: Endpoint, told: Told, logged: Logged): void {
  if (!ctx.log.isInfoEnabled()) return
  const { statusCode, error, durationMs } = logged.outcome
  ctx.log.info('delivery.attempted', {
    delivery: told.id,
    webhook: endpoint.webhookId,
    project: endpoint.projectId,
    name: told.name,
    host: endpoint.host,
    attempt: logged.attempt,
    delivered: logged.isSuccess,
    statusCode,
    error,
    durationMs: Math.round(durationMs),
  })
}
