import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError, wrongBody } from '../../core/errors.ts'
import { readInstant } from '../../core/instants.ts'
import { must, statement } from '../../core/sql.ts'
import * as audiences from '../segments/audiences.ts'
import * as broadcastContent from './broadcast-content.ts'
import { BROADCAST_COLUMNS, readBroadcast, unknownBroadcast, withCounts } from './broadcast-rows.ts'
import { compileFilter, completeFilter, type ContactFilter } from '../segments/contact-filter.ts'
import { readPage } from '../list-pages.ts'
import * as segments from '../segments/segments.ts'

type Draft = Schema<'CreateBroadcastRequest'>

const insert = statement(
  'create-broadcast',
  `INSERT INTO broadcasts AS b (id, project_id, name, template_name, template_language, category,
     segment_id, filter, template_variables, header, created_by, creator_name, scheduled_at, wave_size,
     auto_retarget_quality, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, $12, $13, $14, $15, $16, $16)
   RETURNING ${BROADCAST_COLUMNS}`,
)

/**
 * Assembles a broadcast, which waits for an operator whatever it says: nothing here sends. The segment's
 * filter is taken over as it is now.
 *
 * Throws, in this order: `invalid_request` and `null_filter_value` for what is wrong in itself,
 * `SEGMENT_NOT_FOUND`, what `broadcastContent.check` throws, and `empty_audience` for MARKETING to
 * nobody.
 */
export async function create(ctx: ProjectContext, draft: Draft): Promise<Schema<'Broadcast'>> {
  const scheduledAt = futureInstant(ctx, draft.scheduled_at)
  const audience = await resolveAudience(ctx, draft.audience)
  const { template } = await broadcastContent.check(ctx, draft)
  await mustReachSomebody(ctx, audience.filter, template.category)
  const [row] = await ctx.sql.rows(insert, [
    ...[randomUUID(), ctx.project.id, draft.name, template.name, template.language],
    ...[template.category, audience.segmentId, JSON.stringify(audience.filter)],
    JSON.stringify(draft.template_variables ?? {}),
    draft.header === undefined ? null : JSON.stringify(draft.header),
    ...[ctx.credential.id, await creatorName(ctx), scheduledAt, draft.wave_size ?? null],
    ...[draft.auto_retarget_quality ?? false, ctx.now()],
  ])
  if (!row) throw new Error('A broadcast was created without a row')
  return withCount(ctx, readBroadcast(row))
}

function futureInstant(ctx: ProjectContext, text: string | undefined): Date | null {
  if (text === undefined) return null
  const path = 'scheduled_at'
  const instant = readInstant(text)
  if (!instant) throw wrongBody([{ path, message: 'must be an instant, in ISO 8601' }])
  if (instant > ctx.now()) return instant
  throw wrongBody([{ path, message: 'must be in the future' }])
}

async function resolveAudience(
  ctx: ProjectContext,
  { segment_id: segmentId, filter: given }: Draft['audience'],
): Promise<{ segmentId: string | null; filter: ContactFilter }> {
  if (segmentId !== undefined) return { segmentId, filter: await segments.filterOf(ctx, segmentId) }
  if (given === undefined) {
    throw wrongBody([{ path: 'audience', message: 'needs a segment_id or a filter' }])
  }
  const filter = completeFilter(given)
  compileFilter(filter, 'audience.filter', () => '')
  return { segmentId: null, filter }
}

async function mustReachSomebody(
  ctx: ProjectContext,
  filter: ContactFilter,
  category: Schema<'TemplateCategory'>,
): Promise<void> {
  if (category !== 'MARKETING') return
  const audience = { filter, category, retargetParentId: null }
  // An audience that cannot be counted in time is left to the operator's judgement.
  if ((await audiences.isEmpty(ctx, ctx.project.id, audience)) !== true) return
  throw new ServiceError(
    'empty_audience',
    'Nobody in the audience has opted in, which a MARKETING template needs.',
  )
}

const findName = {
  key: statement('find-key-name', 'SELECT name FROM api_keys WHERE id = $1'),
  token: statement('find-connection-name', 'SELECT name FROM connections WHERE id = $1'),
}

/** The credential's current name. */
async function creatorName({ sql, credential }: ProjectContext): Promise<string> {
  const [row] = await sql.rows(findName[credential.kind], [credential.id])
  return must(row?.[0])
}

const findOne = statement(
  'find-broadcast',
  `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b WHERE b.project_id = $1 AND b.id = $2`,
)

/** One broadcast with its live count; throws `BROADCAST_NOT_FOUND`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Broadcast'>> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) throw unknownBroadcast(id)
  return withCount(ctx, readBroadcast(row))
}

/** Broadcasts, the newest first, each with its live count; throws `invalid_cursor`. */
export async function list(
  ctx: ProjectContext,
  query: OperationRequest<'listBroadcasts'>['query'],
): Promise<Data<'listBroadcasts'>> {
  const { status = null } = query
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listBroadcasts', ctx.project.id, status],
    rows: `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b WHERE b.project_id = $1`,
    values: [ctx.project.id],
    filters: [['b.status = $?', status]],
    keys: [
      ['b.created_at', 33],
      ['b.id', 0],
    ],
  })
  return { broadcasts: await withCounts(ctx, ctx.project.id, rows.map(readBroadcast)), nextCursor }
}

async function withCount(ctx: ProjectContext, stored: ReturnType<typeof readBroadcast>) {
  const [broadcast] = await withCounts(ctx, ctx.project.id, [stored])
  if (!broadcast) throw new Error('One broadcast was counted as none')
  return broadcast
}
