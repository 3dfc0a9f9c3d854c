import { randomBytes } from 'node:crypto'
import type { Context, ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import {
  isoFromSql,
  isoOrNull,
  must,
  mustJson,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'
import { readUrl } from '../../core/urls.ts'
import { cancelOrphansOf, cancelUnwantedOf } from './delivery-orphans.ts'
import { EVENT_SCOPES } from './events.ts'
import { requireScopes } from '../projects/scopes.ts'
import { SECRET_PREFIX } from './webhook-signature.ts'

const ID_BYTES = 12
const SECRET_BYTES = 32

const COLUMNS = `id, project_id, url, to_json(events), is_active, last_triggered_at, failure_count,
  created_at, updated_at`

const lockProject = statement(
  'lock-project-webhooks',
  'SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE',
)
const insert = statement(
  'create-webhook',
  `INSERT INTO webhooks (id, project_id, url, events, is_active, secret, created_at, updated_at)
   SELECT $2, $1, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz
    WHERE (SELECT count(*) FROM webhooks WHERE project_id = $1) < ${LIMITS.webhooksPerProject}
   RETURNING ${COLUMNS}`,
)

/**
 * Registers an address; the secret is shown in this answer only. Throws `insufficient_scope` for an event that
 * the credential may not subscribe to, and `bad_request` for an address that may not be reached, or when the
 * project has as many webhooks as it may.
 */
export async function create(
  ctx: ProjectContext,
  { url, events, is_active: isActive = true }: OperationRequest<'createWebhook'>['body'],
): Promise<Data<'createWebhook'>> {
  requireEvents(ctx, events)
  const address = await mustBeReachable(ctx, url)
  const id = `wh_${randomBytes(ID_BYTES).toString('hex')}`
  const secret = newSecret()
  const sealed = ctx.vault.seal(secret, placeOf(id))
  const values = [ctx.project.id, id, address, distinct(events), isActive, sealed, ctx.now()]
  const row = await ctx.sql.transaction(async (tx) => {
    // Serialises creations, so that each counts all earlier ones.
    await tx.rows(lockProject, [ctx.project.id])
    return (await tx.rows(insert, values))[0]
  })
  if (row) return { webhook: present(row), secret }
  throw new ServiceError(
    'bad_request',
    `The project has its ${LIMITS.webhooksPerProject} webhooks; delete one to register another.`,
    { details: { limit: LIMITS.webhooksPerProject } },
  )
}

const listAll = statement(
  'list-webhooks',
  `SELECT ${COLUMNS} FROM webhooks WHERE project_id = $1 ORDER BY created_at, id`,
)

/** All webhooks of a project, the oldest first; there are few enough for one page. */
export async function list(ctx: Context, projectId: string): Promise<Schema<'Webhook'>[]> {
  return (await ctx.sql.rows(listAll, [projectId])).map(present)
}

const findOne = statement(
  'find-webhook',
  `SELECT ${COLUMNS} FROM webhooks WHERE project_id = $1 AND id = $2`,
)

/** One webhook; throws `not_found`. */
export function get(ctx: ProjectContext, id: string): Promise<Schema<'Webhook'>> {
  return read(ctx, ctx.sql, id)
}

const lockOne = statement('lock-webhook', `${findOne.text} FOR NO KEY UPDATE`)
// The epoch moves on whenever this turns the webhook on or off: deliveries of an earlier epoch are not
// attempted.
const change = statement(
  'update-webhook',
  `UPDATE webhooks
      SET url = coalesce($3, url), events = coalesce($4, events),
          is_active = coalesce($5, is_active),
          epoch = epoch + ($5::boolean IS NOT NULL AND $5 <> is_active)::int,
          failure_count = CASE WHEN $5 THEN 0 ELSE failure_count END, updated_at = $6
    WHERE project_id = $1 AND id = $2
   RETURNING ${COLUMNS}`,
)

/**
 * Changes the given members. Throws `not_found`; `insufficient_scope` for an event that this change adds or
 * sends to another address and that the credential may not subscribe to; `bad_request` for an address that may
 * not be reached.
 */
export async function update(
  ctx: ProjectContext,
  id: string,
  { url, events, is_active: isActive }: OperationRequest<'updateWebhook'>['body'],
): Promise<Schema<'Webhook'>> {
  const mustBeAllowed = (held: Schema<'Webhook'>) => {
    const isMoved = url !== undefined && canonical(url) !== canonical(held.url)
    const told = events ?? held.events
    requireEvents(ctx, isMoved ? told : told.filter((name) => !held.events.includes(name)))
  }
  mustBeAllowed(await get(ctx, id))
  const address = url === undefined ? null : await mustBeReachable(ctx, url)
  const names = events === undefined ? null : distinct(events)
  const changed = await ctx.sql.transaction(async (tx) => {
    // Checking the address took time: another request may have changed the address or the events meanwhile.
    mustBeAllowed(await read(ctx, tx, id, lockOne))
    const values = [ctx.project.id, id, address, names, isActive ?? null, ctx.now()]
    const [row] = await tx.rows(change, values)
    if (!row) throw unknownWebhook(id)
    return present(row)
  })
  await takeEffect(ctx, id, names ? [cancelOrphansOf, cancelUnwantedOf] : undefined)
  return changed
}

const removeOne = statement(
  'delete-webhook',
  'DELETE FROM webhooks WHERE project_id = $1 AND id = $2 RETURNING id',
)

/** Deletes a webhook, which cancels its deliveries; throws `not_found`. */
export async function remove(ctx: ProjectContext, id: string): Promise<Schema<'DeletedWebhook'>> {
  const [row] = await ctx.sql.rows(removeOne, [ctx.project.id, id])
  if (!row) throw unknownWebhook(id)
  await takeEffect(ctx, id)
  return { deleted: true, id }
}

const turnOffOfProject = statement(
  'turn-off-webhooks-of-project',
  `UPDATE webhooks SET is_active = false, epoch = epoch + 1, updated_at = $2
    WHERE project_id = $1 AND is_active RETURNING id`,
)

/**
 * Turns off all webhooks of a project that is being deleted, which cancels their deliveries: its owner can no
 * longer do so.
 */
export async function turnOffAll(ctx: Context, projectId: string): Promise<void> {
  const rows = await ctx.sql.rows(turnOffOfProject, [projectId, ctx.now()])
  for (const [id] of rows) await takeEffect(ctx, must(id))
}

/**
 * Cancels what waits, then resolves when no process begins an attempt with the former settings any more. Never
 * throws.
 */
async function takeEffect(ctx: Context, id: string, cancels = [cancelOrphansOf]): Promise<void> {
  // The change itself is committed. What is not canceled now is swept, or skipped when its attempt is to begin.
  for (const cancel of cancels) {
    await cancel(ctx, id).catch((error: unknown) => {
      ctx.log.warn('webhook.orphans_left', { webhook: id, error })
    })
  }
  await ctx.cache.changed()
}

/** The secret of a new webhook. */
export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** The secret of a webhook, from its sealed form; for signing only. */
export function openSecret(ctx: Context, id: string, sealed: string): string {
  return ctx.vault.open(sealed, placeOf(id))
}

/** The refusal for an id that is none of the project's webhooks. */
export function unknownWebhook(id: string): ServiceError {
  return new ServiceError('not_found', `There is no webhook ${id}.`)
}

async function read(ctx: ProjectContext, sql: SqlClient, id: string, find = findOne) {
  const [row] = await sql.rows(find, [ctx.project.id, id])
  if (!row) throw unknownWebhook(id)
  return present(row)
}

/** Throws `insufficient_scope` unless the credential holds the scope of each platform event. */
function requireEvents(ctx: ProjectContext, names: string[]): void {
  const required = distinct(names.flatMap((name) => EVENT_SCOPES.get(name) ?? []))
  requireScopes(ctx.project, required, 'Subscribing to these events')
}

/**
 * The address in its canonical form, or as written if only that is short enough for the contract. All refusals
 * read alike, so that they tell nothing about the internal network.
 */
async function mustBeReachable(ctx: ProjectContext, url: string): Promise<string> {
  // Judged as written: the canonical form would hide attempts to mislead.
  if (await ctx.egress.mayReach(url, { allowHttp: false })) {
    const href = canonical(url)
    return href !== null && href.length <= LIMITS.webhookUrlCharacters ? href : url
  }
  throw new ServiceError(
    'bad_request',
    'The url cannot be used; give an https address that is public and resolves.',
    { details: { errors: [{ path: 'url', message: 'must be a public https address' }] } },
  )
}

/** The canonical spelling of an address; null for text that is no URL. */
function canonical(url: string): string | null {
  return readUrl(url)?.href ?? null
}

function distinct<T>(items: T[]): T[] {
  return [...new Set(items)]
}

/** The context that a webhook's sealed secret is bound to. */
export function placeOf(id: string): string {
  return `webhooks.secret.${id}`
}

function present(row: Row): Schema<'Webhook'> {
  const [id, projectId, url, events, isActive, lastTriggeredAt, failures, createdAt, updatedAt] =
    row
  return {
    id: must(id),
    project_id: must(projectId),
    url: must(url),
    events: mustJson<string[]>(events),
    is_active: isActive === 't',
    last_triggered_at: isoOrNull(lastTriggeredAt),
    failure_count: Number(failures),
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}
