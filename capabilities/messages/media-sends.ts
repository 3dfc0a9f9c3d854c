import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import { statement } from '../../core/sql.ts'
import { MEDIA_KINDS } from '../../filetypes/kinds.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { MEDIA_COLUMNS, type MediaKind, readMedia, type StoredMedia } from '../media/media-rows.ts'
import { bytesOf, copyToChannel, forgetCopy } from '../media/media-uploads.ts'
import { type MediaSource, mediaSource } from './message-checks.ts'
import type { SentMedia } from './message-kinds.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { isMediaHeader } from '../templates/template-variables.ts'
import type { StoredTemplate } from '../templates/templates.ts'

const bySlug = statement(
  'find-media-by-slug',
  `SELECT ${MEDIA_COLUMNS} FROM media d WHERE d.project_id = $1 AND d.slug = $2`,
)
const byId = statement(
  'find-media-by-id',
  `SELECT ${MEDIA_COLUMNS} FROM media d WHERE d.project_id = $1 AND d.media_id = $2
   UNION ALL
   SELECT ${MEDIA_COLUMNS} FROM former_media_copies c JOIN media m USING (project_id, slug)
    CROSS JOIN LATERAL (SELECT m.slug, c.media_id, m.kind, m.filename, m.mime_type, m.size, m.sha256,
                               m.created_at, c.expires_at, m.id, m.store_key, c.phone_number_id) d
    WHERE c.project_id = $1 AND c.media_id = $2
    LIMIT 1`,
)

/** The kind of medium that a place in a request takes, if only one, and the path of that place. */
type Due = { kind: MediaKind | null; path?: string }

/**
 * The medium of a send, ready for the channel. A medium named by slug is uploaded again when the channel's copy
 * has expired or is about to. A `media_id` that the project did not upload is left to the channel to judge.
 * `instead` is asked before an upload; if it answers, its answer replaces the medium. Throws `media_not_found`
 * for an unknown slug, `invalid_request` for a medium of the wrong kind or too large to be sent,
 * `MEDIA_EXPIRED` for an expired `media_id` and when the bytes are gone too, and the channel's errors of an
 * upload.
 */
export async function findSendable<Instead = never>(
  ctx: ProjectContext,
  source: MediaSource,
  due: Due,
  instead?: (ctx: ProjectContext) => Promise<Instead | null>,
): Promise<SentMedia | Instead> {
  if ('link' in source) return { reference: source, kept: unknownMedium(null) }
  const isSlug = 'slug' in source
  const place = isSlug ? 'media_slug' : 'media_id'
  const name = isSlug ? source.slug : source.id
  const [row] = await ctx.sql.rows(isSlug ? bySlug : byId, [ctx.project.id, name])
  if (!row && isSlug) throw unknownSlug(name)
  if (!row) return { reference: { id: name }, kept: unknownMedium(name) }
  const media = readMedia(row)
  if (due.kind !== null && media.kind !== due.kind) throw otherKind(media, due, place)
  if (media.size > MEDIA_KINDS[media.kind].bytesMax) throw tooLarge(media, due, place)
  if (!isSlug) {
    if (isHeld(ctx, media)) return sendable(media)
    throw new ServiceError('MEDIA_EXPIRED', `The channel no longer holds ${name}; upload it again.`)
  }
  const account = await channelOf(ctx)
  if (isFresh(ctx, account, media)) return sendable(media)
  return (await instead?.(ctx)) ?? sendable(await withFreshCopy(ctx, account, media))
}

/** The medium that a request names for a template's header, as `findSendable` gives it; null without one. */
export async function findForHeader<Instead = never>(
  ctx: ProjectContext,
  header: Schema<'TemplateHeader'> | undefined,
  { placeholders }: StoredTemplate,
  instead?: (ctx: ProjectContext) => Promise<Instead | null>,
): Promise<SentMedia | Instead | null> {
  const named = header?.media_id ?? header?.media_slug ?? header?.media_url
  if (!header || named === undefined) return null
  const { header: kind } = placeholders
  const due = { kind: isMediaHeader(kind) ? kind : null, path: 'header.' }
  return findSendable(ctx, mediaSource(header), due, instead)
}

/** The medium with a fresh copy at the channel, or with its old copy while that is still valid. */
async function withFreshCopy(
  ctx: ProjectContext,
  account: ChannelAccount,
  media: StoredMedia,
): Promise<StoredMedia> {
  const { slug } = media
  const renewed = async () => {
    const [row] = await ctx.sql.rows(bySlug, [ctx.project.id, slug])
    if (!row) throw unknownSlug(slug)
    const now = readMedia(row)
    return isFresh(ctx, account, now) ? now : null
  }
  try {
    return await oneAtATime(ctx, `renew ${slug}`, () => renew(ctx, account, media), renewed)
  } catch (error) {
    if (!isUsable(ctx, account, media)) throw error
    ctx.log.warn('media.not_renewed', { project: ctx.project.id, slug, error })
    return media
  }
}

const setCopy = statement(
  'renew-media',
  `WITH former AS (
     INSERT INTO former_media_copies (project_id, media_id, slug, phone_number_id, expires_at)
     SELECT project_id, media_id, slug, phone_number_id, expires_at FROM media
      WHERE project_id = $1 AND slug = $2 AND media_id <> $3 AND expires_at IS NOT NULL
     ON CONFLICT DO NOTHING
   )
   UPDATE media d SET media_id = $3, expires_at = $4, phone_number_id = $5
    WHERE d.project_id = $1 AND d.slug = $2 RETURNING ${MEDIA_COLUMNS}`,
)

async function renew(
  ctx: ProjectContext,
  account: ChannelAccount,
  media: StoredMedia,
): Promise<StoredMedia> {
  const { slug, filename, mime_type: mimeType, size: sizeBytes } = media
  const body = await bytesOf(ctx, media)
  if (!body) throw bytesGone(slug)
  let opened = 0
  const open = async () => {
    const again = opened++ === 0 ? body : await bytesOf(ctx, media)
    if (!again) throw bytesGone(slug)
    return again
  }
  try {
    const copy = await copyToChannel(ctx, account, { filename, mimeType, sizeBytes, open })
    const { mediaId, expiresAt, phoneNumberId } = copy
    const values = [ctx.project.id, slug, mediaId, expiresAt, phoneNumberId]
    const [row] = await ctx.sql.rows(setCopy, values)
    if (row) return readMedia(row)
    // The medium was deleted meanwhile.
    await forgetCopy(ctx, account, mediaId)
    throw unknownSlug(slug)
  } finally {
    body.destroy()
  }
}

/** Whether the channel's copy is valid for long enough to be used. */
function isFresh(ctx: ProjectContext, account: ChannelAccount, media: StoredMedia): boolean {
  return isUsable(ctx, account, media, LIMITS.mediaIdMarginMs)
}

function isUsable(
  ctx: ProjectContext,
  { phoneNumberId }: ChannelAccount,
  media: StoredMedia,
  forMs = 0,
): boolean {
  // A copy can only be used by the number for which it was uploaded.
  const isOurs = media.phoneNumberId === null || media.phoneNumberId === phoneNumberId
  return media.media_id !== null && isOurs && isHeld(ctx, media, forMs)
}

function isHeld(ctx: ProjectContext, { expires_at: expiresAt }: StoredMedia, forMs = 0): boolean {
  return expiresAt === null || Date.parse(expiresAt) > ctx.now().getTime() + forMs
}

function sendable({ media_id: id, slug, mime_type, filename, sha256 }: StoredMedia): SentMedia {
  if (id === null) throw new Error(`The channel has no copy of ${slug}`)
  return { reference: { id }, kept: { media_id: id, slug, mime_type, filename, sha256 } }
}

function unknownMedium(id: string | null): SentMedia['kept'] {
  return { media_id: id, slug: null, mime_type: null, filename: null, sha256: null }
}

function unknownSlug(slug: string): ServiceError {
  return new ServiceError('media_not_found', `There is no media ${slug}.`)
}

function bytesGone(slug: string): ServiceError {
  return new ServiceError(
    'MEDIA_EXPIRED',
    `The channel no longer holds ${slug}, and its bytes are gone; upload the file again.`,
  )
}

type Place = 'media_slug' | 'media_id'

function otherKind({ slug, kind }: StoredMedia, due: Due, place: Place): ServiceError {
  const message = `names a medium of the kind ${kind} where ${due.kind} is due`
  return notSendable(`${slug} is of the kind ${kind}, not ${due.kind}.`, due, { place, message })
}

/** Customers may send larger files than the channel takes from us. */
function tooLarge({ slug, kind, size }: StoredMedia, due: Due, place: Place): ServiceError {
  const { bytesMax } = MEDIA_KINDS[kind]
  const most = `a medium of the kind ${kind} may have ${bytesMax} at the most`
  const message = `names a file of ${size} bytes; ${most}`
  return notSendable(`${slug} is larger than the channel takes.`, due, { place, message })
}

function notSendable(
  problem: string,
  { path = '' }: Due,
  { place, message }: { place: Place; message: string },
): ServiceError {
  return new ServiceError('invalid_request', problem, {
    details: { errors: [{ path: `${path}${place}`, message }] },
  })
}
