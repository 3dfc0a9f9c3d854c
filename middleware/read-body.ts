import { isUtf8 } from 'node:buffer'
import type { Request } from 'express'
import { isEncoded } from '../core/content-codings.ts'
import type { Operation } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { holdsMoreValues, parseJson } from '../core/json-values.ts'
import type { BodyRoom } from './body-room.ts'
import { readBytes } from './read-bytes.ts'
import { uploadFormOf } from './read-form.ts'
import { isUnstorable } from './unstorable.ts'

const JSON_TYPE = 'application/json'
const FORM = 'multipart/form-data'
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
const BYTE_ORDER_MARK = '\ufeff'

export type ReadBody = (req: Request, room: BodyRoom) => Promise<void>

/**
 * Prepares the reading of an operation's body into `req.body`: JSON, or a form that is left to its handler to
 * read, and takes no room, since its file goes to disk as it arrives. Reading throws `invalid_request` for a
 * body that is missing, nested too deeply, or holds too many values or text that PostgreSQL cannot store;
 * `unsupported_media_type`, `invalid_json`, and what reading its bytes throws.
 */
export function createBodyReader(
  { bodyLimit, takesForm }: Operation,
  timeoutMs: number = LIMITS.requestTimeoutMs,
): ReadBody {
  const accepted = [JSON_TYPE, ...(takesForm ? [FORM] : [])]
  return async (req, room) => {
    if (!hasBody(req)) throw noBody()
    const declared = req.headers['content-type'] ?? null
    const mediaType = declared?.split(';', 1)[0]?.trim().toLowerCase()
    const charset = CHARSET.exec(declared ?? '')?.[1] ?? 'utf-8'
    const isForm = takesForm && mediaType === FORM
    const isJson = mediaType === JSON_TYPE && /^utf-?8$/i.test(charset)
    if (!(isForm || isJson)) throw notAccepted(req, accepted)
    refuseEncoded(req, accepted)
    if (isForm) req.body = uploadFormOf(req, declared ?? '')
    // The validator caches a compiled schema per content type, with its parameters.
    req.headers['content-type'] = mediaType
    if (isForm) return
    req.body = jsonOf(await readBytes(req, { limit: bodyLimit, room, timeoutMs }))
    refuseUnstorable(req.body, 0)
  }
}

function jsonOf(bytes: Buffer): unknown {
  // Only a body without a declared size can be empty here.
  if (bytes.length === 0) throw noBody()
  // Decoding would silently replace each invalid byte by U+FFFD.
  if (!isUtf8(bytes)) throw invalidJson()
  if (holdsMoreValues(bytes, LIMITS.jsonValues)) {
    throw new ServiceError(
      'invalid_request',
      `The body holds more than ${LIMITS.jsonValues} values.`,
    )
  }
  const text = bytes.toString()
  const value = parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  if (value === undefined) throw invalidJson()
  return value
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

function invalidJson(): ServiceError {
  return new ServiceError('invalid_json', 'The body is not valid JSON in UTF-8.')
}

/** Throws `unsupported_media_type` for a compressed body. */
export function refuseEncoded(req: Request, accepted: string[] = [JSON_TYPE]): void {
  if (isEncoded(req.headers['content-encoding'])) throw notAccepted(req, accepted)
}

function notAccepted(req: Request, accepted: string[]): ServiceError {
  const form = accepted.includes(FORM) ? `, or as ${FORM}` : ''
  const declared = req.headers['content-type'] ?? null
  return new ServiceError(
    'unsupported_media_type',
    `Send the body as UTF-8 JSON with "Content-Type: ${JSON_TYPE}"${form}, not compressed.`,
    { details: { declared, detected: null, accepted } },
  )
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
