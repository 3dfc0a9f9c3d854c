import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SandboxTemplate } from '../core/sandbox-store.ts'
import { sendError, sendFault, sendJson } from './sandbox-answers.ts'
import { postCallback, templateStatusCallback } from './sandbox-callbacks.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import { authorise, readObject } from './sandbox-endpoint.ts'
import type { SandboxCall, SandboxEndpoint, SandboxScene } from './sandbox-endpoint.ts'
import { pageOf } from './sandbox-pages.ts'
import { checkTemplateDraft } from './sandbox-template-checks.ts'
import type { Refusal, SandboxDraft } from './sandbox-template-checks.ts'
import { sampleTypeOf } from './sandbox-uploads.ts'

const path = /^\/(\d+)\/message_templates$/
const templatesMax = 250
/** How long the name of a deleted template that was approved stays reserved. */
const blockedMs = 30 * 24 * 60 * 60 * 1000

/**
 * Endpoints that create, list and delete templates. A review takes `timing.reviewMs`; it rejects a template
 * with `reject` in its name, and one with `recat` in its name is put into another category at once.
 */
export function templateEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  const guarded =
    (act: (account: SandboxAccount, call: SandboxCall) => Promise<void>) =>
    async (call: SandboxCall) => {
      const account = await authorise(scene, call, 'businessAccountId', call.ids[0] ?? '')
      if (account) await act(account, call)
    }
  return [
    { method: 'POST', path, answer: guarded((account, call) => create(scene, account, call)) },
    { method: 'GET', path, answer: guarded((account, call) => list(scene, account, call)) },
    { method: 'DELETE', path, answer: guarded((account, call) => remove(scene, account, call)) },
  ]
}

async function create(
  scene: SandboxScene,
  account: SandboxAccount,
  call: SandboxCall,
): Promise<void> {
  const { response } = call
  const body = await readObject(call)
  if (!body) return sendFault(response, 100, 'The body is not a JSON object.')
  const typeOfSample = (handle: string) => sampleTypeOf(account, handle, scene.now())
  const draft = checkTemplateDraft(body, typeOfSample)
  if ('fault' in draft) return refuse(response, draft)
  const kept = await settled(scene, account)
  const twin = kept.find(({ name, language }) => name === draft.name && language === draft.language)
  if (twin) return refuse(response, twin.status === 'DELETED' ? beingDeleted : alreadyExists)
  if (kept.length >= templatesMax) return refuse(response, tooMany)
  const template = newTemplate(scene, account, draft)
  if (!(await scene.templates.add(template))) return refuse(response, alreadyExists)
  const { id, status, category } = template
  sendJson(response, 200, { id, status, category })
  if (scene.options.callbacks === false) return
  scene.deliveries.schedule(scene.timing.reviewMs, async (signal) => {
    const kept = await scene.templates.list(account.businessAccountId)
    const isHere = kept.some((one) => one.id === id && one.status !== 'DELETED')
    // The template was deleted meanwhile.
    if (!isHere) return { status: 200 }
    const reviewed = review(template)
    await scene.templates.change(reviewed)
    const callback = templateStatusCallback({
      account,
      templateId: id,
      name: draft.name,
      language: draft.language,
      category,
      status: reviewed.status,
      at: scene.now(),
    })
    return postCallback(account, callback, { dispatcher: scene.agent, signal })
  })
}

function newTemplate(
  { now, timing }: SandboxScene,
  { businessAccountId }: SandboxAccount,
  draft: SandboxDraft,
): SandboxTemplate {
  const createdAt = now()
  const isMoved = draft.name.includes('recat') && draft.category !== 'AUTHENTICATION'
  return {
    ...draft,
    businessAccountId,
    id: Array.from({ length: 15 }, () => randomInt(1, 10)).join(''),
    category: !isMoved ? draft.category : draft.category === 'UTILITY' ? 'MARKETING' : 'UTILITY',
    status: 'PENDING',
    reason: null,
    createdAt,
    dueAt: new Date(createdAt.getTime() + timing.reviewMs),
  }
}

function review(template: SandboxTemplate): SandboxTemplate {
  const isRejected = template.name.includes('reject')
  return isRejected
    ? { ...template, status: 'REJECTED', reason: 'INVALID_FORMAT' }
    : { ...template, status: 'APPROVED' }
}

/** The account's templates as of now, including reviews that fell due while the process was down. */
async function settled(
  { templates, now }: SandboxScene,
  { businessAccountId }: SandboxAccount,
): Promise<SandboxTemplate[]> {
  const kept: SandboxTemplate[] = []
  for (const template of await templates.list(businessAccountId)) {
    const isDue = template.dueAt <= now()
    if (template.status === 'DELETED' && isDue) {
      await templates.remove(template)
    } else if (template.status === 'PENDING' && isDue) {
      const reviewed = review(template)
      await templates.change(reviewed)
      kept.push(reviewed)
    } else kept.push(template)
  }
  return kept
}

async function list(
  scene: SandboxScene,
  account: SandboxAccount,
  { query, response }: SandboxCall,
): Promise<void> {
  const name = query.get('name')
  const found = (await settled(scene, account)).filter(
    (one) => one.status !== 'DELETED' && (name === null || one.name === name),
  )
  sendJson(response, 200, pageOf(found, query, { list: 'message_templates', show: shown }))
}

function shown({ id, name, language, status, category, ...one }: SandboxTemplate) {
  return {
    id,
    name,
    language,
    status,
    category,
    components: one.components,
    parameter_format: one.parameterFormat,
    rejected_reason: one.reason ?? 'NONE',
  }
}

async function remove(
  scene: SandboxScene,
  account: SandboxAccount,
  { query, response }: SandboxCall,
): Promise<void> {
  const [id, name] = [query.get('hsm_id'), query.get('name')]
  const meant = (await settled(scene, account)).filter(
    (one) => one.status !== 'DELETED' && one.name === name && (id === null || one.id === id),
  )
  if (meant.length === 0) return refuse(response, notFound)
  if (meant.some(({ status }) => status === 'DISABLED')) return refuse(response, notDeletable)
  const dueAt = new Date(scene.now().getTime() + blockedMs)
  for (const template of meant) {
    const isBlocked = template.status === 'APPROVED'
    if (isBlocked) await scene.templates.change({ ...template, status: 'DELETED', dueAt })
    else await scene.templates.remove(template)
  }
  sendJson(response, 200, { success: true })
}

const alreadyExists: Refusal = {
  subcode: 2388024,
  title: 'Content in This Language Already Exists',
  fault: 'There is already content in this language for this template.',
}
const beingDeleted: Refusal = {
  subcode: 2388023,
  title: 'Message template language is being deleted',
  fault: 'New content for this language cannot be added while it is deleted. Try again in 4 weeks.',
}
const tooMany: Refusal = {
  subcode: 2388019,
  title: 'Message template limit reached',
  fault: `The account has its ${templatesMax} templates; delete one to make room.`,
}
const notFound: Refusal = {
  subcode: 2593002,
  title: 'Message template not found',
  fault: 'There is no message template of this name and id.',
}
const notDeletable: Refusal = {
  subcode: 2388039,
  title: 'Message template cannot be changed',
  fault: 'A disabled message template cannot be deleted.',
}

function refuse(response: ServerResponse, { fault, subcode, title }: Refusal): void {
  sendError(response, 400, {
    message: 'Invalid parameter',
    code: 100,
    is_transient: false,
    error_user_title: title ?? 'Invalid parameter',
    error_user_msg: fault,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
  })
}
