import type { InboundMessage } from '../../core/ports.ts'
import {
  isoFromSql,
  json,
  must,
  plannedOnce,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'
import { advance, type Change, type Content } from './message-edits.ts'

const findRecorded = plannedOnce(
  'find-recorded',
  'SELECT wamid FROM messages WHERE project_id = $1 AND wamid = ANY ($2::text[])',
)

/**
 * Leaves out messages that are stored already. Their sender may have been renamed since, and the old number may
 * belong to somebody else: a repetition must neither create a contact nor move one.
 */
export async function withoutRecorded(
  tx: SqlClient,
  projectId: string,
  messages: InboundMessage[],
): Promise<InboundMessage[]> {
  if (messages.length === 0) return []
  const wamids = messages.map(({ wamid }) => wamid)
  const rows = await tx.rows(findRecorded, [projectId, wamids])
  const recorded = new Set(rows.map(([wamid]) => must(wamid)))
  return messages.filter(({ wamid }) => !recorded.has(wamid))
}

const findOriginals = statement(
  'find-originals',
  `SELECT wamid, conversation_id FROM messages
    WHERE project_id = $1 AND wamid = ANY ($2) AND direction = 'inbound'`,
)

/**
 * A callback's messages, split into changes of other messages, the conversations of those, and messages that
 * stand for themselves.
 */
export type Split = { changes: Change[]; changed: string[]; others: InboundMessage[] }

/**
 * Splits a callback's messages into edits and revocations, and messages that stand for themselves: all others,
 * and also changes whose message is neither stored nor in the same callback.
 */
export async function split(
  tx: SqlClient,
  projectId: string,
  messages: InboundMessage[],
): Promise<Split> {
  const candidates = new Map(messages.map((message) => [message, changeOf(message)]))
  const targets = [...candidates.values()].flatMap((change) => change?.target ?? [])
  if (targets.length === 0) return { changes: [], changed: [], others: messages }
  const rows = await tx.rows(findOriginals, [projectId, targets])
  const plain = messages.filter((message) => !candidates.get(message))
  const known = new Set([...rows.map(([wamid]) => must(wamid)), ...plain.map(({ wamid }) => wamid)])
  return {
    changes: [...candidates.values()].flatMap((change) => change ?? []),
    changed: rows.map(([, conversationId]) => must(conversationId)),
    others: [...candidates].filter(([, one]) => !one || !known.has(one.target)).map(([one]) => one),
  }
}

function changeOf({ change, wamid, sentAt, content, media }: InboundMessage): Change | null {
  if (change === null || change.kind === 'identity') return null
  const { kind, target } = change
  return { kind, target, wamid, at: sentAt.toISOString(), content, media }
}

type Locked = Content & { id: string; wamid: string; change: Change | null }

const lockFamilies = statement(
  'lock-families',
  `SELECT wamid, id, content, media, payload, type, sent_at, payload ->> 'original_message_id'
     FROM messages
    WHERE project_id = $1 AND direction = 'inbound'
      AND (wamid = ANY ($2)
        OR (payload ? 'original_message_id' AND payload ->> 'original_message_id' = ANY ($2)))
    ORDER BY id FOR UPDATE`,
)

// The conversations' `updated_at` moves too, so that lists of what changed since some instant hold them.
const writeOriginals = statement(
  'write-originals',
  `WITH changed AS (
     UPDATE messages m SET content = d.content, media = d.media, payload = d.payload
       FROM jsonb_to_recordset($2::jsonb) AS d (id bigint, content text, media jsonb, payload jsonb)
      WHERE m.id = d.id AND m.project_id = $1
     RETURNING m.conversation_id
   ), locked AS (
     SELECT c.id FROM conversations c WHERE c.id IN (SELECT conversation_id FROM changed)
      ORDER BY c.id FOR NO KEY UPDATE
   )
   UPDATE conversations c SET updated_at = $3 FROM locked WHERE c.id = locked.id`,
)

/**
 * Applies changes to their messages, and to those of `awaited` the changes that arrived before them. An edit
 * that stands for itself is withdrawn together with the message that it names. The result does not depend on
 * the order or repetition of changes.
 */
export async function apply(
  tx: SqlClient,
  projectId: string,
  changes: Change[],
  awaited: string[],
  now: Date,
): Promise<void> {
  const targets = [...changes.map(({ target }) => target), ...awaited]
  if (targets.length === 0) return
  const rows = await tx.rows(lockFamilies, [projectId, targets])
  const before = new Map(rows.map((row) => [must(row[0]), readLocked(row)]))
  const after = new Map(before)
  const stored = [...before.values()].flatMap((one) => one.change ?? [])
  const editsOf = byTarget(stored.filter(({ kind }) => kind === 'edit'))
  for (const change of withoutLaterRevocations([...changes, ...stored])) {
    // A revocation also withdraws the edits of its message.
    const edits = change.kind === 'revoke' ? (editsOf.get(change.target) ?? []) : []
    for (const wamid of [change.target, ...edits.map((edit) => edit.wamid)]) {
      const message = after.get(wamid)
      if (message) after.set(wamid, advance(message, change))
    }
  }
  const written = [...after.values()].filter((message) => message !== before.get(message.wamid))
  if (written.length > 0) await tx.rows(writeOriginals, [projectId, JSON.stringify(written), now])
}

/** Keeps the first revocation of each message, after which other changes have no effect. */
function withoutLaterRevocations(changes: Change[]): Change[] {
  const revocations = byTarget(changes.filter(({ kind }) => kind === 'revoke'))
  const first = [...revocations.values()].map((ofOne) =>
    ofOne.reduce((one, other) => (other.at < one.at ? other : one)),
  )
  return [...changes.filter(({ kind }) => kind === 'edit'), ...first]
}

function byTarget(changes: Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.target)
    if (group) group.push(change)
    else groups.set(change.target, [change])
  }
  return groups
}

function readLocked([
  wamid,
  id,
  content = null,
  media,
  payload,
  type,
  sentAt,
  target,
]: Row): Locked {
  const stored = { wamid: must(wamid), content, media: json<Content['media']>(media) }
  const kind: Change['kind'] = type === 'unsupported' ? 'revoke' : 'edit'
  const at = isoFromSql(must(sentAt))
  const change = target == null ? null : { ...stored, kind, target, at }
  return { ...stored, id: must(id), payload: json(payload), change }
}
