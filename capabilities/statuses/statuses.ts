import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { Context } from '../../core/context.ts'
import type { StatusUpdate } from '../../core/ports.ts'
import {
  isoOrNull,
  json,
  must,
  plannedOnce,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'
import { UUID } from '../../core/uuids.ts'
import * as botRuns from '../bots/bot-runs.ts'
import { pastConflicts } from '../conflicts.ts'
import { joinedContactOf } from '../joined-contacts.ts'
import { isTold } from '../webhooks/events.ts'
import { emitSteps, type Step } from '../messages/message-events.ts'
import * as broadcastLateRefusals from '../broadcasts/broadcast-late-refusals.ts'
import * as broadcastProgress from '../broadcasts/broadcast-progress.ts'
import { advance, type Delivery, type Report } from './message-status.ts'
import * as customerJoins from '../conversations/customer-joins.ts'
import * as optIns from '../conversations/opt-ins.ts'
import * as parkedStatusRows from './parked-status-rows.ts'
import * as sendSettlements from '../messages/send-settlements.ts'
import * as toldRecipients from './told-recipients.ts'

/** The code as text, as stored with a status. */
const MARKETING_STOPPED = String(CHANNEL_CODES.marketingStopped)

/** Applies the channel's reports on messages of ours in one transaction. */
export async function take(ctx: Context, projectId: string, updates: StatusUpdate[]) {
  const applied = await pastConflicts(() =>
    ctx.sql.transaction((tx) => apply(tx, projectId, updates, ctx.now())),
  )
  await followUp(ctx, projectId, applied)
  // The send may have been recorded while its statuses were being parked.
  if (applied.parked.length > 0) await applyParked(ctx, projectId, applied.parked)
}

/**
 * What has come of statuses: the wamids that are still unknown, whose statuses are kept until the message exists;
 * and what is due once it is committed: what the operators are told, and the contacts that are joined.
 */
type Applied = {
  parked: string[]
  /** The broadcasts that have become complete. */
  completed: string[]
  heeded: broadcastLateRefusals.Heeded
  twins: customerJoins.Twins[]
}

/**
 * The same within a transaction, which locks messages, then conversations, broadcasts, and contacts. A message
 * whose send was never recorded is recorded now, from its attempt.
 */
export async function apply(
  tx: SqlClient,
  projectId: string,
  updates: StatusUpdate[],
  now: Date,
): Promise<Applied> {
  const found = await lock(tx, projectId, updates)
  const unknown = updates.filter(({ wamid }) => !found.has(wamid))
  if (unknown.length > 0 && (await recordLostSends(tx, projectId, found, unknown, now))) {
    for (const [wamid, delivery] of await lock(tx, projectId, unknown)) found.set(wamid, delivery)
  }
  await write(tx, projectId, found, updates, now)
  const completed = await followBroadcasts(tx, projectId, found, now)
  const heeded = await broadcastLateRefusals.heed(tx, projectId, found, updates, now)
  const news = toldRecipients.newsOf(found, updates)
  const named = news.map(({ contactId }) => contactId)
  await optIns.record(tx, projectId, refusalsOf(found, updates), { next: named, now })
  const twins = await toldRecipients.note(tx, projectId, news, now)
  const foreign = updates.filter(({ wamid }) => !found.has(wamid))
  const parked = await parkedStatusRows.park(tx, projectId, foreign, now)
  return { parked, completed, heeded, twins }
}

/** Does what is due once statuses are committed. */
async function followUp(ctx: Context, projectId: string, { completed, heeded, twins }: Applied) {
  broadcastProgress.tellComplete(ctx, completed)
  broadcastLateRefusals.tell(ctx, heeded)
  await customerJoins.joinAll(ctx, projectId, twins)
}

/** Applies statuses that arrived before their message; repeating it does no harm. */
export async function applyParked(ctx: Context, projectId: string, wamids: string[]) {
  const applied = await pastConflicts(() =>
    ctx.sql.transaction(async (tx) => {
      const parked = await parkedStatusRows.take(tx, projectId, wamids)
      return parked.length > 0 ? apply(tx, projectId, parked, ctx.now()) : null
    }),
  )
  if (applied) await followUp(ctx, projectId, applied)
}

// A send that is recorded while its customer's two contacts are joined may name the one that is gone. Each contact is
// looked up: by a plan for few contacts, PostgreSQL would read all that have come since.
const lockMessages = plannedOnce(
  'lock-messages',
  `SELECT m.wamid, m.id, k.id, m.status, m.error, m.sent_at, m.delivered_at, m.read_at,
          m.failed_at, ${isTold('message.status')}, ${botRuns.runsBot('onStatus')},
          CASE WHEN m.origin = 'broadcast' THEN m.attempt_id END, k.match_key, k.wa_id, k.user_id
     FROM messages m CROSS JOIN LATERAL (
       SELECT * FROM contacts WHERE id = ${joinedContactOf('m.contact_id')} LIMIT 1) k
    WHERE m.project_id = $1 AND m.wamid = ANY ($2::text[]) AND m.direction = 'outbound'
    ORDER BY m.id FOR UPDATE OF m`,
)

type Locked = Delivery &
  toldRecipients.Recipient & {
    id: string
    /** Whether anyone subscribed to its status changes. */
    isTold: boolean
    /** Whether the project's bot handles its status changes. */
    runsBot: boolean
    /** The attempt of the broadcast recipient whose message it is; null for any other message. */
    broadcastAttempt: string | null
  }

async function lock(tx: SqlClient, projectId: string, updates: { wamid: string }[]) {
  const wamids = [...new Set(updates.map(({ wamid }) => wamid))]
  const rows = await tx.rows(lockMessages, [projectId, wamids])
  return new Map(rows.map((row) => [must(row[0]), readLocked(row)]))
}

function readLocked(row: Row): Locked {
  const [, id, contactId, status, error, sentAt, deliveredAt, readAt, failedAt] = row
  const [told, hasBot, attempt, matchKey = null, waId = null, userId = null] = row.slice(9)
  return {
    id: must(id),
    contactId: must(contactId),
    known: { matchKey, waId, userId },
    status: must(status) as Delivery['status'],
    error: json(error),
    sentAt: isoOrNull(sentAt),
    deliveredAt: isoOrNull(deliveredAt),
    readAt: isoOrNull(readAt),
    failedAt: isoOrNull(failedAt),
    isTold: told === 't',
    runsBot: hasBot === 't',
    broadcastAttempt: attempt ?? null,
  }
}

// Attempts are locked before their conversations, like in the recording of a send.
const lockConversations = statement(
  'lock-conversations-of-statuses',
  `WITH attempt AS MATERIALIZED (
     SELECT conversation_id FROM send_attempts
      WHERE id = ANY ($2::uuid[]) AND project_id = $1 ORDER BY id FOR UPDATE
   )
   SELECT 1 FROM conversations
    WHERE id = ANY (ARRAY(SELECT conversation_id FROM attempt)
      || ARRAY(SELECT conversation_id FROM messages WHERE project_id = $1 AND id = ANY ($3::bigint[])))
    ORDER BY id FOR NO KEY UPDATE`,
)

/**
 * The sender died between the channel's answer and its own commit; the status names the attempt. The
 * conversations that the messages and the bots' runs change are locked at once.
 */
async function recordLostSends(
  tx: SqlClient,
  projectId: string,
  found: Map<string, Locked>,
  updates: StatusUpdate[],
  now: Date,
): Promise<boolean> {
  const taken = new Map<string, string>()
  for (const { attemptId, wamid } of updates) {
    // PostgreSQL ignores case in a UUID, so both spellings are the same attempt and one message.
    if (attemptId !== null && UUID.test(attemptId)) taken.set(attemptId.toLowerCase(), wamid)
  }
  if (taken.size === 0) return false
  const run = [...found.values()].filter(({ runsBot }) => runsBot).map(({ id }) => id)
  if (run.length > 0) await tx.rows(lockConversations, [projectId, [...taken.keys()], run])
  const sends = [...taken].map(([attemptId, wamid]) => ({ attemptId, wamid }))
  await sendSettlements.settle(tx, projectId, sends, now)
  return true
}

const writeMessages = plannedOnce(
  'write-statuses',
  `UPDATE messages m
      SET status = d.status, error = d.error, sent_at = d."sentAt", delivered_at = d."deliveredAt",
          read_at = d."readAt", failed_at = d."failedAt"
     FROM jsonb_to_recordset($2::jsonb) AS d (id bigint, status text, error jsonb,
       "sentAt" timestamptz, "deliveredAt" timestamptz, "readAt" timestamptz, "failedAt" timestamptz)
    WHERE m.id = d.id AND m.project_id = $1`,
)

async function write(
  tx: SqlClient,
  projectId: string,
  found: Map<string, Locked>,
  updates: StatusUpdate[],
  now: Date,
): Promise<void> {
  const changed = new Map<string, Locked>()
  const steps: Step[] = []
  const runs: botRuns.NewRun[] = []
  for (const update of updates) {
    const before = changed.get(update.wamid) ?? found.get(update.wamid)
    if (!before) continue
    const report = reportOf(update)
    const after = { ...before, ...advance(before, report) }
    changed.set(update.wamid, after)
    const { id, status, error } = after
    if (status === before.status) continue
    if (before.isTold) steps.push({ id, status, error, at: report.at })
    const step = { status, error, occurred_at: report.at }
    if (before.runsBot) runs.push({ messageId: id, step })
  }
  if (changed.size === 0) return
  await tx.rows(writeMessages, [projectId, JSON.stringify([...changed.values()])])
  await emitSteps(tx, projectId, steps, now)
  await botRuns.enqueue(tx, projectId, runs, now)
}

/** Moves broadcast recipients to the statuses of their messages, in the same transaction. */
async function followBroadcasts(
  tx: SqlClient,
  projectId: string,
  found: Map<string, Locked>,
  now: Date,
): Promise<string[]> {
  const attempts = [...found.values()].flatMap(({ broadcastAttempt }) => broadcastAttempt ?? [])
  return broadcastProgress.follow(tx, projectId, attempts, now)
}

/** A refusal because the customer has stopped marketing is recorded as an opt-out. */
function refusalsOf(found: Map<string, Locked>, updates: StatusUpdate[]): optIns.Choice[] {
  return updates.flatMap(({ wamid, error, at }) => {
    const contactId = found.get(wamid)?.contactId
    if (contactId === undefined || error?.code !== MARKETING_STOPPED) return []
    return [{ contactId, optedIn: false, at }]
  })
}

function reportOf({ status, at, error }: StatusUpdate): Report {
  return { status, at: at.toISOString(), error }
}
