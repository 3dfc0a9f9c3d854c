import { phoneMatchKey } from '../../core/phone.ts'
import type { StatusUpdate } from '../../core/ports.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import type { Names } from '../conversations/customer-book.ts'
import type { Twins } from '../conversations/customer-joins.ts'

/** The contact that a message of ours went to, and its known names. */
export type Recipient = { contactId: string; known: Names }

/** Names that a contact does not have yet. */
export type News = { contactId: string } & Names

// Each name belongs to one contact only: a name that another contact has is not taken over. That other one is
// told, if it lacks the name by which this one is known. All names are looked up at once, and contacts by their id
// alone: of a project that is new to it, PostgreSQL may otherwise read all contacts for each.
const takeNames = statement(
  'take-told-names',
  `WITH told AS MATERIALIZED (
     SELECT t.* FROM jsonb_to_recordset($2::jsonb) AS t ("contactId" bigint, "waId" text,
         "matchKey" text, "userId" text)
       JOIN contacts k ON k.id = t."contactId"
      WHERE k.project_id IS NOT DISTINCT FROM $1 ORDER BY k.id FOR UPDATE OF k
   ), named AS MATERIALIZED (
     SELECT o.id, o.user_id, o.match_key FROM contacts o
      WHERE o.project_id = $1 AND o.user_id = ANY (ARRAY(SELECT "userId" FROM told))
     UNION
     SELECT o.id, o.user_id, o.match_key FROM contacts o
      WHERE o.project_id = $1 AND o.match_key = ANY (ARRAY(SELECT "matchKey" FROM told))
   ), free AS (
     SELECT t."contactId",
            CASE WHEN NOT EXISTS (SELECT FROM named o WHERE o.user_id = t."userId")
                 THEN t."userId" END AS user_id,
            CASE WHEN NOT EXISTS (SELECT FROM named o WHERE o.match_key = t."matchKey")
                 THEN t."waId" END AS wa_id,
            t."matchKey" AS match_key
       FROM told t
   ), taken AS (
     UPDATE contacts k
        SET user_id = coalesce(k.user_id, f.user_id), wa_id = coalesce(k.wa_id, f.wa_id),
            phone = coalesce(k.phone, '+' || f.wa_id),
            match_key = CASE WHEN k.match_key IS NULL AND f.wa_id IS NOT NULL THEN f.match_key
                             ELSE k.match_key END,
            updated_at = $3
       FROM free f
      WHERE k.id = f."contactId"
        AND (k.user_id IS NULL AND f.user_id IS NOT NULL OR k.wa_id IS NULL AND f.wa_id IS NOT NULL)
   )
   SELECT t."contactId", coalesce(
            (SELECT o.id FROM named o WHERE o.user_id = t."userId" AND o.match_key IS NULL),
            (SELECT o.id FROM named o WHERE o.match_key = t."matchKey" AND o.user_id IS NULL)) AS other
     FROM told t`,
)

/**
 * Stores names that no contact has yet, so that a customer who answers under one of them is recognised as the
 * one who was written to. A unique violation means that another callback was faster: run the transaction again.
 * Answers the contacts to be joined, since another one has the name.
 */
export async function note(
  tx: SqlClient,
  projectId: string,
  news: News[],
  now: Date,
): Promise<Twins[]> {
  if (news.length === 0) return []
  const rows = await tx.rows(takeNames, [projectId, JSON.stringify(news), now])
  return rows.flatMap(([id, other]) => (other == null ? [] : [[must(id), other] as const]))
}

/** The user ids and numbers in the channel's reports that the contacts in `recipients`, by wamid, lack. */
export function newsOf(recipients: Map<string, Recipient>, updates: StatusUpdate[]): News[] {
  const news = new Map<string, News>()
  const taken = new Map<string, string>()
  for (const update of updates) {
    const recipient = recipients.get(update.wamid)
    if (!recipient) continue
    const { contactId, known } = recipient
    // Two contacts with the same new name in one callback would both take it.
    const isFree = (name: string | null) =>
      name !== null && (taken.get(name) ?? contactId) === contactId
    const names = newsIn(known, update)
    const told = news.get(contactId) ?? { contactId, matchKey: null, waId: null, userId: null }
    if (told.userId === null && isFree(names.userId)) told.userId = names.userId
    if (told.waId === null && isFree(names.matchKey)) {
      Object.assign(told, { waId: names.waId, matchKey: names.matchKey })
    }
    for (const name of [told.userId, told.matchKey]) if (name !== null) taken.set(name, contactId)
    if (told.userId !== null || told.waId !== null) news.set(contactId, told)
  }
  return [...news.values()]
}

/** A number counts as news only if its match key differs, since the customer could not be found by it. */
function newsIn(known: Names, { waId, userId }: StatusUpdate): Names {
  const matchKey = waId === null ? null : phoneMatchKey(waId)
  const isOther = known.waId === null && matchKey !== known.matchKey
  return {
    userId: known.userId === null ? userId : null,
    waId: isOther ? waId : null,
    matchKey: isOther ? matchKey : null,
  }
}
