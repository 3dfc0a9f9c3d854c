import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import * as mediaSends from '../messages/media-sends.ts'
import type { SentMedia } from '../messages/message-kinds.ts'
import { composeTemplate, mustBeSendable } from '../messages/template-sends.ts'
import * as templates from '../templates/templates.ts'

type TemplateRequest = Schema<'SendTemplateMessage'>
type Content = Pick<
  Schema<'CreateBroadcastRequest'>,
  'template_name' | 'template_language' | 'template_variables' | 'header'
>

/** The parts of a template message that are the same for all recipients. */
export type SharedContent = { template: templates.StoredTemplate; media: SentMedia | null }

/**
 * Finds the stored template and the medium of its header, ready to be sent. Throws `template_not_found`,
 * `template_not_approved`, what a send throws for a medium (`missing_media`, `media_not_found`,
 * `MEDIA_EXPIRED`, `invalid_request`), and the channel's errors of a fresh upload.
 */
export async function find(
  ctx: ProjectContext,
  request: Pick<TemplateRequest, 'template_name' | 'language' | 'header'>,
): Promise<SharedContent> {
  const template = await templates.findSendable(ctx, request)
  return { template, media: await mediaSends.findForHeader(ctx, request.header, template) }
}

/**
 * Finds the content of a new broadcast, and composes it for a contact without any data as a check. The template
 * may still await approval. Throws what `find` throws otherwise, `template_variable_mismatch`, and
 * `invalid_request` for a value that no template may hold.
 */
export async function check(
  ctx: ProjectContext,
  { template_name, template_language: language, template_variables = {}, header }: Content,
): Promise<SharedContent> {
  const request = {
    type: 'template' as const,
    template_name,
    language,
    ...(header === undefined ? {} : { header }),
  }
  const template = await templates.findStored(ctx, request)
  const shared = { template, media: await mediaSends.findForHeader(ctx, header, template) }
  const texts = Object.entries(template_variables).map(([place, variable]): [string, string] => {
    const isText = typeof variable === 'string'
    const text = isText ? variable : variable.fallback
    mustBeSendable(`template_variables.${place}${isText ? '' : '.fallback'}`, text)
    return [place, text]
  })
  const variables = Object.fromEntries(texts)
  composeTemplate({ ...request, variables }, shared.template, shared.media)
  return shared
}
