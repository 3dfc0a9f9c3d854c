import type { Readable } from 'node:stream'
import type { ProjectContext } from '../../core/context.ts'
import { type ServiceError, tooManyAtOnce } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSlots } from '../../core/slots.ts'
import type { StoredMedia } from './media-rows.ts'
import { bytesOf } from './media-uploads.ts'

/** Each holds a connection to the store for as long as its reader takes, who may be slow on purpose. */
const slots = createSlots({
  atOnce: LIMITS.downloadsAtOnce,
  atOnceEach: LIMITS.downloadsAtOnceEach,
  waitingMax: LIMITS.downloadsWaiting,
  waitMs: LIMITS.downloadWaitMs,
})

/**
 * Opens the bytes of a medium for somebody who reads them at a pace of their own; null when they are gone.
 * Throws `rate_limited` when the project reads too many at this moment.
 */
export async function openDownload(
  ctx: ProjectContext,
  media: StoredMedia,
): Promise<Readable | null> {
  const giveBack = await slots.take(ctx.project.id)
  if (!giveBack) throw tooMany(ctx)
  let body: Readable | null = null
  try {
    body = await bytesOf(ctx, media)
    return body?.once('close', giveBack) ?? null
  } finally {
    if (!body) giveBack()
  }
}

function tooMany(ctx: ProjectContext): ServiceError {
  return tooManyAtOnce(ctx.now(), 'Too many files are downloaded at once', {
    limit_name: 'downloads-at-once',
    limit: LIMITS.downloadsAtOnceEach,
    waitS: 5,
  })
}
