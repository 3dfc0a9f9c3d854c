import type { ProjectContext } from '../core/context.ts'
import type { Schema } from '../core/contract.ts'
import { isoFromSql, must, type Row, statement } from '../core/sql.ts'
import { CLAIM, EARLIER, type Earlier, readEarlier } from './idempotency.ts'

/** What a message will hold once the channel has taken it. */
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
  /** The customer must have written after this; null when no window is needed. */
  windowStart: Date | null
  /** The day's quota that it counts against; null when it counts against none. */
  dailyLimit: number | null
  /** Leaves the key unclaimed when there is no such customer, who is then made first. */
  needsCustomer: boolean
}

/** Whom an attempt would reach, whether it was begun, and if not, what stood in its way. */
export type Opening = {
  begun: boolean
  /** The key was free, or there was none; otherwise `earlier` says who has it. */
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
  /** As PostgreSQL prints it. */
  lastInboundAt: string | null
}
/** Before this send, or with it when it was begun; the UTC day ends at `resetAt`, in `resetS` seconds. */
export type Budget = { credits: number | null; used: number; resetS: number; resetAt: string }

const TODAY = `(now() AT TIME ZONE 'utc')::date`
// At midnight a statement may find the row of the new day though it began in the old one.
const USED_TODAY = `CASE WHEN b.day >= ${TODAY} THEN b.used ELSE 0 END`
const BUDGET_DAY = `
            greatest(1, ceil(extract(epoch FROM (${TODAY} + 1)::timestamp AT TIME ZONE 'utc' - now()))),
            (${TODAY} + 1)::timestamp AT TIME ZONE 'utc'`

// One statement decides everything that may refuse a send, and writes down that it is about to leave:
// the key, the window, the credits, the quota and the attempt are taken together or not at all.
const begin = (name: string, recipient: string) =>
  statement(
    name,
    `WITH target AS (
       SELECT c.id, c.contact_id, k.phone, k.user_id, c.last_inbound_at,
              $6::timestamptz IS NULL OR coalesce(c.last_inbound_at > $6, false) AS window_open
         FROM conversations c JOIN contacts k ON k.id = c.contact_id
        WHERE c.project_id = $1 AND ${recipient}
     ), claim AS (
       ${CLAIM('$8', '$9', '$3', '$10', '$11')}
          AND (NOT $12::boolean OR EXISTS (SELECT FROM target))
       ${CLAIM.onConflict}
     ), allowed AS (
       SELECT target.* FROM target
        WHERE window_open AND ($8::text IS NULL OR EXISTS (SELECT FROM claim))
     ), budget AS (
       UPDATE send_budgets b
          SET credits = b.credits - 1, used = ${USED_TODAY} + 1, day = greatest(b.day, ${TODAY})
         FROM allowed
        WHERE b.project_id = $1 AND $7::int IS NOT NULL
          AND (b.credits IS NULL OR b.credits > 0) AND ${USED_TODAY} < $7
       RETURNING b.credits, b.used, b.day
     ), attempt AS (
       INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message, created_at,
         charged_on)
       SELECT $3::uuid, $1, id, contact_id, $4::jsonb, $5::timestamptz, (SELECT day FROM budget)
         FROM allowed WHERE $7::int IS NULL OR EXISTS (SELECT FROM budget)
       RETURNING id
     )
     SELECT EXISTS (SELECT FROM attempt), $8::text IS NULL OR EXISTS (SELECT FROM claim),
            target.id, target.phone, target.user_id, target.last_inbound_at, target.window_open,
            coalesce((SELECT credits FROM budget), b.credits),
            coalesce((SELECT used FROM budget), ${USED_TODAY}), ${BUDGET_DAY},
            earlier.*
       FROM send_budgets b
       LEFT JOIN target ON true
       LEFT JOIN LATERAL (${EARLIER('$8')}) earlier ON true
      WHERE b.project_id = $1`,
  )
const beginByPhone = begin('begin-send-by-phone', 'k.project_id = $1 AND k.match_key = $2')
const beginInConversation = begin('begin-send-in-conversation', 'c.id = $2')

/**
 * Records, before the first byte leaves, that a message is about to be sent, if nothing stands in its
 * way; a crash from here on leaves this trace, which the channel's own report turns into the message.
 */
export async function open(ctx: ProjectContext, request: AttemptRequest): Promise<Opening> {
  const { attemptId, recipient, draft, windowStart, dailyLimit, needsCustomer } = request
  const byPhone = 'matchKey' in recipient
  const [row] = await ctx.sql.rows(byPhone ? beginByPhone : beginInConversation, [
    ctx.project.id,
    byPhone ? recipient.matchKey : recipient.conversationId,
    attemptId,
    JSON.stringify(draft),
    ctx.now(),
    windowStart,
    dailyLimit,
    ctx.idempotency?.key ?? null,
    ctx.idempotency?.fingerprint ?? null,
    ctx.requestId,
    ctx.config.idempotencyLockMs,
    needsCustomer,
  ])
  if (!row) throw new Error(`Project ${ctx.project.id} has no send budget`)
  const opening = readOpening(row)
  const { credits, used } = opening.budget
  const wasSpent = credits === 0 || (dailyLimit !== null && used >= dailyLimit)
  if (opening.begun || !opening.claimed || !opening.windowOpen || wasSpent) return opening
  // Others took the last of it while this statement waited, and what it had seen is out of date.
  const [now = []] = await ctx.sql.rows(budgetNow, [ctx.project.id])
  return { ...opening, budget: presentBudget(now) }
}

const budgetNow = statement(
  'read-send-budget',
  `SELECT b.credits, ${USED_TODAY}, ${BUDGET_DAY} FROM send_budgets b WHERE b.project_id = $1`,
)

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
