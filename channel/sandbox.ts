import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Agent } from 'undici'
import { noSuchObject, sendError } from './sandbox-answers.ts'
import { createDeliveries, postsAtOnce } from './sandbox-deliveries.ts'
import type {
  SandboxEndpoint,
  SandboxOptions,
  SandboxRequest,
  SandboxScene,
  SandboxTiming,
} from './sandbox-endpoint.ts'
import { keepFlowsInMemory } from './sandbox-flow-store.ts'
import { flowEndpoints } from './sandbox-flows.ts'
import { openMediaFolder } from './sandbox-media-folder.ts'
import { mediaEndpoints } from './sandbox-media.ts'
import { messageEndpoints } from './sandbox-messages.ts'
import { numberEndpoints } from './sandbox-numbers.ts'
import { keepTemplatesInMemory } from './sandbox-template-store.ts'
import { templateEndpoints } from './sandbox-templates.ts'
import { uploadEndpoints } from './sandbox-uploads.ts'

export type { SandboxAccount, SandboxCustomer } from './sandbox-callbacks.ts'
export type { SandboxOptions, SandboxRequest, SandboxTiming } from './sandbox-endpoint.ts'

export type Sandbox = {
  /** The base URL, in place of the channel's. */
  url: string
  /** The latest 1,000 requests to send or to mark as read, the oldest first. */
  requests: readonly SandboxRequest[]
  /** Resolves when no callback is waiting or under way. */
  idle(): Promise<void>
  close(): Promise<void>
}

const usualTiming: SandboxTiming = { sentMs: 100, deliveredMs: 300, readMs: 900, reviewMs: 2_000 }
const usualRetryDelaysMs = [500, 2_000, 5_000, 15_000, 30_000]

/** All endpoints of the sandbox; any other path is unknown. */
function endpointsOf(scene: SandboxScene): SandboxEndpoint[] {
  return [
    ...messageEndpoints(scene),
    ...templateEndpoints(scene),
    ...flowEndpoints(scene),
    ...numberEndpoints(scene),
    ...mediaEndpoints(scene),
    ...uploadEndpoints(scene),
  ]
}

/**
 * Starts a stand-in for the channel: it accepts messages and templates over the same HTTP API, refuses what the
 * channel would refuse, and sends signed callbacks. The last four digits of a recipient's number decide what
 * happens (`sandboxOutcomes`), as do words in a template's name.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const onProblem = options.onProblem ?? (() => undefined)
  const retryDelaysMs = options.retryDelaysMs ?? usualRetryDelaysMs
  const scene: SandboxScene = {
    options,
    timing: { ...usualTiming, ...options.timing },
    templates: options.templates ?? keepTemplatesInMemory(),
    flows: options.flows ?? keepFlowsInMemory(),
    media: openMediaFolder(options.mediaFolder ?? path.join(tmpdir(), `sandbox-${randomUUID()}`)),
    uploads: new Map(),
    now: options.now ?? (() => new Date()),
    deliveries: createDeliveries({ retryDelaysMs, onProblem }),
    agent: new Agent({ connections: postsAtOnce }),
    requests: [],
    slowAnswers: new Set(),
  }
  const endpoints = endpointsOf(scene)
  const server = createServer((request, response) => {
    void answer(endpoints, request, response).catch((error: unknown) => {
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
    if (options.mediaFolder === undefined) await scene.media.destroy()
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
  endpoints: SandboxEndpoint[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? ''
  const [, place = '', query = ''] = /^\/v\d+\.\d+(\/[^?]*)(?:\?(.*))?$/.exec(url) ?? []
  const found = endpoints.find((one) => one.method === request.method && one.path.test(place))
  if (!found) return sendError(response, 404, noSuchObject(url))
  const [, ...ids] = found.path.exec(place) ?? []
  await found.answer({ request, response, ids, query: new URLSearchParams(query) })
}
