import type { Readable } from 'node:stream'
import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { ProjectContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount, ChannelAnswer } from '../../core/channel-account.ts'
import type { ChannelMedia, InboundMedia } from '../../core/ports.ts'
import { json, must, statement } from '../../core/sql.ts'
import { kindOf, MEDIA_KINDS, normaliseMimeType } from '../../filetypes/kinds.ts'
import { channelOf, valueOf } from '../channel-accounts/channel-answers.ts'
import { filenameFor } from './filenames.ts'
import {
  MEDIA_COLUMNS,
  type MediaKind,
  readMedia,
  type StoredMedia,
  unknownMedia,
} from './media-rows.ts'
import { keep } from './media-uploads.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { type UploadFile, withUploadFile, writeUploadFile } from './upload-files.ts'

// OFFSET 0 makes PostgreSQL find the few messages that hold the medium first: it overestimates their number,
// and would scan all messages in order for the first of them.
const findMessage = statement(
  'find-message-of-media',
  `SELECT type, media FROM (
     SELECT m.id, m.type, m.media FROM messages m
      WHERE m.project_id = $1 AND m.direction = 'inbound' AND m.media IS NOT NULL
        AND m.media ->> 'media_id' = $2 OFFSET 0) AS brought
    ORDER BY id LIMIT 1`,
)
const findFetched = statement(
  'find-fetched-media',
  `SELECT ${MEDIA_COLUMNS} FROM media d WHERE d.project_id = $1 AND d.inbound_media_id = $2`,
)
const tellMessages = statement(
  'tell-messages-of-media',
  `UPDATE messages m SET media = jsonb_set(m.media, '{slug}', to_jsonb($3::text))
    WHERE m.project_id = $1 AND m.direction = 'inbound' AND m.media IS NOT NULL
      AND m.media ->> 'media_id' = $2
   RETURNING 1`,
)

/**
 * Fetches a customer's medium from the channel and stores it, once however many requests ask. Null when no
 * message of the project holds it. Throws `MEDIA_EXPIRED` when the channel no longer has it, `not_found` when the
 * customer has been erased meanwhile, `upstream_auth_error` and `upstream_error`.
 */
export async function fetch(ctx: ProjectContext, mediaId: string): Promise<StoredMedia | null> {
  const [row] = await ctx.sql.rows(findMessage, [ctx.project.id, mediaId])
  if (!row) return null
  const told = json<InboundMedia>(row[1])
  const kind = kindFor(must(row[0]), told?.mime_type ?? null)
  const fetched = async () => {
    const [kept] = await ctx.sql.rows(findFetched, [ctx.project.id, mediaId])
    return kept ? readMedia(kept) : null
  }
  const fetchNow = () =>
    withUploadFile(ctx, async (path) => {
      const account = await channelOf(ctx)
      const { file, mimeType } = await download(ctx, account, mediaId, path)
      mustBeTold(told?.sha256 ?? null, file)
      const filename = filenameFor(told?.filename ?? null, kind, normaliseMimeType(mimeType))
      const media = { kind, filename, mimeType, copy: null, inboundMediaId: mediaId }
      return keep(ctx, file, media, async (tx, { slug }) => {
        const holding = await tx.rows(tellMessages, [ctx.project.id, mediaId, slug])
        // The customer was erased meanwhile: nothing of what was sent may stay.
        if (holding.length === 0) throw unknownMedia(mediaId)
      })
    })
  return oneAtATime(ctx, `fetch ${mediaId}`, fetchNow, fetched)
}

function kindFor(type: string, mimeType: string | null): MediaKind {
  if (Object.hasOwn(MEDIA_KINDS, type)) return type as MediaKind
  return kindOf(normaliseMimeType(mimeType ?? '')) ?? 'document'
}

/**
 * Customers may send larger files than the channel takes from us, each kind as much as the channel takes from
 * them.
 */
async function download(
  ctx: ProjectContext,
  account: ChannelAccount,
  mediaId: string,
  path: string,
): Promise<{ file: UploadFile; mimeType: string }> {
  const { body, mimeType } = await open(ctx, account, mediaId)
  const bytesMax = LIMITS.channelFileBytes
  const roomFor = (bytes: number) => {
    if (bytes > bytesMax) throw tooLarge()
    return bytesMax
  }
  try {
    const file = await writeUploadFile(path, whole(body), { meter: { bytes: 0 }, roomFor })
    return { file, mimeType }
  } finally {
    body.destroy()
  }
}

/** A stream that breaks off is the channel's fault; a failure to write, as on a full disk, is not. */
async function* whole(body: Readable): AsyncIterable<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    throw failed('It broke off.', error)
  }
}

/** The channel's URL of a medium is valid for minutes only; when it fails, a new one is requested. */
async function open(
  ctx: ProjectContext,
  account: ChannelAccount,
  mediaId: string,
): Promise<ChannelMedia & { body: Readable }> {
  const find = async () => {
    const found = mustBeThere(await ctx.channel.findMedia(account, mediaId), mediaId)
    if ((found.sizeBytes ?? 0) > LIMITS.channelFileBytes) throw tooLarge()
    return found
  }
  const first = await find()
  const answer = await ctx.channel.openMedia(account, first.url)
  if (answer.ok) return { ...first, body: answer.value }
  const second = await find()
  return { ...second, body: mustBeThere(await ctx.channel.openMedia(account, second.url), mediaId) }
}

function mustBeThere<T>(answer: ChannelAnswer<T>, mediaId: string): T {
  if (!answer.ok) {
    const { code, subcode, httpStatus } = answer.error
    const { invalidParameter, noSuchObject } = CHANNEL_CODES
    const isUnknown = code === invalidParameter && subcode === noSuchObject
    if (isUnknown || httpStatus === 404) {
      throw new ServiceError(
        'MEDIA_EXPIRED',
        `The channel no longer has ${mediaId}: it keeps what customers send for seven days.`,
      )
    }
  }
  return valueOf(answer)
}

function mustBeTold(told: string | null, { sha256 }: UploadFile): void {
  if (told !== null && told !== sha256) throw failed('It is not what the customer sent.')
}

function failed(why: string, cause?: unknown): ServiceError {
  return new ServiceError('upstream_error', `The channel did not deliver the file. ${why}`, {
    details: { outcome: 'refused', channel_code: null, retryable: true },
    cause,
  })
}

function tooLarge(): ServiceError {
  const problem = `The file is larger than the ${LIMITS.channelFileBytes} bytes that a customer may send.`
  return new ServiceError('upstream_error', problem, {
    details: { outcome: 'refused', channel_code: null, retryable: false },
  })
}
