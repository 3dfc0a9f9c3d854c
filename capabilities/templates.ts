import type { ProjectContext } from '../core/context.ts'
import type { Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { must, statement } from '../core/sql.ts'
import { json } from './message-rows.ts'
import { type Placeholders, placeholdersOf, type TemplateComponent } from './template-variables.ts'

export type StoredTemplate = {
  name: string
  language: string
  status: string
  isNamed: boolean
  placeholders: Placeholders
}

const find = statement(
  'find-template',
  `SELECT name, language, status, parameter_format, components FROM templates
    WHERE project_id = $1 AND name = $2 AND language = $3`,
)

/** The stored template that a send names; throws `template_not_found` and `template_not_approved`. */
export async function findSendable(
  ctx: ProjectContext,
  request: Schema<'SendTemplateMessage'>,
): Promise<StoredTemplate> {
  const { template_name: name, language } = request
  const key = `template ${JSON.stringify([ctx.project.id, name, language])}`
  const known = ctx.cache.get<StoredTemplate>(key)
  const template = known ?? (await ctx.cache.load(key, () => read(ctx, name, language)))
  if (!template) {
    throw new ServiceError('template_not_found', `There is no template ${name} in ${language}.`)
  }
  if (template.status !== 'APPROVED') {
    throw new ServiceError(
      'template_not_approved',
      `The template ${name} in ${language} is ${template.status}; only an approved one can be sent.`,
      { details: { status: template.status } },
    )
  }
  return template
}

async function read(
  ctx: ProjectContext,
  name: string,
  language: string,
): Promise<StoredTemplate | null> {
  const [row] = await ctx.sql.rows(find, [ctx.project.id, name, language])
  if (!row) return null
  const [, , status, format, components] = row
  return {
    name,
    language,
    status: must(status),
    isNamed: format?.toUpperCase() === 'NAMED',
    placeholders: placeholdersOf(json<TemplateComponent[]>(components) ?? []),
  }
}
