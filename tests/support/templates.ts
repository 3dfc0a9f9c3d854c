import { randomInt } from 'node:crypto'
import type { TestProject, TestService } from './service.ts'

/** A template as the channel lists it. */
export type TemplateParts = {
  id?: string
  name: string
  language?: string
  status?: string
  category?: string
  parameterFormat?: 'POSITIONAL' | 'NAMED'
  components: object[]
}

/** Keeps a template for a project, approved unless told otherwise; answers with its id. */
export async function storeTemplate(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  { language = 'en_US', status = 'APPROVED', category = 'UTILITY', ...parts }: TemplateParts,
): Promise<string> {
  const { name, parameterFormat = 'POSITIONAL', components } = parts
  const { id = String(randomInt(1_000_000_000, 2_000_000_000)) } = parts
  const data = { id, projectId, name, language, status, category, parameterFormat }
  await ctx.db.template.create({ data: { ...data, components } })
  return id
}

/** Moves a template to another status, as the channel's review does. */
export async function setTemplateStatus(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  id: string,
  status: string,
): Promise<void> {
  await ctx.db.template.update({ where: { projectId_id: { projectId, id } }, data: { status } })
}

export const body = (text: string) => ({ type: 'BODY', text })
export const header = (format: string, text?: string) => ({
  type: 'HEADER',
  format,
  ...(text === undefined ? {} : { text }),
})
export const buttons = (...all: object[]) => ({ type: 'BUTTONS', buttons: all })
