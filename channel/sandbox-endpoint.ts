import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Agent } from 'undici'
import { noSuchObject, readBody, sendError, tokenMissing, tokenUnknown } from './sandbox-answers.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import type { Deliveries } from './sandbox-deliveries.ts'
import type { SandboxMediaFolder } from './sandbox-media-folder.ts'
import type { SandboxUploads } from './sandbox-uploads.ts'
import type { SandboxFlowStore, SandboxTemplateStore } from '../core/sandbox-store.ts'
import { isRecord, parseJson } from './text.ts'

/** When the callbacks come: of a message counted from the answer to its send, of a review likewise. */
export type SandboxTiming = {
  sentMs: number
  deliveredMs: number
  readMs: number
  reviewMs: number
}

/** By what the paths of the channel name an account. */
export type SandboxAccountKey = 'phoneNumberId' | 'businessAccountId' | 'appId'

export type SandboxOptions = {
  findAccount: (by: SandboxAccountKey, id: string) => Promise<SandboxAccount | null>
  /** Where the accounts' templates are kept; in this process's memory by default. */
  templates?: SandboxTemplateStore
  /** Where their flows are kept; likewise. */
  flows?: SandboxFlowStore
  /** Where media are kept, for as long as they last; a folder of its own that goes with it by default. */
  mediaFolder?: string
  timing?: Partial<SandboxTiming>
  /** False sends none at all, for measuring. */
  callbacks?: boolean
  /** How late the slow answer (0015) is. */
  slowMs?: number
  /** The waits before a callback that was not answered with 200 is sent again. */
  retryDelaysMs?: readonly number[]
  host?: string
  port?: number
  onProblem?: (message: string) => void
  now?: () => Date
}

/** One accepted or refused request; `wamid` is there when the message was taken. */
export type SandboxRequest = {
  phoneNumberId: string
  body: Record<string, unknown>
  wamid: string | null
  errorCode: number | null
}

/** What the requests to one sandbox share. */
export type SandboxScene = {
  options: SandboxOptions
  timing: SandboxTiming
  templates: SandboxTemplateStore
  flows: SandboxFlowStore
  media: SandboxMediaFolder
  uploads: SandboxUploads
  now: () => Date
  deliveries: Deliveries
  agent: Agent
  requests: SandboxRequest[]
  slowAnswers: Set<NodeJS.Timeout>
}

export type SandboxCall = {
  request: IncomingMessage
  response: ServerResponse
  /** What the groups of the endpoint's path have matched. */
  ids: string[]
  query: URLSearchParams
}

/** One method and path of the channel, without the version that every path begins with. */
export type SandboxEndpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  answer(call: SandboxCall): Promise<void>
}

/**
 * The account that a path names, when the request carries its token; null when the request has been
 * refused. The channel writes `OAuth` in place of `Bearer` for uploads.
 */
export async function authorise(
  { options }: SandboxScene,
  { request, response }: SandboxCall,
  by: SandboxAccountKey,
  id: string,
): Promise<SandboxAccount | null> {
  const token = tokenOf(request)
  const account = token === undefined ? null : await options.findAccount(by, id)
  if (token === undefined) sendError(response, 401, tokenMissing)
  else if (!account) sendError(response, 400, noSuchObject(id))
  else if (account.accessToken !== token) sendError(response, 401, tokenUnknown)
  return account?.accessToken === token ? account : null
}

/** The token that a request carries. */
export function tokenOf(request: IncomingMessage): string | undefined {
  return /^(?:Bearer|OAuth) (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The body, when it is a JSON object of a usual size. */
export async function readObject({
  request,
}: SandboxCall): Promise<Record<string, unknown> | undefined> {
  const text = await readBody(request)
  const body = text === null ? undefined : parseJson(text)
  return isRecord(body) ? body : undefined
}
