import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { ProjectContext } from '../../core/context.ts'
import type { OperationRequest, Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { OutgoingFile } from '../../core/ports.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import { kindOf, MEDIA_KINDS, SAMPLE_FORMATS } from '../../filetypes/kinds.ts'
import { channelOf, valueOf } from '../channel-accounts/channel-answers.ts'
import * as headerSamples from '../templates/header-samples.ts'
import * as looseBytes from './loose-bytes.ts'
import {
  type ChannelCopy,
  insertMedia,
  type Media,
  type NewMedia,
  presentMedia,
  type StoredMedia,
} from './media-rows.ts'
import type { UploadFile } from './upload-files.ts'
import { type Accepted, type VerifiedFile, withUpload } from './uploads.ts'

/** A form does not declare a kind: any supported type will do. */
const ANY_KIND: Accepted = {
  mimeTypes: Object.values(MEDIA_KINDS).flatMap(({ mimeTypes }) => mimeTypes),
  bytesMax: Math.max(...Object.values(MEDIA_KINDS).map(({ bytesMax }) => bytesMax)),
}

/**
 * Takes a file, uploads it to the channel and stores it. Throws what `withUpload` throws, and
 * `upstream_auth_error` or `upstream_error` when the channel refuses it; nothing is stored then.
 */
export function upload(
  ctx: ProjectContext,
  source: OperationRequest<'uploadMedia'>['body'],
): Promise<Media> {
  const accepted = 'kind' in source ? MEDIA_KINDS[source.kind] : ANY_KIND
  return withUpload(ctx, source, accepted, async (file) => {
    const kind = kindOf(file.mimeType)
    if (!kind) throw new Error(`${file.mimeType} was accepted as no kind of medium`)
    const account = await channelOf(ctx)
    const copy = await copyToChannel(ctx, account, outgoing(file))
    const { filename, mimeType } = file
    const media = { kind, filename, mimeType, copy, inboundMediaId: null }
    try {
      return presentMedia(await keep(ctx, file, media))
    } catch (error) {
      // After a lost answer the medium may be stored all the same.
      if (!(await mayBeKept(ctx, copy.mediaId))) await forgetCopy(ctx, account, copy.mediaId)
      throw error
    }
  })
}

const findKept = statement(
  'find-kept-copy',
  'SELECT 1 FROM media WHERE project_id = $1 AND media_id = $2',
)

async function mayBeKept(ctx: ProjectContext, mediaId: string): Promise<boolean> {
  const found = await ctx.sql.rows(findKept, [ctx.project.id, mediaId]).catch(() => null)
  return found === null || found.length > 0
}

/**
 * Uploads a sample for a template's header to the channel; answers with a handle of this service that is good
 * for one template. Throws what `upload` throws.
 */
export function uploadHeaderSample(
  ctx: ProjectContext,
  source: Schema<'UploadHeaderSampleRequest'>,
): Promise<Schema<'HeaderSample'>> {
  const { format } = source
  return withUpload(ctx, source, SAMPLE_FORMATS[format], async (file) => {
    const account = await channelOf(ctx)
    const { handle } = valueOf(await ctx.channel.uploadSample(account, outgoing(file)))
    return {
      handle: await headerSamples.keep(ctx, format, handle),
      format,
      filename: file.filename,
      mime_type: file.mimeType,
      size: file.sizeBytes,
    }
  })
}

function outgoing({ path, filename, mimeType, sizeBytes }: VerifiedFile): OutgoingFile {
  return { filename, mimeType, sizeBytes, open: () => Promise.resolve(createReadStream(path)) }
}

/**
 * Uploads a file to the channel, which keeps it for 30 days. Throws what `valueOf` throws, and errors of
 * reading the file.
 */
export async function copyToChannel(
  ctx: ProjectContext,
  account: ChannelAccount,
  file: OutgoingFile,
): Promise<ChannelCopy> {
  // Counted from before the upload, which is earlier than the channel's own start.
  const expiresAt = new Date(ctx.now().getTime() + LIMITS.mediaIdKeptMs)
  let broken: { error: unknown } | undefined
  const note = (error: unknown) => void (broken ??= { error })
  const open = async () => {
    try {
      return (await file.open()).once('error', note)
    } catch (error) {
      note(error)
      throw error
    }
  }
  const answer = await ctx.channel.uploadMedia(account, { ...file, open })
  // When the file could not be read here, the channel saw only an upload that broke off.
  if (!answer.ok && broken) throw broken.error
  return { mediaId: valueOf(answer).mediaId, expiresAt, phoneNumberId: account.phoneNumberId }
}

/** Deletes the channel's copy if possible; a copy that stays expires by itself. Never throws. */
export async function forgetCopy(
  ctx: ProjectContext,
  account: ChannelAccount | Promise<ChannelAccount>,
  mediaId: string,
): Promise<void> {
  const leave = (error: unknown) =>
    void ctx.log.warn('media.copy_left', { project: ctx.project.id, mediaId, error })
  try {
    const answer = await ctx.channel.deleteMedia(await account, mediaId)
    if (!answer.ok) leave(answer.error.title)
  } catch (error) {
    leave(error)
  }
}

/**
 * Moves a file's bytes into the store and inserts the medium; `also` joins the transaction. Bytes left by a
 * failure are swept. Throws when storing took so long that the bytes were swept already.
 */
export async function keep(
  ctx: ProjectContext,
  { path, sizeBytes, sha256 }: UploadFile,
  media: Omit<NewMedia, 'storeKey' | 'sizeBytes' | 'sha256'>,
  also: (tx: SqlClient, kept: StoredMedia) => Promise<unknown> = async () => {},
): Promise<StoredMedia> {
  const storeKey = randomUUID()
  await looseBytes.add(ctx.sql, storeKey)
  await ctx.mediaStore.put(storeKey, { path, sizeBytes })
  const stored = await ctx.sql.transaction(async (tx) => {
    if (!(await looseBytes.claim(tx, storeKey))) return null
    const kept = await insertMedia(ctx, tx, { ...media, sizeBytes, sha256, storeKey })
    await also(tx, kept)
    return kept
  })
  if (stored) return stored
  // The bytes may have arrived after the sweep, and are not listed then.
  await looseBytes.remove(ctx, storeKey)
  throw new Error('The bytes of the medium were given up while they were being stored')
}

/** The stored bytes of a medium; null, and a log line, when they are gone or have another size. */
export async function bytesOf(
  ctx: ProjectContext,
  { slug, storeKey, size }: StoredMedia,
): Promise<Readable | null> {
  const found = storeKey === null ? null : await ctx.mediaStore.open(storeKey)
  if (!found || found.sizeBytes === size) return found && found.body
  found.body.destroy()
  const about = { project: ctx.project.id, slug, size, found: found.sizeBytes }
  ctx.log.error('media.bytes_damaged', about)
  return null
}
