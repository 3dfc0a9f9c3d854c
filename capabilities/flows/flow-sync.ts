import { isDeepStrictEqual } from 'node:util'
import type { ChannelFlow, FlowDefinition } from '../../core/channel-flows.ts'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import { askAgreedNow, type SqlClient, statement } from '../../core/sql.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import { createSyncDue, type SyncResult } from '../channel-accounts/channel-syncs.ts'
import * as flowRecords from './flow-records.ts'
import type { FlowChange, FlowMark, FlowOutline } from './flow-records.ts'
import { flowRefusal } from './flow-refusals.ts'

/** Syncs the flows of every active project that is due. */
export const syncDue = createSyncDue('flow', sync)

/**
 * Makes a project's flows match the channel's list: repairs what lost callbacks left out, adds flows that were
 * made elsewhere, removes flows that are gone. A definition is read again when there is none here, or when
 * somebody else has moved the flow's status. Throws `upstream_auth_error` or `upstream_error`.
 */
export async function sync(ctx: Context, projectId: string): Promise<SyncResult> {
  const account = await channelAccounts.mustFind(ctx, projectId)
  const startedAt = await askAgreedNow(ctx.sql, ctx.now())
  const before = await flowRecords.marks(ctx.sql, projectId)
  const address = channelAccounts.addressOf(ctx, account)
  const listed = await listAll(ctx, address)
  const due = listed.filter(({ id, status }) => {
    const known = before.get(id)
    return !known?.hasDefinition || known.outline.status !== flowRecords.statusOf(status)
  })
  const definitions = await readAll(ctx, projectId, address, turnOf(due, startedAt))
  const read = [...definitions.keys()]
  const unread = due.map(({ id }) => id).filter((id) => !definitions.has(id))
  const kept = await flowRecords.definitions(ctx.sql, projectId, read)
  for (const [id, definition] of definitions) {
    if (isDeepStrictEqual(definition, kept.get(id) ?? null)) definitions.delete(id)
  }
  const current = (await channelAccounts.find(ctx, projectId))?.businessAccountId
  if (current !== account.businessAccountId) return { added: 0, changed: 0, removed: 0 }
  return ctx.sql.transaction(async (tx) => {
    await flowRecords.lock(tx, projectId)
    return reconcile(tx, projectId, { before, listed, definitions, read, unread, startedAt })
  })
}

/**
 * At most as many as one round reads, rotating, so that definitions that never arrive do not keep the others
 * waiting.
 */
function turnOf(due: ChannelFlow[], startedAt: Date): ChannelFlow[] {
  const rounds = Math.floor(startedAt.getTime() / LIMITS.syncDueMs)
  const first = (rounds * LIMITS.flowDefinitionsRead) % due.length
  return [...due.slice(first), ...due.slice(0, first)].slice(0, LIMITS.flowDefinitionsRead)
}

/**
 * The definitions of these flows, except those that the channel does not have or does not answer with now. Once
 * they fill the memory of a round, the rest wait for the next one.
 */
async function readAll(
  ctx: Context,
  projectId: string,
  address: ChannelAccount,
  due: ChannelFlow[],
): Promise<Map<string, FlowDefinition | null>> {
  const definitions = new Map<string, FlowDefinition | null>()
  let characters = 0
  for (const { id } of due) {
    if (characters > LIMITS.flowCharactersRead) break
    const answer = await ctx.channel.readFlow(address, id)
    if (answer.ok) {
      definitions.set(id, answer.value)
      characters += JSON.stringify(answer.value).length
    } else ctx.log.warn('flow.unread', { project: projectId, flow: id, error: answer.error })
  }
  return definitions
}

/** All flows of the account; throws when a page cannot be read. */
async function listAll({ channel }: Context, address: ChannelAccount): Promise<ChannelFlow[]> {
  const listed = new Map<string, ChannelFlow>()
  let after: string | null = null
  for (let page = 0; page < LIMITS.flowPages; page++) {
    const answer = await channel.listFlows(address, after)
    if (!answer.ok) throw flowRefusal(answer.error)
    for (const flow of answer.value.flows) listed.set(flow.id, flow)
    after = answer.value.after
    if (after === null) return [...listed.values()]
  }
  throw new Error(`The channel lists more than ${LIMITS.flowPages} pages of flows`)
}

type Listing = {
  before: Map<string, FlowMark>
  listed: ChannelFlow[]
  /** Definitions that differ from the stored ones. */
  definitions: Map<string, FlowDefinition | null>
  /** The flows whose definitions were read, and those whose definitions should have been read. */
  read: string[]
  unread: string[]
  startedAt: Date
}

// Clears the mark of those that were read, and sets it for the others. Unchanged rows are not written.
const setDue = statement(
  'set-flow-definitions-due',
  `UPDATE flows SET definition_due = id <> ALL ($3)
    WHERE project_id = $1 AND id = ANY ($2) AND definition_due <> (id <> ALL ($3))`,
)

async function reconcile(
  tx: SqlClient,
  projectId: string,
  { before, listed, definitions, read, unread, startedAt }: Listing,
): Promise<SyncResult> {
  const now = await flowRecords.marks(tx, projectId)
  // The listing does not overrule what was written while it was being fetched.
  const isUntouched = (id: string) => now.get(id)?.version === before.get(id)?.version
  const listedIds = new Set(listed.map(({ id }) => id))
  const gone = [...now.keys()].filter((id) => !listedIds.has(id) && isUntouched(id))
  await flowRecords.remove(tx, projectId, gone)
  const changes = listed.flatMap((flow): FlowChange[] => {
    if (!isUntouched(flow.id)) return []
    const change = asListed(now.get(flow.id)?.outline, flow, definitions.get(flow.id), startedAt)
    return change ? [change] : []
  })
  await flowRecords.writeAll(tx, projectId, changes, startedAt)
  const [done, due] = [read.filter(isUntouched), unread.filter(isUntouched)]
  await tx.rows(setDue, [projectId, [...done, ...due], done])
  const added = changes.filter(({ id }) => !now.has(id)).length
  return { added, changed: changes.length - added, removed: gone.length }
}

/**
 * The flow as in the listing; null when nothing differs, or when the channel has reported a newer status. The
 * definition is set when it differs.
 */
function asListed(
  before: FlowOutline | undefined,
  { id, name, status: word, categories, faults }: ChannelFlow,
  definition: FlowDefinition | null | undefined,
  startedAt: Date,
): FlowChange | null {
  const at = startOfSecond(startedAt)
  const status = flowRecords.statusOf(word)
  if (!before) {
    // An unknown word says at least that the flow is not known to be sendable.
    const usual = { status: status ?? ('deprecated' as const), statusAt: null }
    return { id, name, categories, faults, definition: definition ?? null, ...usual }
  }
  if (before.statusAt !== null && before.statusAt > at) return null
  const moved = status !== null && status !== before.status ? { status, statusAt: at } : {}
  const after = { ...before, name, categories, faults, ...moved }
  const isSame = definition === undefined && isDeepStrictEqual(after, before)
  return isSame ? null : { ...after, definition }
}
