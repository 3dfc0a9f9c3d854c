import { randomInt } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { isoFromSql, isoOrNull, must, type Row, type SqlClient, statement } from '../../core/sql.ts'

export type Media = Schema<'Media'>
export type MediaKind = Schema<'MediaKind'>

/** A medium with the columns that callers do not see. */
export type StoredMedia = Media & {
  id: string
  storeKey: string | null
  phoneNumberId: string | null
}

/** The columns that `readMedia` reads. */
export const MEDIA_COLUMNS = `d.slug, d.media_id, d.kind, d.filename, d.mime_type, d.size, d.sha256,
  d.created_at, d.expires_at, d.id, d.store_key, d.phone_number_id`

/** A row of `MEDIA_COLUMNS`. */
export function readMedia(row: Row): StoredMedia {
  const [slug, mediaId, kind, filename, mimeType, size, sha256, createdAt, expiresAt] = row
  const [id, storeKey, phoneNumberId] = row.slice(9)
  return {
    slug: must(slug),
    media_id: mediaId ?? null,
    kind: must(kind) as MediaKind,
    filename: must(filename),
    mime_type: must(mimeType),
    size: Number(size),
    sha256: must(sha256),
    created_at: isoFromSql(must(createdAt)),
    expires_at: isoOrNull(expiresAt),
    id: must(id),
    storeKey: storeKey ?? null,
    phoneNumberId: phoneNumberId ?? null,
  }
}

/** A medium as callers see it. */
export function presentMedia(stored: StoredMedia): Media {
  const { id: _id, storeKey: _storeKey, phoneNumberId: _phoneNumberId, ...media } = stored
  return media
}

/** The refusal for a name that is none of the project's media. */
export function unknownMedia(name: string): ServiceError {
  return new ServiceError('not_found', `There is no media ${name}.`)
}

/** The channel's copy of a medium: when it expires, and the number that it is bound to. */
export type ChannelCopy = { mediaId: string; expiresAt: Date; phoneNumberId: string }

export type NewMedia = {
  kind: MediaKind
  filename: string
  mimeType: string
  sizeBytes: number
  sha256: string
  storeKey: string
  copy: ChannelCopy | null
  /** The channel's id of a medium that a customer sent; null for an upload. */
  inboundMediaId: string | null
}

const insert = statement(
  'insert-media',
  `INSERT INTO media AS d (project_id, slug, kind, filename, mime_type, size, sha256, store_key,
     media_id, expires_at, phone_number_id, inbound_media_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT (project_id, slug) DO NOTHING
   RETURNING ${MEDIA_COLUMNS}`,
)

const SLUG_TRIES = 5

/**
 * Stores a medium under a new slug. Throws PostgreSQL's unique violation for an inbound medium that exists
 * already.
 */
export async function insertMedia(
  ctx: ProjectContext,
  sql: SqlClient,
  media: NewMedia,
): Promise<StoredMedia> {
  const { kind, filename, mimeType, sizeBytes, sha256, storeKey, copy, inboundMediaId } = media
  for (let attempt = 0; attempt < SLUG_TRIES; attempt++) {
    const [row] = await sql.rows(insert, [
      ...[ctx.project.id, slugFor(filename, kind), kind, filename, mimeType, sizeBytes, sha256],
      ...[storeKey, copy?.mediaId ?? null, copy?.expiresAt ?? null, copy?.phoneNumberId ?? null],
      ...[inboundMediaId, ctx.now()],
    ])
    if (row) return readMedia(row)
  }
  throw new Error('Every slug that was tried is taken')
}

const SLUG_WORDS_MAX = 50
/** Letters that are not easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}23456789`
const ENDING_CHARACTERS = 6

/** The words of the filename in plain letters, and a random suffix that begins with a letter. */
function slugFor(filename: string, kind: MediaKind): string {
  const words = filename
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_WORDS_MAX)
    .replace(/^-+|-+$/g, '')
  const ending = Array.from({ length: ENDING_CHARACTERS }, (_, place) => {
    const from = place === 0 ? LETTERS : LETTERS_AND_DIGITS
    return from[randomInt(from.length)]
  })
  return `${words === '' ? kind : words}-${ending.join('')}`
}
