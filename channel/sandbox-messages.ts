import type { ServerResponse } from 'node:http'
import { isRecord } from '../core/json-values.ts'
import { acceptance, customerOf, sendFault, sendJson } from './sandbox-answers.ts'
import { newWamid, postCallback, statusCallback } from './sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from './sandbox-callbacks.ts'
import { authorise, readObject } from './sandbox-endpoint.ts'
import type { SandboxEndpoint, SandboxRequest, SandboxScene } from './sandbox-endpoint.ts'
import type { Fault } from './sandbox-faults.ts'
import { wrong } from './sandbox-faults.ts'
import { outcomeFor } from './sandbox-outcomes.ts'
import type { SandboxOutcome } from './sandbox-outcomes.ts'
import { checkRead, checkSend } from './sandbox-requests.ts'

const requestsMax = 1_000

/** Endpoints that accept messages, and mark customers' messages as read. */
export function messageEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  return [
    {
      method: 'POST',
      path: /^\/(\d+)\/messages$/,
      async answer(call) {
        const [phoneNumberId = ''] = call.ids
        const { response } = call
        const account = await authorise(scene, call, 'phoneNumberId', phoneNumberId)
        if (!account) return
        const body = await readObject(call)
        if (!body) return sendFault(response, 100, 'The body is not a JSON object.')
        const read = body.status === 'read'
        const fault = read
          ? checkRead(body)
          : (checkSend(body) ?? (await checkFlowMode(scene, account, body)))
        if (fault) {
          record(scene, { phoneNumberId, body, wamid: null, errorCode: fault.code })
          return sendFault(response, fault.code, fault.details)
        }
        if (!read) return perform(scene, account, body, response)
        record(scene, { phoneNumberId, body, wamid: null, errorCode: null })
        sendJson(response, 200, { success: true })
      },
    },
  ]
}

/** The mode must match the flow's status; flows that are unknown here are not checked. */
async function checkFlowMode(
  { flows }: SandboxScene,
  { businessAccountId }: SandboxAccount,
  { interactive }: Record<string, unknown>,
): Promise<Fault> {
  const action = isRecord(interactive) && isRecord(interactive.action) ? interactive.action : {}
  const { flow_id: id, mode = 'published' } = isRecord(action.parameters) ? action.parameters : {}
  const flow = typeof id === 'string' ? await flows.find(id) : null
  if (!flow) return null
  const name = 'interactive.action.parameters'
  if (flow.businessAccountId !== businessAccountId) return wrong(`${name}.flow_id`, 'is unknown')
  const due = flow.status === 'DRAFT' ? 'draft' : 'published'
  if (flow.status === 'BLOCKED') return { code: 132068, details: 'The flow is blocked.' }
  return mode === due ? null : wrong(`${name}.mode`, `must be "${due}"`)
}

/** Plays the outcome for the recipient's number. */
async function perform(
  scene: SandboxScene,
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

function pause({ slowAnswers, options }: SandboxScene): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      slowAnswers.delete(timer)
      resolve()
    }, options.slowMs ?? 5_000)
    slowAnswers.add(timer)
  })
}

function callbacksOf(
  scene: SandboxScene,
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
  const billable = body.type === 'template'
  // Hundreds of thousands may wait: each holds no more than it takes to make the callback.
  const planned = outcome.statuses.map((status) => {
    const at = new Date(scene.now().getTime() + delays[status])
    const post = (signal: AbortSignal) => {
      const payload = statusCallback({
        account,
        wamid,
        status,
        to: customer,
        at,
        billable,
        ...(typeof attemptId === 'string' ? { attemptId } : {}),
        ...(outcome.errorCode === undefined ? {} : { errorCode: outcome.errorCode }),
      })
      return postCallback(account, payload, { dispatcher: scene.agent, signal })
    }
    return { delayMs: delays[status], post }
  })
  if (!outcome.scrambled) return planned
  const delaysMs = planned.map(({ delayMs }) => delayMs)
  return planned.toReversed().flatMap(({ post }, index) => {
    const again = { delayMs: delaysMs[index] ?? 0, post }
    return [again, again]
  })
}

function record(scene: SandboxScene, request: SandboxRequest): void {
  scene.requests.push(request)
  if (scene.requests.length > requestsMax) scene.requests.shift()
}
