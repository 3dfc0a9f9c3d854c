import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { userIdOf } from './sandbox-callbacks.ts'
import type { SandboxCustomer } from './sandbox-callbacks.ts'
import { sandboxErrors } from './sandbox-outcomes.ts'
import type { SandboxOutcome } from './sandbox-outcomes.ts'

const bodyBytesMax = 1024 * 1024

/** The recipient as the channel knows it, which may differ from how the sender named it. */
export function customerOf(
  body: Record<string, unknown>,
  outcome: SandboxOutcome,
): SandboxCustomer {
  if (typeof body.to !== 'string') return { userId: String(body.recipient) }
  const digits = body.to.replace(/\D/g, '')
  if (outcome.identity === 'user_id_only') return { userId: userIdOf(digits) }
  return { phone: outcome.identity === 'other_wa_id' ? otherForm(digits) : digits }
}

function otherForm(digits: string): string {
  const mexican = /^52(1?)(\d{10})$/.exec(digits)
  return mexican ? `52${mexican[1] === '' ? '1' : ''}${mexican[2]}` : digits
}

/** The answer to an accepted send. */
export function acceptance(
  body: Record<string, unknown>,
  wamid: string,
  customer: SandboxCustomer,
) {
  const input = body.to ?? body.recipient
  const contact =
    customer.phone === undefined
      ? { input, user_id: customer.userId }
      : { input, wa_id: customer.phone }
  const status = body.type === 'template' ? { message_status: 'accepted' } : {}
  return {
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [{ id: wamid, ...status }],
  }
}

/** The body as text; null when it is too large. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= bodyBytesMax) chunks.push(chunk)
  }
  return sizeBytes > bodyBytesMax ? null : Buffer.concat(chunks).toString('utf8')
}

type GraphError = {
  message: string
  code: number
  type?: string
  error_subcode?: number
  is_transient?: boolean
  error_user_title?: string
  error_user_msg?: string
}

/** The error for a missing token. */
export const tokenMissing = {
  message: 'An access token is required to request this resource.',
  code: 104,
}

/** The error for a token that is not the number's. */
export const tokenUnknown = {
  message: 'Invalid OAuth access token - Cannot parse access token',
  code: 190,
}

/** The error for an unknown path, or an unknown number in it. */
export function noSuchObject(id: string): GraphError {
  const message =
    `Unsupported request. Object with ID '${id.slice(0, 100)}' does not exist, cannot be loaded ` +
    'due to missing permissions, or does not support this operation.'
  return { message, type: 'GraphMethodException', code: 100, error_subcode: 33 }
}

/** Answers with one of the channel's errors, with `reason` instead of its usual details. */
export function sendFault(response: ServerResponse, code: number, reason?: string): void {
  const { httpStatus, title, details, subcode } = sandboxErrors[code] ?? {
    httpStatus: 400,
    title: 'Unknown error',
    details: '',
  }
  const text = reason ?? details
  sendError(response, httpStatus, {
    message: `(#${code}) ${title}`,
    code,
    ...(text === '' ? {} : { error_data: { messaging_product: 'whatsapp', details: text } }),
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
  })
}

/** Answers with an error in the channel's envelope. */
export function sendError(
  response: ServerResponse,
  httpStatus: number,
  error: GraphError & object,
): void {
  const traceId = randomBytes(16).toString('base64url')
  const common = { type: 'OAuthException', fbtrace_id: traceId }
  sendJson(response, httpStatus, { error: { ...common, ...error } })
}

/** Answers with JSON and the channel's usual headers. */
export function sendJson(response: ServerResponse, httpStatus: number, body: unknown): void {
  response.writeHead(httpStatus, {
    'Content-Type': 'application/json; charset=UTF-8',
    'X-Fb-Trace-Id': randomBytes(8).toString('base64url'),
    'Facebook-Api-Version': 'v25.0',
  })
  response.end(JSON.stringify(body))
}
