import { isUtf8 } from 'node:buffer'
import express, { type Request, type Response } from 'express'
import { isEncoded } from '../core/content-codings.ts'
import type { BodyLimit, Operation } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { holdsMoreValues } from '../core/json-values.ts'
import { uploadFormOf } from './read-form.ts'
import { isUnstorable } from './unstorable.ts'

const FORM = 'multipart/form-data'
const EMPTY = 'entity.empty'
const TOO_MANY_VALUES = 'values.too.many'
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

export type ReadBody = (req: Request, res: Response) => Promise<void>

/**
 * Prepares the reading of an operation's body into `req.body`: JSON, or a form that is left to its handler to
 * read. Reading throws `invalid_request` for a body that is missing, nested too deeply, or holds too many
 * values or text that PostgreSQL cannot store; `unsupported_media_type`, `invalid_json`, the operation's code
 * for a body that is too large, and `bad_request` for JSON that takes longer than `timeoutMs`.
 */
export function createBodyReader(
  { bodyLimit, takesForm }: Operation,
  timeoutMs: number = LIMITS.requestTimeoutMs,
): ReadBody {
  const parseJson = express.json({
    limit: bodyLimit.bytes,
    strict: false,
    inflate: false,
    verify: (_req, _res, bytes) => {
      // Express reads an empty body as {}; only a chunked body can be empty here.
      if (bytes.length === 0) throw Object.assign(new Error('The body is empty'), { type: EMPTY })
      // Decoding would silently replace each invalid byte by U+FFFD.
      if (!isUtf8(bytes)) throw new Error('The body is not UTF-8')
      if (holdsMoreValues(bytes, LIMITS.jsonValues)) {
        throw Object.assign(new Error('The body holds too many values'), { type: TOO_MANY_VALUES })
      }
    },
  })
  const accepted = ['application/json', ...(takesForm ? [FORM] : [])]
  return async (req, res) => {
    if (!hasBody(req)) throw noBody()
    const declared = req.headers['content-type'] ?? null
    const mediaType = declared?.split(';', 1)[0]?.trim().toLowerCase()
    const charset = CHARSET.exec(declared ?? '')?.[1] ?? 'utf-8'
    const isForm = takesForm && mediaType === FORM
    const isJson = mediaType === 'application/json' && /^utf-?8$/i.test(charset)
    const isPacked = isEncoded(req.headers['content-encoding'])
    if (isPacked || !(isForm || isJson)) throw notAccepted(declared, accepted)
    // Express knows one spelling of it.
    delete req.headers['content-encoding']
    if (isForm) req.body = uploadFormOf(req, declared ?? '')
    // The validator caches a compiled schema per content type, with its parameters.
    req.headers['content-type'] = mediaType
    if (isForm) return
    refuseTooLarge(req, bodyLimit)
    await inTime(timeoutMs, (done) => parseJson(req, res, done)).catch((error: unknown) => {
      throw bodyFault(error, declared, bodyLimit.code) ?? error
    })
    // For a client that disconnected before reading began, the parser neither reads nor reports anything.
    if (req.body === undefined) throw brokenOff()
    refuseUnstorable(req.body, 0)
  }
}

/**
 * Throws the operation's code for a body that declares a larger size. A parser would report it only after
 * reading everything, which may exceed the time limit.
 */
export function refuseTooLarge({ headers }: Request, { bytes, code }: BodyLimit): void {
  if (Number(headers['content-length'] ?? 0) > bytes) throw tooLarge(bytes, code)
}

/**
 * Reads a body with a parser of Express. Throws the parser's errors, and `bad_request` after `timeoutMs`: the
 * server's own limit is that of the largest upload.
 */
export function inTime(
  timeoutMs: number,
  work: (done: (error?: unknown) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => new ServiceError('bad_request', 'The request did not arrive in time.')
    const timer = setTimeout(() => reject(late()), timeoutMs)
    work((error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Whether a body may follow the head of the request. */
export function hasBody(req: Request): boolean {
  return (
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  )
}

function noBody(): ServiceError {
  return new ServiceError('invalid_request', 'The request needs a body.')
}

function brokenOff(): ServiceError {
  return new ServiceError('bad_request', 'The body ended before it was complete.')
}

function tooLarge(limit: number, code: BodyLimit['code']): ServiceError {
  return new ServiceError(code, `The body is larger than ${limit} bytes.`, {
    details: { limit_bytes: limit },
  })
}

function notAccepted(declared: string | null, accepted: string[]): ServiceError {
  const form = accepted.includes(FORM) ? `, or as ${FORM}` : ''
  return new ServiceError(
    'unsupported_media_type',
    `Send the body as UTF-8 JSON with "Content-Type: application/json"${form}, not compressed.`,
    { details: { declared, detected: null, accepted } },
  )
}

/** The error for what a body parser threw; null for anything else. */
export function bodyFault(
  error: unknown,
  declared: string | null,
  code: BodyLimit['code'] = 'payload_too_large',
): ServiceError | null {
  if (typeof error !== 'object' || error === null || !('type' in error)) return null
  switch (error.type) {
    case 'entity.too.large':
      return tooLarge('limit' in error ? Number(error.limit) : LIMITS.bodyBytes, code)
    case EMPTY:
      return noBody()
    case TOO_MANY_VALUES:
      return new ServiceError(
        'invalid_request',
        `The body holds more than ${LIMITS.jsonValues} values.`,
      )
    case 'entity.parse.failed':
    case 'entity.verify.failed':
      return new ServiceError('invalid_json', 'The body is not valid JSON in UTF-8.')
    case 'encoding.unsupported':
      return notAccepted(declared, ['application/json'])
    case 'request.aborted':
      return brokenOff()
    default:
      return null
  }
}

/**
 * Throws `invalid_request` for values that PostgreSQL cannot store or that nest too deeply; `depth` is the
 * nesting of this value.
 */
export function refuseUnstorable(value: unknown, depth: number): void {
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
  if (Array.isArray(value)) {
    for (const item of value) refuseUnstorable(item, depth + 1)
    return
  }
  for (const name of Object.keys(value)) {
    refuseUnstorable(name, depth)
    refuseUnstorable((value as Record<string, unknown>)[name], depth + 1)
  }
}
