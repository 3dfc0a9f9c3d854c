import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelTemplate } from '../../core/ports.ts'
import { askAgreedNow, type SqlClient } from '../../core/sql.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import { createSyncDue, type SyncResult } from '../channel-accounts/channel-syncs.ts'
import * as parkedTemplates from './parked-templates.ts'
import * as templateRecords from './template-records.ts'
import {
  type MarkedTemplate,
  nameKey,
  type TemplateChange,
  type TemplateRecord,
} from './template-records.ts'
import { templateRefusal } from './template-refusals.ts'
import { categoryOf, statusOf } from './template-status.ts'

/** Syncs the templates of every active project that is due. */
export const syncDue = createSyncDue('template', sync)

/**
 * Makes a project's templates match the channel's list: repairs what lost callbacks left out, adds templates
 * that were made elsewhere, removes those that are gone. Throws `upstream_auth_error` or `upstream_error`.
 */
export async function sync(ctx: Context, projectId: string): Promise<SyncResult> {
  const account = await channelAccounts.mustFind(ctx, projectId)
  const startedAt = await askAgreedNow(ctx.sql, ctx.now())
  const before = await templateRecords.marked(ctx.sql, projectId)
  const listed = await listAll(ctx, channelAccounts.addressOf(ctx, account))
  const current = (await channelAccounts.find(ctx, projectId))?.businessAccountId
  if (current !== account.businessAccountId) return { added: 0, changed: 0, removed: 0 }
  return ctx.sql.transaction(async (tx) => {
    await templateRecords.lock(tx, projectId)
    return reconcile(tx, projectId, { before, listed, startedAt })
  })
}

/** All templates of the account except those being deleted; throws when a page cannot be read. */
async function listAll(
  { channel }: Context,
  address: Parameters<Context['channel']['listTemplates']>[0],
): Promise<ChannelTemplate[]> {
  const listed = new Map<string, ChannelTemplate>()
  let after: string | null = null
  for (let page = 0; page < LIMITS.templatePages; page++) {
    const answer = await channel.listTemplates(address, after)
    if (!answer.ok) throw templateRefusal(answer.error)
    for (const template of answer.value.templates) {
      if (statusOf(template.status) !== 'gone') listed.set(template.id, template)
    }
    after = answer.value.after
    if (after === null) return [...listed.values()]
  }
  throw new Error(`The channel lists more than ${LIMITS.templatePages} pages of templates`)
}

type Listing = {
  before: Map<string, MarkedTemplate>
  listed: ChannelTemplate[]
  startedAt: Date
}

async function reconcile(
  tx: SqlClient,
  projectId: string,
  { before, listed, startedAt }: Listing,
): Promise<SyncResult> {
  const now = await templateRecords.marked(tx, projectId)
  // The listing does not overrule what was written while it was being fetched.
  const isUntouched = (id: string) => now.get(id)?.version === before.get(id)?.version
  const listedIds = new Set(listed.map(({ id }) => id))
  const gone = [...now.keys()].filter((id) => !listedIds.has(id) && isUntouched(id))
  for (const id of gone) now.delete(id)
  await templateRecords.remove(tx, projectId, gone)

  const heard = new Set((await parkedTemplates.takeBefore(tx, projectId, startedAt)).map(nameKey))
  const taken = new Set([...now.values()].map(({ record }) => nameKey(record)))
  const changes = listed.flatMap((template): TemplateChange[] => {
    const { id } = template
    const kept = now.get(id)?.record
    if (kept) {
      const atFirst = before.get(id)?.record
      const after = asListed(kept, template, { atFirst, isUntouched: isUntouched(id), startedAt })
      return after === kept ? [] : [{ before: kept, after, isHeard: true }]
    }
    // Deleted here meanwhile, or created again under the same name.
    if (!isUntouched(id) || taken.has(nameKey(template))) return []
    taken.add(nameKey(template))
    return [{ before: null, after: newRecord(template), isHeard: heard.has(nameKey(template)) }]
  })
  for (let first = 0; first < changes.length; first += LIMITS.templateWrites) {
    const some = changes.slice(first, first + LIMITS.templateWrites)
    await templateRecords.write(tx, projectId, some, startedAt)
  }
  const added = changes.filter(({ before }) => before === null).length
  return { added, changed: changes.length - added, removed: gone.length }
}

function newRecord(template: ChannelTemplate): TemplateRecord {
  const { id, name, language, parameterFormat, components, rejectionReason } = template
  const status = statusOf(template.status)
  return {
    id,
    name,
    language,
    parameterFormat,
    components,
    rejectionReason,
    category: categoryOf(template.category) ?? 'MARKETING',
    // An unknown word says at least that the template is not known to be sendable.
    status: status === null || status === 'gone' ? 'DISABLED' : status,
    statusAt: null,
    categoryAt: null,
    componentsAt: null,
  }
}

type Since = { atFirst: TemplateRecord | undefined; isUntouched: boolean; startedAt: Date }

/**
 * The record as in the listing, except for parts on which a callback has told something newer. Of a record
 * written meanwhile, a part reported within the same second may be the newer one.
 */
function asListed(
  before: TemplateRecord,
  template: ChannelTemplate,
  { atFirst, isUntouched, startedAt }: Since,
): TemplateRecord {
  const at = startOfSecond(startedAt)
  const isOpen = (part: 'status' | 'category' | 'components') => {
    const said = before[`${part}At`]
    const isSaidSince = !isDeepStrictEqual(
      [said, before[part]],
      [atFirst?.[`${part}At`], atFirst?.[part]],
    )
    return !isSaidSince && (said === null || said < at || (isUntouched && said === at))
  }
  const after = { ...before, parameterFormat: template.parameterFormat }
  const status = statusOf(template.status)
  if (status !== null && status !== 'gone' && isOpen('status')) {
    const rejectionReason = status === 'REJECTED' ? template.rejectionReason : null
    Object.assign(after, { status, rejectionReason })
    if (status !== before.status) after.statusAt = at
  }
  const category = categoryOf(template.category)
  if (category !== null && category !== before.category && isOpen('category')) {
    Object.assign(after, { category, categoryAt: at })
  }
  const { components } = template
  if (!isSameShape(components, before.components) && isOpen('components')) {
    Object.assign(after, { components, componentsAt: at })
  }
  return isDeepStrictEqual(after, before) ? before : after
}

/** Whether they differ only in samples of media, which the channel lists with changing URLs. */
function isSameShape(one: unknown[], other: unknown[]): boolean {
  return isDeepStrictEqual(withoutSamples(one), withoutSamples(other))
}

function withoutSamples(components: unknown[]): unknown {
  const text = JSON.stringify(components, (name, value: unknown) =>
    name === 'header_handle' ? null : value,
  )
  return JSON.parse(text)
}
