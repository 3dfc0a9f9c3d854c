import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, isoFromSql, must, plannedOnce, type Row } from '../../core/sql.ts'
import { CLAIM, EARLIER, type Earlier, readEarlier } from './idempotency.ts'
import { undo } from './send-undoings.ts'
import { successorOf } from '../joined-contacts.ts'

/** The content of the message that an attempt becomes once the channel has taken it. */
export type Draft = {
  origin: Schema<'MessageOrigin'>
  type: Schema<'MessageType'>
  content: string | null
  template?: Schema<'MessageTemplate'> | null
  media?: Schema<'MessageMedia'> | null
  payload?: Record<string, unknown> | null
  reply_to: string | null
  client_ref: string | null
}

export type Recipient = { matchKey: string } | { conversationId: number }

export type AttemptRequest = {
  attemptId: string
  recipient: Recipient
  draft: Draft
  /** Whether the customer must have written within the channel's window. */
  needsWindow: boolean
  /** The daily quota that it counts against; null for none. */
  dailyLimit: number | null
  /** Leaves the key unclaimed when there is no such customer, who is then created first. */
  needsCustomer: boolean
}

/** Whom an attempt would reach, whether it was begun, and if not, what stood in its way. */
export type Opening = {
  begun: boolean
  /** True when the key was free or there is none; otherwise `earlier` tells who has it. */
  claimed: boolean
  earlier: Earlier | null
  target: Target | null
  windowOpen: boolean
  budget: Budget
}
export type Target = {
  conversationId: number
  phone: string | null
  userId: string | null
  /** In PostgreSQL's text format. */
  lastInboundAt: string | null
}
/** Before this send, or with it when it was begun; the UTC day ends at `resetAt`, in `resetS` seconds. */
export type Budget = { credits: number | null; used: number; resetS: number; resetAt: string }

const TODAY = `(now() AT TIME ZONE 'utc')::date`
// Around midnight, a statement that began on the old day may find the row of the new day. A day further ahead
// was written by a clock that had leapt, and counts as another day, like a past one.
const USED_TODAY = `CASE WHEN b.day - ${TODAY} IN (0, 1) THEN b.used ELSE 0 END`
const DAY = `CASE WHEN b.day - ${TODAY} = 1 THEN b.day ELSE ${TODAY} END`
// A process whose clock is ahead must not consider an open window closed.
const WINDOW_START = `${agreedNow('$3')} - interval '1 ms' * ${LIMITS.windowMs}`
// Looks each row up by key: a plan for many rows would scan whole tables for a few.
const TARGET = (found: string) =>
  `SELECT a.position, found.*,
            NOT a.needs_window OR coalesce(found.last_inbound_at > ${WINDOW_START}, false) AS window_open
       FROM asked a CROSS JOIN LATERAL (
         SELECT c.id, c.contact_id, k.phone, k.user_id, c.last_inbound_at
           FROM conversations c JOIN contacts k ON k.id = c.contact_id
          WHERE c.project_id = $1 AND ${found} LIMIT 1) found`
const KEYS = `SELECT DISTINCT ON (a.key) a.key, decode(a.fingerprint, 'hex') AS fingerprint,
              a.attempt, a.request_id
         FROM asked a
        WHERE a.key IS NOT NULL AND (NOT a.needs_customer
           OR EXISTS (SELECT FROM target WHERE target.position = a.position))
        ORDER BY a.key, a.position`

// One statement decides everything that may refuse a send, and records that it is about to leave: key, window,
// credits, quota and attempt are taken together or not at all. All sends of a project change its budget row;
// batched, they wait for one commit instead of one each.
const beginAll = plannedOnce(
  'begin-sends',
  `WITH asked AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS a (position int, attempt uuid, match_key text,
       conversation bigint, message jsonb, needs_window boolean, key text, fingerprint text,
       request_id text, needs_customer boolean)
   ), target AS MATERIALIZED (
     ${TARGET('k.project_id = $1 AND k.match_key = a.match_key')}
     UNION ALL
     ${TARGET('c.id = a.conversation')}
   ), claim AS (
     ${CLAIM(KEYS, '$5::float8')}
   ), allowed AS MATERIALIZED (
     SELECT t.*, a.attempt, a.message, row_number() OVER (ORDER BY t.position) AS place
       FROM target t JOIN asked a ON a.position = t.position
      WHERE t.window_open
        AND (a.key IS NULL OR a.attempt IN (SELECT attempt_id FROM claim))
   ), held AS MATERIALIZED (
     SELECT b.credits, ${USED_TODAY} AS used FROM send_budgets b
      WHERE b.project_id = $1 AND $4::int IS NOT NULL AND EXISTS (SELECT FROM allowed)
        FOR UPDATE
   ), granted AS MATERIALIZED (
     SELECT least((SELECT count(*) FROM allowed), $4::int - held.used, held.credits) AS places FROM held
   ), budget AS (
     UPDATE send_budgets b
        SET credits = b.credits - granted.places, used = ${USED_TODAY} + granted.places,
            day = ${DAY}
       FROM granted WHERE b.project_id = $1 AND granted.places > 0
     RETURNING b.day
   ), attempt AS (
     INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message, created_at,
       charged_on)
     SELECT attempt, $1, id, contact_id, message, $3::timestamptz, (SELECT day FROM budget)
       FROM allowed WHERE $4::int IS NULL OR place <= (SELECT places FROM granted)
     RETURNING id
   )
   SELECT a.attempt IN (SELECT id FROM attempt),
          a.key IS NULL OR a.attempt IN (SELECT attempt_id FROM claim),
          target.id, target.phone, target.user_id, target.last_inbound_at, target.window_open,
          coalesce(held.credits, b.credits) - taken.places,
          coalesce(held.used, ${USED_TODAY}) + taken.places,
          greatest(1, ceil(extract(epoch FROM (${TODAY} + 1)::timestamp AT TIME ZONE 'utc' - now()))),
          (${TODAY} + 1)::timestamp AT TIME ZONE 'utc',
          earlier.*
     FROM asked a
     JOIN send_budgets b ON b.project_id = $1
     LEFT JOIN target ON target.position = a.position
     LEFT JOIN allowed ON allowed.position = a.position
     LEFT JOIN held ON true
     LEFT JOIN granted ON true
     LEFT JOIN LATERAL (${EARLIER('a.key')} LIMIT 1) earlier ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(least(allowed.place, greatest(granted.places, 0)), 0) AS places) taken
    ORDER BY a.position`,
)

/**
 * Records, before the first byte is sent, that a message is about to leave, if nothing forbids it. After a
 * crash this record remains, and the channel's status callback turns it into the message. Concurrent sends of a
 * project are opened in one statement.
 */
export function open(ctx: ProjectContext, request: AttemptRequest): Promise<Opening> {
  const { attemptId, recipient, draft, needsWindow, dailyLimit, needsCustomer } = request
  const asked = {
    attempt: attemptId,
    match_key: 'matchKey' in recipient ? recipient.matchKey : null,
    conversation: 'matchKey' in recipient ? null : recipient.conversationId,
    message: draft,
    needs_window: needsWindow,
    key: ctx.idempotency?.key ?? null,
    fingerprint: ctx.idempotency?.fingerprint.toString('hex') ?? null,
    request_id: ctx.requestId,
    needs_customer: needsCustomer,
  }
  const projectId = ctx.project.id
  return ctx.batches.join(`open ${projectId} ${dailyLimit}`, asked, async (batch) => {
    const asks = JSON.stringify(batch.map((one, position) => ({ position, ...one })))
    const { idempotencyLockMs } = ctx.config
    const values = [projectId, asks, ctx.now(), dailyLimit, idempotencyLockMs]
    const rows = await ctx.sql.rows(beginAll, values)
    if (rows.length < batch.length) throw new Error(`Project ${projectId} has no send budget`)
    return rows.map(readOpening)
  })
}

function readOpening(row: Row): Opening {
  const [begun, claimed, id, phone, userId, lastInboundAt, windowOpen] = row
  return {
    begun: begun === 't',
    claimed: claimed === 't',
    earlier: readEarlier(row.slice(11)),
    target:
      id == null
        ? null
        : {
            conversationId: Number(id),
            phone: phone ?? null,
            userId: userId ?? null,
            lastInboundAt: lastInboundAt ?? null,
          },
    windowOpen: windowOpen === 't',
    budget: presentBudget(row.slice(7)),
  }
}

function presentBudget([credits, used, resetS, resetAt]: Row): Budget {
  return {
    credits: credits == null ? null : Number(credits),
    used: Number(used),
    resetS: Number(resetS),
    resetAt: isoFromSql(must(resetAt)),
  }
}

/**
 * Opens an attempt; to a conversation that was joined with another, in that one. After an error it may be open
 * all the same, though nothing has left: it is undone then.
 */
export async function begin(ctx: ProjectContext, attempt: AttemptRequest): Promise<Opening> {
  const { recipient } = attempt
  try {
    const opening = await open(ctx, attempt)
    if (opening.target || !opening.claimed || 'matchKey' in recipient) return opening
    const conversationId = await successorOf(ctx, 'conversation', recipient.conversationId)
    if (conversationId === null) return opening
    return await open(ctx, { ...attempt, recipient: { conversationId } })
  } catch (error) {
    await undo(ctx, attempt.attemptId)
    throw error
  }
}
