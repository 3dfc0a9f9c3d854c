import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import type { TemplateUpdate } from '../../core/template-update.ts'
import { askAgreedNowAndLatest, type SqlClient } from '../../core/sql.ts'
import type { TemplateReview } from '../webhooks/events.ts'
import * as heardNews from '../channel-accounts/heard-news.ts'
import * as parkedTemplates from './parked-templates.ts'
import type { ParkedStatus } from './parked-templates.ts'
import { withEditedTexts } from './template-edits.ts'
import * as templateRecords from './template-records.ts'
import { nameKey, type NamedTemplate, type TemplateChange } from './template-records.ts'
import { categoryOf, statusOf } from './template-status.ts'

/**
 * Applies what a callback tells of templates, within its transaction, and answers with the verdicts. Older news
 * does not undo newer news, and repeated news changes nothing; news of a template that is not stored here is
 * kept for it. All updates count in their order, in a few statements.
 */
export async function apply(
  ctx: Context,
  tx: SqlClient,
  { projectId, account }: { projectId: string; account: { businessAccountId: string } | null },
  updates: TemplateUpdate[],
): Promise<TemplateReview[]> {
  if (updates.length === 0) return []
  await templateRecords.lock(tx, projectId)
  const { now, latest } = await askAgreedNowAndLatest(tx, ctx.now())
  const told = updates.map(({ at, ...said }): Told => {
    return { ...said, at: at ?? new Date(startOfSecond(now)) }
  })
  const known = await open(tx, projectId, told)
  const hearing = await heardNews.listen(tx, projectId, told.filter(isMoving))
  const changes: TemplateChange[] = []
  const gone: string[] = []
  const parked: ParkedStatus[] = []
  for (const update of told) {
    const { name, language, news } = update
    const isOurs = update.businessAccountId === account?.businessAccountId
    const before = find(known, update, isOurs)
    if (news.kind === 'quality') {
      ctx.log.info('template.quality_changed', { project: projectId, name, language, ...news })
    } else if (!before && !isOurs) {
      ctx.log.warn('template.of_another_account', { project: projectId, name })
    } else if (!hearing.isNews(update)) {
      ctx.log.debug('template.told_again', { project: projectId, name })
    } else if (before) {
      const after = moved(before, update)
      if (after === 'gone') {
        known.byId.delete(before.id)
        gone.push(before.id)
      } else if (after !== before) {
        changes.push({ before, after, isHeard: true })
        known.byId.set(after.id, withoutLeapt(after, latest))
      }
    } else {
      parked.push(...toPark(update))
    }
  }
  await hearing.keep(now)
  const verdicts = await templateRecords.write(tx, projectId, changes, now)
  await templateRecords.remove(tx, projectId, gone)
  await parkedTemplates.park(tx, projectId, parked, { latest, now })
  return verdicts
}

type Told = TemplateUpdate & { at: Date }

function isMoving({ news }: Told): boolean {
  return news.kind !== 'quality'
}

/** The templates that a callback may be about, after its updates so far. */
type Known = { byId: Map<string, NamedTemplate>; ids: Map<string, string> }

async function open(tx: SqlClient, projectId: string, told: Told[]): Promise<Known> {
  const ids = told.flatMap(({ id }) => id ?? [])
  const names = told.map(({ name }) => name)
  const found = await templateRecords.named(tx, projectId, ids, names)
  return {
    byId: new Map(found.map((one) => [one.id, one])),
    ids: new Map(found.map((one) => [nameKey(one), one.id])),
  }
}

/**
 * Finds a template by its id, else by name and language, since long ids lose digits as the JSON numbers of
 * callbacks. A deletion is of exactly the template that it names, and so is news of another account; news with
 * another id from before the template was created is about an earlier one of the same name.
 */
function find({ byId, ids }: Known, update: Told, isOurs: boolean): NamedTemplate | null {
  const { id, at, news } = update
  const exact = id === null ? undefined : byId.get(id)
  if (exact) return exact
  const isDeletion = news.kind === 'status' && statusOf(news.event) === 'gone'
  if (!isOurs || (isDeletion && id !== null)) return null
  const twin = byId.get(ids.get(nameKey(update)) ?? '') ?? null
  if (!twin || id === null) return twin
  return startOfSecond(new Date(twin.createdAt)) <= at.toISOString() ? twin : null
}

/**
 * The template after the news; the same object when the news is not newer. News that only moves the instant
 * counts, since something older may still arrive.
 */
function moved(before: NamedTemplate, { at, news }: Told): NamedTemplate | 'gone' {
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

function newer(before: NamedTemplate, after: NamedTemplate): NamedTemplate {
  return isDeepStrictEqual(before, after) ? before : after
}

function isOlder(said: string, known: string | null): boolean {
  return known !== null && said < known
}

/** The template as it will be read again: instants that have leapt count as unknown. */
function withoutLeapt(template: NamedTemplate, latest: string): NamedTemplate {
  const unlessLeapt = (at: string | null) => (at !== null && at > latest ? null : at)
  return {
    ...template,
    statusAt: unlessLeapt(template.statusAt),
    categoryAt: unlessLeapt(template.categoryAt),
    componentsAt: unlessLeapt(template.componentsAt),
  }
}

function toPark({ id, name, language, at, news }: Told): ParkedStatus[] {
  const status = news.kind === 'status' ? statusOf(news.event) : null
  if (news.kind !== 'status' || status === null || status === 'gone') return []
  const reason = status === 'REJECTED' ? news.reason : null
  return [{ id, name, language, status, reason, at: at.toISOString() }]
}
