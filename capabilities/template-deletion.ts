import type { ProjectContext } from '../core/context.ts'
import type { Schema } from '../core/contract.ts'
import { channelOf } from './channel-answers.ts'
import * as templateRecords from './template-records.ts'
import { isUnknownTemplate, templateRefusal } from './template-refusals.ts'
import * as templates from './templates.ts'

/**
 * Deletes a template at the channel, then here; one that the channel does not know counts as deleted
 * there. Throws `not_found`, and what the channel said: `invalid_template`, `upstream_auth_error` or
 * `upstream_error`.
 */
export async function remove(ctx: ProjectContext, id: string): Promise<Schema<'DeletedTemplate'>> {
  const { name } = await templates.get(ctx, id)
  const answer = await ctx.channel.deleteTemplate(await channelOf(ctx), { id, name })
  if (!answer.ok && !isUnknownTemplate(answer.error)) throw templateRefusal(answer.error)
  await ctx.sql.transaction(async (tx) => {
    await templateRecords.lock(tx, ctx.project.id)
    await templateRecords.remove(tx, ctx.project.id, [id])
  })
  return { deleted: true, id }
}
