import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SandboxFlow } from '../core/sandbox-store.ts'
import { publishingFaults } from '../flows/definition.ts'
import { noSuchObject, sendError, sendFault, sendJson } from './sandbox-answers.ts'
import { flowStatusCallback, postCallback } from './sandbox-callbacks.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import { authorise, readObject } from './sandbox-endpoint.ts'
import type { SandboxCall, SandboxEndpoint, SandboxScene } from './sandbox-endpoint.ts'
import {
  checkFlowDetails,
  readDefinition,
  readForm,
  validationErrors,
} from './sandbox-flow-checks.ts'
import { pageOf } from './sandbox-pages.ts'

const flowsMax = 1_000
/** One digit more than the ids of media, which have paths of the same form. */
const idDigits = 17

type Known = { account: SandboxAccount; flow: SandboxFlow }
type FlowAnswer = (scene: SandboxScene, known: Known, call: SandboxCall) => Promise<void> | void

/** Endpoints that create, change, publish and delete flows, with a callback for each change of status. */
export function flowEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  const all = /^\/(\d+)\/flows$/
  const one = (rest = '') => new RegExp(`^/(\\d{${idDigits}})${rest}$`)
  const guarded =
    (act: (scene: SandboxScene, account: SandboxAccount, call: SandboxCall) => Promise<void>) =>
    async (call: SandboxCall) => {
      const account = await authorise(scene, call, 'businessAccountId', call.ids[0] ?? '')
      if (account) await act(scene, account, call)
    }
  const of = (answer: FlowAnswer) => ofFlow(scene, answer)
  return [
    { method: 'POST', path: all, answer: guarded(create) },
    { method: 'GET', path: all, answer: guarded(list) },
    { method: 'GET', path: one(), answer: of(describe) },
    { method: 'POST', path: one(), answer: of(change) },
    { method: 'DELETE', path: one(), answer: of(remove) },
    { method: 'GET', path: one('/assets'), answer: of(tellAsset) },
    { method: 'GET', path: one('/flow\\.json'), answer: of(download) },
    { method: 'POST', path: one('/assets'), answer: of(upload) },
    { method: 'POST', path: one('/publish'), answer: of(publish) },
    { method: 'POST', path: one('/deprecate'), answer: of(deprecate) },
  ]
}

/** Looks the flow up and admits only its own account. */
function ofFlow(scene: SandboxScene, answer: FlowAnswer): SandboxEndpoint['answer'] {
  return async (call) => {
    const [id = ''] = call.ids
    const flow = await scene.flows.find(id)
    if (!flow) return sendError(call.response, 400, noSuchObject(id))
    const account = await authorise(scene, call, 'businessAccountId', flow.businessAccountId)
    if (account) await answer(scene, { account, flow }, call)
  }
}

async function create(
  scene: SandboxScene,
  account: SandboxAccount,
  call: SandboxCall,
): Promise<void> {
  const { response } = call
  const body = await readObject(call)
  if (!body) return sendFault(response, 100, 'The body is not a JSON object.')
  const details = checkFlowDetails(body)
  if ('fault' in details) return sendFault(response, 100, details.fault)
  const { name, categories } = details
  if (name === undefined || categories === undefined) {
    return sendFault(response, 100, 'Param name and param categories are required.')
  }
  const definition = body.flow_json === undefined ? null : readDefinition(body.flow_json)
  if (definition === null && body.flow_json !== undefined) {
    return sendFault(response, 100, 'Param flow_json is not the text of a JSON object.')
  }
  const { businessAccountId } = account
  if ((await scene.flows.list(businessAccountId)).length >= flowsMax) {
    return sendFault(response, 100, `The account has its ${flowsMax} flows.`)
  }
  const id = Array.from({ length: idDigits }, () => randomInt(1, 10)).join('')
  const flow = { businessAccountId, id, name, categories, definition, createdAt: scene.now() }
  const isAdded = await scene.flows.add({ ...flow, status: 'DRAFT' })
  if (!isAdded) return refuseName(response)
  sendJson(response, 200, { id, success: true, validation_errors: validationErrors(flow) })
  tell(scene, account, { id, from: undefined, to: 'DRAFT' })
}

function refuseName(response: ServerResponse): void {
  sendError(response, 400, {
    message: 'Invalid parameter',
    code: 100,
    error_user_title: 'Flow name is not unique',
    error_user_msg: 'The account has a flow of this name; specify a different one.',
  })
}

async function list(
  { flows }: SandboxScene,
  { businessAccountId }: SandboxAccount,
  { query, response }: SandboxCall,
): Promise<void> {
  const found = await flows.list(businessAccountId)
  sendJson(response, 200, pageOf(found, query, { list: 'flows', show: shown }))
}

function shown(flow: SandboxFlow) {
  const { id, name, status, categories } = flow
  return { id, name, status, categories, validation_errors: validationErrors(flow) }
}

function describe(_: SandboxScene, { flow }: Known, { response }: SandboxCall): void {
  sendJson(response, 200, shown(flow))
}

async function change(scene: SandboxScene, known: Known, call: SandboxCall): Promise<void> {
  const body = await readObject(call)
  const details = body ? checkFlowDetails(body) : { fault: 'The body is not a JSON object.' }
  if ('fault' in details) return sendFault(call.response, 100, details.fault)
  const { flow } = known
  if (flow.status === 'DEPRECATED') return sendFault(call.response, 139001)
  const twins = (await scene.flows.list(flow.businessAccountId)).filter(({ id }) => id !== flow.id)
  if (twins.some(({ name }) => name === details.name)) return refuseName(call.response)
  await scene.flows.change({ ...flow, ...details })
  sendJson(call.response, 200, { success: true })
}

async function remove(
  { flows }: SandboxScene,
  { flow }: Known,
  { response }: SandboxCall,
): Promise<void> {
  if (flow.status !== 'DRAFT') return sendFault(response, 139004)
  await flows.remove(flow)
  sendJson(response, 200, { success: true })
}

function tellAsset(_: SandboxScene, { flow }: Known, { request, response }: SandboxCall): void {
  const [version = ''] = /^\/v[\d.]+/.exec(request.url ?? '') ?? []
  const url = `http://${request.headers.host ?? 'localhost'}${version}/${flow.id}/flow.json`
  const asset = { name: 'flow.json', asset_type: 'FLOW_JSON', download_url: url }
  sendJson(response, 200, { data: flow.definition === null ? [] : [asset], paging: {} })
}

function download(_: SandboxScene, { flow }: Known, { response }: SandboxCall): void {
  sendJson(response, 200, flow.definition)
}

/** A published flow becomes a draft until it is published again. */
async function upload(scene: SandboxScene, known: Known, call: SandboxCall): Promise<void> {
  const { response } = call
  const form = await readForm(call)
  const definition = readDefinition(form?.get('file'))
  const isAsset = form?.get('asset_type') === 'FLOW_JSON' && form.get('name') === 'flow.json'
  if (!isAsset) return sendFault(response, 100, 'The form must hold flow.json as a FLOW_JSON.')
  const { flow, account } = known
  if (definition === null || flow.status === 'DEPRECATED') return sendFault(response, 139001)
  await scene.flows.change({ ...flow, definition, status: 'DRAFT' })
  sendJson(response, 200, { success: true, validation_errors: validationErrors({ definition }) })
  if (flow.status !== 'DRAFT') tell(scene, account, { id: flow.id, from: flow.status, to: 'DRAFT' })
}

function publish(scene: SandboxScene, known: Known, { response }: SandboxCall) {
  const { definition, status } = known.flow
  const isGood = definition !== null && publishingFaults(definition).length === 0
  if (status !== 'DRAFT' || !isGood) return sendFault(response, 139002)
  return moveTo('PUBLISHED', scene, known, response)
}

function deprecate(scene: SandboxScene, known: Known, { response }: SandboxCall) {
  const { status } = known.flow
  if (status === 'DRAFT' || status === 'DEPRECATED') return sendFault(response, 139003)
  return moveTo('DEPRECATED', scene, known, response)
}

async function moveTo(
  status: string,
  scene: SandboxScene,
  { account, flow }: Known,
  response: ServerResponse,
): Promise<void> {
  await scene.flows.change({ ...flow, status })
  sendJson(response, 200, { success: true })
  tell(scene, account, { id: flow.id, from: flow.status, to: status })
}

function tell(
  scene: SandboxScene,
  account: SandboxAccount,
  { id, from, to }: { id: string; from: string | undefined; to: string },
): void {
  if (scene.options.callbacks === false) return
  const callback = flowStatusCallback({ account, flowId: id, from, to, at: scene.now() })
  scene.deliveries.schedule(scene.timing.sentMs, (signal) =>
    postCallback(account, callback, { dispatcher: scene.agent, signal }),
  )
}
