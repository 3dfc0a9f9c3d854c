import type { Readable } from 'node:stream'
import type { ChannelAccount, ChannelAnswer, ChannelError } from './channel-account.ts'
import type { FlowChannel, FlowUpdate } from './channel-flows.ts'
import type { NumberChannel } from './channel-numbers.ts'
import type { Row, SqlClient, Statement } from './sql.ts'
import type { TemplateUpdate } from './template-update.ts'

/** What the service asks of the outside, in its own words: the channel, projects' own tables, a model. */

/** `phone` is "+" and digits; `userId` is the channel's id of a customer who hides the number. */
export type ChannelRecipient = { phone: string } | { userId: string }

/** `message` is the channel's own body from `type` on: `{ type: 'text', text: { body } }`. */
export type ChannelSend = {
  to: ChannelRecipient
  message: { type: string } & Record<string, unknown>
  /** The message to quote; a reaction quotes nothing, since it names its target itself. */
  replyTo?: string
  /**
   * Sent with the message and returned in every status, so that the outcome of a lost answer can be settled.
   */
  attemptId: string
}

/**
 * `refused` is definite: the channel did not take the message. `unknown` means that the request left
 * and no usable answer came back: only a status callback can tell.
 */
export type SendOutcome =
  | { outcome: 'accepted'; wamid: string; waId: string | null; userId: string | null }
  | { outcome: 'refused'; error: ChannelError }
  | { outcome: 'unknown'; error: ChannelError }

export type ChannelTemplateDraft = {
  name: string
  language: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Record<string, unknown>[]
}

/** A template as the channel lists it; `status` and `category` in its own upper-case words. */
export type ChannelTemplate = ChannelTemplateDraft & {
  id: string
  status: string
  rejectionReason: string | null
}

/** A file to be uploaded; `open` may be called again for another try. */
export type OutgoingFile = {
  filename: string
  mimeType: string
  sizeBytes: number
  open(): Promise<Readable>
}

/** `url` is valid for five minutes and needs the account's own token. */
export type ChannelMedia = { url: string; mimeType: string; sizeBytes: number | null }

type Subjects = FlowChannel & NumberChannel

/** No method throws; each answers what is known. */
export type Channel = Subjects & {
  send(account: ChannelAccount, request: ChannelSend): Promise<SendOutcome>
  createTemplate(
    account: ChannelAccount,
    draft: ChannelTemplateDraft,
  ): Promise<ChannelAnswer<{ id: string; status: string; category: string }>>
  /** One page of the account's templates; `after` is null on the first and the last. */
  listTemplates(
    account: ChannelAccount,
    after: string | null,
  ): Promise<ChannelAnswer<{ templates: ChannelTemplate[]; after: string | null }>>
  deleteTemplate(
    account: ChannelAccount,
    template: { id: string; name: string },
  ): Promise<ChannelAnswer<null>>
  uploadMedia(
    account: ChannelAccount,
    file: OutgoingFile,
  ): Promise<ChannelAnswer<{ mediaId: string }>>
  findMedia(account: ChannelAccount, mediaId: string): Promise<ChannelAnswer<ChannelMedia>>
  /** The bytes at a medium's `url`; the reader must bound their number. */
  openMedia(account: ChannelAccount, url: string): Promise<ChannelAnswer<Readable>>
  deleteMedia(account: ChannelAccount, mediaId: string): Promise<ChannelAnswer<null>>
  /** Uploads a sample for a template's header; the handle must be used at once. */
  uploadSample(
    account: ChannelAccount,
    file: OutgoingFile,
  ): Promise<ChannelAnswer<{ handle: string }>>
  close(): Promise<void>
}

/** The schema of one of a project's two sets of tables, and the password of its roles. */
export type TableAccess = { schema: string; password: string }

/** One of the tables there. */
export type TablePlace = { access: TableAccess; name: string; isPartitioned: boolean }

/**
 * The database as a project's own roles see it, over sessions of their own: whatever runs there, a project's
 * triggers and functions included, reaches that schema only. PostgreSQL's errors are passed on for
 * `sqlFaultOf`; throws `server_error` when no connection becomes free within two seconds.
 */
export type TableStore = {
  /** Runs a transaction that calls `create`: again where PostgreSQL wants passwords in another form. */
  creating<T>(work: () => Promise<T>): Promise<T>
  /** Creates the schema and its roles, or what is missing of both, within the caller's transaction. */
  create(tx: SqlClient, access: TableAccess): Promise<void>
  /** Which of these schemas are not there, or lack a role or its rights, as after a backup without roles was restored. */
  incomplete(schemas: string[]): Promise<string[]>
  /** Allows or forbids the roles of a schema to log in, within the caller's transaction. */
  allowLogin(tx: SqlClient, schema: string, isAllowed: boolean): Promise<void>
  /** Drops the schema, its tables and its roles within the caller's transaction; what is gone already is ignored. */
  drop(tx: SqlClient, schema: string): Promise<void>
  /** Runs one statement that reads the table. Throws `query_timeout`, and `bad_request` for too large a page. */
  read(table: TablePlace, statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Runs statements that change rows of the table: all of them or, when `work` throws, none. */
  write<T>(table: TablePlace, work: (tx: SqlClient) => Promise<T>): Promise<T>
  /** Runs a script as the schema's owner in one transaction, which the script cannot end; `stop` aborts it. */
  apply(access: TableAccess, script: string, stop?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A language model that continues a conversation. */
export type ChatModel = {
  /** Never throws; `deadline` is of `performance.now()`. */
  complete(
    messages: { role: 'system' | 'user' | 'assistant'; content: string }[],
    deadline: number,
  ): Promise<{ ok: true; text: string } | { ok: false; reason: string }>
  close(): Promise<void>
}

/** One message from a customer, read from a callback. */
export type InboundMessage = {
  wamid: string
  waId: string | null
  userId: string | null
  profileName: string | null
  sentAt: Date
  type: string
  content: string | null
  media: InboundMedia | null
  payload: Record<string, unknown> | null
  replyTo: string | null
  /** Whether the customer says something new with it, unlike a system notice. */
  isWord: boolean
  /** Whether it opens the 24-hour window: a customer's own message outside of groups. */
  opensWindow: boolean
  /** Its effect beside being stored; null for most messages. */
  change: InboundChange | null
}

/**
 * An edit or a revocation changes the message that it names; the edit's own content becomes that message's. An
 * identity change tells the customer's new names.
 */
export type InboundChange =
  | { kind: 'edit' | 'revoke'; target: string }
  | { kind: 'identity'; waId: string | null; userId: string | null }

export type InboundMedia = {
  media_id: string | null
  slug: null
  mime_type: string | null
  filename: string | null
  sha256: string | null
}

/** A status of one of our messages, read from a callback. */
export type StatusUpdate = {
  wamid: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  at: Date
  attemptId: string | null
  waId: string | null
  userId: string | null
  error: { code: string; title: string; details: string | null; retryable: boolean } | null
  /** The refusal in the form that the answer to a send would have had. */
  refusal: ChannelError | null
}

/** A customer's choice on marketing messages, as told to the channel. */
export type PreferenceUpdate = {
  waId: string | null
  userId: string | null
  optedIn: boolean
  at: Date
}

/** Everything in one callback; what could not be read is in `rejected`, never dropped. */
export type CallbackUpdates = {
  messages: InboundMessage[]
  statuses: StatusUpdate[]
  preferences: PreferenceUpdate[]
  templates: TemplateUpdate[]
  flows: FlowUpdate[]
  others: { field: string; businessAccountId: string; value: unknown }[]
  rejected: { reason: string }[]
}
