import type { Request } from 'express'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { endOfMinute } from '../core/instants.ts'
import { credentialOf } from './exchange.ts'

/** Counts a request of its credential; throws `rate_limited` when the minute's budget is used up. */
export async function limitRequests(ctx: Context, req: Request) {
  const count = await ctx.requestCounter.count(credentialOf(req).id)
  if (!count) return
  const { rateLimitPerMinute: limit } = ctx.config
  const { used, resetS } = count
  const remaining = Math.max(0, limit - used)
  req.exchange.budgets.push({ name: 'requests', quota: limit, windowS: 60, remaining, resetS })
  if (used <= limit) return
  throw new ServiceError(
    'rate_limited',
    `This credential has made its ${limit} requests of this minute; wait ${resetS} seconds.`,
    {
      details: {
        limit_name: 'requests',
        limit,
        remaining: 0,
        resetAt: endOfMinute(ctx.now(), resetS).toISOString(),
      },
      retryAfterS: resetS,
    },
  )
}
