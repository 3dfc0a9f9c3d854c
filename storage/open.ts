import path from 'node:path'
import type { Config } from '../core/config.ts'
import { inDataFolder } from '../core/make-folder.ts'
import type { MediaStore } from '../core/stores.ts'
import { openFileSystemStore } from './file-system.ts'
import { type CreateAgents, openS3Store } from './s3.ts'

/**
 * The store of the settings: an S3-compatible one, whose connections `createAgents` may replace, else the folder
 * `media` in the data folder. Throws when its URL is incomplete.
 */
export function openMediaStore(
  config: Config,
  now: () => Date,
  createAgents?: CreateAgents,
): Promise<MediaStore> {
  const { mediaStoreUrl, dataDir } = config
  return mediaStoreUrl
    ? openS3Store(mediaStoreUrl, createAgents)
    : inDataFolder(dataDir, () => openFileSystemStore(path.join(dataDir, 'media'), now))
}
