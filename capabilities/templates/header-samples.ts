import { randomBytes } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import { hashSecret } from '../../core/crypto.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, statement } from '../../core/sql.ts'
import type { SampleFormat } from '../../filetypes/kinds.ts'
import { undoing } from '../undoing.ts'

const HANDLE_BYTES = 32

const insert = statement(
  'keep-header-sample',
  `INSERT INTO header_samples (handle_hash, project_id, format, channel_handle, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)

/** Stores the channel's handle of a sample under a handle of ours, which is shown here only. */
export async function keep(
  ctx: ProjectContext,
  format: SampleFormat,
  channelHandle: string,
): Promise<string> {
  const handle = `hs_${randomBytes(HANDLE_BYTES).toString('base64url')}`
  const digest = hashSecret(handle)
  const now = ctx.now()
  await ctx.sql.rows(insert, [
    digest,
    ctx.project.id,
    format,
    ctx.vault.seal(channelHandle, placeOf(hexOf(digest), ctx.project.id)),
    now,
    new Date(now.getTime() + LIMITS.headerSampleKeptMs),
  ])
  return handle
}

// One statement, so that only one of two templates that name the same handle gets it.
const claim = statement(
  'redeem-header-sample',
  `UPDATE header_samples SET used_at = $4
    WHERE handle_hash = $1 AND project_id = $2 AND format = $3 AND used_at IS NULL AND expires_at > $4
   RETURNING channel_handle`,
)

/**
 * Uses a handle up and answers with the channel's own. Throws `invalid_request` for a handle that is unknown,
 * expired, used, of another project or of another format, without telling which.
 */
export async function redeem(
  ctx: ProjectContext,
  handle: string,
  format: SampleFormat,
): Promise<string> {
  const digest = hashSecret(handle)
  const now = ctx.now()
  const values = [digest, ctx.project.id, format, now]
  const [row] = await ctx.sql.rows(claim, values).catch(async (error: unknown) => {
    // After a lost answer the handle may have been used up for nothing.
    await releaseOf(ctx, digest, now)
    throw error
  })
  if (row) return ctx.vault.open(must(row[0]), placeOf(hexOf(digest), ctx.project.id))
  throw new ServiceError(
    'invalid_request',
    `The header handle is unknown, expired, used already or not of a sample in the format ${format};` +
      ' upload the sample again with POST /v1/templates/header-sample.',
  )
}

const unclaim = statement(
  'release-header-sample',
  `UPDATE header_samples SET used_at = NULL
    WHERE handle_hash = $1 AND project_id = $2 AND ($3::timestamptz IS NULL OR used_at = $3)`,
)

/** Makes a used handle usable again; its expiry stays. Never throws. */
export async function release(ctx: ProjectContext, handle: string): Promise<void> {
  await releaseOf(ctx, hashSecret(handle), null)
}

/** The same for a handle that was used at that instant, or at any. */
async function releaseOf(ctx: ProjectContext, digest: Uint8Array, usedAt: Date | null) {
  const { id } = ctx.project
  await undoing(ctx, 'header_sample', { project: id }, () =>
    ctx.sql.rows(unclaim, [digest, id, usedAt]),
  )
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}

/** The context that the channel's sealed handle is bound to; `digest` is that of our handle, in hex. */
export function placeOf(digest: string, projectId: string): string {
  return `header_samples.channel_handle.${projectId}.${digest}`
}
