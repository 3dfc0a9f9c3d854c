import { isUtf8 } from 'node:buffer'
import express, { type Request, type Response } from 'express'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'

const parseJson = express.json({
  limit: LIMITS.bodyBytes,
  strict: false,
  inflate: false,
  // Decoding would quietly put U+FFFD in the place of each broken byte.
  verify: (_req, _res, bytes) => {
    if (!isUtf8(bytes)) throw new Error('The body is not UTF-8')
  },
})
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/**
 * Reads a JSON body into `req.body`. Throws `invalid_request` for none, and for text that PostgreSQL
 * or a stack cannot hold; `unsupported_media_type`, `invalid_json` and `payload_too_large` otherwise.
 */
export async function readJsonBody(req: Request, res: Response): Promise<void> {
  if (!hasBody(req)) throw new ServiceError('invalid_request', 'The request needs a JSON body.')
  const declared = req.headers['content-type'] ?? null
  const mediaType = declared?.split(';', 1)[0]?.trim().toLowerCase()
  const charset = CHARSET.exec(declared ?? '')?.[1] ?? 'utf-8'
  if (mediaType !== 'application/json' || !/^utf-?8$/i.test(charset)) throw notJson(declared)
  // The validator keeps a compiled schema for each media type that it meets, parameters and all.
  req.headers['content-type'] = mediaType
  await new Promise<void>((resolve, reject) => {
    parseJson(req, res, (error?: unknown) => (error ? reject(error) : resolve()))
  })
  refuseUnstorable(req.body, 0)
}

/** Whether anything follows the head of the request. */
export function hasBody(req: Request): boolean {
  return (
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  )
}

function notJson(declared: string | null): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    'Send the body as UTF-8 JSON with "Content-Type: application/json", not compressed.',
    { details: { declared, detected: null, accepted: ['application/json'] } },
  )
}

/** What a body parser threw, as our error; null for anything else. */
export function bodyFault(error: unknown, declared: string | null): ServiceError | null {
  if (typeof error !== 'object' || error === null || !('type' in error)) return null
  switch (error.type) {
    case 'entity.too.large': {
      const limit = 'limit' in error ? Number(error.limit) : LIMITS.bodyBytes
      return new ServiceError('payload_too_large', `The body is larger than ${limit} bytes.`, {
        details: { limit_bytes: limit },
      })
    }
    case 'entity.parse.failed':
    case 'entity.verify.failed':
      return new ServiceError('invalid_json', 'The body is not valid JSON in UTF-8.')
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return notJson(declared)
    case 'request.aborted':
    case 'request.size.invalid':
      return new ServiceError('bad_request', 'The body ended before it was complete.')
    default:
      return null
  }
}

const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text holds what PostgreSQL cannot: a NUL, or half of a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return UNSTORABLE.test(text)
}

function refuseUnstorable(value: unknown, depth: number): void {
  if (typeof value === 'string' && isUnstorable(value)) {
    throw new ServiceError(
      'invalid_request',
      'The body holds a text with a NUL or a broken surrogate pair.',
    )
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= LIMITS.jsonDepth) {
    throw new ServiceError(
      'invalid_request',
      `The body nests deeper than ${LIMITS.jsonDepth} levels.`,
    )
  }
  for (const [name, member] of Object.entries(value)) {
    refuseUnstorable(name, depth)
    refuseUnstorable(member, depth + 1)
  }
}
