import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Context } from '../core/context.ts'
import { type ErrorCode, isServiceError, ServiceError } from '../core/errors.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { fail } from './reply.ts'

/** What PostgreSQL says of text that it cannot store. */
const UNSTORABLE = [SQL_STATES.characterNotInRepertoire, SQL_STATES.untranslatableCharacter]

/** The 404 for a path that is not in the contract. */
export const noSuchPath: RequestHandler = (req) => {
  const where = req.path.slice(0, 200)
  // Somebody with a browser, who has the address alone.
  const hint = where.startsWith('/v1/') ? '' : ' The API is under /v1, and its reference at /docs.'
  throw new ServiceError('not_found', `There is nothing at ${where}.${hint}`)
}

/** The 405 for a method that the path does not have. */
export function noSuchMethod(allowed: string[]): RequestHandler {
  const Allow = allowed.join(', ')
  return (req) => {
    throw new ServiceError(
      'method_not_allowed',
      `${req.method} is not supported here; use ${Allow}.`,
      {
        headers: { Allow },
      },
    )
  }
}

/** The 400 for a path that cannot be decoded. */
export function brokenPath(): ServiceError {
  return new ServiceError('invalid_id', 'The path is not properly percent-encoded.')
}

/** Turns whatever was thrown into an answer; the only place that does. */
export function failure(ctx: Context): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error)
      return
    }
    fail(req, res, asServiceError(ctx, error, req.exchange.requestId))
  }
}

/** What a caller's code or words can cause at will: nobody is to be woken for it, but an agent may be out of order. */
const SAYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'build_failed',
  'flow_generation_failed',
  'flow_update_failed',
])

/** Lack of capacity is no fault: it is in the request's own log line, and anybody can cause it at will. */
function isFault({ status, retryAfterS, cause }: ServiceError): boolean {
  return status >= 500 && (retryAfterS === undefined || cause !== undefined)
}

function asServiceError(ctx: Context, error: unknown, requestId: string): ServiceError {
  if (isServiceError(error)) {
    const level = SAYABLE.has(error.code) ? 'warn' : 'error'
    if (isFault(error)) ctx.log[level]('request.failed', { requestId, code: error.code, error })
    return error
  }
  if (error instanceof URIError) {
    return brokenPath()
  }
  if (hasState(error, ...UNSTORABLE)) {
    return new ServiceError('invalid_request', 'The request holds a text that cannot be stored.')
  }
  ctx.log.error('request.failed', { requestId, code: 'server_error', error })
  return new ServiceError(
    'server_error',
    'Something went wrong on our side; try again, and quote the request id if it goes on.',
  )
}
