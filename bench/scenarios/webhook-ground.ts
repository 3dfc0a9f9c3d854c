import { randomBytes } from 'node:crypto'
import { emit } from '../../capabilities/webhooks/events.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { openContext, type Opened } from '../../context.ts'
import { statement } from '../../core/sql.ts'
import { applyMigrations } from '../../database/migrations.ts'
import { MIGRATIONS } from '../../database/open.ts'
import type { Bed } from '../bed.ts'
import type { Place } from '../contestants/webhook-context.ts'

/** The event of every round and contestant. */
export const EVENT = 'bench.happened'
export const DATA = JSON.stringify({ order: 1042, note: 'x'.repeat(380) })

const EMITTED_AT_ONCE = 500

/** The database with the events, and the common secret of all registrations. */
export type Ground = { bed: Bed; opened: Opened; place: Place; secret: string }

/** A database of its own: the service of the other scenarios delivers whatever it finds in theirs. */
export async function prepareGround(bed: Bed): Promise<Ground> {
  const { config } = bed.opened.ctx
  const url = new URL(bed.databaseUrl)
  url.pathname = '/bench_webhooks'
  await applyMigrations({ url: url.href, folder: MIGRATIONS })
  const opened = await openContext(config, url.href)
  const encryptionKey = config.encryptionKey?.toString('hex') ?? ''
  const place = { databaseUrl: url.href, encryptionKey }
  return { bed, opened, place, secret: `whsec_${randomBytes(32).toString('base64')}` }
}

const insert = statement(
  'bench-webhook',
  `INSERT INTO webhooks (id, project_id, url, events, is_active, secret)
   VALUES ($1, $2, $3, '{${EVENT}}', true, $4)`,
)

/** Creates a project with a registration for each address. */
export async function register(
  { opened: { ctx }, secret }: Ground,
  projectId: string,
  urls: string[],
): Promise<void> {
  await projects.create(ctx, { id: projectId, name: projectId })
  for (const [n, url] of urls.entries()) {
    const id = `wh_${projectId}_${n}`
    const sealed = ctx.vault.seal(secret, `webhooks.secret.${id}`)
    await ctx.sql.rows(insert, [id, projectId, url, sealed])
  }
}

const truncate = statement('bench-empty', 'TRUNCATE deliveries, events')

/** Removes what the previous round left. */
export async function empty({ opened: { ctx } }: Ground): Promise<void> {
  await ctx.sql.rows(truncate)
}

/** Commits the events of a round beforehand, at least as many as asked for. */
export async function fillEvents(ground: Ground, projectId: string, least: number): Promise<void> {
  const { ctx } = ground.opened
  await empty(ground)
  const event = { name: EVENT, data: DATA, at: ctx.now(), subject: null }
  const events = Array.from({ length: EMITTED_AT_ONCE }, () => event)
  for (let written = 0; written < least; written += EMITTED_AT_ONCE) {
    await emit(ctx.sql, projectId, events)
  }
}
