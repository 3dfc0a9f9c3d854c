import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../../core/contract.ts'
import {
  isoFromSql,
  isoOrNull,
  json,
  must,
  type Row,
  type SqlClient,
  statement,
  unlessLeapt,
} from '../../core/sql.ts'
import * as events from '../webhooks/events.ts'

/** A template as stored. The instants are those of the channel's last report on each part. */
export type TemplateRecord = {
  id: string
  name: string
  language: string
  category: Schema<'TemplateCategory'>
  status: Schema<'TemplateStatus'>
  parameterFormat: Schema<'TemplateParameterFormat'>
  components: Record<string, unknown>[]
  rejectionReason: string | null
  statusAt: string | null
  categoryAt: string | null
  componentsAt: string | null
}

/** The columns of a `TemplateRecord`, in the order in which its rows are read. */
export const TEMPLATE_COLUMNS = `id, name, language, category, status, parameter_format, components,
  rejection_reason, ${unlessLeapt('status_at')}, ${unlessLeapt('category_at')},
  ${unlessLeapt('components_at')}`

/** One row of `TEMPLATE_COLUMNS`. */
function readRecord(row: Row): TemplateRecord {
  const [id, name, language, category, status, format, components, reason] = row
  const [statusAt, categoryAt, componentsAt] = row.slice(8)
  return {
    id: must(id),
    name: must(name),
    language: must(language),
    category: must(category) as TemplateRecord['category'],
    status: must(status) as TemplateRecord['status'],
    parameterFormat: must(format) as TemplateRecord['parameterFormat'],
    components: json<TemplateRecord['components']>(components) ?? [],
    rejectionReason: reason ?? null,
    statusAt: isoOrNull(statusAt),
    categoryAt: isoOrNull(categoryAt),
    componentsAt: isoOrNull(componentsAt),
  }
}

/** What is unique among a project's templates: a name in a language. */
export function nameKey({ name, language }: { name: string; language: string }): string {
  return JSON.stringify([name, language])
}

const lockProject = statement(
  'lock-templates',
  `SELECT pg_advisory_xact_lock(hashtextextended('templates ' || $1, 0))`,
)

/**
 * Locks the project's templates: a callback about a template and the creation of that template must not miss
 * each other.
 */
export async function lock(tx: SqlClient, projectId: string): Promise<void> {
  await tx.rows(lockProject, [projectId])
}

/** A template with a version that changes with every write, whatever the clocks say. */
export type MarkedTemplate = { record: TemplateRecord; version: string }

const readAll = statement(
  'read-templates',
  `SELECT ${TEMPLATE_COLUMNS}, xmin FROM templates WHERE project_id = $1`,
)

/** All templates of a project, by id; it has some thousands at most. */
export async function marked(
  tx: SqlClient,
  projectId: string,
): Promise<Map<string, MarkedTemplate>> {
  const rows = await tx.rows(readAll, [projectId])
  return new Map(
    rows.map((row) => [must(row[0]), { record: readRecord(row), version: must(row[11]) }]),
  )
}

/** The same as plain records. */
export async function all(tx: SqlClient, projectId: string): Promise<TemplateRecord[]> {
  return [...(await marked(tx, projectId)).values()].map(({ record }) => record)
}

const readNamed = statement(
  'read-named-templates',
  `SELECT ${TEMPLATE_COLUMNS}, created_at FROM templates
    WHERE project_id = $1 AND (id = ANY ($2) OR name = ANY ($3))`,
)

/** A template, and when it was stored here. */
export type NamedTemplate = TemplateRecord & { createdAt: string }

/** The templates with these ids, and those with these names in every language. */
export async function named(
  tx: SqlClient,
  projectId: string,
  ids: string[],
  names: string[],
): Promise<NamedTemplate[]> {
  const rows = await tx.rows(readNamed, [projectId, ids, names])
  return rows.map((row) => ({ ...readRecord(row), createdAt: isoFromSql(must(row[11])) }))
}

/** A new or changed template; `isHeard` when its status is news to subscribers. */
export type TemplateChange = {
  before: TemplateRecord | null
  after: TemplateRecord
  isHeard: boolean
}

const upsert = statement(
  'write-templates',
  `INSERT INTO templates AS t (project_id, id, name, language, category, status, parameter_format,
     components, rejection_reason, status_at, category_at, components_at, created_at, updated_at)
   SELECT $1, w.id, w.name, w.language, w.category, w.status, w.parameter_format, w.components,
          w.rejection_reason, w.status_at, w.category_at, w.components_at, $3::timestamptz,
          coalesce(CASE WHEN NOT w.is_moved THEN k.updated_at END, $3::timestamptz)
     FROM jsonb_to_recordset($2::jsonb) AS w (id text, name text, language text, category text,
       status text, parameter_format text, components jsonb, rejection_reason text,
       status_at timestamptz, category_at timestamptz, components_at timestamptz, is_moved boolean)
     LEFT JOIN templates k ON k.project_id = $1 AND k.id = w.id
   ON CONFLICT (project_id, id) DO UPDATE
     SET name = excluded.name, language = excluded.language, category = excluded.category,
         status = excluded.status, parameter_format = excluded.parameter_format,
         components = excluded.components, rejection_reason = excluded.rejection_reason,
         status_at = excluded.status_at, category_at = excluded.category_at,
         components_at = excluded.components_at, updated_at = excluded.updated_at`,
)

/**
 * Writes changed and new templates under the project's lock, raises `template.approved` and `template.rejected`
 * for the verdicts among the changes, and answers with these. Several changes of one template are in their
 * order.
 */
export async function write(
  tx: SqlClient,
  projectId: string,
  changes: TemplateChange[],
  now: Date,
): Promise<events.TemplateReview[]> {
  if (changes.length === 0) return []
  const moved = new Set(changes.filter(isMove).map(({ after }) => after.id))
  const last = new Map(changes.map(({ after }) => [after.id, after]))
  const rows = [...last.values()].map((after) => ({
    id: after.id,
    name: after.name,
    language: after.language,
    category: after.category,
    status: after.status,
    parameter_format: after.parameterFormat,
    components: after.components,
    rejection_reason: after.rejectionReason,
    status_at: after.statusAt,
    category_at: after.categoryAt,
    components_at: after.componentsAt,
    is_moved: moved.has(after.id),
  }))
  await tx.rows(upsert, [projectId, JSON.stringify(rows), now])
  const verdicts = changes.flatMap(verdictOf)
  await events.emit(
    tx,
    projectId,
    verdicts.map((verdict) => events.templateEvent(verdict, now)),
  )
  return verdicts
}

const SHOWN = ['category', 'status', 'parameterFormat', 'components', 'rejectionReason'] as const

/** Whether the change is visible to callers; a change of instants alone is not. */
function isMove({ before, after }: TemplateChange): boolean {
  return SHOWN.some((part) => !isDeepStrictEqual(before?.[part], after[part]))
}

function verdictOf({ before, after, isHeard }: TemplateChange): events.TemplateReview[] {
  const { name, language, category, status } = after
  const isMove = before ? before.status !== status : isHeard
  if (!isMove || (status !== 'APPROVED' && status !== 'REJECTED')) return []
  return [{ name, language, category, status }]
}

const removeRows = statement(
  'remove-templates',
  'DELETE FROM templates WHERE project_id = $1 AND id = ANY ($2)',
)

/** Deletes templates under the project's lock; those that do not exist are ignored. */
export async function remove(tx: SqlClient, projectId: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.rows(removeRows, [projectId, ids])
}

const findOne = statement(
  'find-template-by-id',
  `SELECT ${TEMPLATE_COLUMNS}, created_at, updated_at FROM templates
    WHERE project_id = $1 AND id = $2`,
)

/** One template as the contract shows it, or null. */
export async function present(
  sql: SqlClient,
  projectId: string,
  id: string,
): Promise<Schema<'Template'> | null> {
  const [row] = await sql.rows(findOne, [projectId, id])
  return row ? presentRow(row) : null
}

/** A row of `TEMPLATE_COLUMNS` with its two instants, as the contract shows it. */
export function presentRow(row: Row): Schema<'Template'> {
  const { id, name, language, category, status, ...record } = readRecord(row)
  const [createdAt, updatedAt] = row.slice(11)
  return {
    id,
    name,
    language,
    category,
    status,
    parameter_format: record.parameterFormat,
    components: record.components,
    rejection_reason: record.rejectionReason,
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}
