import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'

const SWEPT_EVERY_MS = 60 * 60 * 1000

/** A file on this machine for as long as its upload lasts. */
export type UploadFile = { path: string; sizeBytes: number; sha256: string }

/** How far the reading of a file has come, also when it fails. */
export type Meter = { bytes: number }

/** Gives work the path of a file that is not there yet, and removes the file when it is done. */
export async function withUploadFile<T>(
  { config }: Context,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = folderOf(config.dataDir)
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, randomUUID())
  try {
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Writes bytes to a new file as they come, counting them. Throws what `overflow` makes of a file with
 * more than `bytesMax`, what the source throws, and what the file system throws.
 */
export async function writeUploadFile(
  file: string,
  body: AsyncIterable<Buffer>,
  { bytesMax, meter, overflow }: { bytesMax: number; meter: Meter; overflow: () => unknown },
): Promise<UploadFile> {
  const handle = await open(file, 'wx', 0o600)
  const digest = createHash('sha256')
  try {
    for await (const chunk of body) {
      meter.bytes += chunk.length
      if (meter.bytes > bytesMax) throw overflow()
      digest.update(chunk)
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  return { path: file, sizeBytes: meter.bytes, sha256: digest.digest('hex') }
}

/** Removes what uploads of processes that died have left; what is under way is younger. */
export async function sweepUploadFiles(ctx: Context): Promise<void> {
  const folder = folderOf(ctx.config.dataDir)
  await mkdir(folder, { recursive: true })
  const before = ctx.now().getTime() - LIMITS.uploadFilesKeptMs
  let removed = 0
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    // One that has ended since it was listed is gone.
    const found = await stat(file).catch(() => null)
    if (!found || found.mtimeMs > before) continue
    await rm(file, { force: true })
    removed++
  }
  if (removed > 0) ctx.log.info('uploads.swept', { removed })
}

/**
 * Sweeps now, for the process that ran here before, and every hour; answers with what ends it. Each
 * process sweeps its own disk.
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
