import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import {
  acceptance,
  customerOf,
  noSuchObject,
  readBody,
  sendError,
  sendFault,
  sendJson,
  tokenMissing,
  tokenUnknown,
} from './sandbox-answers.ts'
import { newWamid, postCallback, statusCallback } from './sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from './sandbox-callbacks.ts'
import { createDeliveries } from './sandbox-deliveries.ts'
import type { Deliveries } from './sandbox-deliveries.ts'
import { outcomeFor } from './sandbox-outcomes.ts'
import type { SandboxOutcome } from './sandbox-outcomes.ts'
import { checkRead, checkSend } from './sandbox-requests.ts'
import { isRecord, parseJson } from './text.ts'

export type { SandboxAccount, SandboxCustomer } from './sandbox-callbacks.ts'

/** When the callbacks come, counted from the answer to the send. */
export type SandboxTiming = { sentMs: number; deliveredMs: number; readMs: number }

/** One accepted or refused request; `wamid` is there when the message was taken. */
export type SandboxRequest = {
  phoneNumberId: string
  body: Record<string, unknown>
  wamid: string | null
  errorCode: number | null
}

export type SandboxOptions = {
  findAccount: (phoneNumberId: string) => Promise<SandboxAccount | null>
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

export type Sandbox = {
  /** The base address, to be used as the channel's. */
  url: string
  /** The latest 1,000 requests to send or to mark as read, oldest first. */
  requests: readonly SandboxRequest[]
  /** Resolves when no callback is pending any more. */
  idle(): Promise<void>
  close(): Promise<void>
}

const usualTiming: SandboxTiming = { sentMs: 100, deliveredMs: 300, readMs: 900 }
const usualRetryDelaysMs = [500, 2_000, 5_000, 15_000, 30_000]
const requestsMax = 1_000

/** What a request to the sandbox is answered and followed by. */
type Scene = {
  options: SandboxOptions
  timing: SandboxTiming
  now: () => Date
  deliveries: Deliveries
  agent: Agent
  requests: SandboxRequest[]
  slowAnswers: Set<NodeJS.Timeout>
}

/**
 * Starts a stand-in for the channel: it takes messages over the same HTTP API, refuses what the
 * channel would refuse, and sends signed callbacks. The last four digits of a recipient's number
 * choose what happens (`sandboxOutcomes`).
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const onProblem = options.onProblem ?? (() => undefined)
  const retryDelaysMs = options.retryDelaysMs ?? usualRetryDelaysMs
  const scene: Scene = {
    options,
    timing: { ...usualTiming, ...options.timing },
    now: options.now ?? (() => new Date()),
    deliveries: createDeliveries({ retryDelaysMs, onProblem }),
    agent: new Agent({ connections: 64 }),
    requests: [],
    slowAnswers: new Set(),
  }
  const server = createServer((request, response) => {
    void answer(scene, request, response).catch((error: unknown) => {
      onProblem(`A request to the sandbox failed: ${String(error)}`)
      response.destroy()
    })
  })
  const { host = '127.0.0.1', port = 0 } = options
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const close = async () => {
    for (const timer of scene.slowAnswers) clearTimeout(timer)
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    await scene.deliveries.close()
    await scene.agent.close()
  }
  let closing: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    requests: scene.requests,
    idle: () => scene.deliveries.idle(),
    close: () => (closing ??= close()),
  }
}

async function answer(
  scene: Scene,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request)
  const path = /^\/v\d+\.\d+\/(\d+)\/messages$/.exec(request.url?.split('?')[0] ?? '')
  const phoneNumberId = path?.[1]
  if (phoneNumberId === undefined || request.method !== 'POST') {
    return sendError(response, 404, noSuchObject(request.url ?? ''))
  }
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return sendError(response, 401, tokenMissing)
  const account = await scene.options.findAccount(phoneNumberId)
  if (!account) return sendError(response, 400, noSuchObject(phoneNumberId))
  if (account.accessToken !== token) return sendError(response, 401, tokenUnknown)
  const body = text === null ? undefined : parseJson(text)
  if (!isRecord(body)) return sendFault(response, 100, 'The body is not a JSON object.')
  const read = body.status === 'read'
  const fault = read ? checkRead(body) : checkSend(body)
  if (fault) {
    record(scene, { phoneNumberId, body, wamid: null, errorCode: fault.code })
    return sendFault(response, fault.code, fault.details)
  }
  if (!read) return perform(scene, account, body, response)
  record(scene, { phoneNumberId, body, wamid: null, errorCode: null })
  sendJson(response, 200, { success: true })
}

/** Plays the outcome that the recipient's number asks for. */
async function perform(
  scene: Scene,
  account: SandboxAccount,
  body: Record<string, unknown>,
  response: ServerResponse,
): Promise<void> {
  const { phoneNumberId } = account
  const to = typeof body.to === 'string' ? body.to : undefined
  const outcome = outcomeFor(to)
  const { answer: planned } = outcome
  if (planned.kind === 'error') {
    record(scene, { phoneNumberId, body, wamid: null, errorCode: planned.code })
    return sendFault(response, planned.code)
  }
  if (planned.kind === 'gateway') {
    record(scene, { phoneNumberId, body, wamid: null, errorCode: 502 })
    response.writeHead(502, { 'Content-Type': 'text/html' })
    response.end('<html><body><h1>502 Bad Gateway</h1></body></html>')
    return
  }
  const wamid = newWamid(to ?? '')
  record(scene, { phoneNumberId, body, wamid, errorCode: null })
  const customer = customerOf(body, outcome)
  const posts = callbacksOf(scene, account, { body, outcome, wamid, customer })
  const early = outcome.early ? posts.shift() : undefined
  if (early) await scene.deliveries.postNow(early.post)
  if (planned.kind === 'slow') await pause(scene)
  if (planned.kind === 'cut') response.destroy()
  else sendJson(response, 200, acceptance(body, wamid, customer))
  for (const { delayMs, post } of posts) scene.deliveries.schedule(delayMs, post)
}

function pause({ slowAnswers, options }: Scene): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      slowAnswers.delete(timer)
      resolve()
    }, options.slowMs ?? 5_000)
    slowAnswers.add(timer)
  })
}

function callbacksOf(
  scene: Scene,
  account: SandboxAccount,
  sent: {
    body: Record<string, unknown>
    outcome: SandboxOutcome
    wamid: string
    customer: SandboxCustomer
  },
) {
  if (scene.options.callbacks === false) return []
  const { body, outcome, wamid, customer } = sent
  const { sentMs, deliveredMs, readMs } = scene.timing
  const delays = { sent: sentMs, failed: sentMs, delivered: deliveredMs, read: readMs }
  const attemptId = body.biz_opaque_callback_data
  const planned = outcome.statuses.map((status) => {
    const payload = statusCallback({
      account,
      wamid,
      status,
      to: customer,
      at: new Date(scene.now().getTime() + delays[status]),
      billable: body.type === 'template',
      ...(typeof attemptId === 'string' ? { attemptId } : {}),
      ...(outcome.errorCode === undefined ? {} : { errorCode: outcome.errorCode }),
    })
    const post = (signal: AbortSignal) =>
      postCallback(account, payload, { dispatcher: scene.agent, signal })
    return { delayMs: delays[status], post }
  })
  if (!outcome.scrambled) return planned
  const delaysMs = planned.map(({ delayMs }) => delayMs)
  return planned.toReversed().flatMap(({ post }, index) => {
    const again = { delayMs: delaysMs[index] ?? 0, post }
    return [again, again]
  })
}

function record(scene: Scene, request: SandboxRequest): void {
  scene.requests.push(request)
  if (scene.requests.length > requestsMax) scene.requests.shift()
}
