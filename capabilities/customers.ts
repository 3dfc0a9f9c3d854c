import { phoneMatchKey } from '../core/phone.ts'
import type { InboundMessage, PreferenceUpdate } from '../core/ports.ts'
import { must, plannedOnce, type SqlClient, statement } from '../core/sql.ts'
import { moveContacts } from './customer-moves.ts'

type Customer = {
  matchKey: string | null
  waId: string | null
  userId: string | null
  profileName: string | null
}
/** A contact and its conversation; the ids are empty until there are any. */
export type Writer = Customer & {
  contactId: string
  conversationId: string
  /** Whether this callback told a number or user id that the contact did not have. */
  isIdentified: boolean
  /** Whether it told that the customer has another number now, or another user id. */
  isRenumbered: boolean
  isRenamed: boolean
  /** Whether there is to be a conversation: for who wrote, not for who chose something. */
  hasWritten: boolean
}

/** Customers by what the channel calls them; of two that claim one name, the first keeps it. */
type Book = { all: Writer[]; byUserId: Map<string, Writer>; byKey: Map<string, Writer> }

/** Whom a callback is about: who wrote, and who chose something. */
export type Update = InboundMessage | PreferenceUpdate

/**
 * Finds, or makes, the contact of everyone whom a callback is about, and the conversation of everyone
 * who wrote. A customer is known by the channel's user id first, then by the number. Who changed one
 * of them is moved to the new one, unless another contact has it: then both stay as they are. A unique
 * violation means that another callback was faster: run the transaction again.
 */
export async function resolve(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
  now: Date,
): Promise<Map<Update, Writer>> {
  const named = updates.flatMap((update) => [customerOf(update), movedTo(update) ?? []].flat())
  const mayMove = updates.some((update) => movedTo(update) !== null)
  const book = await findKnown(tx, projectId, named, mayMove)
  const writers = new Map(updates.map((update) => [update, identify(book, update)]))
  await moveContacts(tx, projectId, book.all.filter(isMoved), now)
  await createContacts(tx, projectId, book, now)
  await openConversations(tx, projectId, book, now)
  return writers
}

/** Notes what the channel newly told of those who wrote: profile names, numbers and user ids. */
export async function note(
  tx: SqlClient,
  projectId: string,
  writers: Map<Update, Writer>,
  now: Date,
): Promise<void> {
  const changed = new Set<Writer>()
  for (const [update, writer] of writers) {
    const { profileName } = customerOf(update)
    const isNews = profileName !== null && profileName !== writer.profileName
    if (isNews) writer.profileName = profileName
    if (isNews || writer.isIdentified) changed.add(writer)
  }
  if (changed.size > 0) {
    await tx.rows(updateContacts, [projectId, JSON.stringify([...changed]), now])
  }
}

function customerOf(update: Update): Customer {
  return customer(update.waId, update.userId, 'profileName' in update ? update.profileName : null)
}

/** What the customer is called from now on; null where that is not what an update says. */
function movedTo(update: Update): Customer | null {
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

/**
 * The customer's entry, a new one if there is none. What he is called goes into it, unless another
 * entry is called so already: some messages name the number, some the user id and some both.
 */
function identify(book: Book, update: Update): Writer {
  const named = customerOf(update)
  const moved = movedTo(update)
  const found = match(book, named) ?? (moved ? match(book, moved) : undefined)
  const writer = found ?? newWriter(named)
  if (!found) book.all.push(writer)
  if (moved) move(book, writer, moved)
  else complete(book, writer, named)
  writer.hasWritten ||= 'wamid' in update
  index(book, writer)
  return writer
}

function complete(book: Book, writer: Writer, { matchKey, waId, userId }: Customer): void {
  if (writer.matchKey === null && matchKey !== null && !book.byKey.has(matchKey)) {
    Object.assign(writer, { matchKey, waId, isIdentified: true })
  }
  if (writer.userId === null && userId !== null && !book.byUserId.has(userId)) {
    Object.assign(writer, { userId, isIdentified: true })
  }
}

/** Gives a customer his new names, but none that another contact has. */
function move(book: Book, writer: Writer, { matchKey, waId, userId }: Customer): void {
  const isFree = (owner: Writer | undefined) => owner === undefined || owner === writer
  if (matchKey !== null && waId !== writer.waId && isFree(book.byKey.get(matchKey))) {
    if (writer.matchKey !== null) book.byKey.delete(writer.matchKey)
    Object.assign(writer, { matchKey, waId, isRenumbered: true })
  }
  if (userId !== null && userId !== writer.userId && isFree(book.byUserId.get(userId))) {
    if (writer.userId !== null) book.byUserId.delete(writer.userId)
    Object.assign(writer, { userId, isRenamed: true })
  }
}

function isMoved({ contactId, isRenumbered, isRenamed }: Writer): boolean {
  return contactId !== '' && (isRenumbered || isRenamed)
}

function newWriter(customer: Customer): Writer {
  const flags = { isIdentified: false, isRenumbered: false, isRenamed: false, hasWritten: false }
  return { ...customer, ...flags, contactId: '', conversationId: '' }
}

function match({ byUserId, byKey }: Book, { userId, matchKey }: Customer): Writer | undefined {
  const found = userId === null ? undefined : byUserId.get(userId)
  return found ?? (matchKey === null ? undefined : byKey.get(matchKey))
}

function index({ byUserId, byKey }: Book, writer: Writer): void {
  if (writer.userId !== null) byUserId.set(writer.userId, writer)
  if (writer.matchKey !== null) byKey.set(writer.matchKey, writer)
}

const FIND = `SELECT k.id, c.id, k.match_key, k.wa_id, k.user_id, k.profile_name
     FROM contacts k LEFT JOIN conversations c ON c.contact_id = k.id
    WHERE k.project_id = $1 AND (k.match_key = ANY ($2::text[]) OR k.user_id = ANY ($3::text[]))`
const find = plannedOnce('find-customers', FIND)
// Who is to be moved is moved from their names as they are now, not as they were before another callback.
const findLocked = plannedOnce('lock-customers', `${FIND} ORDER BY k.id FOR UPDATE OF k`)

async function findKnown(
  tx: SqlClient,
  projectId: string,
  named: Customer[],
  mayMove: boolean,
): Promise<Book> {
  const keys = named.flatMap(({ matchKey }) => matchKey ?? [])
  const userIds = named.flatMap(({ userId }) => userId ?? [])
  const book: Book = { all: [], byUserId: new Map(), byKey: new Map() }
  for (const row of await tx.rows(mayMove ? findLocked : find, [projectId, keys, userIds])) {
    const [contactId, conversationId, matchKey = null, waId = null, userId = null, name = null] =
      row
    const writer = newWriter({ matchKey, waId, userId, profileName: name })
    writer.contactId = must(contactId)
    writer.conversationId = conversationId ?? ''
    book.all.push(writer)
    index(book, writer)
  }
  return book
}

// In one order everywhere, so that two callbacks never wait for each other.
const insertContacts = statement(
  'create-customers',
  `INSERT INTO contacts (project_id, phone, wa_id, match_key, user_id, profile_name, tags, created_at,
     updated_at)
   SELECT $1, '+' || c."waId", c."waId", c."matchKey", c."userId", c."profileName", '{}',
     $3::timestamptz, $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS c ("waId" text, "matchKey" text, "userId" text,
       "profileName" text)
    ORDER BY c."matchKey", c."userId"
   RETURNING id, match_key, user_id`,
)

async function createContacts(tx: SqlClient, projectId: string, book: Book, now: Date) {
  const missing = book.all.filter(({ contactId }) => contactId === '')
  if (missing.length === 0) return
  for (const writer of missing) writer.isIdentified = false
  const rows = await tx.rows(insertContacts, [projectId, JSON.stringify(missing), now])
  for (const [contactId, matchKey = null, userId = null] of rows) {
    const writer = match(book, { matchKey, userId, waId: null, profileName: null })
    if (writer) writer.contactId = must(contactId)
  }
}

const updateContacts = statement(
  'note-customers',
  `WITH told AS (
     SELECT c.* FROM jsonb_to_recordset($2::jsonb) AS c ("contactId" bigint, "waId" text,
         "matchKey" text, "userId" text, "profileName" text)
       JOIN contacts k ON k.id = c."contactId"
      WHERE k.project_id = $1 ORDER BY k.id FOR NO KEY UPDATE OF k
   )
   UPDATE contacts k
      SET phone = coalesce(k.phone, '+' || c."waId"), wa_id = coalesce(k.wa_id, c."waId"),
          match_key = coalesce(k.match_key, c."matchKey"), user_id = coalesce(k.user_id, c."userId"),
          profile_name = coalesce(c."profileName", k.profile_name), updated_at = $3
     FROM told c WHERE k.id = c."contactId"`,
)

const insertConversations = statement(
  'open-conversations',
  `INSERT INTO conversations (project_id, contact_id, last_activity_at, created_at, updated_at)
   SELECT $1, id, $3::timestamptz, $3::timestamptz, $3::timestamptz FROM unnest($2::bigint[]) AS id
   RETURNING id, contact_id`,
)

async function openConversations(tx: SqlClient, projectId: string, book: Book, now: Date) {
  const without = new Map<string, Writer>()
  for (const writer of book.all) {
    if (writer.hasWritten && writer.conversationId === '') without.set(writer.contactId, writer)
  }
  if (without.size === 0) return
  const rows = await tx.rows(insertConversations, [projectId, [...without.keys()], now])
  for (const [id, contactId] of rows) {
    const writer = without.get(must(contactId))
    if (writer) writer.conversationId = must(id)
  }
}
