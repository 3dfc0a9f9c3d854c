import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import * as headerSamples from './header-samples.ts'
import * as parkedTemplates from './parked-templates.ts'
import * as templateRecords from './template-records.ts'
import type { TemplateRecord } from './template-records.ts'
import { creationRefusal, templateExists } from './template-refusals.ts'
import { templateFaults } from './template-rules.ts'
import { categoryOf, statusOf } from './template-status.ts'

type Draft = Schema<'CreateTemplateRequest'>
type Component = Record<string, unknown>

const findNamed = statement(
  'find-template-name',
  'SELECT id FROM templates WHERE project_id = $1 AND name = $2 AND language = $3',
)

/**
 * Creates a template at the channel and stores it. Throws `invalid_request` with every fault that is known
 * beforehand, `template_exists`, and the channel's errors: `invalid_template`, `upstream_auth_error` or
 * `upstream_error`.
 */
export async function create(ctx: ProjectContext, draft: Draft): Promise<Schema<'Template'>> {
  const faults = templateFaults(draft)
  const [first] = faults
  if (first) {
    const problem = `The template breaks the channel's rules: ${first.path} ${first.message}.`
    throw new ServiceError('invalid_request', problem, { details: { errors: faults } })
  }
  const { name, language, category, parameter_format: parameterFormat = 'POSITIONAL' } = draft
  const [known] = await ctx.sql.rows(findNamed, [ctx.project.id, name, language])
  if (known) throw templateExists(name, language)

  const address = await channelOf(ctx)
  const { components, handle } = await withChannelHandle(ctx, draft.components)
  const asked = { name, language, category, parameterFormat }
  const answer = await ctx.channel.createTemplate(address, { ...asked, components })
  if (!answer.ok) {
    // Also when it is unknown whether the channel took it: the caller must be able to try again.
    if (handle !== null) await headerSamples.release(ctx, handle)
    throw creationRefusal(answer.error, draft)
  }
  const { value } = answer
  const template: TemplateRecord = {
    ...asked,
    id: value.id,
    category: categoryOf(value.category) ?? category,
    status: statusAtFirst(value.status),
    components: draft.components,
    rejectionReason: null,
    statusAt: null,
    categoryAt: null,
    componentsAt: null,
  }
  try {
    return await record(ctx, template)
  } catch (error) {
    if (!isServiceError(error)) recordLater(ctx, template)
    throw error
  }
}

/**
 * Stores, in the background, a template that the channel has; nobody can refer to it until the next listing
 * otherwise.
 */
function recordLater(ctx: ProjectContext, template: TemplateRecord): void {
  const { id } = template
  const write = async () => void (await record(ctx, template))
  ctx.afterwards.persist(write, LIMITS.undoneForMs, (error) =>
    ctx.log.error('template.unrecorded', { project: ctx.project.id, template: id, error }),
  )
}

function statusAtFirst(word: string): TemplateRecord['status'] {
  const status = statusOf(word)
  return status === null || status === 'gone' ? 'PENDING' : status
}

/** The components with the channel's own handle in place of ours, which is used up. */
async function withChannelHandle(
  ctx: ProjectContext,
  components: Draft['components'],
): Promise<{ components: Component[]; handle: string | null }> {
  for (const [index, component] of components.entries()) {
    if (component.type !== 'HEADER') continue
    const { format, example } = component
    const [handle] = example?.header_handle ?? []
    if (handle === undefined || format === undefined) continue
    if (format === 'TEXT' || format === 'LOCATION') continue
    const path = `components.${index}.example.header_handle.0`
    const channelHandle = await redeem(ctx, handle, format, path)
    const redeemed = { ...component, example: { header_handle: [channelHandle] } }
    return { components: components.with(index, redeemed), handle }
  }
  return { components, handle: null }
}

async function redeem(
  ctx: ProjectContext,
  handle: string,
  format: 'IMAGE' | 'VIDEO' | 'DOCUMENT',
  path: string,
): Promise<string> {
  try {
    return await headerSamples.redeem(ctx, handle, format)
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'invalid_request') throw error
    const message = 'is not a handle that can be used'
    throw new ServiceError('invalid_request', error.message, {
      details: { errors: [{ path, message }] },
    })
  }
}

/** Stores a template that the channel has taken, with news from callbacks that arrived before. */
async function record(ctx: ProjectContext, template: TemplateRecord): Promise<Schema<'Template'>> {
  const { id, name, language } = template
  const projectId = ctx.project.id
  return ctx.sql.transaction(async (tx) => {
    await templateRecords.lock(tx, projectId)
    const taken = await templateRecords.named(tx, projectId, [id], [name])
    const twin = taken.find((one) => one.id === id || one.language === language)
    if (twin && twin.id !== id) throw templateExists(name, language)
    if (!twin) {
      const parked = await parkedTemplates.take(tx, projectId, template)
      const { status = template.status, reason = null, at = null } = parked ?? {}
      const after = { ...template, status, rejectionReason: reason, statusAt: at }
      const change = { before: null, after, isHeard: true }
      await templateRecords.write(tx, projectId, [change], ctx.now())
    }
    const shown = await templateRecords.present(tx, projectId, id)
    if (!shown) throw new Error(`Template ${id} was written and is not there`)
    return shown
  })
}
