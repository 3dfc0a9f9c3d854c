import { phoneMatchKey } from '../core/phone.ts'
import type { InboundMessage } from '../core/ports.ts'
import { type SqlClient, statement } from '../core/sql.ts'

export type Writer = { contactId: string; conversationId: string }

type Customer = {
  matchKey: string | null
  waId: string | null
  userId: string | null
  profileName: string | null
}
type Known = Customer & { contactId: string; conversationId: string | null }

/**
 * Finds, or makes, the contact and the conversation of everyone who wrote. A customer is known by the
 * channel's user id first, then by the number; what the channel newly tells of one is noted. A unique
 * violation means that another callback was faster: run the transaction again.
 */
export async function resolve(
  tx: SqlClient,
  projectId: string,
  messages: InboundMessage[],
  now: Date,
): Promise<Map<InboundMessage, Writer>> {
  const customers = messages.map(customerOf)
  const known = await findKnown(tx, projectId, customers)
  const missing = distinct(customers.filter((customer) => !match(known, customer)))
  known.push(...(await create(tx, projectId, missing, now)))
  await noteChanges(tx, projectId, known, customers, now)
  await openConversations(tx, projectId, known, now)
  return new Map(messages.map((message, index) => [message, writerOf(known, customers[index])]))
}

function customerOf({ waId, userId, profileName }: InboundMessage): Customer {
  return { matchKey: waId === null ? null : phoneMatchKey(waId), waId, userId, profileName }
}

function match(known: Known[], { userId, matchKey }: Customer): Known | undefined {
  return (
    known.find((contact) => userId !== null && contact.userId === userId) ??
    known.find((contact) => matchKey !== null && contact.matchKey === matchKey)
  )
}

/** One entry a customer, though some messages name the number, some the user id and some both. */
function distinct(customers: Customer[]): Customer[] {
  const found: Known[] = []
  for (const customer of customers) {
    const same = match(found, customer)
    if (same) Object.assign(same, merged(same, customer))
    else found.push({ ...customer, contactId: '', conversationId: null })
  }
  return found
}

function merged(before: Customer, now: Customer): Customer {
  return {
    matchKey: before.matchKey ?? now.matchKey,
    waId: before.waId ?? now.waId,
    userId: before.userId ?? now.userId,
    profileName: now.profileName ?? before.profileName,
  }
}

const find = statement(
  'find-customers',
  `SELECT k.id, c.id, k.match_key, k.wa_id, k.user_id, k.profile_name
     FROM contacts k LEFT JOIN conversations c ON c.contact_id = k.id
    WHERE k.project_id = $1 AND (k.match_key = ANY ($2) OR k.user_id = ANY ($3))`,
)

async function findKnown(tx: SqlClient, projectId: string, customers: Customer[]): Promise<Known[]> {
  const keys = customers.flatMap(({ matchKey }) => matchKey ?? [])
  const userIds = customers.flatMap(({ userId }) => userId ?? [])
  const rows = await tx.rows(find, [projectId, keys, userIds])
  return rows.map(([contactId, conversationId, matchKey, waId, userId, profileName]) => ({
    contactId: contactId ?? '',
    conversationId: conversationId ?? null,
    matchKey: matchKey ?? null,
    waId: waId ?? null,
    userId: userId ?? null,
    profileName: profileName ?? null,
  }))
}

const insertContacts = statement(
  'create-customers',
  `INSERT INTO contacts (project_id, phone, wa_id, match_key, user_id, profile_name, tags, created_at,
     updated_at)
   SELECT $1, '+' || c."waId", c."waId", c."matchKey", c."userId", c."profileName", '{}',
     $3::timestamptz, $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS c ("waId" text, "matchKey" text, "userId" text,
       "profileName" text)
   RETURNING id, match_key, user_id`,
)

async function create(tx: SqlClient, projectId: string, missing: Customer[], now: Date) {
  if (missing.length === 0) return []
  const rows = await tx.rows(insertContacts, [projectId, JSON.stringify(missing), now])
  return rows.map(([contactId, matchKey, userId]): Known => {
    const customer = missing.find(
      (one) => one.matchKey === (matchKey ?? null) && one.userId === (userId ?? null),
    )
    return {
      ...{ matchKey: matchKey ?? null, userId: userId ?? null, waId: customer?.waId ?? null },
      profileName: customer?.profileName ?? null,
      contactId: contactId ?? '',
      conversationId: null,
    }
  })
}

const updateContacts = statement(
  'note-customers',
  `UPDATE contacts k
      SET phone = coalesce(k.phone, '+' || c."waId"), wa_id = coalesce(c."waId", k.wa_id),
          match_key = coalesce(k.match_key, c."matchKey"), user_id = coalesce(k.user_id, c."userId"),
          profile_name = coalesce(c."profileName", k.profile_name), updated_at = $3
     FROM jsonb_to_recordset($2::jsonb) AS c ("contactId" bigint, "waId" text, "matchKey" text,
       "userId" text, "profileName" text)
    WHERE k.id = c."contactId" AND k.project_id = $1`,
)

async function noteChanges(
  tx: SqlClient,
  projectId: string,
  known: Known[],
  customers: Customer[],
  now: Date,
): Promise<void> {
  const changes = new Map<string, Known>()
  for (const customer of customers) {
    const before = match(known, customer)
    if (!before) continue
    const after = { ...before, ...withoutClash(known, before, merged(before, customer)) }
    const isNew =
      after.matchKey !== before.matchKey ||
      after.userId !== before.userId ||
      after.profileName !== before.profileName
    if (isNew) changes.set(before.contactId, Object.assign(before, after))
  }
  if (changes.size > 0) {
    await tx.rows(updateContacts, [projectId, JSON.stringify([...changes.values()]), now])
  }
}

/** A number or user id that is another contact's already stays there. */
function withoutClash(known: Known[], before: Known, after: Customer): Customer {
  const others = known.filter(({ contactId }) => contactId !== before.contactId)
  const keyTaken = others.some(({ matchKey }) => matchKey !== null && matchKey === after.matchKey)
  const userTaken = others.some(({ userId }) => userId !== null && userId === after.userId)
  return {
    profileName: after.profileName,
    waId: keyTaken ? before.waId : after.waId,
    matchKey: keyTaken ? before.matchKey : after.matchKey,
    userId: userTaken ? before.userId : after.userId,
  }
}

const insertConversations = statement(
  'open-conversations',
  `INSERT INTO conversations (project_id, contact_id, last_activity_at, created_at, updated_at)
   SELECT $1, id, $3::timestamptz, $3::timestamptz, $3::timestamptz FROM unnest($2::bigint[]) AS id
   RETURNING id, contact_id`,
)

async function openConversations(tx: SqlClient, projectId: string, known: Known[], now: Date) {
  const without = known.filter(({ conversationId }) => conversationId === null)
  if (without.length === 0) return
  const ids = without.map(({ contactId }) => contactId)
  const rows = await tx.rows(insertConversations, [projectId, ids, now])
  const opened = new Map(rows.map(([id, contactId]) => [contactId, id]))
  for (const contact of without) contact.conversationId = opened.get(contact.contactId) ?? null
}

function writerOf(known: Known[], customer: Customer | undefined): Writer {
  const contact = customer && match(known, customer)
  if (!contact?.conversationId) throw new Error('A customer who wrote has no conversation')
  return { contactId: contact.contactId, conversationId: contact.conversationId }
}
