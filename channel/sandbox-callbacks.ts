import { createHash, createHmac, randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import { phoneMatchKey } from '../core/phone.ts'
import { sandboxErrors } from './sandbox-outcomes.ts'
import type { SandboxStatus } from './sandbox-outcomes.ts'

/** One phone number of the sandbox, with the URL of its callbacks and the secret that signs them. */
export type SandboxAccount = {
  phoneNumberId: string
  businessAccountId: string
  appId: string
  displayPhoneNumber: string
  accessToken: string
  appSecret: string
  callbackUrl: string
}

/** A customer: by number, by user id, or by both. */
export type SandboxCustomer = { phone?: string; userId?: string; name?: string }

/** A new message id in the channel's form. */
export function newWamid(seed: string): string {
  const bytes = Buffer.concat([Buffer.from(seed.replace(/\D/g, '')), randomBytes(16)])
  return `wamid.${bytes.toString('base64')}`
}

/** The user id that the sandbox gives to a number: always the same one, for all spellings. */
export function userIdOf(phone: string): string {
  const digest = createHash('sha256').update(phoneMatchKey(phone)).digest()
  return `US.${digest.readBigUInt64BE().toString().padStart(20, '0')}`
}

/** The callback for a message from a customer. `message` is the channel's own, from `type` on. */
export function inboundCallback(options: {
  account: SandboxAccount
  from: SandboxCustomer
  message: { type: string } & Record<string, unknown>
  at: Date
  wamid?: string
}) {
  const { account, from, message, at } = options
  const waId = from.phone?.replace(/\D/g, '')
  const userId = from.userId ?? (waId === undefined ? undefined : userIdOf(waId))
  const profile = { name: from.name ?? 'Sandbox customer' }
  return messagesCallback(account, {
    contacts: [present({ profile, wa_id: waId, user_id: userId })],
    messages: [
      present({
        from: waId,
        from_user_id: userId,
        id: options.wamid ?? newWamid(waId ?? ''),
        timestamp: unixSeconds(at),
        ...message,
      }),
    ],
  })
}

/** The message of a customer who has completed a flow: the answers, and the token of the send. */
export function flowReply(
  answers: Record<string, unknown>,
): { type: string } & Record<string, unknown> {
  const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) }
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
}

/** The callback for one status of a message that was sent. */
export function statusCallback(options: {
  account: SandboxAccount
  wamid: string
  status: SandboxStatus
  to: SandboxCustomer
  at: Date
  attemptId?: string
  /** With `failed`; 131026 unless given. */
  errorCode?: number
  /** Templates are billed, messages within the window are not. */
  billable?: boolean
}) {
  const { account, wamid, status, to, at, attemptId, errorCode = 131026, billable } = options
  const waId = to.phone?.replace(/\D/g, '')
  const failed = status === 'failed'
  return messagesCallback(account, {
    statuses: [
      present({
        id: wamid,
        status,
        timestamp: unixSeconds(at),
        recipient_id: waId,
        recipient_user_id: to.userId ?? (waId === undefined ? undefined : userIdOf(waId)),
        biz_opaque_callback_data: attemptId,
        pricing: failed || status === 'read' ? undefined : pricing(billable === true),
        errors: failed ? [statusError(errorCode)] : undefined,
      }),
    ],
  })
}

/** The callback for a template's review. The channel sends a template's id as a number. */
export function templateStatusCallback(options: {
  account: SandboxAccount
  templateId: string
  name: string
  language: string
  status: string
  at: Date
  category?: string
}) {
  const { account, templateId, name, language, status, at, category = 'MARKETING' } = options
  const event = status.toUpperCase()
  const value = {
    event,
    message_template_id: Number(templateId),
    message_template_name: name,
    message_template_language: language,
    reason: event === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
    message_template_category: category,
  }
  const change = { field: 'message_template_status_update', value }
  const time = Math.floor(at.getTime() / 1000)
  return envelope({ id: account.businessAccountId, time, changes: [change] })
}

/** The callback for a flow with a new status; `from` is absent for a new flow. */
export function flowStatusCallback(options: {
  account: SandboxAccount
  flowId: string
  from: string | undefined
  to: string
  at: Date
}) {
  const { account, flowId, from, to, at } = options
  const value = present({
    event: 'FLOW_STATUS_CHANGE',
    message: `Flow ${flowId} is now ${to}`,
    flow_id: flowId,
    old_status: from,
    new_status: to,
  })
  const time = Math.floor(at.getTime() / 1000)
  return envelope({ id: account.businessAccountId, time, changes: [{ field: 'flows', value }] })
}

const postTimeoutMs = 20_000

/**
 * Posts a callback as the channel does, signed over the exact bytes. Rejects when the receiver cannot be
 * reached or does not answer within 20 s; any status is an answer.
 */
export async function postCallback(
  account: SandboxAccount,
  payload: unknown,
  options: { dispatcher?: Dispatcher; signal?: AbortSignal } = {},
): Promise<{ status: number }> {
  const body = encodeCallback(payload)
  const deadline = AbortSignal.timeout(postTimeoutMs)
  const { statusCode, body: answer } = await request(account.callbackUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': signCallback(body, account.appSecret),
    },
    body,
    signal: options.signal ? AbortSignal.any([deadline, options.signal]) : deadline,
    // Without a dispatcher, a kept-alive connection would only keep a command running.
    ...(options.dispatcher ? { dispatcher: options.dispatcher } : { reset: true }),
  })
  await answer.dump()
  return { status: statusCode }
}

/**
 * The channel escapes slashes and everything beyond ASCII, so a receiver that signs its own serialisation
 * fails.
 */
export function encodeCallback(payload: unknown): Buffer {
  const json = JSON.stringify(payload)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, escapeUnit)
  return Buffer.from(json, 'latin1')
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The value of X-Hub-Signature-256. */
export function signCallback(body: Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

function messagesCallback(account: SandboxAccount, news: Record<string, unknown>) {
  const metadata = {
    display_phone_number: account.displayPhoneNumber.replace(/\D/g, ''),
    phone_number_id: account.phoneNumberId,
  }
  const value = { messaging_product: 'whatsapp', metadata, ...news }
  return envelope({ id: account.businessAccountId, changes: [{ field: 'messages', value }] })
}

function envelope<Entry>(entry: Entry) {
  return { object: 'whatsapp_business_account', entry: [entry] }
}

function statusError(code: number) {
  const { title, details } = sandboxErrors[code] ?? { title: 'Unknown error', details: '' }
  const href = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/'
  return { code, title, message: title, error_data: { details }, href }
}

function pricing(billable: boolean) {
  return billable
    ? { billable, pricing_model: 'PMP', type: 'regular', category: 'marketing' }
    : { billable, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
}

function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function unixSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000))
}
