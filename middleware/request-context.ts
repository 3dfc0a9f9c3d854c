import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { Exchange, Refused } from './exchange.ts'

const ADOPTED_ID = /^[A-Za-z0-9._:-]{1,128}$/
/** Two of these would contradict each other; Node would silently keep one or join them. */
const ONCE_ONLY = new Set(['host', 'content-type', 'content-length'])

/** What balancers and monitors ask all day: in the log only where everything is, or when it fails. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** The caller's `X-Request-Id` if it is well-formed, else a new id. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && ADOPTED_ID.test(given) ? given : randomUUID()
}

/** Gives the request its id, and writes its log line when the answer has been sent. */
export function requestContext(ctx: Context): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id']
    const exchange = newExchange(requestIdOf(typeof given === 'string' ? given : undefined))
    req.exchange = exchange
    mendPath(req)
    res.once('close', () => {
      const { refused, errorCode } = exchange
      const sent = { status: res.writableFinished ? res.statusCode : 499, code: errorCode }
      const isRoutine = exchange.name === 'none' && PROBES.has(req.path) && sent.status < 400
      tell(ctx, exchange, { method: req.method, isRoutine, ...(refused ?? sent) })
    })
    refuseAmbiguous(req)
    next()
  }
}

/** Counts what was refused without reaching the app, and writes its log line. */
export function tellRefused(ctx: Context) {
  return ({ requestId, ...answer }: Refused) => tell(ctx, newExchange(requestId), answer)
}

function newExchange(requestId: string): Exchange {
  return {
    requestId,
    startedAt: performance.now(),
    name: 'none',
    credential: null,
    project: null,
    budgets: [],
    isPathBroken: false,
    errorCode: null,
    refused: null,
  }
}

type Answered = { method: string | null; status: number; code: string | null; isRoutine?: boolean }

/** Counts a request that was answered, and writes its log line. */
function tell(ctx: Context, exchange: Exchange, answered: Answered): void {
  const { method, status, code, isRoutine = false } = answered
  const { name, project, credential, requestId, startedAt } = exchange
  const durationMs = performance.now() - startedAt
  ctx.metrics.requests.inc({ operation: name, status, code: code ?? '' })
  ctx.metrics.requestSeconds.observe({ operation: name }, durationMs / 1000)
  const level = isRoutine ? 'debug' : 'info'
  if (!ctx.log.isLevelEnabled(level)) return
  ctx.log[level]('request.completed', {
    requestId,
    operation: name,
    method,
    status,
    ...(code === null ? {} : { code }),
    project: project?.id ?? null,
    credential: credential?.id ?? null,
    durationMs: Math.round(durationMs * 10) / 10,
  })
}

/**
 * The router would refuse a path that it cannot decode before authentication. Its percent signs are escaped
 * here, and the operation refuses it in its turn.
 */
function mendPath(req: Request): void {
  const [path = '', ...query] = req.url.split('?')
  if (isDecodable(path)) return
  req.exchange.isPathBroken = true
  req.url = [path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** An ambiguous request also ends the connection, since it is not certain where the next request begins. */
function refuseAmbiguous({ rawHeaders, headers, httpVersion }: Request): void {
  if (httpVersion === '0.9') throw ambiguous('Speak HTTP/1.1.')
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!ONCE_ONLY.has(name)) continue
    if (seen.has(name)) throw ambiguous(`Send the header ${name} once.`)
    seen.add(name)
  }
  if (httpVersion === '1.1' && !seen.has('host')) throw ambiguous('Send the header host.')
  // Node undoes the last coding alone: what is packed besides would pass for the body.
  if (/,\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '')) {
    throw ambiguous('The only transfer coding that is understood is chunked.')
  }
}

function ambiguous(message: string): ServiceError {
  return new ServiceError('bad_request', message, { headers: { Connection: 'close' } })
}

/** How often a header was sent, in any case. */
export function timesSent(rawHeaders: string[], name: string): number {
  let times = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) times++
  }
  return times
}

/** For pages without an envelope, which would contain the id. */
export const tellRequestId: RequestHandler = (req, res, next) => {
  res.setHeader('X-Request-Id', req.exchange.requestId)
  next()
}
