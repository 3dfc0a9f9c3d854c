import { createHash, randomInt, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { isRecord, parseJson } from '../core/json-values.ts'

/** A medium of the sandbox; `sha256` in hex. */
export type SandboxMedium = {
  id: string
  phoneNumberId: string
  mimeType: string
  sizeBytes: number
  sha256: string
  expiresAt: Date
}

/** Bytes that have been received and do not belong to a medium yet. */
export type StagedBytes = { file: string; sizeBytes: number; sha256: string }

/**
 * The media of all accounts of the sandbox: files in one folder, so that several servers, a restarted one and
 * the operator's commands share them. The oldest are removed to make room for new ones.
 */
export type SandboxMediaFolder = {
  /** Null, with nothing kept, for more than `bytesMax`. */
  stage(bytes: AsyncIterable<Buffer>, bytesMax: number): Promise<StagedBytes | null>
  discard(staged: StagedBytes): Promise<void>
  keep(
    staged: StagedBytes,
    about: Pick<SandboxMedium, 'phoneNumberId' | 'mimeType' | 'expiresAt'>,
  ): Promise<SandboxMedium>
  /** Null when there is none, or it has expired. */
  find(id: string, now: Date): Promise<SandboxMedium | null>
  open(id: string): Readable
  remove(id: string): Promise<void>
  /** Removes the folder and its content. */
  destroy(): Promise<void>
}

const usualBounds = { mediaMax: 500, bytesMax: 1024 * 1024 * 1024 }

/** The folder in which servers and the operator's commands keep the sandbox's media. */
export function sandboxMediaPath(dataDir: string): string {
  return path.join(dataDir, 'sandbox', 'media')
}

/** Keeps media in a folder, which is created with the first of them. */
export function openMediaFolder(folder: string, bounds = usualBounds): SandboxMediaFolder {
  const bytesOf = (id: string) => path.join(folder, id)
  const aboutOf = (id: string) => path.join(folder, `${id}.json`)

  async function remove(id: string): Promise<void> {
    await rm(aboutOf(id), { force: true })
    await rm(bytesOf(id), { force: true })
  }
  return {
    async stage(bytes, bytesMax) {
      await mkdir(folder, { recursive: true })
      const file = path.join(folder, `.${randomUUID()}`)
      const hash = createHash('sha256')
      let sizeBytes = 0
      // Created before anything is read, so that it cannot be created after its removal.
      const handle = await open(file, 'wx')
      try {
        for await (const chunk of bytes) {
          sizeBytes += chunk.length
          hash.update(chunk)
          // The body is read to its end, or the sender would not read the answer.
          if (sizeBytes <= bytesMax) await handle.writeFile(chunk)
        }
      } catch (error) {
        await rm(file, { force: true })
        throw error
      } finally {
        await handle.close()
      }
      const staged = { file, sizeBytes, sha256: hash.digest('hex') }
      if (sizeBytes <= bytesMax) return staged
      await rm(file, { force: true })
      return null
    },
    discard: ({ file }) => rm(file, { force: true }),
    async keep({ file, sizeBytes, sha256 }, about) {
      await makeRoom(folder, sizeBytes, bounds, remove)
      const id = Array.from({ length: 16 }, () => randomInt(1, 10)).join('')
      const medium = { ...about, id, sizeBytes, sha256 }
      await writeFile(aboutOf(id), JSON.stringify(medium))
      await rename(file, bytesOf(id))
      return medium
    },
    async find(id, now) {
      const text = await readFile(aboutOf(id), 'utf8').catch(() => '') // There is none.
      const medium = readMedium(text)
      if (medium && medium.expiresAt <= now) await remove(id)
      return medium && medium.expiresAt > now ? medium : null
    },
    open: (id) => createReadStream(bytesOf(id)),
    remove,
    destroy: () => rm(folder, { recursive: true, force: true }),
  }
}

function readMedium(text: string): SandboxMedium | null {
  const value = parseJson(text)
  if (!isRecord(value)) return null
  const { id, phoneNumberId, mimeType, sizeBytes, sha256, expiresAt } = value
  if (typeof id !== 'string' || typeof phoneNumberId !== 'string') return null
  if (typeof mimeType !== 'string' || typeof sha256 !== 'string') return null
  if (typeof sizeBytes !== 'number' || typeof expiresAt !== 'string') return null
  return { id, phoneNumberId, mimeType, sizeBytes, sha256, expiresAt: new Date(expiresAt) }
}

/** Removes the oldest media until there is room for one more of this size. */
async function makeRoom(
  folder: string,
  sizeBytes: number,
  { mediaMax, bytesMax }: typeof usualBounds,
  remove: (id: string) => Promise<void>,
): Promise<void> {
  const ids = (await readdir(folder)).filter((name) => /^\d+$/.test(name))
  const files = await Promise.all(
    // Another server may be removing one at this moment.
    ids.map((id) =>
      stat(path.join(folder, id)).then(
        ({ size, mtimeMs }) => ({ id, size, mtimeMs }),
        () => null,
      ),
    ),
  )
  const kept = files.filter((file) => file !== null).sort((a, b) => a.mtimeMs - b.mtimeMs)
  let keptBytes = kept.reduce((sum, { size }) => sum + size, sizeBytes)
  while (kept.length >= mediaMax || keptBytes > bytesMax) {
    const oldest = kept.shift()
    if (!oldest) return
    keptBytes -= oldest.size
    await remove(oldest.id)
  }
}
