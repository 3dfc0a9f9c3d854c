import type { Request, Response } from 'express'
import type { Budget } from '../core/context.ts'
import type { ServiceError } from '../core/errors.ts'
import { Rendered } from '../core/rendered.ts'
import type { Replay } from '../core/replay.ts'
import { hasBody } from './read-body.ts'
import { readOn } from './read-on.ts'

type Headers = Record<string, string | number>

/** Answers with the success envelope. */
export function succeed(req: Request, res: Response, status: number, data: unknown): void {
  const json = data instanceof Rendered ? data.json : JSON.stringify(data)
  send(req, res, status, `{"success":true,"data":${json}}`, {})
}

/** Answers like an earlier request with the same key, under that request's id. */
export function replay(req: Request, res: Response, { status, answer, requestId }: Replay): void {
  const body =
    'data' in answer
      ? JSON.stringify({ success: true, data: answer.data })
      : failureBody({ ...answer.error, requestId })
  if ('error' in answer) req.exchange.errorCode = answer.error.code
  send(req, res, status, body, { 'Idempotent-Replayed': 'true' })
}

/** Answers with the failure envelope; nothing of the error but code, message and details leaves. */
export function fail(req: Request, res: Response, error: ServiceError): void {
  const { code, message, details, retryAfterS } = error
  const { requestId } = req.exchange
  req.exchange.errorCode = code
  send(req, res, error.status, failureBody({ code, message, details, requestId }), {
    ...error.headers,
    ...(retryAfterS === undefined ? {} : { 'Retry-After': retryAfterS }),
  })
}

/** The failure envelope as text; also for requests that could not be parsed. */
export function failureBody(failure: {
  code: string
  message: string
  details?: Record<string, unknown> | undefined
  requestId: string
}): string {
  const { requestId, ...error } = failure
  return JSON.stringify({ success: false, error, request_id: requestId })
}

function send(req: Request, res: Response, status: number, body: string, extra: Headers): void {
  const headers: Headers = {
    'X-Request-Id': req.exchange.requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...budgetHeaders(req.exchange.budgets),
    ...extra,
  }
  const isEarly = hasBody(req) && !req.complete
  // The unread rest of the body would be taken for the next request.
  if (isEarly) headers.Connection = 'close'
  res.writeHead(status, headers)
  if (!isEarly) return void res.end(body)
  res.write(body)
  readOn(req, () => res.end())
}

/** The headers that report the rest of each budget that a request has used. */
export function budgetHeaders(budgets: Budget[]): Headers {
  const [first] = budgets
  if (!first) return {}
  let policy = ''
  let rest = ''
  for (const { name, quota, windowS, remaining, resetS } of budgets) {
    const comma = policy === '' ? '' : ', '
    policy += `${comma}"${name}";q=${quota};w=${windowS}`
    rest += `${comma}"${name}";r=${remaining};t=${resetS}`
  }
  const named: Headers = { 'RateLimit-Policy': policy, RateLimit: rest }
  // The three older headers report the budget of requests only, which may not have been counted.
  if (first.name !== 'requests') return named
  return {
    'RateLimit-Limit': first.quota,
    'RateLimit-Remaining': first.remaining,
    'RateLimit-Reset': first.resetS,
    ...named,
  }
}
