import type { ProjectContext } from '../../core/context.ts'
import type { OperationRequest } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { quoted, Rendered } from '../../core/rendered.ts'
import { statement } from '../../core/sql.ts'
import * as flowRecords from './flow-records.ts'
import { readPage } from '../list-pages.ts'

type ListQuery = OperationRequest<'listFlows'>['query']

/** A project's flows, the newest first; throws `invalid_cursor`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Rendered> {
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listFlows', ctx.project.id],
    rows: `SELECT ${flowRecords.FLOW_COLUMNS} FROM flows WHERE project_id = $1`,
    values: [ctx.project.id],
    keys: [
      ['created_at', 7],
      ['id', 0],
    ],
  })
  const items = rows.map(flowRecords.flowJson)
  return new Rendered(`{"flows":[${items.join()}],"nextCursor":${quoted(nextCursor)}}`)
}

/** One flow, under `flow`; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Rendered> {
  const row = await flowRecords.find(ctx.sql, ctx.project.id, id)
  if (!row) throw unknownFlow(id)
  return new Rendered(`{"flow":${flowRecords.flowJson(row)}}`)
}

/** The 404 for a flow that the project does not have. */
export function unknownFlow(id: string): ServiceError {
  return new ServiceError('not_found', `There is no flow ${id}.`)
}

const findStatus = statement(
  'find-flow-status',
  'SELECT status FROM flows WHERE project_id = $1 AND id = $2',
)

/**
 * Whether a flow named in a send goes out as published or, for tests, as a draft. Throws `flow_not_found`, also
 * for a deprecated flow, which the channel does not show to anybody new.
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
