import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEDIA_KINDS } from '../../filetypes/kinds.ts'
import { type ByteSource, windowed } from '../../filetypes/source.ts'
import { STRUCTURES } from '../../filetypes/structures.ts'
import { type Verdict, verify } from '../../filetypes/verify.ts'

export const ACCEPTED: readonly string[] = Object.values(MEDIA_KINDS).flatMap(
  ({ mimeTypes }) => mimeTypes,
)

/** What the service says of bytes that lie in a file, declared as some type. */
export async function verdictOf(
  bytes: Buffer,
  declared: string,
  accepted: readonly string[] = ACCEPTED,
): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'service-files-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await verify({ path, sizeBytes: bytes.length }, declared, accepted)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The verdict on bytes that are what they were declared as. */
export const isWhole = (mimeType: string) => ({ ok: true, mimeType, bytesMax: null })

/** A source over bytes in memory that counts what is read of them. */
export function countedSource(bytes: Buffer, sizeBytes = bytes.length) {
  const counted = { reads: 0, bytes: 0, longestBytes: 0 }
  const source: ByteSource = windowed(sizeBytes, async (offset, lengthBytes) => {
    const read = bytes.subarray(offset, offset + lengthBytes)
    counted.reads += 1
    counted.bytes += read.length
    counted.longestBytes = Math.max(counted.longestBytes, lengthBytes)
    return Buffer.from(read)
  })
  return { source, counted }
}

/** Whether the structure of a type holds, for file-type refuses some files before it comes to that. */
export const holds = (bytes: Buffer, type: string) =>
  STRUCTURES.get(type)!.check(countedSource(bytes).source, type)

/** Which of some files have not the structure of a type. */
export async function refused(
  files: readonly (readonly [what: unknown, bytes: Buffer])[],
  type: string,
) {
  const verdicts = await Promise.all(
    files.map(async ([what, bytes]) => [what, await holds(bytes, type)]),
  )
  return verdicts.filter(([, isTaken]) => !isTaken).map(([what]) => what)
}

/** A copy in which other bytes stand from a place on. */
export function changed(bytes: Buffer, at: number, ...to: number[]): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(to, at)
  return copy
}

export const joined = (...parts: Buffer[]) => Buffer.concat(parts)

/** The same bytes, so often. */
export function times(bytes: Buffer, count: number): Buffer {
  return joined(...Array.from({ length: count }, () => bytes))
}
