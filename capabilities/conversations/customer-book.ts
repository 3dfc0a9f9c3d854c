import { phoneMatchKey } from '../../core/phone.ts'
import type { InboundMessage, PreferenceUpdate } from '../../core/ports.ts'
import { must, plannedOnce, type Row, type SqlClient } from '../../core/sql.ts'
import { joinedContactOf } from '../joined-contacts.ts'
import type { Twins } from './customer-joins.ts'

/**
 * The names of a customer: the match key of the number, the number as the channel has it, the channel's user
 * id.
 */
export type Names = { matchKey: string | null; waId: string | null; userId: string | null }
type Customer = Names & { profileName: string | null }
/** A contact and its conversation; ids are empty until the rows exist. */
export type Writer = Customer & {
  contactId: string
  conversationId: string
  /** Whether this callback told a number or user id that the contact did not have yet. */
  isIdentified: boolean
  /** Whether this callback told that the customer has a new number or user id. */
  isRenumbered: boolean
  isRenamed: boolean
  /** Whether a conversation is needed: for customers who wrote, not for those who only chose something. */
  hasWritten: boolean
}

/** Customers by their names; when two claim the same name, the first keeps it. */
export type Book = {
  all: Writer[]
  byUserId: Map<string, Writer>
  byKey: Map<string, Writer>
  /** By the channel's number, for customers who are dialled by a different one. */
  byWaId: Map<string, Writer>
  /** By the wamids of our messages that the updates answer: the customers to whom those were sent. */
  byAnswered: Map<string, Writer>
}

/** What tells of a customer in a callback: a message, or a choice about marketing. */
export type Update = InboundMessage | PreferenceUpdate

/** The customer of an update, as the channel names them. */
export function customerOf(update: Update): Customer {
  return customer(update.waId, update.userId, 'profileName' in update ? update.profileName : null)
}

/** The customer's new names; null when the update does not tell of a change. */
export function movedTo(update: Update): Customer | null {
  const change = 'change' in update ? update.change : null
  return change?.kind === 'identity' ? customer(change.waId, change.userId, null) : null
}

function customer(
  waId: string | null,
  userId: string | null,
  profileName: string | null,
): Customer {
  return { matchKey: waId === null ? null : phoneMatchKey(waId), waId, userId, profileName }
}

/** An entry for a customer without a contact. */
export function newWriter(customer: Customer): Writer {
  const flags = { isIdentified: false, isRenumbered: false, isRenamed: false, hasWritten: false }
  return { ...customer, ...flags, contactId: '', conversationId: '' }
}

/** The customer of an update: the one to whom the answered message was sent, or else by names. */
export function find(book: Book, update: Update): Writer | undefined {
  const moved = movedTo(update)
  return (
    book.byAnswered.get(answeredBy(update) ?? '') ??
    match(book, customerOf(update)) ??
    (moved ? match(book, moved) : undefined)
  )
}

/** The entry of the user id, or else of the number. */
export function match(
  { byUserId, byKey, byWaId }: Book,
  { userId, matchKey, waId }: Names,
): Writer | undefined {
  const byId = userId === null ? undefined : byUserId.get(userId)
  const byNumber = matchKey === null ? undefined : byKey.get(matchKey)
  return byId ?? byNumber ?? (waId === null ? undefined : byWaId.get(waId))
}

/** The entry that has the number of an update's customer, where another one has the user id. */
export function namesakeOf({ byUserId, byKey }: Book, update: Update): Writer | undefined {
  const { userId, matchKey } = customerOf(update)
  const byId = userId === null ? undefined : byUserId.get(userId)
  const byNumber = matchKey === null ? undefined : byKey.get(matchKey)
  return byId !== undefined && byId !== byNumber ? byNumber : undefined
}

/** The contacts of one customer of whom an update tells that they are the same one. */
export function twinsIn({ byAnswered, byUserId, byKey }: Book, updates: Update[]): Twins[] {
  return updates.flatMap((update) => {
    const { userId, matchKey } = customerOf(update)
    const found = [
      byAnswered.get(answeredBy(update) ?? ''),
      userId === null ? undefined : byUserId.get(userId),
      matchKey === null ? undefined : byKey.get(matchKey),
    ].flatMap((one) => one ?? [])
    const numbered = found.find((one) => one.matchKey !== null && one.userId === null)
    const named = found.find((one) => one.userId !== null && one.matchKey === null)
    return numbered && named ? [[numbered.contactId, named.contactId] as const] : []
  })
}

/** Enters a customer under its names, which `match` looks up. */
export function index({ byUserId, byKey }: Book, writer: Writer): void {
  if (writer.userId !== null) byUserId.set(writer.userId, writer)
  if (writer.matchKey !== null) byKey.set(writer.matchKey, writer)
}

const SELECT = `SELECT k.id, c.id, k.match_key, k.wa_id, k.user_id, k.profile_name
     FROM contacts k LEFT JOIN conversations c ON c.contact_id = k.id
    WHERE k.project_id = $1`
const NAMED = `(k.match_key = ANY ($2::text[]) OR k.user_id = ANY ($3::text[])
      OR k.id = ANY ($4::bigint[]))`
// Before anything else, and all at once: the conversations of contacts that get new names, since sends lock the
// conversation before the contact; and the conversations that are changed besides.
const lockConversations = plannedOnce(
  'lock-conversations-of-customers',
  `SELECT 1 FROM conversations
    WHERE id = ANY (ARRAY(
      SELECT c.id FROM contacts k JOIN conversations c ON c.contact_id = k.id
       WHERE k.project_id = $1 AND (${NAMED} OR k.wa_id = ANY ($5::text[]))) || $6::bigint[])
    ORDER BY id FOR NO KEY UPDATE`,
)
const findNamed = plannedOnce('find-customers', `${SELECT} AND ${NAMED}`)
// Contacts are locked before they get new names, so that the change starts from their current names and not
// from those before another callback.
const lockNamed = plannedOnce(
  'lock-customers',
  `${SELECT} AND ${NAMED} ORDER BY k.id FOR UPDATE OF k`,
)

/**
 * Reads the contacts that the updates may be about; those that may get new names are locked. When there are
 * such contacts, or `changed` conversations, the conversations are locked first.
 */
export async function open(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
  changed: string[],
): Promise<Book> {
  const answered = await findAnswered(tx, projectId, updates)
  const moves = updates.flatMap((update) => movedTo(update) ?? [])
  const named = [...updates.map(customerOf), ...moves]
  const keys = named.flatMap(({ matchKey }) => matchKey ?? [])
  const userIds = named.flatMap(({ userId }) => userId ?? [])
  const values = [projectId, keys, userIds, [...answered.values()]]
  const isMoving = moves.length > 0
  if (isMoving || changed.length > 0) {
    const waIds = updates.flatMap(({ waId }) => waId ?? [])
    await tx.rows(lockConversations, [...values, waIds, changed])
  }
  const maps = { byUserId: new Map(), byKey: new Map(), byWaId: new Map(), byAnswered: new Map() }
  const book: Book = { all: [], ...maps }
  const byId = new Map<string, Writer>()
  for (const row of await tx.rows(isMoving ? lockNamed : findNamed, values)) {
    const writer = readWriter(row)
    book.all.push(writer)
    byId.set(writer.contactId, writer)
    index(book, writer)
  }
  for (const [wamid, contactId] of answered) {
    const writer = byId.get(contactId)
    if (writer) book.byAnswered.set(wamid, writer)
  }
  await addOtherwiseDialled(tx, projectId, book, { byId, updates, isMoving })
  return book
}

const findRecipients = plannedOnce(
  'find-answered-recipients',
  `SELECT wamid, ${joinedContactOf('messages.contact_id')} FROM messages
    WHERE project_id = $1 AND wamid = ANY ($2::text[]) AND direction = 'outbound'`,
)

/** The message that an update answers; null for none. */
function answeredBy(update: Update): string | null {
  return 'replyTo' in update ? update.replyTo : null
}

async function findAnswered(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
): Promise<Map<string, string>> {
  const wamids = updates.flatMap((update) => answeredBy(update) ?? [])
  if (wamids.length === 0) return new Map()
  const rows = await tx.rows(findRecipients, [projectId, wamids])
  return new Map(rows.map(([wamid, contactId]) => [must(wamid), must(contactId)]))
}

const BY_WA_ID = `${SELECT} AND k.wa_id = ANY ($2::text[]) ORDER BY k.id`
const findByWaId = plannedOnce('find-customers-by-wa-id', BY_WA_ID)
const lockByWaId = plannedOnce('lock-customers-by-wa-id', `${BY_WA_ID} FOR UPDATE OF k`)

/** An apparent stranger may be a customer who is dialled by a different number than the one they write from. */
async function addOtherwiseDialled(
  tx: SqlClient,
  projectId: string,
  book: Book,
  { byId, updates, isMoving }: { byId: Map<string, Writer>; updates: Update[]; isMoving: boolean },
): Promise<void> {
  const strangers = updates.filter((update) => find(book, update) === undefined)
  const waIds = strangers.flatMap(({ waId }) => waId ?? [])
  if (waIds.length === 0) return
  for (const row of await tx.rows(isMoving ? lockByWaId : findByWaId, [projectId, waIds])) {
    const read = readWriter(row)
    const writer = byId.get(read.contactId) ?? read
    if (writer.waId === null || book.byWaId.has(writer.waId)) continue
    book.byWaId.set(writer.waId, writer)
    if (writer !== read) continue
    book.all.push(writer)
    index(book, writer)
  }
}

function readWriter(row: Row): Writer {
  const [contactId, conversationId, matchKey = null, waId = null, userId = null, name = null] = row
  const writer = newWriter({ matchKey, waId, userId, profileName: name })
  writer.contactId = must(contactId)
  writer.conversationId = conversationId ?? ''
  return writer
}
