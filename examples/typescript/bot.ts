import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.js'

export type Api = Client<paths>
type Received = components['schemas']['MessageReceivedEvent']

/** Stands in for the shop's own database. */
const ORDERS: Record<string, string> = {
  '1042': 'is on its way and arrives tomorrow',
  '1043': 'is being packed',
}

/** A client whose paths, bodies and answers are those of the contract. */
export function connect(baseUrl: string, key: string): Api {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
}

/** Answers a customer's message, or hands the conversation over to a person. */
export async function handle(api: Api, { id, data }: Received): Promise<void> {
  const { message, conversation_id: conversationId } = data
  const reply = replyTo(message.content ?? '')
  if (reply === null) {
    const { error } = await api.PATCH('/v1/conversations/{id}', {
      params: { path: { id: conversationId } },
      body: { state: 'handover' },
    })
    if (error) throw failed('hand over', error)
    return
  }
  const { error } = await api.POST('/v1/messages', {
    // The delivery's id is the same however often it comes: so is the answer, and it is sent once.
    params: { header: { 'Idempotency-Key': `reply-${id}` } },
    body: {
      type: 'text',
      conversation_id: conversationId,
      content: reply,
      reply_to: message.wamid,
    },
  })
  // The customer's own 24 hours are over: only a template could still reach them.
  if (error?.error.code === 'outside_24h_window') return
  if (error) throw failed('reply', error)
}

/** What to answer, or null when a person has to. */
function replyTo(text: string): string | null {
  const number = /\border\s+#?(\d+)/i.exec(text)?.[1]
  if (number === undefined) return null
  const status = Object.hasOwn(ORDERS, number) ? ORDERS[number] : undefined
  return status === undefined ? `I know of no order ${number}.` : `Order ${number} ${status}.`
}

/** Branch on the code; the message is for people, and the request's id for the service's operator. */
export function failed(what: string, failure: components['schemas']['Failure']): Error {
  const { code, message } = failure.error
  return new Error(`Could not ${what}: ${code}, ${message} (${failure.request_id})`)
}
