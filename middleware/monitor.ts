import { createServer, type Server } from 'node:http'
import express from 'express'
import type { Context } from '../core/context.ts'
import { health } from './health.ts'

/**
 * A server with `/healthz`, `/readyz` and `/metrics` only, for monitoring on a port that callers need not
 * reach. A worker has no other server.
 */
export function createMonitor(ctx: Context, isReady: () => Promise<boolean>): Server {
  const app = express()
  app.disable('x-powered-by')
  app.use(health(ctx, isReady))
  app.use((_req, res) => void res.status(404).end())
  return createServer(app)
}
