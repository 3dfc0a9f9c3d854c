import { createRequire } from 'node:module'
import path from 'node:path'
import express, { type ErrorRequestHandler, Router } from 'express'
import { ServiceError } from '../core/errors.ts'
import { isRecord } from '../core/json-values.ts'
import { PROJECT_ROOT } from '../core/root.ts'

/** Everything comes from this server, and only the page's own script runs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets style attributes on its elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The browsable reference at `/docs`: Swagger UI's local files over the served contract. */
export function docs(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const assets = path.dirname(
    createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
  )
  const pages = path.join(PROJECT_ROOT, 'docs', 'reference')
  router.use('/docs', (_req, res, next) => {
    res.set({
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    next()
  })
  router.get('/docs', (_req, res) => res.sendFile('index.html', { root: pages }))
  router.use('/docs/', express.static(pages, { index: false }))
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/docs/${file}`, (_req, res) =>
      res.sendFile(file, { root: assets, maxAge: '1 day' }),
    )
  }
  router.use('/docs', unmet)
  return router
}

/** What Express throws for a file that is asked for on conditions, or in part. */
const UNMET = [412, 416]

const unmet: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  const status = UNMET.find((one) => isRecord(error) && error.status === one)
  if (status === undefined) return next(error)
  const message = 'The file does not meet the condition of the request, or lacks that range.'
  next(new ServiceError('bad_request', message, { status }))
}
