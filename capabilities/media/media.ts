import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { type Row, statement } from '../../core/sql.ts'
import type { Content } from '../../core/transfer.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { openDownload } from './downloads.ts'
import * as inboundMedia from './inbound-media.ts'
import { readPage } from '../list-pages.ts'
import * as looseBytes from './loose-bytes.ts'
import {
  type Media,
  MEDIA_COLUMNS,
  presentMedia,
  readMedia,
  type StoredMedia,
  unknownMedia,
} from './media-rows.ts'
import { forgetCopy } from './media-uploads.ts'

/** The project's media, the newest first; throws `invalid_cursor`. */
export async function list(
  ctx: ProjectContext,
  query: OperationRequest<'listMedia'>['query'],
): Promise<Data<'listMedia'>> {
  const { kind = null } = query
  const { rows, nextCursor } = await readPage(ctx, query, {
    name: ['listMedia', ctx.project.id, kind],
    rows: `SELECT ${MEDIA_COLUMNS} FROM media d WHERE d.project_id = $1`,
    values: [ctx.project.id],
    filters: [['d.kind = $?', kind]],
    keys: [['d.id', 9]],
  })
  return { media: rows.map((row) => presentMedia(readMedia(row))), nextCursor }
}

/**
 * One medium by its slug, or by the channel's id of what a customer sent, which is fetched first. Throws
 * `not_found`, and errors of the fetch: `MEDIA_EXPIRED`, `upstream_error`, `upstream_auth_error`.
 */
export async function get(ctx: ProjectContext, name: string): Promise<Media> {
  return presentMedia(await find(ctx, name))
}

/**
 * The bytes of a medium; throws what `get` throws, `MEDIA_EXPIRED` when they are gone, and `rate_limited` when the
 * project downloads too many at this moment.
 */
export async function content(ctx: ProjectContext, name: string): Promise<Content> {
  const found = await find(ctx, name)
  const { slug, size, mime_type: mimeType, filename } = found
  const body = await openDownload(ctx, found)
  if (body) return { body, sizeBytes: size, mimeType, filename }
  throw new ServiceError('MEDIA_EXPIRED', `The bytes of ${slug} are gone; upload the file again.`)
}

/** How many former copies a deletion removes from the channel; each stems from a change of number. */
const FORMER_COPIES_MAX = 20

// A renewal that ends at this moment adds a former copy, which only a later statement sees.
const awaitRenewal = statement(
  'lock-media',
  'SELECT 1 FROM media WHERE project_id = $1 AND slug = $2 FOR UPDATE',
)

// The messages that hold the medium can bring it again, for as long as the channel has it. The records of its
// former copies are deleted too, so the ids of all copies still at the channel are answered here for the last
// time.
const drop = statement(
  'delete-media',
  `WITH gone AS (
     DELETE FROM media d WHERE d.project_id = $1 AND d.slug = $2
     RETURNING d.project_id, d.slug, d.store_key, d.inbound_media_id, d.media_id, d.expires_at,
               d.phone_number_id
   ), message AS (
     UPDATE messages m SET media = jsonb_set(m.media, '{slug}', 'null') FROM gone
      WHERE m.project_id = $1 AND m.direction = 'inbound' AND m.media IS NOT NULL
        AND m.media ->> 'media_id' = gone.inbound_media_id
   ), loose AS (
     INSERT INTO loose_bytes (store_key, created_at)
     SELECT store_key, now() FROM gone WHERE store_key IS NOT NULL
   ), former AS (
     SELECT c.media_id, c.phone_number_id FROM former_media_copies c JOIN gone USING (project_id, slug)
      WHERE c.expires_at > $3 ORDER BY c.expires_at DESC LIMIT ${FORMER_COPIES_MAX}
   ), held AS (
     SELECT media_id, phone_number_id FROM gone
      WHERE media_id IS NOT NULL AND coalesce(expires_at > $3, true)
     UNION ALL SELECT media_id, phone_number_id FROM former
   )
   SELECT held.media_id, held.phone_number_id FROM gone LEFT JOIN held ON true`,
)

/** Deletes a medium, its bytes and the channel's copies; throws `not_found`. */
export async function remove(ctx: ProjectContext, name: string): Promise<Data<'deleteMedia'>> {
  const found = await findKept(ctx, name)
  if (!found) throw unknownMedia(name)
  const { slug, storeKey } = found
  const rows = await dropRow(ctx, slug)
  // Another request has deleted it meanwhile.
  if (rows.length === 0) throw unknownMedia(name)
  if (storeKey) await looseBytes.remove(ctx, storeKey)
  await Promise.all(
    rows.map(async ([mediaId, phoneNumberId]) => {
      if (mediaId) await forgetCopy(ctx, holderOf(ctx, phoneNumberId), mediaId)
    }),
  )
  return { deleted: true, id: slug }
}

function dropRow(ctx: ProjectContext, slug: string): Promise<Row[]> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows(awaitRenewal, [ctx.project.id, slug])
    return tx.rows(drop, [ctx.project.id, slug, ctx.now()])
  })
}

/** The project's account with the number that a copy is bound to; other numbers cannot see the copy. */
async function holderOf(ctx: ProjectContext, phoneNumberId: string | null | undefined) {
  const account = await channelOf(ctx)
  return { ...account, phoneNumberId: phoneNumberId ?? account.phoneNumberId }
}

async function find(ctx: ProjectContext, name: string): Promise<StoredMedia> {
  const found = (await findKept(ctx, name)) ?? (await inboundMedia.fetch(ctx, name))
  if (!found) throw unknownMedia(name)
  return found
}

const findOne = statement(
  'find-media',
  `SELECT ${MEDIA_COLUMNS} FROM media d
    WHERE d.project_id = $1 AND (d.slug = $2 OR d.inbound_media_id = $2) LIMIT 1`,
)

async function findKept(ctx: ProjectContext, name: string): Promise<StoredMedia | null> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, name])
  return row ? readMedia(row) : null
}
