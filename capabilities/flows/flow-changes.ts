import type { ChannelAccount } from '../../core/channel-account.ts'
import type { FlowDefinition } from '../../core/channel-flows.ts'
import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError, unfitBody } from '../../core/errors.ts'
import { startOfSecond } from '../../core/instants.ts'
import { askAgreedNow } from '../../core/sql.ts'
import { flowFaults, publishingFaults } from '../../flows/definition.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { agentOf } from './flow-agent.ts'
import { mustBeFree } from './flow-creation.ts'
import * as flowRecords from './flow-records.ts'
import type { FlowRecord } from './flow-records.ts'
import { brokenDefinition, flowRefusal } from './flow-refusals.ts'
import { unknownFlow } from './flows.ts'
import { oneAtATime, type Turn } from '../one-at-a-time.ts'

type Change = Schema<'UpdateFlowRequest'>

/**
 * Changes a flow at the channel and here: by an instruction to the agent or a whole definition, and by name.
 * Throws `not_found`, `invalid_request` for a change that is not possible, `flow_update_failed` when the agent
 * cannot do it, and the channel's errors: `upstream_auth_error` or `upstream_error`.
 */
export async function update(
  ctx: ProjectContext,
  id: string,
  change: Change,
): Promise<Schema<'Flow'>> {
  const flow = await mustFind(ctx, id)
  mustBeOpen(flow)
  const { name } = change
  if (name !== undefined) await mustBeFree(ctx.sql, ctx.project.id, name, id)
  const definition = await changedDefinition(ctx, flow, change)
  return alone(ctx, id, async (now, own) => {
    const isStale = change.instruction !== undefined && differs(now.definition, flow.definition)
    if (isStale) throw notUpdated('it was changed by another request meanwhile; try again')
    // The name first: it can be taken back, but an upload may make a draft of a published flow.
    const named = await rename(ctx, own, now, name ?? now.name)
    if (!definition) return own.keep(named)
    try {
      return await upload(ctx, own, named, definition)
    } catch (error) {
      await rename(ctx, own, named, now.name).catch(() => own.keep(named))
      throw error
    }
  })
}

async function rename(
  ctx: ProjectContext,
  { address }: Own,
  flow: FlowRecord,
  name: string,
): Promise<FlowRecord> {
  if (name === flow.name) return flow
  const answer = await ctx.channel.renameFlow(address, flow.id, name)
  if (!answer.ok) throw flowRefusal(answer.error, name)
  return { ...flow, name }
}

/**
 * Publishes a flow; publishing twice does no harm. Throws `not_found`, `invalid_request` for a flow that breaks
 * the channel's rules or is deprecated, `upstream_auth_error` and `upstream_error`.
 */
export async function publish(ctx: ProjectContext, id: string): Promise<Schema<'Flow'>> {
  mustBeOpen(await mustFind(ctx, id))
  return alone(ctx, id, async (flow, { address, keep }) => {
    if (flow.status === 'published') return keep(flow)
    const faults = flow.definition ? publishingFaults(flow.definition) : []
    if (faults.length > 0) throw brokenDefinition(faults, 'definition')
    const statusAt = await asOfNow(ctx, flow)
    const answer = await ctx.channel.publishFlow(address, id)
    // An earlier request may have published it, and failed to store that.
    if (!answer.ok && !(await isPublished(ctx, address, id))) throw flowRefusal(answer.error)
    return keep({ ...flow, status: 'published', statusAt })
  })
}

async function isPublished(ctx: ProjectContext, address: ChannelAccount, id: string) {
  const found = await ctx.channel.findFlow(address, id)
  return found.ok && flowRecords.statusOf(found.value.status) === 'published'
}

async function mustFind(ctx: ProjectContext, id: string): Promise<FlowRecord> {
  const row = await flowRecords.find(ctx.sql, ctx.project.id, id)
  if (!row) throw unknownFlow(id)
  return flowRecords.readRecord(row)
}

function mustBeOpen({ id, status }: FlowRecord): void {
  if (status !== 'deprecated') return
  const message = 'is of a flow that is deprecated, and stays as it is'
  throw new ServiceError('invalid_request', `The flow ${id} is deprecated; make a new one.`, {
    details: { errors: [{ path: 'id', message }] },
  })
}

async function changedDefinition(
  ctx: ProjectContext,
  flow: FlowRecord,
  { instruction, definition }: Change,
): Promise<FlowDefinition | null> {
  if (instruction !== undefined && definition !== undefined) {
    throw unfitBody('definition', 'must not come with an instruction')
  }
  if (definition !== undefined) {
    const faults = flowFaults(definition)
    if (faults.length > 0) throw brokenDefinition(faults, 'definition')
    return definition
  }
  if (instruction === undefined) return null
  if (!flow.definition) throw notUpdated('the channel has no definition of it')
  const updated = await agentOf(ctx).update({ definition: flow.definition, instruction })
  if (typeof updated === 'string') throw notUpdated(updated)
  return updated
}

function notUpdated(reason: string): ServiceError {
  return new ServiceError('flow_update_failed', `The flow could not be changed: ${reason}.`)
}

/** The channel account of a flow, and how a changed flow is stored. */
type Own = { address: ChannelAccount; keep(flow: FlowRecord): Promise<Schema<'Flow'>> }

/** Runs changes of a flow one at a time: concurrent ones could end differently at the channel and here. */
function alone(
  ctx: ProjectContext,
  id: string,
  work: (flow: FlowRecord, own: Own) => Promise<Schema<'Flow'>>,
): Promise<Schema<'Flow'>> {
  return oneAtATime(ctx, `flow ${id}`, async (turn) =>
    work(await mustFind(ctx, id), {
      address: await channelOf(ctx),
      keep: (flow) => keep(ctx, turn, flow),
    }),
  )
}

/** Uploads a definition, and stores the status that the flow has at the channel afterwards. */
async function upload(
  ctx: ProjectContext,
  { address, keep }: Own,
  flow: FlowRecord,
  definition: FlowDefinition,
): Promise<Schema<'Flow'>> {
  const statusAt = await asOfNow(ctx, flow)
  const answer = await ctx.channel.uploadFlow(address, flow.id, definition)
  if (!answer.ok) throw flowRefusal(answer.error)
  const { faults } = answer.value
  // Whether a published flow becomes a draft again is for the channel to say.
  const found = flow.status === 'draft' ? null : await ctx.channel.findFlow(address, flow.id)
  const told = found?.ok ? flowRecords.statusOf(found.value.status) : null
  const status = told ?? 'draft'
  return keep({ ...flow, definition, faults, status, statusAt })
}

/** The instant to store with a status that the channel reports now: not before that of its last report. */
async function asOfNow(ctx: ProjectContext, { statusAt }: FlowRecord): Promise<string> {
  const now = startOfSecond(await askAgreedNow(ctx.sql, ctx.now()))
  return statusAt !== null && statusAt > now ? statusAt : now
}

/** Stores a flow after a change; a callback may have moved its status meanwhile. */
function keep(ctx: ProjectContext, turn: Turn, flow: FlowRecord): Promise<Schema<'Flow'>> {
  return ctx.sql.transaction(async (tx) => {
    await turn.hold(tx)
    await flowRecords.lock(tx, ctx.project.id)
    const row = await flowRecords.find(tx, ctx.project.id, flow.id)
    if (!row) throw unknownFlow(flow.id)
    const { status, statusAt } = flowRecords.readRecord(row)
    const isNewer = statusAt !== null && (flow.statusAt === null || statusAt > flow.statusAt)
    const after = isNewer ? { ...flow, status, statusAt } : flow
    return flowRecords.write(tx, ctx.project.id, after, ctx.now())
  })
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}
