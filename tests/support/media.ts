import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MediaKind } from '../../capabilities/media/media-rows.ts'
import type { TestProject, TestService } from './service.ts'

/** What a message keeps of the medium that `storeMedium` makes. */
export const storedMedium = {
  media_id: '1013859600285441',
  slug: 'price-list',
  mime_type: 'application/pdf',
  filename: 'prices.pdf',
  sha256: 'ab'.repeat(32),
}

type More = {
  slug?: string
  kind?: MediaKind
  mediaId?: string | null
  expiresAt?: Date | null
  phoneNumberId?: string
  /** The channel's id of what a customer sent. */
  inboundMediaId?: string
  /** What the store has of it; nothing by default. */
  bytes?: Buffer
}

/** Keeps a medium for a project; the channel holds a copy until `expiresAt`, or none. */
export async function storeMedium(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  { bytes, ...more }: More = {},
): Promise<void> {
  const { media_id: mediaId, slug, mime_type: mimeType, filename, sha256 } = storedMedium
  const size = bytes?.length ?? 1_000
  const kept = { kind: 'document', size, mediaId, slug, mimeType, filename, sha256 }
  const storeKey = bytes ? randomUUID() : null
  if (bytes && storeKey) {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'medium-')), 'file')
    await writeFile(file, bytes)
    await ctx.mediaStore.put(storeKey, { path: file, sizeBytes: size })
  }
  await ctx.db.media.create({ data: { projectId, ...kept, storeKey, ...more } })
}
