import { ServiceError } from '../../core/errors.ts'
import { normalisePhone } from '../../core/phone.ts'
import type { ChannelRecipient } from '../../core/ports.ts'
import { must } from '../../core/sql.ts'
import type { SendRequest } from './message-kinds.ts'
import type { Opening } from './send-attempts.ts'

/**
 * The normalised number that a send names; null when it names a conversation. Throws `missing_recipient` and
 * `invalid_phone`.
 */
export function recipientPhone(request: SendRequest): string | null {
  const { phone, conversation_id: conversationId } = request
  if ((phone === undefined) === (conversationId === undefined)) {
    throw new ServiceError(
      'missing_recipient',
      'Name exactly one recipient: either phone or conversation_id.',
    )
  }
  if (phone === undefined) return null
  const normalised = normalisePhone(phone)
  if (normalised) return normalised
  throw new ServiceError(
    'invalid_phone',
    'The phone is no international number; write it like +15550001234.',
  )
}

/** The recipient for the channel: the number that was asked for, else the contact's number or user id. */
export function recipientOf(phone: string | null, { target }: Opening): ChannelRecipient {
  const known = phone ?? target?.phone ?? null
  return known === null ? { userId: must(target?.userId) } : { phone: known }
}
