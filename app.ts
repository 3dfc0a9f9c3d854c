import express, { type Express } from 'express'
import type { Context } from './core/context.ts'
import type { Handlers } from './core/handlers.ts'
import type { ContractDocument } from './core/contract.ts'
import { channelCallback } from './middleware/channel-callback.ts'
import { contractDocument } from './middleware/contract-document.ts'
import { docs } from './middleware/docs.ts'
import { failure, noSuchMethod, noSuchPath } from './middleware/failure.ts'
import { health } from './middleware/health.ts'
import { requestContext, tellRequestId } from './middleware/request-context.ts'
import { routes } from './middleware/routes.ts'
import type { ValidatorFor } from './middleware/validate.ts'

export type AppParts = {
  document: ContractDocument
  handlers: Handlers
  isReady: () => Promise<boolean>
  validatorFor: ValidatorFor
}

/** The whole chain of a request, top to bottom. Throws when contract and handlers disagree. */
export async function createApp(ctx: Context, parts: AppParts): Promise<Express> {
  const app = express()
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting)
  for (const setting of ['case sensitive routing', 'strict routing']) app.enable(setting)
  app.set('query parser', 'simple')

  const api = await routes(ctx, parts.document, parts.handlers, parts.validatorFor)
  app.use(requestContext(ctx))
  // The most frequent request of all, so it is matched before the operations, none of which is below this path.
  app.use('/channel', channelCallback(ctx))
  app.use(api)
  app.head('/v1/openapi.json', noSuchMethod(['GET']))
  app.get('/v1/openapi.json', contractDocument(parts.document, ctx.config.publicUrl))
  app.all('/v1/openapi.json', noSuchMethod(['GET']))
  app.use(tellRequestId)
  app.use(health(ctx, parts.isReady))
  app.use(docs())
  app.all(['/healthz', '/readyz', '/metrics', '/docs'], noSuchMethod(['GET', 'HEAD']))
  app.use(noSuchPath)
  app.use(failure(ctx))
  return app
}
