import { phoneMatchKey } from '../core/phone.ts'
import type { InboundMessage } from '../core/ports.ts'
import { must, type SqlClient, statement } from '../core/sql.ts'

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
}

/** Customers by what the channel calls them; of two that claim one name, the first keeps it. */
type Book = { all: Writer[]; byUserId: Map<string, Writer>; byKey: Map<string, Writer> }

/**
 * Finds, or makes, the contact and the conversation of everyone who wrote. A customer is known by the
 * channel's user id first, then by the number. A unique violation means that another callback was
 * faster: run the transaction again.
 */
export async function resolve(
  tx: SqlClient,
  projectId: string,
  messages: InboundMessage[],
  now: Date,
): Promise<Map<InboundMessage, Writer>> {
  const book = await findKnown(tx, projectId, messages.map(customerOf))
  const writers = new Map(messages.map((message) => [message, identify(book, customerOf(message))]))
  await createContacts(tx, projectId, book, now)
  await openConversations(tx, projectId, book, now)
  return writers
}

/** Notes what the channel newly told of those who wrote: profile names, numbers and user ids. */
export async function note(
  tx: SqlClient,
  projectId: string,
  writers: Map<InboundMessage, Writer>,
  now: Date,
): Promise<void> {
  const changed = new Set<Writer>()
  for (const [{ profileName }, writer] of writers) {
    const isRenamed = profileName !== null && profileName !== writer.profileName
    if (isRenamed) writer.profileName = profileName
    if (isRenamed || writer.isIdentified) changed.add(writer)
  }
  if (changed.size > 0) {
    await tx.rows(updateContacts, [projectId, JSON.stringify([...changed]), now])
  }
}

function customerOf({ waId, userId, profileName }: InboundMessage): Customer {
  return { matchKey: waId === null ? null : phoneMatchKey(waId), waId, userId, profileName }
}

/**
 * The customer's entry, a new one if there is none. What he is called goes into it, unless another
 * entry is called so already: some messages name the number, some the user id and some both.
 */
function identify(book: Book, customer: Customer): Writer {
  const found = match(book, customer)
  const writer = found ?? newWriter(customer)
  if (!found) book.all.push(writer)
  const { matchKey, waId, userId } = customer
  if (writer.matchKey === null && matchKey !== null && !book.byKey.has(matchKey)) {
    Object.assign(writer, { matchKey, waId, isIdentified: true })
  }
  if (writer.userId === null && userId !== null && !book.byUserId.has(userId)) {
    Object.assign(writer, { userId, isIdentified: true })
  }
  index(book, writer)
  return writer
}

function newWriter(customer: Customer): Writer {
  return { ...customer, contactId: '', conversationId: '', isIdentified: false }
}

function match({ byUserId, byKey }: Book, { userId, matchKey }: Customer): Writer | undefined {
  const found = userId === null ? undefined : byUserId.get(userId)
  return found ?? (matchKey === null ? undefined : byKey.get(matchKey))
}

function index({ byUserId, byKey }: Book, writer: Writer): void {
  if (writer.userId !== null) byUserId.set(writer.userId, writer)
  if (writer.matchKey !== null) byKey.set(writer.matchKey, writer)
}

const find = statement(
  'find-customers',
  `SELECT k.id, c.id, k.match_key, k.wa_id, k.user_id, k.profile_name
     FROM contacts k LEFT JOIN conversations c ON c.contact_id = k.id
    WHERE k.project_id = $1 AND (k.match_key = ANY ($2) OR k.user_id = ANY ($3))`,
)

async function findKnown(tx: SqlClient, projectId: string, customers: Customer[]): Promise<Book> {
  const keys = customers.flatMap(({ matchKey }) => matchKey ?? [])
  const userIds = customers.flatMap(({ userId }) => userId ?? [])
  const book: Book = { all: [], byUserId: new Map(), byKey: new Map() }
  for (const row of await tx.rows(find, [projectId, keys, userIds])) {
    const [contactId, conversationId, matchKey = null, waId = null, userId = null, name = null] = row
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
      SET phone = coalesce(k.phone, '+' || c."waId"), wa_id = coalesce(c."waId", k.wa_id),
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
    if (writer.conversationId === '') without.set(writer.contactId, writer)
  }
  if (without.size === 0) return
  const rows = await tx.rows(insertConversations, [projectId, [...without.keys()], now])
  for (const [id, contactId] of rows) {
    const writer = without.get(must(contactId))
    if (writer) writer.conversationId = must(id)
  }
}
