import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, ifThere } from '../core/caught-errors.ts'
import type { MediaStore } from '../core/stores.ts'
import { mustBeKey } from './keys.ts'

/** Copies on their way into the store; those left by a crash are unused. */
const COPIES = '.incoming'
const COPY_LASTS_MS = 60 * 60 * 1000

/**
 * Stores media as files in a folder, in subfolders by the first characters of their keys. A file is either
 * complete or absent, also after a power failure.
 */
export async function openFileSystemStore(root: string, now: () => Date): Promise<MediaStore> {
  const copies = path.join(root, COPIES)
  const placeOf = (key: string) => path.join(root, mustBeKey(key).slice(0, 2), key)
  await sweep(copies, now().getTime() - COPY_LASTS_MS)

  return {
    async put(key, { path: source }) {
      const place = placeOf(key)
      await mkdir(path.dirname(place), { recursive: true })
      await flush(source, 'r+')
      await move(source, place, copies)
      await flush(path.dirname(place), 'r')
    },
    async open(key) {
      const file = await ifThere(open(placeOf(key)))
      if (!file) return null
      try {
        const { size: sizeBytes } = await file.stat()
        return { body: file.createReadStream(), sizeBytes }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    async remove(key) {
      await rm(placeOf(key), { force: true })
    },
    async close() {},
  }
}

/** Flushes to the disk: the bytes of a file, or the names in a folder. */
async function flush(file: string, flags: string): Promise<void> {
  const handle = await open(file, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Renames a file; across disks, by way of a copy on the right one. */
async function move(source: string, place: string, copies: string): Promise<void> {
  try {
    await rename(source, place)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    await mkdir(copies, { recursive: true })
    const copy = path.join(copies, randomUUID())
    try {
      await copyFile(source, copy)
      await flush(copy, 'r+')
      await rename(copy, place)
    } finally {
      await rm(copy, { force: true })
    }
    await rm(source, { force: true })
  }
}

/** Other processes may be copying at this moment: only old files are removed. */
async function sweep(folder: string, beforeMs: number): Promise<void> {
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const copy = path.join(folder, name)
    const found = await ifThere(stat(copy))
    if (found && found.mtimeMs < beforeMs) await rm(copy, { force: true })
  }
}
