import { LIMITS } from '../../core/limits.ts'
import { quoted } from '../../core/rendered.ts'
import { isoFromSql, must, quotedInstant, type Row } from '../../core/sql.ts'

/** The columns that `conversationJson` reads, in its order. */
export const CONVERSATION_COLUMNS = `c.id, c.state, c.last_activity_at, c.last_inbound_at,
  c.unread_count, c.created_at, c.updated_at, k.id, k.phone, coalesce(k.name, k.profile_name),
  m.id, m.type, m.direction, m.content, m.status, m.created_at,
  c.last_inbound_at + ${LIMITS.windowMs} * interval '1 ms'`
/** The tables that `CONVERSATION_COLUMNS` are read from: `c`, its contact `k` and its last message `m`. */
export const CONVERSATION_TABLES = `FROM conversations c
  JOIN contacts k ON k.id = c.contact_id
  LEFT JOIN messages m ON m.id = c.last_message_id`

/** One row as the contract's conversation, in JSON; `now` in ISO 8601. */
export function conversationJson(row: Row, now: string): string {
  const [id, state, activityAt, inboundAt, unread, createdAt, updatedAt] = row
  const stateJson = quoted(state)
  return (
    `{"id":${id},"contact":{"id":${row[7]},"phone":${quoted(row[8])},"name":${quoted(row[9])}},` +
    `"state":${stateJson},"status":${stateJson},"last_message":${lastMessageJson(row)},` +
    `"last_activity_at":"${isoFromSql(must(activityAt))}","last_inbound_at":${quotedInstant(inboundAt)},` +
    `"window":${windowJson(row[16], now)},"unread_count":${unread},` +
    `"created_at":"${isoFromSql(must(createdAt))}","updated_at":"${isoFromSql(must(updatedAt))}"}`
  )
}

function lastMessageJson(row: Row): string {
  if (row[10] == null) return 'null'
  return (
    `{"id":${row[10]},"type":"${row[11]}","direction":"${row[12]}","content":${quoted(row[13])},` +
    `"status":"${row[14]}","created_at":${quotedInstant(row[15])}}`
  )
}

function windowJson(endsAt: string | null | undefined, now: string): string {
  if (endsAt == null) return '{"open":false,"expires_at":null}'
  const expiresAt = isoFromSql(endsAt)
  return `{"open":${now < expiresAt},"expires_at":"${expiresAt}"}`
}
