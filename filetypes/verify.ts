import { fileTypeFromBuffer } from 'file-type'
import { normaliseMimeType } from './kinds.ts'
import { isPlainText } from './plain-text.ts'
import { type ByteSource, withFile } from './source.ts'
import { STRUCTURES } from './structures.ts'
import { endsLikeZip } from './zip-end.ts'

/**
 * `bytesMax` is a size limit below that of the file's kind that depends on its content: that of still stickers.
 * `detected` names the other type that the bytes begin like; it is null when they are damaged or of no known
 * type.
 */
export type Verdict =
  { ok: true; mimeType: string; bytesMax: number | null } | { ok: false; detected: string | null }

/** file-type gets no more than this, so that none of its parsers can be kept busy. */
const PREFIX_BYTES = 64 * 1024
const ZIP_START = 'PK\x03\x04'

/**
 * Checks by its bytes alone that a file has its declared type: first its beginning, then the structure that the
 * type requires. Types that are not accepted are refused unread. No content makes it throw; a file that cannot
 * be read does, with the error of the file system. Memory and time are bounded whatever the size.
 */
export async function verify(
  file: { path: string; sizeBytes: number },
  declared: string,
  accepted: readonly string[],
): Promise<Verdict> {
  const mimeType = normaliseMimeType(declared)
  if (!accepted.includes(mimeType)) return { ok: false, detected: null }
  return withFile(file, (source) => judge(source, mimeType))
}

/**
 * Finds out by its bytes alone which of the types a file has, when nobody has declared one; the first match
 * counts.
 */
export async function recognise(
  file: { path: string; sizeBytes: number },
  mimeTypes: readonly string[],
): Promise<Verdict> {
  return withFile(file, async (source) => {
    let detected: string | null = null
    for (const mimeType of mimeTypes) {
      const verdict = await judge(source, mimeType)
      if (verdict.ok) return verdict
      detected ??= verdict.detected
    }
    return { ok: false, detected }
  })
}

/** Like `verify`, for bytes that are read in any other way and for a type by its proper name. */
export async function judge(source: ByteSource, mimeType: string): Promise<Verdict> {
  const begins = await beginning(source)
  if (mimeType === 'text/plain') return judgeText(source, begins)
  const structure = STRUCTURES.get(mimeType)
  const holds =
    structure !== undefined &&
    begins !== null &&
    structure.beginsLike.includes(begins) &&
    (await structure.check(source, mimeType)) &&
    (structure.isArchive === true || !(await endsLikeZip(source)))
  if (!holds) return { ok: false, detected: begins === mimeType ? null : begins }
  return { ok: true, mimeType, bytesMax: (await structure.bytesMax?.(source)) ?? null }
}

/** What file-type recognises in text is mostly wrong, so it counts only when the structure confirms it. */
async function judgeText(source: ByteSource, begins: string | null): Promise<Verdict> {
  const structure = begins === null ? undefined : STRUCTURES.get(begins)
  const isOther = begins !== null && (await structure?.check(source, begins)) === true
  if (isOther || !(await isPlainText(source))) {
    return { ok: false, detected: isOther || structure === undefined ? begins : null }
  }
  return { ok: true, mimeType: 'text/plain', bytesMax: null }
}

/** The type that the first bytes are typical of, by its proper name. */
async function beginning(source: ByteSource): Promise<string | null> {
  const prefix = await source.read(0, PREFIX_BYTES)
  // Its parsers expect whole and honest files: when one of them throws, nothing was recognised.
  const type = await fileTypeFromBuffer(prefix).catch(() => undefined)
  if (type !== undefined) return normaliseMimeType(type.mime)
  // It gives up on an archive whose first part is longer than the bytes it was given.
  return prefix.indexOf(ZIP_START, 0, 'latin1') === 0 ? 'application/zip' : null
}
