import type { Request } from 'express'
import * as credentials from '../capabilities/projects/credentials.ts'
import type { Context, Credential } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { timesSent } from './request-context.ts'

/** The scheme in any case, one space, and a token of visible ASCII. */
const BEARER = /^bearer ([\x21-\x7e]{1,512})$/i

/** The request's credential; throws the 401 for a missing or invalid one. */
export async function authenticate(ctx: Context, req: Request): Promise<Credential> {
  const secret = bearerOf(req)
  if (secret === null) {
    throw unauthorized(
      'api_key_required',
      'Send a credential: "Authorization: Bearer <key or token>".',
      'Bearer',
    )
  }
  const credential = await credentials.find(ctx, secret)
  if (credential) return credential
  if (secret.startsWith('mcp_at_')) {
    throw unauthorized(
      'invalid_token',
      'The access token is unknown, revoked or expired; connect again.',
      'Bearer error="invalid_token"',
    )
  }
  throw unauthorized(
    'invalid_api_key',
    'The API key is unknown, revoked or rotated; use a current one.',
    'Bearer error="invalid_token"',
  )
}

function bearerOf(req: Request): string | null {
  const header = req.headers.authorization
  if (header === undefined || timesSent(req.rawHeaders, 'authorization') > 1) return null
  return BEARER.exec(header)?.[1] ?? null
}

function unauthorized(
  code: 'api_key_required' | 'invalid_api_key' | 'invalid_token',
  message: string,
  challenge: string,
): ServiceError {
  return new ServiceError(code, message, { headers: { 'WWW-Authenticate': challenge } })
}
