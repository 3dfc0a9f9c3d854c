import { must, type SqlClient, statement } from '../../core/sql.ts'
import * as customerBook from './customer-book.ts'
import * as customerJoins from './customer-joins.ts'
import {
  type Book,
  customerOf,
  movedTo,
  type Names,
  type Update,
  type Writer,
} from './customer-book.ts'
import { moveContacts } from './customer-moves.ts'

/** The contact of the customer of each update, and the one that has its number where another is the customer's. */
export type Resolved = { writers: Map<Update, Writer>; namesakes: Map<Update, Writer> }

/**
 * Finds or creates the contact of every customer in a callback, and the conversation of everyone who wrote. A
 * customer is identified first by the message of ours that they answer, then by the channel's user id, then by
 * the number; a contact with the number alone and one with the user id alone are joined when an update names
 * both. Changed names are taken over unless another contact has them: then both contacts stay as they are. `changed` are conversations that the callback changes besides. A unique violation means that another
 * callback was faster: run the transaction again.
 */
export async function resolve(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
  { changed, now }: { changed: string[]; now: Date },
): Promise<Resolved> {
  const book = await openJoined(tx, projectId, updates, { changed, now })
  const writers = new Map(updates.map((update) => [update, identify(book, update)]))
  await moveContacts(tx, projectId, book.all.filter(isMoved), now)
  await createContacts(tx, projectId, book, now)
  await openConversations(tx, projectId, book, now)
  const namesakes = new Map<Update, Writer>()
  for (const update of updates) {
    const namesake = customerBook.namesakeOf(book, update)
    if (namesake) namesakes.set(update, namesake)
  }
  return { writers, namesakes }
}

async function openJoined(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
  { changed, now }: { changed: string[]; now: Date },
): Promise<Book> {
  const book = await customerBook.open(tx, projectId, updates, changed)
  const twins = customerBook.twinsIn(book, updates)
  if (twins.length === 0) return book
  await customerJoins.join(tx, projectId, twins, now)
  return customerBook.open(tx, projectId, updates, changed)
}

/** Stores what the callback newly told of those who wrote: profile names, numbers and user ids. */
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

/**
 * The entry of an update's customer, a new one if needed. Its names are added to the entry unless another one
 * has them: some messages name the number, some the user id and some both.
 */
function identify(book: Book, update: Update): Writer {
  const named = customerOf(update)
  const moved = movedTo(update)
  const found = customerBook.find(book, update)
  const writer = found ?? customerBook.newWriter(named)
  if (!found) book.all.push(writer)
  if (moved) move(book, writer, moved)
  else complete(book, writer, named)
  writer.hasWritten ||= 'wamid' in update
  customerBook.index(book, writer)
  return writer
}

function complete(book: Book, writer: Writer, { matchKey, waId, userId }: Names): void {
  if (writer.matchKey === null && matchKey !== null && !book.byKey.has(matchKey)) {
    Object.assign(writer, { matchKey, waId, isIdentified: true })
  }
  if (writer.userId === null && userId !== null && !book.byUserId.has(userId)) {
    Object.assign(writer, { userId, isIdentified: true })
  }
}

/** Gives a customer new names, except those that another contact has. */
function move(book: Book, writer: Writer, { matchKey, waId, userId }: Names): void {
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

// Contacts are inserted in one order everywhere, so that callbacks cannot deadlock.
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
    const writer = customerBook.match(book, { matchKey, userId, waId: null })
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
