import { hash } from 'node:crypto'
import type { Request } from 'express'
import { ServiceError } from '../core/errors.ts'
import type { IdempotencyKey } from '../core/replay.ts'
import { timesSent } from './request-context.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * The idempotency key of a request with its fingerprint; null without the header, `invalid_idempotency_key` for
 * a malformed one.
 */
export function idempotencyOf(req: Request): IdempotencyKey | null {
  const times = timesSent(req.rawHeaders, 'idempotency-key')
  if (times === 0) return null
  const key = String(req.headers['idempotency-key'])
  if (times > 1 || !KEY.test(key)) {
    throw new ServiceError(
      'invalid_idempotency_key',
      'Send one Idempotency-Key of 1 to 255 visible ASCII characters.',
    )
  }
  return { key, fingerprint: fingerprintOf(req.method, req.originalUrl, req.body) }
}

/** A hash of method, path and body; the order of members does not matter. */
function fingerprintOf(method: string, url: string, body: unknown): Buffer {
  const path = url.split('?', 1)[0]
  return Buffer.from(hash('sha256', `${method}\n${path}\n${canonical(body)}`, 'buffer'))
}

/** JSON with sorted members; the depth is bounded when the body is read. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
