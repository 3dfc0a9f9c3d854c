import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { kindOf, MEDIA_KINDS, normaliseMimeType } from '../filetypes/kinds.ts'
import { noSuchObject, sendError, sendFault, sendJson, tokenMissing } from './sandbox-answers.ts'
import type { SandboxAccount } from './sandbox-callbacks.ts'
import { authorise, tokenOf } from './sandbox-endpoint.ts'
import type { SandboxCall, SandboxEndpoint, SandboxScene } from './sandbox-endpoint.ts'
import type { SandboxMedium, StagedBytes } from './sandbox-media-folder.ts'

/** How long an uploaded medium can be used. */
const uploadedKeptMs = 30 * 24 * 60 * 60 * 1000
/** How long a medium sent by a customer can be downloaded. */
export const receivedKeptMs = 7 * 24 * 60 * 60 * 1000
/** How long the URL of a medium's bytes is valid. */
const addressLastsS = 5 * 60

/** Endpoints that receive media, answer with their URLs, serve their bytes and delete them. */
export function mediaEndpoints(scene: SandboxScene): SandboxEndpoint[] {
  const medium = /^\/(\d{1,32})$/
  const attachment = /^\/attachments\/(\d{1,32})$/
  return [
    {
      method: 'POST',
      path: /^\/(\d+)\/media$/,
      async answer(call) {
        const account = await authorise(scene, call, 'phoneNumberId', call.ids[0] ?? '')
        if (account) await upload(scene, account, call)
      },
    },
    { method: 'GET', path: medium, answer: ofMedium(scene, describe, isUnknown) },
    { method: 'GET', path: attachment, answer: ofMedium(scene, download, isGone) },
    { method: 'DELETE', path: medium, answer: ofMedium(scene, remove, isUnknown) },
  ]
}

type MediumAnswer = (
  scene: SandboxScene,
  known: { account: SandboxAccount; medium: SandboxMedium },
  call: SandboxCall,
) => Promise<void>

/** Looks the medium up and admits only its own account. */
function ofMedium(
  scene: SandboxScene,
  answer: MediumAnswer,
  refuse: (call: SandboxCall) => void,
): SandboxEndpoint['answer'] {
  return async (call) => {
    const { ids, query, request, response } = call
    const medium = await scene.media.find(ids[0] ?? '', scene.now())
    const owner = query.get('phone_number_id') ?? medium?.phoneNumberId
    if (tokenOf(request) === undefined) return sendError(response, 401, tokenMissing)
    if (!medium || medium.phoneNumberId !== owner) return refuse(call)
    const account = await authorise(scene, call, 'phoneNumberId', owner)
    if (account) await answer(scene, { account, medium }, call)
  }
}

function isUnknown({ ids, response }: SandboxCall): void {
  sendError(response, 400, noSuchObject(ids[0] ?? ''))
}

function isGone({ response }: SandboxCall): void {
  response.writeHead(404).end()
}

async function upload(
  scene: SandboxScene,
  account: SandboxAccount,
  { request, response }: SandboxCall,
): Promise<void> {
  const form = await readForm(scene, request)
  if (form === null) return sendFault(response, 100, 'The body is not a form with one file.')
  const { fields, mimeType, staged } = form
  const fault = faultOf(fields, mimeType, staged)
  if (fault || !staged) {
    if (staged) await scene.media.discard(staged)
    return sendFault(response, fault?.code ?? 100, fault?.details)
  }
  const expiresAt = new Date(scene.now().getTime() + uploadedKeptMs)
  const { phoneNumberId } = account
  const { id } = await scene.media.keep(staged, { phoneNumberId, mimeType, expiresAt })
  sendJson(response, 200, { id })
}

function faultOf(fields: Map<string, string>, mimeType: string, staged: StagedBytes | null) {
  const type = fields.get('type') ?? mimeType
  if (fields.get('messaging_product') !== 'whatsapp') {
    return { code: 100, details: 'Param messaging_product must be "whatsapp".' }
  }
  if (bytesMaxOf(mimeType) === 0 || normaliseMimeType(type) !== mimeType) {
    const details = `Param file must be a file of a supported type. Received ${type.slice(0, 100)}.`
    return { code: 100, details }
  }
  if (staged === null) return { code: 131053, details: 'The file is too large for its type.' }
  return staged.sizeBytes > 0 ? null : { code: 131053, details: 'The file is empty.' }
}

/** The size limit of a type; 0 for a type that the channel does not accept. */
function bytesMaxOf(mimeType: string): number {
  const kind = kindOf(mimeType)
  return kind === null ? 0 : MEDIA_KINDS[kind].bytesMax
}

type UploadForm = { fields: Map<string, string>; mimeType: string; staged: StagedBytes | null }

/** Reads a form; null unless it is complete and has a file in the field `file`. */
async function readForm(
  { media }: SandboxScene,
  request: IncomingMessage,
): Promise<UploadForm | null> {
  const fields = new Map<string, string>()
  const files: { mimeType: string; stream: Readable; staged: Promise<StagedBytes | null> }[] = []
  try {
    const { 'content-type': type = '' } = request.headers
    const limits = { files: 1, fields: 8, fieldSize: 1_024, headerPairs: 16 }
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits })
    form.on('field', (name, value) => void fields.set(name, value))
    form.on('file', (name, stream, filename, _encoding, mimeType) => {
      // The stream may fail before anybody listens; its reader is told all the same.
      stream.on('error', () => {})
      if (name !== 'file' || !filename) return void stream.resume()
      const staged = media.stage(stream as AsyncIterable<Buffer>, bytesMaxOf(mimeType))
      // Awaited once the form is read; a form that breaks off is reported by itself.
      staged.catch(() => undefined)
      files.push({ mimeType, stream, staged })
    })
    await pipeline(request, form)
    const [file] = files
    return file ? { fields, mimeType: file.mimeType, staged: await file.staged } : null
  } catch {
    for (const { stream, staged } of files) {
      stream.destroy(new Error('The form broke off'))
      await staged.catch(() => {})
    }
    return null
  }
}

async function describe(
  { now }: SandboxScene,
  { account, medium }: Parameters<MediumAnswer>[1],
  { request, response }: SandboxCall,
): Promise<void> {
  const { id, mimeType, sha256, sizeBytes } = medium
  const endsAtS = Math.floor(now().getTime() / 1000) + addressLastsS
  const [version = ''] = /^\/v[\d.]+/.exec(request.url ?? '') ?? []
  const server = `http://${request.headers.host ?? 'localhost'}${version}`
  sendJson(response, 200, {
    messaging_product: 'whatsapp',
    url: `${server}/attachments/${id}?ext=${endsAtS}&hash=${signatureOf(account, id, endsAtS)}`,
    mime_type: mimeType,
    sha256,
    file_size: String(sizeBytes),
    id,
  })
}

async function download(
  { media, now }: SandboxScene,
  { account, medium }: Parameters<MediumAnswer>[1],
  call: SandboxCall,
): Promise<void> {
  const { query, response } = call
  const endsAtS = Number(query.get('ext'))
  const isSigned = query.get('hash') === signatureOf(account, medium.id, endsAtS)
  if (!isSigned || now().getTime() >= endsAtS * 1000) return isGone(call)
  response.writeHead(200, {
    'Content-Type': medium.mimeType,
    'Content-Length': medium.sizeBytes,
  })
  await pipeline(media.open(medium.id), response)
}

async function remove(
  { media }: SandboxScene,
  { medium }: Parameters<MediumAnswer>[1],
  { response }: SandboxCall,
): Promise<void> {
  await media.remove(medium.id)
  sendJson(response, 200, { success: true })
}

/** Signed with the account's secret, so that every server can verify it. */
function signatureOf({ appSecret }: SandboxAccount, id: string, endsAtS: number): string {
  return createHmac('sha256', appSecret).update(`${id} ${endsAtS}`).digest('base64url')
}
