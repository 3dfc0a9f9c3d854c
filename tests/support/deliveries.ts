import { startDispatcher } from '../../capabilities/webhooks/delivery-dispatcher.ts'
import { emit } from '../../capabilities/webhooks/events.ts'
import type { Context } from '../../core/context.ts'
import { must, statement } from '../../core/sql.ts'
import type { TestProject, TestService } from './service.ts'
import { until } from './until.ts'

/** Delivers in this process until `stop`, woken by what is announced, as the service itself does. */
export function deliver(ctx: Context, options: { random?: () => number } = {}) {
  let running = 0
  let looks = 0
  const rows: Context['sql']['rows'] = async (statement, values) => {
    running++
    try {
      return await ctx.sql.rows(statement, values)
    } finally {
      running--
      if (statement.name === 'lease-webhooks') looks++
    }
  }
  const dispatcher = startDispatcher({ ...ctx, sql: { ...ctx.sql, rows } }, options)
  const stopHearing = ctx.sql.onAnnounced('deliveries', dispatcher.wake)
  return {
    wake: dispatcher.wake,
    /** Resolves when it has looked for what is due, from now on, and has read what it found. */
    async look() {
      // The first that ends may have begun before.
      const enough = looks + 2
      await until(() => {
        if (looks < enough && running === 0) dispatcher.wake()
        return looks >= enough && running === 0
      }, 'a look')
    },
    async stop() {
      stopHearing()
      await dispatcher.stop()
    },
  }
}

/** Registers an address for events; answers with the id and the secret. */
export async function register({ client }: TestProject, url: string, events = ['order.paid']) {
  const { webhook, secret } = await client.ok('createWebhook', { body: { url, events } })
  return { id: webhook.id, secret }
}

type Happened = { name?: string; data?: string; subject?: string | null }

/** Lets things happen, in their order and in one transaction, to whomever is to be told. */
export function happen({ ctx }: TestService, project: TestProject, events: Happened[]) {
  return emit(
    ctx.sql,
    project.id,
    events.map(({ name = 'order.paid', data = 'null', subject = null }) => ({
      name,
      data,
      subject,
      at: ctx.now(),
    })),
  )
}

const read = statement(
  'test-deliveries',
  `SELECT id, status, attempts, attempt_log, next_attempt_at, event_id FROM deliveries
    WHERE webhook_id = $1 ORDER BY event_id`,
)

type Log = { at: string; status_code: number | null; error: string | null; duration_ms: number }[]

/** A registration's deliveries as they stand in the database, in the order of events. */
export async function deliveriesOf({ sql }: Pick<Context, 'sql'>, webhookId: string) {
  const rows = await sql.rows(read, [webhookId])
  return rows.map(([id, status, attempts, log, nextAttemptAt]) => ({
    id: must(id),
    status: must(status),
    attempts: Number(attempts),
    log: JSON.parse(must(log)) as Log,
    nextAttemptAt: nextAttemptAt == null ? null : new Date(nextAttemptAt),
  }))
}

/** Resolves when so many of a registration's deliveries have that status. */
export function untilStatus(
  ctx: Pick<Context, 'sql'>,
  webhookId: string,
  status: string,
  count: number,
): Promise<void> {
  let found: Awaited<ReturnType<typeof deliveriesOf>> = []
  return until(
    async () => {
      found = await deliveriesOf(ctx, webhookId)
      return found.filter((delivery) => delivery.status === status).length === count
    },
    () => `${count} × ${status}, but ${JSON.stringify(found)}`,
  )
}

/** Resolves when so many attempts in all have been written for a registration. */
export function untilAttempts(
  ctx: Pick<Context, 'sql'>,
  webhookId: string,
  count: number,
): Promise<void> {
  return until(async () => {
    const found = await deliveriesOf(ctx, webhookId)
    return found.reduce((sum, { attempts }) => sum + attempts, 0) === count
  }, `${count} attempts`)
}

const standing = statement(
  'test-webhook-standing',
  `SELECT is_active, failure_count, epoch, last_triggered_at, lease_until IS NOT NULL, fence
     FROM webhooks WHERE id = $1`,
)

/** How a registration fares. */
export async function standingOf({ sql }: Pick<Context, 'sql'>, webhookId: string) {
  const [row] = await sql.rows(standing, [webhookId])
  const [isActive, failureCount, epoch, lastTriggeredAt, isLeased, fence] = row ?? []
  return {
    isActive: isActive === 't',
    failureCount: Number(failureCount),
    epoch: Number(epoch),
    lastTriggeredAt: lastTriggeredAt == null ? null : new Date(lastTriggeredAt),
    isLeased: isLeased === 't',
    /** How often it was leased. */
    leases: Number(fence),
  }
}
