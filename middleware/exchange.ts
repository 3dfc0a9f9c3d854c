import type { Request } from 'express'
import type { Budget, Credential } from '../core/context.ts'

/** What is known of one request, from its first byte to its log line. */
export type Exchange = {
  requestId: string
  startedAt: number
  /** The name for log and metrics: an operation's id, or one of our own. */
  name: string
  credential: Credential | null
  /** The project that it is about, for the log. */
  project: { id: string } | null
  budgets: Budget[]
  /** The path is not percent-encoded properly; it was encoded once more, so that it can be routed. */
  isPathBroken: boolean
  errorCode: string | null
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way to extend Express's own type
  namespace Express {
    interface Request {
      exchange: Exchange
    }
  }
}

/** The credential of a request that has passed authentication. */
export function credentialOf(req: Request): Credential {
  const { credential } = req.exchange
  if (!credential) throw new Error('The request was not authenticated')
  return credential
}
