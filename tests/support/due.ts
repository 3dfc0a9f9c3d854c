import type { Due } from '../../capabilities/webhooks/delivery-rows.ts'

/** What is due of a registration: so many events of the same content, in their order. */
export function dueOf(webhookId: string, count: number, data = 'null'): Due[] {
  return Array.from({ length: count }, (_, eventId) => ({
    webhookId,
    eventId,
    id: `${eventId}`,
    attempts: 0,
    name: 'e',
    subject: null,
    createdAt: '',
    data,
  }))
}
