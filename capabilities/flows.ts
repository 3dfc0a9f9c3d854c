import type { ProjectContext } from '../core/context.ts'
import type { Data, OperationRequest, Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { statement } from '../core/sql.ts'
import * as flowRecords from './flow-records.ts'

type ListQuery = OperationRequest<'listFlows'>['query']

const columns = flowRecords.FLOW_COLUMNS
const firstPage = statement(
  'list-flows',
  `SELECT ${columns} FROM flows WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT $2`,
)
const nextPage = statement(
  'list-flows-after',
  `SELECT ${columns} FROM flows WHERE project_id = $1 AND (created_at, id) < ($3, $4)
    ORDER BY created_at DESC, id DESC LIMIT $2`,
)

/** A project's flows, the newest first; throws `invalid_cursor`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Data<'listFlows'>> {
  const { cursor, limit = LIMITS.pageItemsDefault } = query
  const listed = ['listFlows', ctx.project.id]
  const after = cursor === undefined ? null : ctx.cursors.decode(listed, cursor, 2)
  const values = [ctx.project.id, limit + 1, ...(after ?? [])]
  const rows = await ctx.sql.rows(after ? nextPage : firstPage, values)
  const flows = rows.map(flowRecords.presentRow)
  const last = flows.length > limit ? flows[limit - 1] : undefined
  return {
    flows: flows.slice(0, limit),
    nextCursor: last ? ctx.cursors.encode(listed, [last.created_at, last.id]) : null,
  }
}

/** One flow; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Flow'>> {
  const row = await flowRecords.find(ctx.sql, ctx.project.id, id)
  if (!row) throw unknownFlow(id)
  return flowRecords.presentRow(row)
}

/** The 404 of a flow that the project does not have. */
export function unknownFlow(id: string): ServiceError {
  return new ServiceError('not_found', `There is no flow ${id}.`)
}

const findStatus = statement(
  'find-flow-status',
  'SELECT status FROM flows WHERE project_id = $1 AND id = $2',
)

/**
 * Whether a flow that a send names goes out as published or, for a test, as a draft. Throws
 * `flow_not_found`, also for one that is deprecated: the channel shows it to nobody new.
 */
export async function findSendable(
  ctx: ProjectContext,
  id: string,
): Promise<{ mode: 'draft' | 'published' }> {
  const [row] = await ctx.sql.rows(findStatus, [ctx.project.id, id])
  const status = row?.[0]
  if (status === 'draft' || status === 'published') return { mode: status }
  const problem = row ? 'is deprecated and can no longer be sent' : 'is not one of this project'
  throw new ServiceError('flow_not_found', `The flow ${id} ${problem}.`)
}
