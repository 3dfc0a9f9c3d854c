import type { Request } from 'express'
import type { Context } from '../core/context.ts'
import { rateLimited } from '../core/errors.ts'
import { endOfMinute } from '../core/instants.ts'
import { credentialOf } from './exchange.ts'

/**
 * Counts a request against its credential's budget; throws `rate_limited` when the minute's budget is used up.
 */
export async function limitRequests(ctx: Context, req: Request) {
  const count = await ctx.requestCounter.count(credentialOf(req).id)
  if (!count) return
  const { rateLimitPerMinute: limit } = ctx.config
  const { used, resetS } = count
  const remaining = Math.max(0, limit - used)
  req.exchange.budgets.push({ name: 'requests', quota: limit, windowS: 60, remaining, resetS })
  if (used <= limit) return
  const resetAt = endOfMinute(ctx.now(), resetS)
  const what = `This credential has made its ${limit} requests of this minute`
  throw rateLimited(what, resetS, { limit_name: 'requests', limit, remaining: 0, resetAt })
}
