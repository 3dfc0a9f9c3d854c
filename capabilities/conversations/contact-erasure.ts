import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { normalisePhone, phoneMatchKey } from '../../core/phone.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'
import { joinedContactOf } from '../joined-contacts.ts'
import * as looseBytes from '../media/loose-bytes.ts'

const BATCH = 2_000

/** What an erasure has deleted: messages, and the files that the customer sent; and where it removed the names. */
export type Erased = { contact_id: number; messages: number; files: number; recipients: number }

type Erasing = { onProgress: (messages: number) => void; stop: AbortSignal }

/**
 * Deletes a contact for good, with its conversation, its messages and the files that the customer sent; broadcasts
 * keep a recipient without number, name and message id. `contact` is an id, also of a contact that was joined with
 * another, or a number with its `+`. In small steps: one that is cut off, or that `stop` ends, can be made again and
 * goes on. What is kept for a limited time goes with that time; what is at WhatsApp stays there. A message that is
 * being sent meanwhile may arrive, but is not stored; whoever writes later is a new contact. `onProgress` is told how
 * many messages are gone. Throws `not_found`.
 */
export async function erase(
  ctx: Context,
  projectId: string,
  contact: string,
  { onProgress, stop }: Erasing,
): Promise<Erased> {
  const gone = { messages: 0, files: 0 }
  const count = async ({ messages, storeKeys }: Deleted) => {
    for (const key of storeKeys) await looseBytes.remove(ctx, key)
    gone.messages += messages
    gone.files += storeKeys.length
    onProgress(gone.messages)
  }
  for (;;) {
    const id = await find(ctx, projectId, contact)
    const within = <T>(work: (tx: SqlClient, projectId: string, id: string) => Promise<T>) =>
      pastConflicts(() => ctx.sql.transaction((tx) => work(tx, projectId, id)))
    // Most of a long conversation goes first, so that nobody who writes in it waits for the whole of it.
    let some: Deleted
    do {
      stop.throwIfAborted()
      some = await within(deleteMessages)
      await count(some)
    } while (some.messages === BATCH)
    const { recipients, isErased, ...rest } = await within(deleteRest)
    await count(rest)
    // Otherwise more was written in the meantime than a step takes, or it was joined with another, which is found now.
    if (isErased) return { contact_id: Number(id), ...gone, recipients }
  }
}

const findById = statement(
  'find-contact-to-erase',
  `SELECT id FROM contacts WHERE project_id = $1 AND id = ${joinedContactOf('$2::bigint')}`,
)
const findByNumber = statement(
  'find-number-to-erase',
  'SELECT id FROM contacts WHERE project_id = $1 AND match_key = $2',
)

async function find({ sql }: Context, projectId: string, contact: string): Promise<string> {
  const phone = contact.startsWith('+') ? normalisePhone(contact) : null
  const [row] = /^\d{1,15}$/.test(contact)
    ? await sql.rows(findById, [projectId, contact])
    : phone === null
      ? []
      : await sql.rows(findByNumber, [projectId, phoneMatchKey(phone)])
  if (row) return must(row[0])
  const how = phone === null ? ' Name it by its id, or by its number, which begins with +.' : ''
  throw new ServiceError('not_found', `The project has no contact ${contact}.${how}`)
}

type Deleted = { messages: number; storeKeys: string[] }

const CONVERSATION = '(SELECT id FROM conversations WHERE project_id = $1 AND contact_id = $2)'
const dropMessages = statement(
  'erase-messages',
  `WITH gone AS (
     DELETE FROM messages WHERE id = ANY (ARRAY(
       SELECT id FROM messages WHERE conversation_id = ${CONVERSATION} ORDER BY id LIMIT ${BATCH}))
     RETURNING CASE WHEN direction = 'inbound' THEN media ->> 'media_id' END AS media_id
   )
   SELECT media_id FROM gone`,
)
// A statement of its own: a file that was being fetched may have been stored while the messages waited.
const dropFiles = statement(
  'erase-files',
  `WITH gone AS (
     DELETE FROM media WHERE project_id = $1 AND inbound_media_id = ANY ($2::text[]) RETURNING store_key
   ), loose AS (
     INSERT INTO loose_bytes (store_key, created_at)
     SELECT store_key, now() FROM gone WHERE store_key IS NOT NULL ON CONFLICT DO NOTHING
   )
   SELECT store_key FROM gone WHERE store_key IS NOT NULL`,
)

async function deleteMessages(tx: SqlClient, projectId: string, id: string): Promise<Deleted> {
  const gone = await tx.rows(dropMessages, [projectId, id])
  const mediaIds = gone.flatMap(([mediaId]) => mediaId ?? [])
  const files = mediaIds.length > 0 ? await tx.rows(dropFiles, [projectId, mediaIds]) : []
  return { messages: gone.length, storeKeys: files.map(([key]) => must(key)) }
}

const NAMES =
  'ARRAY(SELECT contact_id FROM joined_contacts WHERE into_contact_id = $2) || $2::bigint'
// Without its content, an attempt still gives its credit back if the channel refuses it.
const emptyAttempts = statement(
  'erase-attempts',
  `UPDATE send_attempts SET message = '{}' WHERE project_id = $1 AND contact_id = ANY (${NAMES})`,
)
const holdConversation = statement(
  'hold-conversation-to-erase',
  'SELECT 1 FROM conversations WHERE project_id = $1 AND contact_id = $2 FOR UPDATE',
)
const dropRuns = statement(
  'erase-bot-runs',
  `WITH gone AS (
     DELETE FROM bot_runs WHERE project_id = $1 AND conversation_id = ${CONVERSATION} RETURNING id
   )
   DELETE FROM bot_calls WHERE run_id IN (SELECT id FROM gone)`,
)
// The id of a message contains the number that it went to. Recipients are looked up broadcast by broadcast, since no
// index has them by their contact. No status changes, so the broadcasts and their counters need no lock.
const forgetRecipients = statement(
  'erase-recipients',
  `UPDATE broadcast_recipients r SET phone = NULL, user_id = NULL, name = NULL, wamid = NULL
     FROM broadcasts b CROSS JOIN LATERAL (
       SELECT o.broadcast_id, o.seq FROM broadcast_recipients o
        WHERE o.broadcast_id = b.id AND o.contact_id = ANY (${NAMES}) OFFSET 0) found
    WHERE b.project_id = $1 AND r.broadcast_id = found.broadcast_id AND r.seq = found.seq
   RETURNING 1`,
)
const dropConversation = statement(
  'erase-conversation',
  'DELETE FROM conversations WHERE project_id = $1 AND contact_id = $2',
)
const dropJoined = statement(
  'erase-joined-contacts',
  'DELETE FROM joined_contacts WHERE project_id = $1 AND into_contact_id = $2',
)
const dropContact = statement(
  'erase-contact',
  'DELETE FROM contacts WHERE project_id = $1 AND id = $2 RETURNING 1',
)

/** Locks attempts, then the conversation, then the contact, like all others. */
async function deleteRest(
  tx: SqlClient,
  projectId: string,
  id: string,
): Promise<Deleted & { recipients: number; isErased: boolean }> {
  const values = [projectId, id]
  await tx.rows(emptyAttempts, values)
  await tx.rows(holdConversation, values)
  const deleted = await deleteMessages(tx, projectId, id)
  if (deleted.messages === BATCH) return { ...deleted, recipients: 0, isErased: false }
  await tx.rows(dropRuns, values)
  const recipients = await tx.rows(forgetRecipients, values)
  await tx.rows(dropConversation, values)
  await tx.rows(dropJoined, values)
  const erased = await tx.rows(dropContact, values)
  return { ...deleted, recipients: recipients.length, isErased: erased.length > 0 }
}
