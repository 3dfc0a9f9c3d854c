import type { ProjectContext } from '../../core/context.ts'
import { ServiceError, tooManyAtOnce } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSlots, withSlot } from '../../core/slots.ts'
import { extensionOf, kindOf, MEDIA_KINDS, normaliseMimeType } from '../../filetypes/kinds.ts'
import { recognise, verify } from '../../filetypes/verify.ts'
import { filenameFor } from './filenames.ts'
import { fileTooLarge } from './inline-data.ts'
import { arrive, type Arrival, type FileSource } from './upload-sources.ts'
import { type UploadFile, withUploadFile } from './upload-files.ts'

/** What an upload may be: its types, and the size of each in bytes. */
export type Accepted = { mimeTypes: readonly string[]; bytesMax: number }

/** A file whose bytes match its type. */
export type VerifiedFile = UploadFile & { filename: string; mimeType: string }

/** Only a few files at a time are verified and passed on; others that have arrived wait on disk. */
const slots = createSlots({
  atOnce: LIMITS.uploadsAtOnce,
  atOnceEach: LIMITS.uploadsAtOnceEach,
  waitingMax: LIMITS.uploadsWaiting,
  waitMs: LIMITS.uploadWaitMs,
})

/**
 * Takes a file in, from wherever it comes, and gives it to `work` once it is known for what it is; it is
 * gone when `work` is done. What was read counts against the credential's budget, however it ends.
 *
 * Throws `invalid_request` for a source of another shape, `bad_request` for an address that may not be
 * fetched or does not deliver, `file_too_large`, `payload_too_large`, `unsupported_media_type`,
 * `rate_limited`, and what `work` throws.
 */
export function withUpload<T>(
  ctx: ProjectContext,
  source: FileSource,
  accepted: Accepted,
  work: (file: VerifiedFile) => Promise<T>,
): Promise<T> {
  return withUploadFile(ctx, async (path) => {
    const arrival = await arrive(ctx, source, path, accepted.bytesMax)
    const pass = async () => work(await verified(arrival, accepted))
    return withSlot(slots, ctx.project.id, pass, () => tooBusy(ctx))
  })
}

async function verified(arrival: Arrival, { mimeTypes }: Accepted): Promise<VerifiedFile> {
  const { file, chosenName, foundName, chosenType, foundType } = arrival
  const declared = chosenType ?? foundType
  const named = typeOfName(chosenName ?? foundName, mimeTypes)
  const mimeType = declaredType(chosenType, foundType) ?? named
  const isUnsaid = declared === null || mimeType === null
  if (!isUnsaid) mustFit(file, mimeType)
  const verdict = isUnsaid
    ? await recognise(file, likeliestFirst(named, mimeTypes, declared === null))
    : await verify(file, mimeType, mimeTypes)
  if (!verdict.ok) {
    const { detected } = verdict
    const isWrong = !isUnsaid && (detected !== null || mimeTypes.includes(mimeType))
    throw new ServiceError(
      'unsupported_media_type',
      isWrong
        ? `The file is not the ${mimeType} that it was declared as.`
        : `A file of the type ${declared ?? detected ?? 'unknown'} is not taken here.`,
      { details: { declared, detected, accepted: [...mimeTypes] } },
    )
  }
  mustFit(file, verdict.mimeType, verdict.bytesMax)
  const filename = filenameFor(chosenName, foundName, verdict.mimeType)
  return { ...file, filename, mimeType: verdict.mimeType }
}

/** Types that declare nothing; the second is the default of S3. */
const UNSAID = ['', 'application/octet-stream', 'binary/octet-stream']

/** The declared type of a file; null when none was declared. Only the uploader may leave it open. */
function declaredType(chosenType: string | null, foundType: string | null): string | null {
  if (chosenType !== null) return normaliseMimeType(chosenType)
  const type = normaliseMimeType(foundType ?? '')
  return UNSAID.includes(type) ? null : type
}

/** The type that a filename stands for. */
function typeOfName(filename: string | null, mimeTypes: readonly string[]): string | null {
  const extension = filename?.split('.').at(-1)?.toLowerCase().replace('jpeg', 'jpg')
  return mimeTypes.find((one) => extensionOf(one) === extension) ?? null
}

const TEXT = 'text/plain'

/**
 * The types to try for an undeclared file, in order. Any file may pass for text, so text comes last, and only
 * for files without a type in their name, as the standard of multipart forms has it.
 */
function likeliestFirst(named: string | null, mimeTypes: readonly string[], mayBeText: boolean) {
  const others = mimeTypes.filter((one) => one !== named && one !== TEXT)
  const texts = mayBeText && named !== TEXT ? mimeTypes.filter((one) => one === TEXT) : []
  return named === null ? [...others, ...texts] : [named, ...others, ...texts]
}

function mustFit({ sizeBytes }: UploadFile, mimeType: string, lower: number | null = null): void {
  const kind = kindOf(mimeType)
  if (!kind) return
  const { bytesMax } = MEDIA_KINDS[kind]
  const limit = Math.min(bytesMax, lower ?? bytesMax)
  if (sizeBytes > limit) throw fileTooLarge(limit)
}

function tooBusy(ctx: ProjectContext): ServiceError {
  return tooManyAtOnce(ctx.now(), 'Too many files arrive at once', {
    limit_name: 'uploads-at-once',
    limit: LIMITS.uploadsAtOnceEach,
    waitS: 10,
  })
}
