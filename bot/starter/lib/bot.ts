// What a bot is given, as types. Kept by the platform: it always fits what runs in production.

/** The exports of `bot.ts`; only `onMessage` is required. */
export type Handlers = {
  /** A customer has written. */
  onMessage(ctx: BotContext): unknown
  /** A message of ours was delivered, read, or has failed; `ctx.status` tells which. */
  onStatus(ctx: BotContext): unknown
  /** A customer has filled in a flow; without this handler, `onMessage` gets it. */
  onFlowReply(ctx: BotContext): unknown
}

/** What one run works with. Everything but `log` returns a promise: await it. */
export type BotContext = {
  readonly message: Message
  readonly conversation: Conversation
  readonly contact: Contact
  /** In `onStatus`, the status change; null elsewhere. */
  readonly status: StatusChange | null
  /** Sends to this customer. Rejects with a `BotError` when the message is refused. */
  send(body: Outgoing): Promise<{ id: string; status: string }>
  /** Changes the conversation's state; a state of your own becomes known to the project. */
  setState(state: string): Promise<void>
  /** Changes the given attributes of the contact; null deletes one. */
  setAttributes(attributes: Record<string, AttributeValue>): Promise<void>
  addTags(tags: string[]): Promise<void>
  removeTags(tags: string[]): Promise<void>
  /** One of the project's own tables. */
  table(name: string): Table
  /**
   * Raises a custom event for the project's webhooks; false when it is refused, for example for more than 256
   * KiB. Never rejects.
   */
  emit(name: string, payload?: unknown): Promise<boolean>
  readonly log: { info: Log; warn: Log; error: Log }
  readonly env: 'production'
}

type Log = (...values: unknown[]) => void

/** The error of a refused call; `code` is the same as in the REST API. */
export type BotError = Error & { code: string; details?: Record<string, unknown> }

export type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contacts'
  | 'reaction'
  | 'buttons'
  | 'list'
  | 'cta_url'
  | 'flow'
  | 'template'
  | 'button_reply'
  | 'list_reply'
  | 'flow_reply'
  | 'order'
  | 'system'
  | 'unsupported'

export type Message = {
  id: number
  wamid: string
  conversation_id: number
  contact_id: number
  direction: 'inbound' | 'outbound'
  origin: 'api' | 'bot' | 'broadcast' | 'customer'
  type: MessageType
  /** The text, the caption, or the title of the button or the row that was chosen. */
  content: string | null
  status: 'received' | 'sent' | 'delivered' | 'read' | 'failed'
  error: { code: string; title: string; details: string | null; retryable: boolean } | null
  template: { name: string; language: string; variables: Record<string, string> } | null
  media: {
    media_id: string | null
    slug: string | null
    mime_type: string | null
    filename: string | null
    sha256: string | null
  } | null
  /** Depends on the type, for example the `id` of a chosen button or row. */
  payload: Record<string, unknown> | null
  reply_to: string | null
  client_ref: string | null
  created_at: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
}

export type Conversation = {
  id: number
  contact: { id: number; phone: string | null; name: string | null }
  state: string
  /** The same as `state`. */
  status: string
  last_message: {
    id: number
    type: MessageType
    direction: Message['direction']
    content: string | null
    status: Message['status']
    created_at: string
  } | null
  last_activity_at: string
  last_inbound_at: string | null
  /** Until when any message may be sent; afterwards only templates. */
  window: { open: boolean; expires_at: string | null }
  unread_count: number
  created_at: string
  updated_at: string
}

export type AttributeValue = string | number | boolean | null

export type Contact = {
  id: number
  phone: string | null
  user_id: string | null
  name: string | null
  tags: string[]
  attributes: Record<string, NonNullable<AttributeValue>>
  opted_in: boolean
  created_at: string
  updated_at: string
}

export type StatusChange = {
  message_id: string
  status: 'delivered' | 'read' | 'failed'
  id: number
  conversation_id: number
  client_ref: string | null
  error: Message['error']
  occurred_at: string
}

type Quoting = { reply_to?: string | number; client_ref?: string }
type Framed = { header?: string; footer?: string }
export type MediaSource = { media_slug: string } | { media_id: string } | { media_url: string }
/** A contact card in the channel's format. */
export type ContactCard = {
  name: { formatted_name: string; [part: string]: unknown }
  [part: string]: unknown
}
export type Button = { id: string; title: string }
export type Row = { id: string; title: string; description?: string }

/** A message to the customer: the body of `POST /v1/messages` without a recipient. */
export type Outgoing = Quoting &
  (
    | { type: 'text'; content: string; preview_url?: boolean }
    | ({ type: 'image' | 'video'; content?: string } & MediaSource)
    | ({ type: 'document'; content?: string; filename?: string } & MediaSource)
    | ({ type: 'audio' | 'sticker' } & MediaSource)
    | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
    | { type: 'contacts'; contacts: ContactCard[] }
    | { type: 'reaction'; reply_to: string | number; emoji: string }
    | ({ type: 'buttons'; content: string; buttons: Button[] } & Framed)
    | ({
        type: 'list'
        content: string
        button_text: string
        sections: { title?: string; rows: Row[] }[]
      } & Framed)
    | ({ type: 'cta_url'; content: string; button_text: string; url: string } & Framed)
    | ({
        type: 'flow'
        content: string
        flow_id: string
        button_text: string
        screen?: string
        flow_data?: Record<string, unknown>
        flow_token?: string
      } & Framed)
    | {
        type: 'template'
        template_name: string
        language: string
        variables?: Record<string, string> | string[]
        header?: { text: string } | (MediaSource & { filename?: string })
        buttons?: { index: number; value: string }[]
      }
  )

export type TableRow = Record<string, unknown>
export type Filter = {
  column: string
  op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' | 'is'
  value: string | number | boolean | null
}

export type Table = {
  /** At most 50 rows, 20 unless `limit` says otherwise. */
  rows(query?: {
    filters?: Filter[]
    columns?: string[]
    order_by?: string
    direction?: 'asc' | 'desc'
    limit?: number
  }): Promise<TableRow[]>
  /** Inserts up to 100 rows, all or none; returns them as stored. */
  insert(rows: TableRow[]): Promise<TableRow[]>
  update(change: {
    filters: Filter[]
    values: TableRow
  }): Promise<{ matched: number; updated: number }>
  delete(target: { filters: Filter[] }): Promise<{ matched: number; deleted: number }>
}
