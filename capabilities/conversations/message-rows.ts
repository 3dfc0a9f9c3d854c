import type { Schema } from '../../core/contract.ts'
import { quoted } from '../../core/rendered.ts'
import { quotedInstant, type Row } from '../../core/sql.ts'

/** The columns that `messageJson` reads, in its order; `m` is the table's alias. */
export const MESSAGE_COLUMNS = `m.id, m.wamid, m.conversation_id, m.contact_id, m.direction, m.origin,
  m.type, m.content, m.status, m.error, m.template, m.media, m.payload, m.reply_to, m.client_ref,
  m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at`

/**
 * One row of `MESSAGE_COLUMNS` as the contract's message, in JSON. JSON columns are inserted as text and not
 * parsed: a payload may hold a hundred thousand values, and a page many payloads.
 */
export function messageJson(row: Row): string {
  const [id, wamid, conversationId, contactId, direction, origin, type, content, status] = row
  const [error, template, media, payload, replyTo, clientRef] = row.slice(9)
  const [createdAt, sentAt, deliveredAt, readAt, failedAt] = row.slice(15)
  return (
    `{"id":${id},"wamid":${quoted(wamid)},"conversation_id":${conversationId},` +
    `"contact_id":${contactId},"direction":"${direction}","origin":"${origin}","type":"${type}",` +
    `"content":${quoted(content)},"status":"${status}","error":${error ?? 'null'},` +
    `"template":${template ?? 'null'},"media":${media ?? 'null'},"payload":${payload ?? 'null'},` +
    `"reply_to":${quoted(replyTo)},"client_ref":${quoted(clientRef)},` +
    `"created_at":${quotedInstant(createdAt)},"sent_at":${quotedInstant(sentAt)},` +
    `"delivered_at":${quotedInstant(deliveredAt)},"read_at":${quotedInstant(readAt)},` +
    `"failed_at":${quotedInstant(failedAt)}}`
  )
}

/** The same, parsed. */
export function presentMessage(row: Row): Schema<'Message'> {
  return JSON.parse(messageJson(row)) as Schema<'Message'>
}
