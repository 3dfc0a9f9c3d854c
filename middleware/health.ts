import { Router } from 'express'
import type { Context } from '../core/context.ts'

/** Generous, because all processes share a database: a busy moment must not take all of them out of service. */
const READY_WITHIN_MS = 2_000

/**
 * `/healthz`: the process is running. `/readyz`: it can serve, as far as `isReady` can tell within two seconds.
 * `/metrics`: its metrics. None needs a credential.
 */
export function health(ctx: Context, isReady: () => Promise<boolean>): Router {
  // Matched exactly, because a proxy in front may hide some of these paths from the outside.
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' })
  })
  router.get('/readyz', async (_req, res) => {
    const ready = await within(READY_WITHIN_MS, isReady())
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' })
  })
  router.get('/metrics', async (_req, res) => {
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  return router
}

function within(limitMs: number, check: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs)
    check.then(resolve, () => resolve(false)).finally(() => clearTimeout(timer))
  })
}
