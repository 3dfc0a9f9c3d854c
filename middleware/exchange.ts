import type { Request } from 'express'
import type { Budget, Credential, ProjectGrant } from '../core/context.ts'

/** What the service knows of one request, from its first byte to the log line that closes it. */
export type Exchange = {
  requestId: string
  startedAt: number
  /** What the request is, for the log and the metrics: an operation's id, or a word of ours. */
  name: string
  credential: Credential | null
  project: ProjectGrant | null
  budgets: Budget[]
  /** The path is not properly percent-encoded; it was encoded once more, to be routed. */
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
