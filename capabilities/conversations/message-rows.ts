import type { Schema } from '../../core/contract.ts'
import { isoFromSql, isoOrNull, json, must, type Row } from '../../core/sql.ts'

/** The columns that `presentMessage` reads, in its order; `m` is the table's alias. */
export const MESSAGE_COLUMNS = `m.id, m.wamid, m.conversation_id, m.contact_id, m.direction, m.origin,
  m.type, m.content, m.status, m.error, m.template, m.media, m.payload, m.reply_to, m.client_ref,
  m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at`

/** One row of `MESSAGE_COLUMNS` as the contract's message. */
export function presentMessage(row: Row): Schema<'Message'> {
  const [id, wamid, conversationId, contactId, direction, origin, type, content, status] = row
  const [error, template, media, payload, replyTo, clientRef] = row.slice(9)
  const [createdAt, sentAt, deliveredAt, readAt, failedAt] = row.slice(15)
  return {
    id: Number(id),
    wamid: must(wamid),
    conversation_id: Number(conversationId),
    contact_id: Number(contactId),
    direction: must(direction) as Schema<'MessageDirection'>,
    origin: must(origin) as Schema<'MessageOrigin'>,
    type: must(type) as Schema<'MessageType'>,
    content: content ?? null,
    status: must(status) as Schema<'MessageStatus'>,
    error: json(error),
    template: json(template),
    media: json(media),
    payload: json(payload),
    reply_to: replyTo ?? null,
    client_ref: clientRef ?? null,
    created_at: isoFromSql(must(createdAt)),
    sent_at: isoOrNull(sentAt),
    delivered_at: isoOrNull(deliveredAt),
    read_at: isoOrNull(readAt),
    failed_at: isoOrNull(failedAt),
  }
}
