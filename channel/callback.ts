import { createHmac, timingSafeEqual } from 'node:crypto'
import { messageErrorOf } from '../core/channel-outcomes.ts'
import { isRecord } from '../core/json-values.ts'
import type {
  CallbackUpdates,
  InboundMessage,
  PreferenceUpdate,
  StatusUpdate,
} from '../core/ports.ts'
import { phoneNumberOf } from './callback-parts.ts'
import { type Raw, readContacts } from './contacts.ts'
import { readStatusError } from './errors.ts'
import { readFlowUpdate } from './flow-updates.ts'
import { nameOf, readId, readInstant, readText, readWaId } from './identifiers.ts'
import { readMessage } from './inbound.ts'
import { readPreference } from './preferences.ts'
import { isTemplateField, readTemplateUpdate } from './template-updates.ts'
import { cleanLine, cleanText, cleanValue } from './text.ts'

function signatureIn(header: string | undefined): string | null {
  return /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1] ?? null
}

/** Whether a header has the form of the channel's signature: `sha256=` and 64 lower-case hex digits. */
export function mayBeSignature(header: string | undefined): boolean {
  return signatureIn(header) !== null
}

/** Whether the channel signed these very bytes. */
export function isSignedBy(
  rawBody: Buffer,
  header: string | undefined,
  appSecret: string,
): boolean {
  const hex = signatureIn(header)
  if (hex === null || appSecret === '') return false
  const expected = createHmac('sha256', appSecret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'))
}

const rejectedMax = 1_000
const fieldLengthMax = 100
/** The channel documents a maximum of a thousand updates per callback. */
const updatesMax = 5_000

/**
 * Reads a parsed callback for one phone number. Never throws: what cannot be used is in `rejected` with its
 * reason (at most 1,000 entries), what is not about messages in `others`; a callback of more than 5,000 updates
 * is rejected as a whole. Messages and statuses without a readable time count as of `receivedAt`, so that they
 * are not lost.
 */
export function readCallback(
  body: unknown,
  phoneNumberId: string,
  receivedAt: Date,
): CallbackUpdates {
  const updates = readAll(body, phoneNumberId, receivedAt)
  const count = Object.values(updates).reduce((sum, { length }) => sum + length, 0)
  if (count <= updatesMax) return updates
  return { ...none(), rejected: [{ reason: `It holds more than ${updatesMax} updates.` }] }
}

function none(): CallbackUpdates {
  return {
    messages: [],
    statuses: [],
    preferences: [],
    templates: [],
    flows: [],
    others: [],
    rejected: [],
  }
}

function readAll(body: unknown, phoneNumberId: string, receivedAt: Date): CallbackUpdates {
  const updates = none()
  if (!isRecord(body) || body.object !== 'whatsapp_business_account') {
    reject(updates, 'The body is not a callback of a WhatsApp Business account.')
    return updates
  }
  for (const entry of listOf(body.entry, 'entry', updates)) {
    if (!isRecord(entry)) {
      reject(updates, 'An entry is not an object.')
      continue
    }
    const businessAccountId = readText(entry.id) ?? ''
    const at = readInstant(entry.time)
    const about = { businessAccountId, phoneNumberId, at, receivedAt }
    for (const change of listOf(entry.changes, 'changes', updates)) {
      if (isRecord(change)) readChange(change, about, updates)
      else reject(updates, 'A change is not an object.')
    }
  }
  return updates
}

type About = { businessAccountId: string; phoneNumberId: string; at: Date | null; receivedAt: Date }

function readChange(change: Record<string, unknown>, about: About, updates: CallbackUpdates): void {
  const { value } = change
  const { businessAccountId, phoneNumberId, at, receivedAt } = about
  const field = fieldOf(change)
  if (field === null) return reject(updates, 'A change has no field.')
  const number = phoneNumberOf(value)
  // Updates of another number are not accepted for this one.
  if (number !== null && number !== phoneNumberId) {
    return reject(updates, `${field}: it is for another phone number (${cleanLine(number, 50)}).`)
  }
  if (field === 'user_preferences') return readPreferences(value, updates, receivedAt)
  if (isTemplateField(field)) {
    const read = readTemplateUpdate(field, value, { businessAccountId, at })
    if (typeof read === 'string') reject(updates, read)
    else updates.templates.push(read)
    return
  }
  if (field === 'flows') {
    const read = readFlowUpdate(value, { businessAccountId, at })
    if (typeof read === 'string') reject(updates, read)
    else updates.flows.push(read)
    return
  }
  if (field !== 'messages') {
    updates.others.push({ field, businessAccountId, value: cleanValue(value) })
    return
  }
  if (!isRecord(value)) return reject(updates, 'messages: the value is not an object.')
  if (number === null) return reject(updates, 'messages: the phone number is not named.')
  readMessages(value, updates, receivedAt)
  readStatuses(value, updates, receivedAt)
  if (value.errors !== undefined) {
    updates.others.push({ field: 'errors', businessAccountId, value: cleanValue(value.errors) })
  }
}

/** The channel's documented examples of a quality update name the field of another update. */
function fieldOf({ field, value }: Record<string, unknown>): string | null {
  if (isRecord(value) && value.new_quality_score !== undefined) {
    return 'message_template_quality_update'
  }
  return typeof field === 'string' && field !== '' ? cleanLine(field, fieldLengthMax) : null
}

function readMessages(value: Raw, updates: CallbackUpdates, receivedAt: Date): void {
  const contacts = readContacts(value.contacts)
  for (const message of listOf(value.messages, 'messages', updates)) {
    const read: InboundMessage | string = readMessage(message, contacts, receivedAt)
    if (typeof read === 'string') reject(updates, read)
    else updates.messages.push(read)
  }
}

function readStatuses(value: Raw, updates: CallbackUpdates, receivedAt: Date): void {
  for (const status of listOf(value.statuses, 'statuses', updates)) {
    const read: StatusUpdate | string = readStatus(status, receivedAt)
    if (typeof read === 'string') reject(updates, read)
    else updates.statuses.push(read)
  }
}

function readPreferences(value: unknown, updates: CallbackUpdates, receivedAt: Date): void {
  if (!isRecord(value) || value.user_preferences === undefined) {
    return reject(updates, 'user_preferences: the value holds none.')
  }
  const contacts = readContacts(value.contacts)
  for (const preference of listOf(value.user_preferences, 'user_preferences', updates)) {
    const read: PreferenceUpdate | string = readPreference(preference, contacts, receivedAt)
    if (typeof read === 'string') reject(updates, read)
    else updates.preferences.push(read)
  }
}

/** A voice message that was played was also read. */
const statuses: ReadonlyMap<unknown, StatusUpdate['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

const attemptIdLengthMax = 512

function readStatus(raw: unknown, receivedAt: Date): StatusUpdate | string {
  if (!isRecord(raw)) return 'A status is not an object.'
  const wamid = readId(raw.id)
  if (wamid === null) return 'A status names no message.'
  if (raw.type === 'payment') return `Status of ${wamid}: that of a payment is not followed.`
  const status = statuses.get(raw.status)
  if (!status) return `Status of ${wamid}: ${nameOf(raw.status)} is not followed.`
  const attemptId = raw.biz_opaque_callback_data
  const refusal = status === 'failed' ? readStatusError(raw.errors) : null
  return {
    wamid,
    status,
    at: readInstant(raw.timestamp) ?? receivedAt,
    attemptId: typeof attemptId === 'string' ? cleanText(attemptId, attemptIdLengthMax) : null,
    // For a group, its id is in the place of the customer's.
    waId: raw.recipient_type === 'group' ? null : readWaId(raw.recipient_id),
    userId: readText(raw.recipient_user_id),
    error: refusal && messageErrorOf(refusal),
    refusal,
  }
}

function listOf(value: unknown, name: string, updates: CallbackUpdates): unknown[] {
  if (Array.isArray(value)) return value
  if (value !== undefined && value !== null) reject(updates, `${name} is not a list.`)
  return []
}

function reject(updates: CallbackUpdates, reason: string): void {
  if (updates.rejected.length < rejectedMax) updates.rejected.push({ reason })
}
