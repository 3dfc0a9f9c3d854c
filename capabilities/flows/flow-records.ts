import type { ChannelFlowFault, FlowDefinition } from '../../core/channel-flows.ts'
import type { Schema } from '../../core/contract.ts'
import { quoted } from '../../core/rendered.ts'
import {
  isoOrNull,
  json,
  must,
  quotedInstant,
  type Row,
  type SqlClient,
  statement,
  unlessLeapt,
} from '../../core/sql.ts'

export type FlowStatus = Schema<'FlowStatus'>

/** A flow as stored; `statusAt` is the instant of the channel's last report on its status. */
export type FlowRecord = {
  id: string
  name: string
  status: FlowStatus
  categories: string[]
  definition: FlowDefinition | null
  faults: ChannelFlowFault[]
  statusAt: string | null
}

/** A throttled or blocked flow is still published; sends report the problem. */
const MEANINGS: ReadonlyMap<string, FlowStatus> = new Map([
  ['DRAFT', 'draft'],
  ['PUBLISHED', 'published'],
  ['THROTTLED', 'published'],
  ['BLOCKED', 'published'],
  ['DEPRECATED', 'deprecated'],
])

/** The status for a word of the channel's; null for an unknown word. */
export function statusOf(word: string): FlowStatus | null {
  return MEANINGS.get(word.toUpperCase()) ?? null
}

/** The columns that `readRecord` reads, in its order. */
export const FLOW_COLUMNS = `id, name, status, to_json(categories), definition, validation_errors,
  ${unlessLeapt('status_at')}, created_at, updated_at`

/** One row of `FLOW_COLUMNS`. */
export function readRecord(row: Row): FlowRecord {
  const [id, name, status, categories, definition, faults, statusAt] = row
  return {
    id: must(id),
    name: must(name),
    status: must(status) as FlowStatus,
    categories: json<string[]>(categories) ?? [],
    definition: json<FlowDefinition>(definition),
    faults: json<ChannelFlowFault[]>(faults) ?? [],
    statusAt: isoOrNull(statusAt),
  }
}

/**
 * A row of `FLOW_COLUMNS` as the contract shows it, in JSON. Definitions are inserted as text and not parsed:
 * each may have megabytes, and a page many of them.
 */
export function flowJson(row: Row): string {
  const [id, name, status, categories, definition, faults, , createdAt, updatedAt] = row
  return (
    `{"id":${quoted(id)},"name":${quoted(name)},"status":"${status}",` +
    `"categories":${categories ?? '[]'},"definition":${definition ?? 'null'},` +
    `"validation_errors":${faults ?? '[]'},"created_at":${quotedInstant(createdAt)},` +
    `"updated_at":${quotedInstant(updatedAt)}}`
  )
}

/** The same, parsed. */
function presentRow(row: Row): Schema<'Flow'> {
  return JSON.parse(flowJson(row)) as Schema<'Flow'>
}

const lockProject = statement(
  'lock-flows',
  `SELECT pg_advisory_xact_lock(hashtextextended('flows ' || $1, 0))`,
)

/** Locks the project's flows against changes by other transactions. */
export async function lock(tx: SqlClient, projectId: string): Promise<void> {
  await tx.rows(lockProject, [projectId])
}

/** A flow without its definition, which may be large. */
export type FlowOutline = Omit<FlowRecord, 'definition'>

/**
 * A flow in short; `hasDefinition` says whether the stored definition is the channel's, as far as is known. The
 * version changes with every write, whatever the clocks say.
 */
export type FlowMark = { outline: FlowOutline; hasDefinition: boolean; version: string }

const readMarks = statement(
  'read-flow-marks',
  `SELECT id, name, status, to_json(categories), NULL, validation_errors,
     ${unlessLeapt('status_at')}, definition IS NOT NULL AND NOT definition_due, xmin
     FROM flows WHERE project_id = $1`,
)

/** All flows of a project, by id. */
export async function marks(tx: SqlClient, projectId: string): Promise<Map<string, FlowMark>> {
  const rows = await tx.rows(readMarks, [projectId])
  return new Map(rows.map((row) => [must(row[0]), readMark(row)]))
}

function readMark(row: Row): FlowMark {
  const { definition: _unread, ...outline } = readRecord(row)
  return { outline, hasDefinition: row[7] === 't', version: must(row[8]) }
}

const readDefinitions = statement(
  'read-flow-definitions',
  'SELECT id, definition FROM flows WHERE project_id = $1 AND id = ANY ($2)',
)

/** The definitions of the given flows, by id. */
export async function definitions(
  tx: SqlClient,
  projectId: string,
  ids: string[],
): Promise<Map<string, FlowDefinition | null>> {
  const rows = await tx.rows(readDefinitions, [projectId, ids])
  return new Map(rows.map(([id, definition]) => [must(id), json<FlowDefinition>(definition)]))
}

const findRow = statement(
  'find-flow',
  `SELECT ${FLOW_COLUMNS} FROM flows WHERE project_id = $1 AND id = $2`,
)

/** The row of one flow, or null. */
export async function find(tx: SqlClient, projectId: string, id: string): Promise<Row | null> {
  const [row] = await tx.rows(findRow, [projectId, id])
  return row ?? null
}

// A definition is passed as an array element of text: as a member of a recordset it would be parsed. An instant
// ahead of the clock, written by one that is ahead, is stored as the present second.
const UPSERT = `INSERT INTO flows AS f (project_id, id, name, status, categories, definition,
     validation_errors, status_at, created_at, updated_at, definition_due)
   SELECT $1, w.id, w.name, w.status, ARRAY(SELECT json_array_elements_text(w.categories)),
          CASE WHEN w.keeps_definition THEN k.definition ELSE w.definition END, w.faults,
          CASE WHEN w.status_at > now() THEN date_trunc('second', now()) ELSE w.status_at END,
          $10, $10,
          coalesce(k.definition_due AND (w.keeps_definition OR k.definition::text = w.definition::text),
                   false)
     FROM unnest($2::text[], $3::text[], $4::text[], $5::json[], $6::json[], $7::boolean[],
            $8::jsonb[], $9::timestamptz[])
       AS w (id, name, status, categories, definition, keeps_definition, faults, status_at)
     LEFT JOIN flows k ON k.project_id = $1 AND k.id = w.id
   ON CONFLICT (project_id, id) DO UPDATE
     SET name = excluded.name, status = excluded.status, categories = excluded.categories,
         definition = excluded.definition, validation_errors = excluded.validation_errors,
         status_at = excluded.status_at, updated_at = excluded.updated_at,
         definition_due = excluded.definition_due`
const upsertAll = statement('write-flows', UPSERT)
const upsertOne = statement('write-flow', `${UPSERT} RETURNING ${FLOW_COLUMNS}`)

/** A flow to be written; an undefined definition leaves the stored one unchanged. */
export type FlowChange = FlowOutline & { definition: FlowDefinition | null | undefined }

/** The bounds of one statement: definitions may have megabytes each, and a listing brings many. */
const WRITTEN_AT_ONCE = { flows: 500, bytes: 8_000_000 }

/** Inserts or updates flows under the project's lock, in batches. */
export async function writeAll(
  tx: SqlClient,
  projectId: string,
  flows: FlowChange[],
  now: Date,
): Promise<void> {
  for (const some of portions(flows)) await tx.rows(upsertAll, written(projectId, some, now))
}

/** Batches within the bounds of one statement, unless a single flow exceeds them. */
function* portions(flows: FlowChange[]): Generator<TextChange[]> {
  let portion: TextChange[] = []
  let bytes = 0
  for (const flow of flows) {
    const one = asText(flow)
    const added = Buffer.byteLength(one.definition ?? '') + Buffer.byteLength(one.faults)
    const isFull = portion.length >= WRITTEN_AT_ONCE.flows || bytes + added > WRITTEN_AT_ONCE.bytes
    if (isFull && portion.length > 0) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(one)
    bytes += added
  }
  if (portion.length > 0) yield portion
}

/** Inserts or updates a flow, and answers with it as the contract shows it. */
export async function write(
  tx: SqlClient,
  projectId: string,
  flow: FlowRecord,
  now: Date,
): Promise<Schema<'Flow'>> {
  const [row] = await tx.rows(upsertOne, written(projectId, [asText(flow)], now))
  if (!row) throw new Error(`Flow ${flow.id} was written and is not there`)
  return presentRow(row)
}

/** The large members of a change are serialised once: to be measured, and to be written. */
type TextChange = Omit<FlowChange, 'definition' | 'faults'> & {
  definition: string | null
  keepsDefinition: boolean
  faults: string
}

function asText({ definition, faults, ...rest }: FlowChange): TextChange {
  return {
    ...rest,
    definition: definition == null ? null : JSON.stringify(definition),
    keepsDefinition: definition === undefined,
    faults: JSON.stringify(faults),
  }
}

function written(projectId: string, flows: TextChange[], now: Date): unknown[] {
  return [
    projectId,
    flows.map(({ id }) => id),
    flows.map(({ name }) => name),
    flows.map(({ status }) => status),
    flows.map(({ categories }) => JSON.stringify(categories)),
    flows.map(({ definition }) => definition),
    flows.map(({ keepsDefinition }) => keepsDefinition),
    flows.map(({ faults }) => faults),
    flows.map(({ statusAt }) => statusAt),
    now,
  ]
}

const removeRows = statement(
  'remove-flows',
  'DELETE FROM flows WHERE project_id = $1 AND id = ANY ($2)',
)

/** Deletes flows; those that do not exist are ignored. */
export async function remove(tx: SqlClient, projectId: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.rows(removeRows, [projectId, ids])
}
