import { isRecord, parseJson } from '../core/json-values.ts'
import type { InboundChange, InboundMedia, InboundMessage } from '../core/ports.ts'
import type { Contacts, Raw } from './contacts.ts'
import { readId, readInstant, readSha256, readText, readWaId } from './identifiers.ts'
import { senderOf } from './senders.ts'
import { charactersMax, cleanRecord, cleanText, cleanValue } from './text.ts'

const contentLengthMax = 65_536

/** The part of a message that depends on its type. */
type Reading = {
  type: string
  content?: string | null
  media?: InboundMedia
  payload?: Record<string, unknown>
  replyTo?: string | null
  change?: InboundChange
}

/**
 * Reads one inbound message of a callback; answers the reason when it cannot be used: it needs an id and a
 * sender. One without a readable time counts as of `receivedAt`. An unknown type, or one whose object is
 * missing, is kept as `unsupported`.
 */
export function readMessage(
  raw: unknown,
  contacts: Contacts,
  receivedAt: Date,
): InboundMessage | string {
  if (!isRecord(raw)) return 'A message is not an object.'
  const wamid = readId(raw.id)
  if (wamid === null) return 'A message has no usable id.'
  const contact = contacts.find(raw.from, raw.from_user_id)
  const reading = readByType(raw)
  const { waId, userId } = senderOf(raw, contact, reading)
  if (waId === null && userId === null) return `Message ${wamid}: it names no sender.`
  const context = isRecord(raw.context) ? raw.context : {}
  const isWord = !NO_WORD.has(raw.type)
  return {
    wamid,
    waId,
    userId,
    profileName: isRecord(contact?.profile) ? readText(contact.profile.name) : null,
    sentAt: readInstant(raw.timestamp) ?? receivedAt,
    type: reading.type,
    content: reading.content ?? null,
    media: reading.media ?? null,
    payload: payloadOf(reading, raw),
    replyTo: readId(context.id) ?? reading.replyTo ?? null,
    isWord,
    opensWindow: isWord && readText(raw.group_id) === null,
    change: reading.change ?? null,
  }
}

/** Types that bring nothing new written by the customer. */
const NO_WORD: ReadonlySet<unknown> = new Set(['system', 'edit', 'revoke', 'request_welcome'])

function readByType(raw: Raw): Reading {
  const type = typeof raw.type === 'string' ? raw.type : ''
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  return read?.(raw[type], raw) ?? { type: 'unsupported', payload: cleanRecord(raw) }
}

/**
 * Readers by type; each takes the object that is named like the type, and answers undefined when it is
 * malformed.
 */
const readers: Record<string, (value: unknown, raw: Raw) => Reading | undefined> = {
  text: (text) => {
    if (!isRecord(text) || typeof text.body !== 'string') return undefined
    return { type: 'text', content: readContent(text.body) }
  },
  image: (image) => readMedia('image', image),
  video: (video) => readMedia('video', video),
  audio: (audio) => readMedia('audio', audio, 'voice'),
  document: (document) => readMedia('document', document),
  sticker: (sticker) => readMedia('sticker', sticker, 'animated'),
  location: (location) => {
    if (!isRecord(location)) return undefined
    const payload = pick(location, ['latitude', 'longitude', 'name', 'address'])
    return { type: 'location', payload }
  },
  contacts: (contacts) => {
    if (!Array.isArray(contacts)) return undefined
    return { type: 'contacts', payload: { contacts: cleanValue(contacts) } }
  },
  reaction: (reaction) => {
    const target = isRecord(reaction) ? readId(reaction.message_id) : null
    if (!isRecord(reaction) || target === null) return undefined
    // A removal has an empty emoji or none.
    const payload = { message_id: target, emoji: readText(reaction.emoji) }
    return { type: 'reaction', payload, replyTo: target }
  },
  order: (order) => {
    if (!isRecord(order)) return undefined
    const payload = pick(order, ['catalog_id', 'text', 'product_items'])
    return { type: 'order', content: readContent(order.text), payload }
  },
  system: (system) => {
    if (!isRecord(system)) return undefined
    const change = readIdentity(system)
    const reading = { content: readContent(system.body), payload: cleanRecord(system) }
    return { type: 'system', ...reading, ...(change ? { change } : {}) }
  },
  edit: (edit) => {
    const target = isRecord(edit) ? readId(edit.original_message_id) : null
    const message = isRecord(edit) && isRecord(edit.message) ? edit.message : {}
    if (target === null || !EDITABLE.has(message.type)) return undefined
    const reading = readByType(message)
    if (reading.type === 'unsupported') return undefined
    const payload = { ...reading.payload, original_message_id: target }
    return { ...reading, payload, change: { kind: 'edit', target } }
  },
  revoke: (revoke, raw) => {
    const target = isRecord(revoke) ? readId(revoke.original_message_id) : null
    if (target === null) return undefined
    const payload = { ...cleanRecord(raw), original_message_id: target }
    return { type: 'unsupported', payload, change: { kind: 'revoke', target } }
  },
  button: (button) => {
    if (!isRecord(button)) return undefined
    const { payload: id, text: title } = button
    const payload = pick({ id, title }, ['id', 'title'])
    return { type: 'button_reply', content: readContent(title), payload }
  },
  interactive: (interactive) => {
    if (!isRecord(interactive)) return undefined
    if (isRecord(interactive.button_reply)) {
      const { title } = interactive.button_reply
      const payload = pick(interactive.button_reply, ['id', 'title'])
      return { type: 'button_reply', content: readContent(title), payload }
    }
    if (isRecord(interactive.list_reply)) {
      const { title } = interactive.list_reply
      const payload = pick(interactive.list_reply, ['id', 'title', 'description'])
      return { type: 'list_reply', content: readContent(title), payload }
    }
    return isRecord(interactive.nfm_reply) ? readFlowReply(interactive.nfm_reply) : undefined
  },
}

/** The types that a customer can edit: texts, and media with a caption. */
const EDITABLE: ReadonlySet<unknown> = new Set(['text', 'image', 'video', 'audio', 'document'])

const IDENTITY_CHANGES: ReadonlySet<unknown> = new Set([
  'customer_changed_number',
  'user_changed_number',
  'user_changed_user_id',
])

/** The customer's new names in a system notice, if it tells them. */
function readIdentity(system: Raw): InboundChange | null {
  if (!IDENTITY_CHANGES.has(system.type)) return null
  const waId = readWaId(system.wa_id) ?? readWaId(system.new_wa_id)
  const userId = readText(system.user_id)
  return waId === null && userId === null ? null : { kind: 'identity', waId, userId }
}

function readMedia(type: string, value: unknown, flag?: 'voice' | 'animated'): Reading | undefined {
  if (!isRecord(value)) return undefined
  const media: InboundMedia = {
    media_id: readText(value.id),
    slug: null,
    mime_type: readText(value.mime_type),
    filename: readText(value.filename),
    sha256: readSha256(value.sha256),
  }
  const marked = flag !== undefined && typeof value[flag] === 'boolean'
  return {
    type,
    content: readContent(value.caption),
    media,
    ...(marked ? { payload: { [flag]: value[flag] } } : {}),
  }
}

/** The customer's answers are JSON in a text; an unreadable one is kept as text. */
function readFlowReply(reply: Raw): Reading {
  const text = typeof reply.response_json === 'string' ? reply.response_json : null
  const isReadable = text !== null && text.length <= charactersMax
  const parsed = isReadable ? (parseJson(text) ?? text) : reply.response_json
  const response = cleanValue(parsed) ?? null
  const token = isRecord(response) ? response.flow_token : null
  return {
    type: 'flow_reply',
    content: readContent(reply.body),
    payload: {
      name: readText(reply.name),
      response,
      flow_token: typeof token === 'string' ? token : null,
    },
  }
}

/** Members that any message may have beside its own object, under the channel's names. */
function payloadOf(reading: Reading, raw: Raw): Raw | null {
  if (reading.type === 'unsupported') return reading.payload ?? null
  const extras: Raw = {}
  if (isRecord(raw.context)) {
    const names = ['forwarded', 'frequently_forwarded', 'referred_product']
    const context = Object.entries(raw.context).filter(([name]) => names.includes(name))
    if (context.length > 0) extras.context = cleanRecord(Object.fromEntries(context))
  }
  for (const name of ['referral', 'errors', 'identity', 'group_id']) {
    if (raw[name] !== undefined) extras[name] = cleanValue(raw[name])
  }
  const payload = { ...reading.payload, ...extras }
  return Object.keys(payload).length > 0 ? payload : null
}

function pick(value: Raw, names: readonly string[]): Raw {
  return Object.fromEntries(names.map((name) => [name, cleanValue(value[name]) ?? null]))
}

function readContent(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value, contentLengthMax) : null
}
