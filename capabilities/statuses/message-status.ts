import type { Schema } from '../../core/contract.ts'

export type MessageStatus = Schema<'MessageStatus'>
export type SendStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** The part of a message that statuses change; instants in ISO 8601. */
export type Delivery = {
  status: MessageStatus
  error: Schema<'MessageError'> | null
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failedAt: string | null
}

/** One status that the channel reported; `at` in ISO 8601. */
export type Report = { status: SendStatus; at: string; error: Schema<'MessageError'> | null }

const RANK = { sent: 1, delivered: 2, read: 3 } as const
const TIMESTAMP = {
  sent: 'sentAt',
  delivered: 'deliveredAt',
  read: 'readAt',
  failed: 'failedAt',
} as const

/**
 * Applies one report. A status only moves forward: sent, delivered, read. A failure counts only for a message
 * that got no further than sent, and is final. A late or repeated report does not change the status, but sets
 * its own timestamp if that is still empty.
 */
export function advance(delivery: Delivery, report: Report): Delivery {
  const field = TIMESTAMP[report.status]
  const stamped = { ...delivery, [field]: delivery[field] ?? report.at }
  if (!movesForward(delivery.status, report.status)) return stamped
  return { ...stamped, status: report.status, error: report.error }
}

/** Whether a report of `next` moves a message forward from `current`. */
export function movesForward(current: MessageStatus, next: SendStatus): boolean {
  if (current === 'received' || current === 'failed') return false
  if (next === 'failed') return current === 'sent'
  return RANK[next] > RANK[current]
}
