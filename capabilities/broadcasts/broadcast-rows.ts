import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import {
  isoFromSql,
  isoOrNull,
  json,
  must,
  mustJson,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'
import { UUID } from '../../core/uuids.ts'
import * as audiences from '../segments/audiences.ts'
import type { ContactFilter } from '../segments/contact-filter.ts'

/** The columns that `readBroadcast` reads, in its order; `b` is the table's alias. */
export const BROADCAST_COLUMNS = `b.id, b.project_id, b.name, b.template_name, b.template_language,
  b.category, b.segment_id, b.filter, b.template_variables, b.header, b.status, b.failure_reason,
  b.created_by, b.creator_name, b.creator_email, b.auto_retarget_quality, b.retarget_parent_id,
  b.wave_size, b.wave_scheduled_count, b.retarget_count,
  b.total, b.queued, b.sent, b.delivered, b.read, b.failed, b.canceled, b.held,
  b.scheduled_at, b.approved_at, b.started_at, b.completed_at, b.wave_scheduled_at,
  b.created_at, b.updated_at`

/**
 * The order in which recipients `r` are taken, as only the indexes have it of those who wait and of those who are
 * held: PostgreSQL may otherwise go by the primary key, through all who have been sent to.
 */
export const IN_TURN = 'r.seq NULLS FIRST'

/** A broadcast as stored: the contract's members, without the count that is taken at each read. */
export type StoredBroadcast = Omit<Schema<'Broadcast'>, 'recipient_count'>

type HeaderRequest = Schema<'TemplateHeader'>

/** One row of `BROADCAST_COLUMNS`. */
export function readBroadcast(row: Row): StoredBroadcast {
  const [id, projectId, name, templateName, language, category, segmentId, filter, variables] = row
  const [header, status, failureReason, createdBy, creatorName, creatorEmail] = row.slice(9)
  const [autoRetarget, retargetParentId] = row.slice(15)
  const [waveSize, waveCount, retargetCount, ...counts] = row.slice(17, 28).map(numberOrNull)
  return {
    id: must(id),
    project_id: must(projectId),
    name: must(name),
    template_name: must(templateName),
    template_language: must(language),
    category: must(category) as Schema<'TemplateCategory'>,
    audience: { segment_id: segmentId ?? null, filter: mustJson<ContactFilter>(filter) },
    template_variables: json<StoredBroadcast['template_variables']>(variables) ?? {},
    header: presentHeader(json<HeaderRequest>(header)),
    status: must(status) as Schema<'BroadcastStatus'>,
    failure_reason: failureReason ?? null,
    created_by: must(createdBy),
    creator_name: must(creatorName),
    creator_email: creatorEmail ?? null,
    auto_retarget_quality: autoRetarget === 't',
    retarget_parent_id: retargetParentId ?? null,
    wave_size: waveSize ?? null,
    wave_scheduled_count: waveCount ?? null,
    retarget_count: retargetCount ?? 0,
    counts: row[30] == null ? null : readCounts(counts),
    ...readInstants(row.slice(28)),
  }
}

function readCounts(counts: (number | null)[]): Schema<'BroadcastCounts'> {
  const [total, queued, sent, delivered, read, failed, canceled, held] = counts.map((n) => n ?? 0)
  return {
    total: total ?? 0,
    queued: queued ?? 0,
    sent: sent ?? 0,
    delivered: delivered ?? 0,
    read: read ?? 0,
    failed: failed ?? 0,
    canceled: canceled ?? 0,
    held: held ?? 0,
  }
}

function readInstants(row: Row) {
  const [scheduledAt, approvedAt, startedAt, completedAt, waveAt, createdAt, updatedAt] = row
  return {
    scheduled_at: isoOrNull(scheduledAt),
    approved_at: isoOrNull(approvedAt),
    started_at: isoOrNull(startedAt),
    completed_at: isoOrNull(completedAt),
    wave_scheduled_at: isoOrNull(waveAt),
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}

function presentHeader(header: HeaderRequest | null): Schema<'BroadcastHeader'> | null {
  if (header === null) return null
  const { text, media_id, media_slug, media_url, filename } = header
  return {
    text: text ?? null,
    media_id: media_id ?? null,
    media_slug: media_slug ?? null,
    media_url: media_url ?? null,
    filename: filename ?? null,
  }
}

/** The audience of a broadcast as of now. */
export function audienceOf(broadcast: StoredBroadcast): audiences.Audience {
  const { audience, category, retarget_parent_id: retargetParentId } = broadcast
  return { filter: audience.filter, category, retargetParentId }
}

/** Broadcasts of one project as the contract shows them, each with its live count. */
export async function withCounts(
  ctx: Context,
  projectId: string,
  broadcasts: StoredBroadcast[],
): Promise<Schema<'Broadcast'>[]> {
  const counts = await audiences.count(ctx, projectId, broadcasts.map(audienceOf))
  return broadcasts.map((one, index) => ({ ...one, recipient_count: counts[index] ?? null }))
}

const lockOne = statement(
  'lock-broadcast',
  `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b WHERE b.id = $1 FOR NO KEY UPDATE`,
)

/**
 * Reads a broadcast and locks it until the transaction ends. Whoever changes recipients locks their broadcast
 * first. Throws `BROADCAST_NOT_FOUND`.
 */
export async function lockBroadcast(tx: SqlClient, id: string): Promise<StoredBroadcast> {
  const [row] = await tx.rows(lockOne, [id])
  if (!row) throw unknownBroadcast(id)
  return readBroadcast(row)
}

/** Throws `BROADCAST_NOT_FOUND` for text that cannot be a broadcast's id. */
export function mustBeUuid(id: string): void {
  if (!UUID.test(id)) throw unknownBroadcast(id)
}

/** The refusal for an id that names no broadcast of the project, or of any. */
export function unknownBroadcast(id: string): ServiceError {
  return new ServiceError('BROADCAST_NOT_FOUND', `There is no broadcast ${id}.`)
}

function numberOrNull(column: string | null): number | null {
  return column === null ? null : Number(column)
}
