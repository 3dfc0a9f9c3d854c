import type { ProjectContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { DownloadFault } from '../../core/egress.ts'
import type { UploadForm } from '../../core/transfer.ts'
import { decodeInline, fileTooLarge } from './inline-data.ts'
import * as uploadBudget from './upload-budget.ts'
import { type UploadFile, type Writing, writeUploadFile } from './upload-files.ts'

/** A file in the body of a request, or the URL to fetch it from. */
export type FileSource =
  | { data: string; filename: string; mime: string }
  | { source_url: string; filename?: string | undefined; mime?: string | undefined }
  | UploadForm

/** A file that has arrived, and what was declared about it. */
export type Arrival = {
  file: UploadFile
  /** The uploader's name for it. */
  chosenName: string | null
  /** The name that its source gives it. */
  foundName: string | null
  /** The type that the uploader declares. */
  chosenType: string | null
  /** The type that its source declares. */
  foundType: string | null
}

type Address = Extract<FileSource, { source_url: string }>
type Inline = Extract<FileSource, { data: string }>

/**
 * Writes a file from its source to `path`, at most `bytesMax` bytes and within the credential's budget. Throws
 * what `withUpload` throws.
 */
export function arrive(
  ctx: ProjectContext,
  source: FileSource,
  path: string,
  bytesMax: number,
): Promise<Arrival> {
  if ('read' in source) return fromForm(ctx, source, path, bytesMax)
  if ('data' in source) return fromInline(ctx, source, path, bytesMax)
  return fromAddress(ctx, source, path, bytesMax)
}

/** How the file of a source is written; `sizeBytes` is what the source says of its size. */
type WritingOf = (sizeBytes?: number | null) => Writing

/**
 * Takes the bytes of the budget, and gives back what was not read. A file of unknown size takes a little at a
 * time: otherwise a few that arrive at once would leave the others nothing, however small they are.
 */
async function metered<T>(
  ctx: ProjectContext,
  sizeBytes: number | null,
  bytesMax: number,
  work: (writing: WritingOf) => Promise<T>,
): Promise<T> {
  const { uploadStepBytes } = LIMITS
  const allowance = await uploadBudget.reserve(
    ctx,
    sizeBytes ?? Math.min(uploadStepBytes, bytesMax),
  )
  const meter = { bytes: 0 }
  const writing: WritingOf = (saidBytes) => ({
    meter,
    async roomFor(bytes) {
      if (bytes > bytesMax) throw fileTooLarge(bytesMax)
      const needed = Math.max(bytes, saidBytes ?? 0)
      const [room, step] = [allowance.bytesMax(), saidBytes == null ? uploadStepBytes : 0]
      if (needed > room) await allowance.grow(Math.min(bytesMax, Math.max(needed, room + step)))
      allowance.mustCover(needed, meter.bytes)
      return Math.min(bytesMax, allowance.bytesMax())
    },
  })
  try {
    if (sizeBytes !== null) allowance.mustCover(sizeBytes)
    return await work(writing)
  } finally {
    await allowance.settle(meter.bytes)
  }
}

async function fromInline(
  ctx: ProjectContext,
  { data, filename, mime }: Inline,
  path: string,
  bytesMax: number,
): Promise<Arrival> {
  const bytes = decodeInline(data)
  if (bytes.length > bytesMax) throw fileTooLarge(bytesMax)
  const file = await metered(ctx, bytes.length, bytesMax, (writing) =>
    writeUploadFile(path, once(bytes), writing()),
  )
  return { file, chosenName: filename, foundName: null, chosenType: mime, foundType: null }
}

async function* once(bytes: Buffer): AsyncIterable<Buffer> {
  yield await Promise.resolve(bytes)
}

async function fromForm(
  ctx: ProjectContext,
  form: UploadForm,
  path: string,
  bytesMax: number,
): Promise<Arrival> {
  return metered(ctx, form.sizeBytes, bytesMax, async (writing) => {
    let file: UploadFile | null = null
    let found: { filename: string | null; mimeType: string | null } | null = null
    const texts = await form.read(async ({ body, ...declared }) => {
      found = declared
      file = await writeUploadFile(path, body, writing())
    })
    return arrived(file, found, texts)
  })
}

/** A form that was read to its end has delivered its file. */
function arrived(
  file: UploadFile | null,
  found: { filename: string | null; mimeType: string | null } | null,
  { filename, mime }: { filename: string | null; mime: string | null },
): Arrival {
  if (!file || !found) throw new Error('The form was read without its file')
  if (file.sizeBytes === 0) throw emptyFile('invalid_request')
  const { filename: foundName, mimeType: foundType } = found
  return { file, chosenName: filename, foundName, chosenType: mime, foundType }
}

async function fromAddress(
  ctx: ProjectContext,
  { source_url: url, filename, mime }: Address,
  path: string,
  bytesMax: number,
): Promise<Arrival> {
  return metered(ctx, null, bytesMax, async (writing) => {
    const answer = await ctx.egress.download(url, { bytesMax, timeoutMs: LIMITS.uploadTimeoutMs })
    if (!answer.ok) throw downloadFault(answer, bytesMax)
    const { body, sizeBytes, filename: foundName, mimeType: foundType } = answer.download
    const file = await writeUploadFile(path, body, writing(sizeBytes)).catch((error: unknown) => {
      throw isFault(error) ? downloadFault(error, bytesMax) : error
    })
    if (file.sizeBytes === 0) throw emptyFile('bad_request')
    const chosen = { chosenName: filename ?? null, chosenType: mime ?? null }
    return { file, ...chosen, foundName, foundType }
  })
}

function isFault(error: unknown): error is DownloadFault {
  return typeof error === 'object' && error !== null && 'fault' in error
}

function downloadFault({ fault, message }: DownloadFault, bytesMax: number): ServiceError {
  return fault === 'too_large' ? fileTooLarge(bytesMax) : new ServiceError('bad_request', message)
}

function emptyFile(code: 'invalid_request' | 'bad_request'): ServiceError {
  const problem = { path: 'file', message: 'must not be empty' }
  return new ServiceError(code, 'The file is empty.', { details: { errors: [problem] } })
}
