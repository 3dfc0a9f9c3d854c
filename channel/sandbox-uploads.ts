import { createHmac, randomBytes } from 'node:crypto'
import { kindOf } from '../filetypes/kinds.ts'
import { noSuchObject, sendError, sendFault, sendJson } from './sandbox-answers.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import { authorise } from './sandbox-endpoint.ts'
import type {
  SandboxCall,
  SandboxEndpoint,
  SandboxScene,
  SandboxUpload,
} from './sandbox-endpoint.ts'

const uploadsMax = 1_000
const bytesMax = 100 * 1024 * 1024
const handleLastsS = 24 * 60 * 60

/** Endpoints that receive samples of template headers in resumable sessions. */
export function uploadEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  const session = /^\/(upload:[\w-]+)$/
  return [
    {
      method: 'POST',
      path: /^\/(\d+)\/uploads$/,
      async answer(call) {
        const account = await authorise(scene, call, 'appId', call.ids[0] ?? '')
        if (account) begin(scene, account, call)
      },
    },
    { method: 'POST', path: session, answer: ofUpload(scene, receive) },
    { method: 'GET', path: session, answer: ofUpload(scene, tellOffset) },
  ]
}

type Session = { id: string; upload: SandboxUpload; account: SandboxAccount }

/** Looks the session up by its signed id and admits only its own account. */
function ofUpload(
  scene: SandboxScene,
  answer: (scene: SandboxScene, session: Session, call: SandboxCall) => Promise<void> | void,
): SandboxEndpoint['answer'] {
  return async (call) => {
    const id = `${call.ids[0]}?sig=${call.query.get('sig')}`
    const upload = scene.uploads.get(id)
    if (!upload) return sendError(call.response, 400, noSuchObject(call.ids[0] ?? ''))
    const account = await authorise(scene, call, 'appId', upload.appId)
    if (account) await answer(scene, { id, upload, account }, call)
  }
}

function begin(
  { uploads }: SandboxScene,
  { appId }: SandboxAccount,
  { query, response }: SandboxCall,
): void {
  const mimeType = query.get('file_type') ?? ''
  const sizeBytes = Number(query.get('file_length'))
  if (!['image', 'video', 'document'].includes(kindOf(mimeType) ?? '')) {
    return sendFault(response, 100, 'Param file_type is not a type of a sample.')
  }
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1 || sizeBytes > bytesMax) {
    return sendFault(response, 100, `Param file_length must be 1 to ${bytesMax}.`)
  }
  const [oldest] = uploads.keys()
  if (uploads.size >= uploadsMax && oldest !== undefined) uploads.delete(oldest)
  const id = `upload:${randomBytes(30).toString('base64url')}?sig=${randomBytes(15).toString('base64url')}`
  uploads.set(id, { appId, mimeType, sizeBytes, receivedBytes: 0 })
  sendJson(response, 200, { id })
}

async function receive(
  scene: SandboxScene,
  { id, upload, account }: Session,
  { request, response }: SandboxCall,
): Promise<void> {
  const { file_offset: offset } = request.headers
  if (typeof offset !== 'string' || !/^\d{1,15}$/.test(offset)) {
    return sendFault(response, 100, 'Header file_offset is required.')
  }
  if (Number(offset) !== upload.receivedBytes) {
    return sendFault(response, 100, `Header file_offset must be ${upload.receivedBytes}.`)
  }
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) upload.receivedBytes += chunk.length
  } catch {
    // The upload broke off: the bytes so far count, and there is nobody to answer.
    return
  }
  if (upload.receivedBytes > upload.sizeBytes) {
    scene.uploads.delete(id)
    return sendFault(response, 100, 'More bytes came than the session is for.')
  }
  if (upload.receivedBytes < upload.sizeBytes) {
    return sendJson(response, 200, { id, file_offset: upload.receivedBytes })
  }
  scene.uploads.delete(id)
  sendJson(response, 200, { h: handleOf(account, upload, scene.now()) })
}

function tellOffset(_: SandboxScene, { id, upload }: Session, { response }: SandboxCall): void {
  sendJson(response, 200, { id, file_offset: upload.receivedBytes })
}

/** A handle contains everything about the sample, so that every server can verify it. */
function handleOf(
  { appId, appSecret }: SandboxAccount,
  { mimeType, sizeBytes }: SandboxUpload,
  now: Date,
): string {
  const endsAtS = Math.floor(now.getTime() / 1000) + handleLastsS
  const name = randomBytes(16).toString('base64url')
  const type = Buffer.from(mimeType).toString('base64url')
  const said = `4::${type}:ARZ${name}:e:${endsAtS}:${appId}:${sizeBytes}`
  return `${said}:ARb${signatureOf(said, appSecret)}`
}

/** The media type of the sample behind a handle that was given to the account; null for any other text. */
export function sampleTypeOf(
  { appId, appSecret }: SandboxAccount,
  handle: string,
  now: Date,
): string | null {
  const form = /^(4::([\w-]+):ARZ[\w-]+:e:(\d+):(\d+):\d+):ARb([\w-]+)$/.exec(handle)
  const [, said = '', type = '', endsAtS = '', owner, signature] = form ?? []
  if (owner !== appId || signature !== signatureOf(said, appSecret)) return null
  if (Number(endsAtS) * 1000 <= now.getTime()) return null
  return Buffer.from(type, 'base64url').toString()
}

function signatureOf(said: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(said).digest('base64url')
}
