import type { ProjectContext } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { isoFromSql, type Row, statement } from '../core/sql.ts'
import type { SentMedia } from './message-kinds.ts'

const COLUMNS = 'media_id, slug, mime_type, filename, sha256, expires_at'
const bySlug = statement(
  'find-media-by-slug',
  `SELECT ${COLUMNS} FROM media WHERE project_id = $1 AND slug = $2`,
)
const byId = statement(
  'find-media-by-id',
  `SELECT ${COLUMNS} FROM media WHERE project_id = $1 AND media_id = $2`,
)

/**
 * The medium that a send names. A `media_id` that the project did not upload is the channel's to judge.
 * Throws `media_not_found` for an unknown slug, `MEDIA_EXPIRED` when the channel no longer holds it.
 */
export async function findSendable(
  ctx: ProjectContext,
  source: { id: string } | { slug: string } | { link: string },
): Promise<SentMedia> {
  if ('link' in source) return { reference: source, kept: unknownMedium(null) }
  const isSlug = 'slug' in source
  const name = isSlug ? source.slug : source.id
  const [row] = await ctx.sql.rows(isSlug ? bySlug : byId, [ctx.project.id, name])
  if (!row && isSlug) throw new ServiceError('media_not_found', `There is no media ${name}.`)
  if (!row) return { reference: { id: name }, kept: unknownMedium(name) }
  return sendable(ctx, row, name)
}

function sendable(ctx: ProjectContext, row: Row, name: string): SentMedia {
  const [id, slug, mimeType, filename, sha256, expiresAt] = row
  const isGone = expiresAt != null && isoFromSql(expiresAt) <= ctx.now().toISOString()
  if (id == null || isGone) {
    throw new ServiceError('MEDIA_EXPIRED', `The channel no longer holds ${name}; upload it again.`)
  }
  return {
    reference: { id },
    kept: {
      media_id: id,
      slug: slug ?? null,
      mime_type: mimeType ?? null,
      filename: filename ?? null,
      sha256: sha256 ?? null,
    },
  }
}

function unknownMedium(id: string | null): SentMedia['kept'] {
  return { media_id: id, slug: null, mime_type: null, filename: null, sha256: null }
}
