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
  /** How it was refused where its body could not be read on: that answer does not come from Express. */
  refused: Refusal | null
}

/** The outcome of a refusal, for the log and the metrics. */
export type Refusal = { status: number; code: string }

/** A request that was refused without reaching the app; its method is null where it could not be read. */
export type Refused = Refusal & { requestId: string; method: string | null }

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way to extend Express's own type
  namespace Express {
    interface Request {
      exchange: Exchange
    }
  }
}

/** What is known of a request of Node's; null when it has not reached the app. */
export function exchangeOf(req: object): Exchange | null {
  return 'exchange' in req ? (req.exchange as Exchange) : null
}

/** The credential of a request that has passed authentication. */
export function credentialOf(req: Request): Credential {
  const { credential } = req.exchange
  if (!credential) throw new Error('The request was not authenticated')
  return credential
}
