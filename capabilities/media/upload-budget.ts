import type { Budget, ProjectContext } from '../../core/context.ts'
import { rateLimited } from '../../core/errors.ts'
import { endOfMinute } from '../../core/instants.ts'

const WINDOW_S = 60

/** How much one upload may read, and how the rest is given back. */
export type UploadAllowance = {
  /** Less than was asked for when the minute has no more left: reading must stop there. */
  bytesMax: number
  /** Throws `rate_limited` when the minute has no room for so many bytes. */
  mustCover(bytes: number, usedBytes?: number): void
  /** Reports how many bytes were read, however the upload ended; the rest is free again. */
  settle(usedBytes: number): Promise<void>
}

/**
 * Takes one upload and up to `bytes` (its length, or its maximum) from the credential's budget of this minute,
 * and reports both budgets in the answer's headers. Throws `rate_limited` when either is used up. An upload
 * that cannot be counted is let through.
 */
export async function reserve(ctx: ProjectContext, bytes: number): Promise<UploadAllowance> {
  const askedBytes = Math.max(1, bytes)
  const reservation = await ctx.uploadBudget.reserve(ctx.credential.id, askedBytes)
  if (!reservation) {
    return { bytesMax: askedBytes, mustCover: () => {}, settle: async () => {} }
  }
  const { grantedBytes, remainingBytes, remainingUploads, resetS } = reservation
  const { uploadBytesPerMinute, uploadRequestsPerMinute } = ctx.config
  const resetAt = endOfMinute(ctx.now(), resetS)
  const budgetOf = (name: string, quota: number, remaining: number): Budget => {
    return { name, quota, windowS: WINDOW_S, remaining, resetS }
  }
  const ofBytes = budgetOf('upload-bytes', uploadBytesPerMinute, remainingBytes)
  const ofUploads = budgetOf('upload-requests', uploadRequestsPerMinute, remainingUploads)
  ctx.budgets.push(ofBytes, ofUploads)
  if (grantedBytes === 0) {
    throw refusal(ctx, remainingUploads === 0 ? ofUploads : ofBytes, resetAt)
  }
  let unsettledBytes = grantedBytes
  const remainingAfter = (usedBytes: number) =>
    ofBytes.remaining + Math.max(0, unsettledBytes - usedBytes)
  return {
    bytesMax: grantedBytes,
    mustCover(needed, usedBytes = 0) {
      if (grantedBytes === askedBytes || needed <= grantedBytes) return
      const remaining = remainingAfter(usedBytes)
      throw refusal(ctx, budgetOf(ofBytes.name, ofBytes.quota, remaining), resetAt)
    },
    async settle(usedBytes) {
      ofBytes.remaining = remainingAfter(usedBytes)
      unsettledBytes = 0
      await reservation.settle(usedBytes)
    },
  }
}

function refusal(ctx: ProjectContext, { name, quota, remaining }: Budget, resetAt: Date) {
  const budget = name === 'upload-bytes' ? `${quota} bytes to upload` : `${quota} uploads`
  // An upload that is cut off may have lasted beyond the minute in which it began.
  const waitS = Math.max(1, Math.ceil((resetAt.getTime() - ctx.now().getTime()) / 1000))
  const what = `This credential's ${budget} a minute do not leave room for this one`
  return rateLimited(what, waitS, { limit_name: name, limit: quota, remaining, resetAt })
}
