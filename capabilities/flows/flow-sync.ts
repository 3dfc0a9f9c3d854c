import { isDeepStrictEqual } from 'node:util'
import type { ChannelFlow, FlowDefinition } from '../../core/channel-flows.ts'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount } from '../../core/ports.ts'
import { askAgreedNow, type SqlClient, statement } from '../../core/sql.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import { createSyncDue, type SyncResult } from '../channel-accounts/channel-syncs.ts'
import * as flowRecords from './flow-records.ts'
import type { FlowChange, FlowMark, FlowOutline } from './flow-records.ts'
import { flowRefusal } from './flow-refusals.ts'

/** Fetches the flows of every active project that is due. */
export const syncDue = createSyncDue('flow', sync)

/**
 * Makes a project's flows what the channel lists: heals lost callbacks, adds what was made elsewhere,
 * removes what is gone. The definition of a flow that has none here, or whose status somebody else has
 * moved, is read again. Throws `upstream_auth_error` or `upstream_error`.
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

/** As many as a round reads, others in the next one: those that never come keep nobody waiting. */
function turnOf(due: ChannelFlow[], startedAt: Date): ChannelFlow[] {
  const rounds = Math.floor(startedAt.getTime() / LIMITS.syncDueMs)
  const first = (rounds * LIMITS.flowDefinitionsRead) % due.length
  return [...due.slice(first), ...due.slice(0, first)].slice(0, LIMITS.flowDefinitionsRead)
}

/**
 * The definitions of these flows, but for those that the channel does not give, or not this time. Once they are as
 * large as one round may hold in memory, the others wait for the next one.
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

/** Every flow of the account; throws when a page does not come. */
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
  /** Those that are not what is kept here. */
  definitions: Map<string, FlowDefinition | null>
  /** Whose definitions were read, and whose should have been. */
  read: string[]
  unread: string[]
  startedAt: Date
}

// Of those that were read, no longer; of the others, from now on. One that stays as it is is not written.
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
  // What was written while the channel was listing is not for this listing to judge.
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
 * The flow as the listing has it; null when that is nothing new, or when the channel has said something
 * newer of its status. A definition is given when it is another one.
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
    // A word that is not known says at least that it is not known to be sendable.
    const usual = { status: status ?? ('deprecated' as const), statusAt: null }
    return { id, name, categories, faults, definition: definition ?? null, ...usual }
  }
  if (before.statusAt !== null && before.statusAt > at) return null
  const moved = status !== null && status !== before.status ? { status, statusAt: at } : {}
  const after = { ...before, name, categories, faults, ...moved }
  const isSame = definition === undefined && isDeepStrictEqual(after, before)
  return isSame ? null : { ...after, definition }
}
