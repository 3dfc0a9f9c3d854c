import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { json, must, type Row, statement } from '../../core/sql.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { readPage } from '../list-pages.ts'
import * as templateRecords from './template-records.ts'
import { isUnknownTemplate, templateRefusal } from './template-refusals.ts'
import { type Placeholders, placeholdersOf, type TemplateComponent } from './template-variables.ts'

type Named = Pick<Schema<'SendTemplateMessage'>, 'template_name' | 'language'>

export type StoredTemplate = {
  name: string
  language: string
  category: Schema<'TemplateCategory'>
  isNamed: boolean
  placeholders: Placeholders
}

const find = statement(
  'find-template',
  `SELECT category, status, parameter_format, components FROM templates
    WHERE project_id = $1 AND name = $2 AND language = $3`,
)

/** The stored template that a send names; throws `template_not_found` and `template_not_approved`. */
export async function findSendable(ctx: ProjectContext, request: Named): Promise<StoredTemplate> {
  const { template_name: name, language } = request
  const key = `template ${JSON.stringify([ctx.project.id, name, language])}`
  const known = ctx.cache.get<StoredTemplate>(key)
  const template = known ?? (await ctx.cache.load(key, () => readApproved(ctx, name, language)))
  if (template) return template
  throw unknownTemplate(name, language)
}

/** The stored template of this name, whatever its status; throws `template_not_found`. */
export async function findStored(
  ctx: ProjectContext,
  { template_name: name, language }: Named,
): Promise<StoredTemplate> {
  const [row] = await ctx.sql.rows(find, [ctx.project.id, name, language])
  if (!row) throw unknownTemplate(name, language)
  return storedOf(name, language, row)
}

/**
 * Null when there is none; throws `template_not_approved`. Neither outcome is cached: an approval counts at
 * once, and a refusal may be stored under an idempotency key for a day.
 */
async function readApproved(
  ctx: ProjectContext,
  name: string,
  language: string,
): Promise<StoredTemplate | null> {
  const [row] = await ctx.sql.rows(find, [ctx.project.id, name, language])
  if (!row) return null
  const [, status] = row
  if (status !== 'APPROVED') {
    throw new ServiceError(
      'template_not_approved',
      `The template ${name} in ${language} is ${status}; only an approved one can be sent.`,
      { details: { status } },
    )
  }
  return storedOf(name, language, row)
}

function storedOf(
  name: string,
  language: string,
  [category, , format, components]: Row,
): StoredTemplate {
  return {
    name,
    language,
    category: must(category) as StoredTemplate['category'],
    isNamed: format?.toUpperCase() === 'NAMED',
    placeholders: placeholdersOf(json<TemplateComponent[]>(components) ?? []),
  }
}

function unknownTemplate(name: string, language: string): ServiceError {
  return new ServiceError('template_not_found', `There is no template ${name} in ${language}.`)
}

type ListQuery = OperationRequest<'listTemplates'>['query']

/** A project's templates, the newest first; throws `invalid_cursor`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Data<'listTemplates'>> {
  const { name = null, language = null, status = null } = query
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listTemplates', ctx.project.id, name, language, status],
    rows: `SELECT ${templateRecords.TEMPLATE_COLUMNS}, created_at, updated_at FROM templates
      WHERE project_id = $1`,
    values: [ctx.project.id],
    filters: [
      ['name = $?', name],
      ['language = $?', language],
      ['status = $?', status],
    ],
    keys: [
      ['created_at', 11],
      ['id', 0],
    ],
  })
  return { templates: rows.map(templateRecords.presentRow), nextCursor }
}

/** One template; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Template'>> {
  const template = await templateRecords.present(ctx.sql, ctx.project.id, id)
  if (!template) throw new ServiceError('not_found', `There is no template ${id}.`)
  return template
}

/**
 * Deletes a template at the channel, then here; one that the channel does not know counts as deleted there.
 * Throws `not_found`, and the channel's errors: `invalid_template`, `upstream_auth_error` or `upstream_error`.
 */
export async function remove(ctx: ProjectContext, id: string): Promise<Schema<'DeletedTemplate'>> {
  const { name } = await get(ctx, id)
  const answer = await ctx.channel.deleteTemplate(await channelOf(ctx), { id, name })
  if (!answer.ok && !isUnknownTemplate(answer.error)) throw templateRefusal(answer.error)
  await ctx.sql.transaction(async (tx) => {
    await templateRecords.lock(tx, ctx.project.id)
    await templateRecords.remove(tx, ctx.project.id, [id])
  })
  return { deleted: true, id }
}
