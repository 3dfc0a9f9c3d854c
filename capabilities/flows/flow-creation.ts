import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { agentOf } from './flow-agent.ts'
import * as flowRecords from './flow-records.ts'
import { flowRefusal, nameTaken } from './flow-refusals.ts'

const findNamed = statement(
  'find-flow-name',
  'SELECT id FROM flows WHERE project_id = $1 AND name = $2 AND id <> $3 LIMIT 1',
)

/** Throws `invalid_request` when another flow of the project has this name. */
export async function mustBeFree(
  sql: SqlClient,
  projectId: string,
  name: string,
  ownId = '',
): Promise<void> {
  const [other] = await sql.rows(findNamed, [projectId, name, ownId])
  if (other) throw nameTaken(name)
}

/**
 * Has the agent build a flow, creates it at the channel as a draft and stores it. Throws `invalid_request` for
 * a name that is taken, `flow_generation_failed` when the agent cannot build it, and the channel's errors:
 * `upstream_auth_error` or `upstream_error`. After an error nothing is kept. While the database fails, a flow
 * that the channel has taken is stored as soon as possible.
 */
export async function create(
  ctx: ProjectContext,
  { name, prompt, categories = ['OTHER'] }: Schema<'CreateFlowRequest'>,
): Promise<Schema<'Flow'>> {
  await mustBeFree(ctx.sql, ctx.project.id, name)
  const address = await channelOf(ctx)
  const definition = await agentOf(ctx).generate({ name, prompt })
  if (typeof definition === 'string') {
    throw new ServiceError('flow_generation_failed', `The flow could not be built: ${definition}.`)
  }
  const answer = await ctx.channel.createFlow(address, { name, categories, definition })
  if (!answer.ok) throw flowRefusal(answer.error, name)
  const { id, faults } = answer.value
  const draft = {
    id,
    name,
    categories,
    definition,
    faults,
    status: 'draft' as const,
    statusAt: null,
  }
  try {
    return await record(ctx, draft)
  } catch (error) {
    recordLater(ctx, draft)
    throw error
  }
}

function record(ctx: ProjectContext, draft: flowRecords.FlowRecord): Promise<Schema<'Flow'>> {
  return ctx.sql.transaction(async (tx) => {
    await flowRecords.lock(tx, ctx.project.id)
    // A listing may have stored it already, and somebody may have published it since.
    const row = await flowRecords.find(tx, ctx.project.id, draft.id)
    const { status, statusAt } = row ? flowRecords.readRecord(row) : draft
    return flowRecords.write(tx, ctx.project.id, { ...draft, status, statusAt }, ctx.now())
  })
}

/**
 * Stores, in the background, a flow that the channel has, unless a listing does so first; nobody can refer to
 * it until then.
 */
function recordLater(ctx: ProjectContext, draft: flowRecords.FlowRecord): void {
  const { id } = draft
  const write = async () => {
    if (!(await flowRecords.find(ctx.sql, ctx.project.id, id))) await record(ctx, draft)
  }
  ctx.afterwards.persist(write, LIMITS.undoneForMs, (error) =>
    ctx.log.error('flow.unrecorded', { project: ctx.project.id, flow: id, error }),
  )
}
