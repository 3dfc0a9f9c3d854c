import { Router } from 'express'
import type { Context } from '../core/context.ts'

/**
 * Not less: all processes share a database, and a busy moment of it is no reason to take all of them out.
 */
const READY_WITHIN_MS = 2_000

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, as far as `isReady` finds out in two
 * seconds. `/metrics`: what it counted. None of them needs a credential.
 */
export function health(ctx: Context, isReady: () => Promise<boolean>): Router {
  // By these very paths alone, for a proxy in front keeps some of them from the outside.
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
