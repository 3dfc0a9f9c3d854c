import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Agent } from 'undici'
import { noSuchObject, readBody, sendError, tokenMissing, tokenUnknown } from './sandbox-answers.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import type { Deliveries } from './sandbox-deliveries.ts'
import type { SandboxMediaFolder } from './sandbox-media-folder.ts'
import { isRecord, parseJson } from '../core/json-values.ts'
import type { SandboxFlowStore, SandboxTemplateStore } from '../core/sandbox-store.ts'

/**
 * The delays of callbacks: for a message from the answer to its send, for a review from the answer to its
 * creation.
 */
export type SandboxTiming = {
  sentMs: number
  deliveredMs: number
  readMs: number
  reviewMs: number
}

/** The ids by which paths of the channel name an account. */
export type SandboxAccountKey = 'phoneNumberId' | 'businessAccountId' | 'appId'

export type SandboxOptions = {
  findAccount: (by: SandboxAccountKey, id: string) => Promise<SandboxAccount | null>
  /** Stores the accounts' templates; in this process's memory by default. */
  templates?: SandboxTemplateStore
  /** Stores their flows; likewise. */
  flows?: SandboxFlowStore
  /** The folder for media; by default a temporary one that is removed at the end. */
  mediaFolder?: string
  timing?: Partial<SandboxTiming>
  /** False sends no callbacks, for measurements. */
  callbacks?: boolean
  /** The delay of the slow answer (number 0015). */
  slowMs?: number
  /** The delays before a callback that was not answered with 200 is repeated. */
  retryDelaysMs?: readonly number[]
  host?: string
  port?: number
  onProblem?: (message: string) => void
  now?: () => Date
}

/** One request, accepted or refused; `wamid` is set when the message was accepted. */
export type SandboxRequest = {
  phoneNumberId: string
  body: Record<string, unknown>
  wamid: string | null
  errorCode: number | null
}

/** An upload session; only the number of its bytes is kept. */
export type SandboxUpload = {
  appId: string
  mimeType: string
  sizeBytes: number
  receivedBytes: number
}

/** By the signed session id; sessions end with the process, and clients start again. */
export type SandboxUploads = Map<string, SandboxUpload>

/** What all requests to one sandbox share. */
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
  /** The matches of the groups in the endpoint's path. */
  ids: string[]
  query: URLSearchParams
}

/** One method and path of the channel, without the version at the beginning of every path. */
export type SandboxEndpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  answer(call: SandboxCall): Promise<void>
}

/**
 * The account that a path names, when the request has its token; otherwise the request is refused and null is
 * answered. Uploads use the scheme `OAuth` instead of `Bearer`.
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

/** The body, when it is a JSON object of a normal size. */
export async function readObject({
  request,
}: SandboxCall): Promise<Record<string, unknown> | undefined> {
  const text = await readBody(request)
  const body = text === null ? undefined : parseJson(text)
  return isRecord(body) ? body : undefined
}
