import type { TestProject, TestService } from './service.ts'

/** What a message keeps of the medium that `storeMedium` makes. */
export const storedMedium = {
  media_id: '1013859600285441',
  slug: 'price-list',
  mime_type: 'application/pdf',
  filename: 'prices.pdf',
  sha256: 'ab'.repeat(32),
}

/** Keeps a medium for a project; the channel holds a copy until `expiresAt`, or none. */
export async function storeMedium(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  more: { slug?: string; mediaId?: string | null; expiresAt?: Date | null } = {},
): Promise<void> {
  const { media_id: mediaId, slug, mime_type: mimeType, filename, sha256 } = storedMedium
  const kind = 'document'
  const data = { projectId, kind, size: 1_000, mediaId, slug, mimeType, filename, sha256, ...more }
  await ctx.db.media.create({ data })
}
