import type { Budget, ProjectContext } from '../../core/context.ts'
import { rateLimited } from '../../core/errors.ts'
import { endOfMinute } from '../../core/instants.ts'
import type { UploadReservation } from '../../core/stores.ts'

const WINDOW_S = 60

/** How much one upload may read, and how the rest is given back. */
export type UploadAllowance = {
  /** Takes what is lacking until so many bytes may be read, or until the minute has no more left. */
  grow(bytes: number): Promise<void>
  /** How much may be read: reading must stop there. */
  bytesMax(): number
  /** Throws `rate_limited` when the minute has no room for so many bytes. */
  mustCover(bytes: number, usedBytes?: number): void
  /** Reports how many bytes were read, however the upload ended; the rest is free again. */
  settle(usedBytes: number): Promise<void>
}

/**
 * Takes one upload and up to `bytes` from the credential's budget of this minute, and reports both budgets in
 * the answer's headers. Throws `rate_limited` when either is used up. An upload that cannot be counted is let
 * through.
 */
export async function reserve(ctx: ProjectContext, bytes: number): Promise<UploadAllowance> {
  let askedBytes = Math.max(1, bytes)
  const first = await ctx.uploadBudget.reserve(ctx.credential.id, askedBytes)
  if (!first) {
    return {
      grow: async () => {},
      bytesMax: () => Infinity,
      mustCover: () => {},
      settle: async () => {},
    }
  }
  const { uploadBytesPerMinute, uploadRequestsPerMinute } = ctx.config
  const ofBytes = budgetOf('upload-bytes', uploadBytesPerMinute)
  const ofUploads = budgetOf('upload-requests', uploadRequestsPerMinute)
  ctx.budgets.push(ofBytes, ofUploads)
  const taken: UploadReservation[] = []
  let grantedBytes = 0
  let resetAt = ctx.now()
  const take = (reservation: UploadReservation) => {
    const { resetS, remainingBytes, remainingUploads } = reservation
    taken.push(reservation)
    grantedBytes += reservation.grantedBytes
    resetAt = endOfMinute(ctx.now(), resetS)
    Object.assign(ofBytes, { remaining: remainingBytes, resetS })
    Object.assign(ofUploads, { remaining: remainingUploads, resetS })
  }
  take(first)
  if (grantedBytes === 0) {
    throw refusal(ctx, first.remainingUploads === 0 ? ofUploads : ofBytes, resetAt)
  }
  const remainingAfter = (usedBytes: number) =>
    ofBytes.remaining + (taken.length > 0 ? Math.max(0, grantedBytes - usedBytes) : 0)
  return {
    async grow(toBytes) {
      if (toBytes <= grantedBytes) return
      askedBytes = toBytes
      const more = await ctx.uploadBudget.reserve(ctx.credential.id, toBytes - grantedBytes, 0)
      if (more) take(more)
      else grantedBytes = Infinity
    },
    bytesMax: () => grantedBytes,
    mustCover(needed, usedBytes = 0) {
      if (grantedBytes >= askedBytes || needed <= grantedBytes) return
      throw refusal(ctx, { ...ofBytes, remaining: remainingAfter(usedBytes) }, resetAt)
    },
    async settle(usedBytes) {
      if (grantedBytes < Infinity) ofBytes.remaining = remainingAfter(usedBytes)
      let unsettledBytes = usedBytes
      for (const reservation of taken.splice(0)) {
        await reservation.settle(Math.max(0, unsettledBytes))
        unsettledBytes -= reservation.grantedBytes
      }
    },
  }
}

function budgetOf(name: string, quota: number): Budget {
  return { name, quota, windowS: WINDOW_S, remaining: 0, resetS: 0 }
}

function refusal(ctx: ProjectContext, { name, quota, remaining }: Budget, resetAt: Date) {
  const budget = name === 'upload-bytes' ? `${quota} bytes to upload` : `${quota} uploads`
  // An upload that is cut off may have lasted beyond the minute in which it began.
  const waitS = Math.max(1, Math.ceil((resetAt.getTime() - ctx.now().getTime()) / 1000))
  const what = `This credential's ${budget} a minute do not leave room for this one`
  return rateLimited(what, waitS, { limit_name: name, limit: quota, remaining, resetAt })
}
