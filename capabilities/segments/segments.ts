import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { isoFromSql, must, mustJson, type Row, statement } from '../../core/sql.ts'
import * as audiences from './audiences.ts'
import { compileFilter, completeFilter, type ContactFilter } from './contact-filter.ts'
import { readPage } from '../list-pages.ts'

const COLUMNS = 's.id, s.name, s.filter, s.created_at, s.updated_at'

type StoredSegment = Omit<Schema<'Segment'>, 'contact_count'>

const insert = statement(
  'create-segment',
  `INSERT INTO segments AS s (id, project_id, name, filter, created_at, updated_at)
   VALUES ($1, $2, $3, $4::jsonb, $5, $5) RETURNING ${COLUMNS}`,
)

/** Saves a filter under a name; throws `null_filter_value` and `invalid_request` for one that is wrong. */
export async function create(
  ctx: ProjectContext,
  { name, filter: given }: Schema<'CreateSegmentRequest'>,
): Promise<Schema<'Segment'>> {
  const filter = checked(given)
  const values = [randomUUID(), ctx.project.id, name, JSON.stringify(filter), ctx.now()]
  const [row] = await ctx.sql.rows(insert, values)
  return counted(ctx, row)
}

/** Segments, the newest first, each with its live count; throws `invalid_cursor`. */
export async function list(
  ctx: ProjectContext,
  query: OperationRequest<'listSegments'>['query'],
): Promise<Data<'listSegments'>> {
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listSegments', ctx.project.id],
    rows: `SELECT ${COLUMNS} FROM segments s WHERE s.project_id = $1`,
    values: [ctx.project.id],
    keys: [
      ['s.created_at', 3],
      ['s.id', 0],
    ],
  })
  const stored = rows.map(readRow)
  const counts = await audiences.count(ctx, ctx.project.id, stored.map(audienceOf))
  return {
    segments: stored.map((one, index) => present(one, counts[index] ?? null)),
    nextCursor,
  }
}

const findOne = statement(
  'find-segment',
  `SELECT ${COLUMNS} FROM segments s WHERE s.project_id = $1 AND s.id = $2`,
)

/** One segment with its live count; throws `SEGMENT_NOT_FOUND`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Segment'>> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) throw unknownSegment(id)
  return counted(ctx, row)
}

/** The current filter of a segment; throws `SEGMENT_NOT_FOUND`. */
export async function filterOf(ctx: ProjectContext, id: string): Promise<ContactFilter> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) throw unknownSegment(id)
  return readRow(row).filter
}

const change = statement(
  'update-segment',
  `UPDATE segments s SET name = coalesce($3, s.name), filter = coalesce($4::jsonb, s.filter),
          updated_at = $5
    WHERE s.project_id = $1 AND s.id = $2 RETURNING ${COLUMNS}`,
)

/**
 * Changes a segment's name, its whole filter, or both; broadcasts keep the filter that they were created
 * with. Throws `null_filter_value`, `invalid_request` and `SEGMENT_NOT_FOUND`.
 */
export async function update(
  ctx: ProjectContext,
  id: string,
  { name, filter: given }: Schema<'UpdateSegmentRequest'>,
): Promise<Schema<'Segment'>> {
  const filter = given === undefined ? null : JSON.stringify(checked(given))
  const values = [ctx.project.id, id, name ?? null, filter, ctx.now()]
  const [row] = await ctx.sql.rows(change, values)
  if (!row) throw unknownSegment(id)
  return counted(ctx, row)
}

const removeRow = statement(
  'delete-segment',
  'DELETE FROM segments WHERE project_id = $1 AND id = $2 RETURNING id',
)

/** Deletes a segment; broadcasts that were created with it go on. Throws `SEGMENT_NOT_FOUND`. */
export async function remove(ctx: ProjectContext, id: string): Promise<Data<'deleteSegment'>> {
  const [row] = await ctx.sql.rows(removeRow, [ctx.project.id, id])
  if (!row) throw unknownSegment(id)
  return { deleted: true, id: must(row[0]) }
}

/** The filter with its defaults, checked to compile. */
function checked(given: Schema<'ContactFilterRequest'>): ContactFilter {
  const filter = completeFilter(given)
  compileFilter(filter, 'filter', () => '')
  return filter
}

async function counted(ctx: ProjectContext, row: Row | undefined): Promise<Schema<'Segment'>> {
  if (!row) throw new Error('A statement that writes a segment answered with none')
  const segment = readRow(row)
  const [count] = await audiences.count(ctx, ctx.project.id, [audienceOf(segment)])
  return present(segment, count ?? null)
}

function audienceOf({ filter }: StoredSegment): audiences.Audience {
  return { filter, category: null, retargetParentId: null }
}

function unknownSegment(id: string): ServiceError {
  return new ServiceError('SEGMENT_NOT_FOUND', `There is no segment ${id}.`)
}

function readRow([id, name, filter, createdAt, updatedAt]: Row): StoredSegment {
  return {
    id: must(id),
    name: must(name),
    filter: mustJson<ContactFilter>(filter),
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}

function present(segment: StoredSegment, contactCount: number | null): Schema<'Segment'> {
  const { id, name, filter, created_at, updated_at } = segment
  return { id, name, filter, contact_count: contactCount, created_at, updated_at }
}
