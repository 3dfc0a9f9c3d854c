import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import type { TemplateUpdate } from '../../core/template-update.ts'
import { askAgreedNow, type SqlClient, statement } from '../../core/sql.ts'
import type { TemplateReview } from '../webhooks/events.ts'
import * as heardNews from '../channel-accounts/heard-news.ts'
import * as parkedTemplates from './parked-templates.ts'
import { withEditedTexts } from './template-edits.ts'
import * as templateRecords from './template-records.ts'
import type { TemplateRecord } from './template-records.ts'
import { categoryOf, statusOf } from './template-status.ts'

/**
 * Applies what a callback says of templates, within its transaction, and answers with the verdicts.
 * Older news does not undo newer, nor does what is repeated; what is said of a template that is not here
 * yet is kept for it.
 */
export async function apply(
  ctx: Context,
  tx: SqlClient,
  { projectId, account }: { projectId: string; account: { businessAccountId: string } | null },
  updates: TemplateUpdate[],
): Promise<TemplateReview[]> {
  if (updates.length === 0) return []
  await templateRecords.lock(tx, projectId)
  const now = await askAgreedNow(tx, ctx.now())
  const verdicts: TemplateReview[] = []
  for (const { at, ...told } of updates) {
    const update = { ...told, at: at ?? new Date(startOfSecond(now)) }
    const isOurs = update.businessAccountId === account?.businessAccountId
    const before = await find(tx, projectId, update, isOurs)
    const { news } = update
    if (news.kind === 'quality') {
      const { name, language } = update
      ctx.log.info('template.quality_changed', { project: projectId, name, language, ...news })
    } else if (!before && !isOurs) {
      ctx.log.warn('template.of_another_account', { project: projectId, name: update.name })
    } else if (!(await heardNews.isNews(tx, projectId, update, now))) {
      ctx.log.debug('template.told_again', { project: projectId, name: update.name })
    } else if (before) {
      const after = moved(before, update)
      if (after === 'gone') await templateRecords.remove(tx, projectId, [before.id])
      else if (after !== before) {
        const change = { before, after, isHeard: true }
        verdicts.push(...(await templateRecords.write(tx, projectId, [change], now)))
      }
    } else {
      await park(tx, projectId, update, now)
    }
  }
  return verdicts
}

const isSince = statement(
  'is-template-since',
  `SELECT 1 FROM templates
    WHERE project_id = $1 AND id = $2 AND date_trunc('second', created_at) <= $3`,
)

/**
 * By its id, else by name and language: long ids lose digits as the numbers that callbacks hold. A
 * deletion is of exactly the template that it names, and so is news of another account; news with another
 * id from before the template was made is of one that had its name then.
 */
async function find(
  tx: SqlClient,
  projectId: string,
  { id, name, language, at, news }: TemplateUpdate,
  isOurs: boolean,
): Promise<TemplateRecord | null> {
  const found = await templateRecords.named(tx, projectId, id === null ? [] : [id], [name])
  const exact = found.find((one) => one.id === id)
  if (exact) return exact
  const isDeletion = news.kind === 'status' && statusOf(news.event) === 'gone'
  if (!isOurs || (isDeletion && id !== null)) return null
  const twin = found.find((one) => one.name === name && one.language === language) ?? null
  if (!twin || id === null) return twin
  return (await tx.rows(isSince, [projectId, twin.id, at])).length > 0 ? twin : null
}

/**
 * The template after the news; itself when the news is not newer than what it says. What is news only by
 * its instant counts, too: something older may still come.
 */
function moved(
  before: TemplateRecord,
  { at, news }: { at: Date; news: TemplateUpdate['news'] },
): TemplateRecord | 'gone' {
  const said = at.toISOString()
  switch (news.kind) {
    case 'status': {
      const status = statusOf(news.event)
      if (status === null || isOlder(said, before.statusAt)) return before
      if (status === 'gone') return 'gone'
      const rejectionReason = status === 'REJECTED' ? news.reason : null
      const category = isOlder(said, before.categoryAt) ? null : categoryOf(news.category ?? '')
      const after = { ...before, status, rejectionReason, statusAt: said }
      return newer(before, category === null ? after : { ...after, category })
    }
    case 'category': {
      const category = categoryOf(news.category)
      if (category === null || isOlder(said, before.categoryAt)) return before
      return newer(before, { ...before, category, categoryAt: said })
    }
    case 'components': {
      if (isOlder(said, before.componentsAt)) return before
      const components = withEditedTexts(before.components, news)
      return newer(before, { ...before, components, componentsAt: said })
    }
    case 'quality':
      return before
  }
}

function newer(before: TemplateRecord, after: TemplateRecord): TemplateRecord {
  return isDeepStrictEqual(before, after) ? before : after
}

function isOlder(said: string, known: string | null): boolean {
  return known !== null && said < known
}

async function park(
  tx: SqlClient,
  projectId: string,
  { id, name, language, at, news }: TemplateUpdate & { at: Date },
  now: Date,
): Promise<void> {
  const status = news.kind === 'status' ? statusOf(news.event) : null
  if (news.kind !== 'status' || status === null || status === 'gone') return
  const reason = status === 'REJECTED' ? news.reason : null
  const parked = { id, name, language, status, reason, at: at.toISOString() }
  await parkedTemplates.park(tx, projectId, parked, now)
}
