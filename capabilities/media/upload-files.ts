import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { makeFolder } from '../../core/make-folder.ts'

const SWEPT_EVERY_MS = 60 * 60 * 1000

/** A file on this machine that exists for the duration of its upload. */
export type UploadFile = { path: string; sizeBytes: number; sha256: string }

/** How much of a file was read, also when reading fails. */
export type Meter = { bytes: number }

/** Gives `work` the path of a file yet to be created, and removes the file afterwards. */
export async function withUploadFile<T>(
  { config }: Context,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = folderOf(config.dataDir)
  await makeFolder(folder)
  const file = path.join(folder, randomUUID())
  try {
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** How a file is counted as it is written, and how much it may be. */
export type Writing = {
  meter: Meter
  /** The bytes that may be written, at least as many as given, which have arrived; throws for too many. */
  roomFor(bytes: number): number | Promise<number>
}

/**
 * Writes bytes to a new file as they arrive, and counts them. Throws what `roomFor` throws, and errors of the
 * source and the file system.
 */
export async function writeUploadFile(
  file: string,
  body: AsyncIterable<Buffer>,
  { meter, roomFor }: Writing,
): Promise<UploadFile> {
  const handle = await open(file, 'wx', 0o600)
  const digest = createHash('sha256')
  let room = 0
  try {
    for await (const chunk of body) {
      meter.bytes += chunk.length
      if (meter.bytes > room) room = await roomFor(meter.bytes)
      digest.update(chunk)
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  return { path: file, sizeBytes: meter.bytes, sha256: digest.digest('hex') }
}

/** Removes files left by processes that died; uploads under way are younger. */
export async function sweepUploadFiles(ctx: Context): Promise<void> {
  const folder = folderOf(ctx.config.dataDir)
  await makeFolder(folder)
  const before = ctx.now().getTime() - LIMITS.uploadFilesKeptMs
  let removed = 0
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    // A file may have been removed since it was listed.
    const found = await stat(file).catch(() => null)
    if (!found || found.mtimeMs > before) continue
    await rm(file, { force: true })
    removed++
  }
  if (removed > 0) ctx.log.info('uploads.swept', { removed })
}

/**
 * Sweeps now, for the process that ran here before, and then every hour; answers with a function that stops it.
 * Each process sweeps its own disk.
 */
export async function keepUploadFilesSwept(ctx: Context): Promise<() => void> {
  await sweepUploadFiles(ctx)
  const again = () => {
    sweepUploadFiles(ctx).catch((error: unknown) => ctx.log.error('uploads.not_swept', { error }))
  }
  const timer = setInterval(again, SWEPT_EVERY_MS).unref()
  return () => clearInterval(timer)
}

function folderOf(dataDir: string): string {
  return path.join(dataDir, 'uploads')
}
