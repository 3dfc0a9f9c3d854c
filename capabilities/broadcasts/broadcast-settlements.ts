import type { Batches } from '../../core/batches.ts'
import { messageErrorOf } from '../../core/channel-outcomes.ts'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Pause, persisting } from '../../core/persisting.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import { agreedNow, type Ask, must, statement } from '../../core/sql.ts'
import { countMoves, holdingBroadcast } from './broadcast-counters.ts'
import type { Leased, Sending } from './broadcast-leases.ts'
import { following, tellComplete } from './broadcast-progress.ts'
import type { Retry } from './broadcast-verdicts.ts'
import * as optIns from '../conversations/opt-ins.ts'
import * as sendSettlements from '../messages/send-settlements.ts'
import * as statuses from '../statuses/statuses.ts'

/**
 * What is known of a recipient after an attempt, or after a decision not to make one, which takes back the mark
 * of leaving.
 */
export type Outcome = { leased: Leased } & (
  | { kind: 'accepted'; attemptId: string; wamid: string }
  | { kind: 'refused'; attemptId: string; error: ChannelError; retry: Retry | null }
  | { kind: 'unsendable'; error: Schema<'MessageError'> }
  | { kind: 'not_sent'; attemptId: string }
)
type Accepted = Extract<Outcome, { kind: 'accepted' }>
type Refused = Exclude<Outcome, Accepted>

type Patience = {
  batches: Batches
  pause: Pause
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/**
 * Stores the outcome of one recipient, batched with others that arrive at the same moment. Retries while
 * PostgreSQL fails, for as long as an outcome may take to be known, or until the process stops: nobody else
 * knows it.
 */
export async function settleSurely(
  ctx: Context,
  sending: Sending,
  outcome: Outcome,
  { batches, pause, signal }: Patience,
): Promise<void> {
  const write = async () => {
    await batches.join(`settle ${sending.id}`, outcome, async (all: Outcome[]) => {
      await settle(ctx, sending, all)
      return all
    })
  }
  const onFailure = (error: unknown) =>
    void ctx.log.warn('broadcast.settle_failed', { broadcast: sending.id, error })
  await persisting(write, { forMs: LIMITS.recipientUnknownMs, pause, signal, onFailure })
}

/**
 * Stores the outcomes of recipients of one broadcast in one transaction: messages and conversations for those
 * that were taken; for the others the error, or the instant of the next try. What an earlier try stored, though
 * its answer was lost, is left as it is.
 */
async function settle(
  ctx: Context,
  { id, projectId }: Sending,
  outcomes: Outcome[],
): Promise<void> {
  const now = ctx.now()
  const accepted = outcomes.filter((one): one is Accepted => one.kind === 'accepted')
  const refused = outcomes.filter((one): one is Refused => one.kind !== 'accepted')
  // Before the refusals, since nothing repeats it once those are stored; and in a transaction of its own, since
  // callbacks lock contacts in another order.
  await noteOptOuts(ctx, projectId, refused)
  const attemptIds = accepted.map(({ attemptId }) => attemptId)
  const taken = accepted.map(({ attemptId, wamid }) => ({ attemptId, wamid }))
  const [recorded = [], , followed = [], , refusals = []] = await ctx.sql.together([
    sendSettlements.settling(projectId, taken, now),
    // Also waits for a dispatch that is being committed and may still store an attempt.
    holdingBroadcast(id),
    following(projectId, attemptIds, now),
    ...(refused.length > 0 ? refusing(id, refused, now) : []),
  ])
  tellComplete(
    ctx,
    [...followed, ...refusals].map(([id]) => must(id)),
  )
  // Statuses of these messages may have arrived before.
  const messages = [...sendSettlements.heedSettled(ctx.sql, recorded).values()]
  if (!messages.some(({ hasParked }) => hasParked)) return
  await statuses.applyParked(
    ctx,
    projectId,
    accepted.map(({ wamid }) => wamid),
  )
}

const dropAttempts = statement(
  'drop-attempts',
  'DELETE FROM send_attempts WHERE id = ANY ($1::uuid[])',
)
// Recipients of a broadcast that was ended are not tried again. A retry keeps the fence but clears the attempt,
// so that a repeated write changes nothing. The attempt is compared also where there was none: a crash of
// PostgreSQL may have forgotten the lease, so that another one has the same fence, and its message has left.
const refuse = statement(
  'refuse-recipients',
  `WITH told AS MATERIALIZED (
     SELECT $1::uuid AS broadcast_id, t.* FROM jsonb_to_recordset($2::jsonb) AS t (seq int, fence int,
       attempt uuid, error jsonb, "delayMs" int, counts boolean)
   ), moved AS (
     UPDATE broadcast_recipients r
        SET status = CASE WHEN t."delayMs" IS NULL THEN 'failed'
              WHEN (SELECT status FROM broadcasts WHERE id = $1) = 'sending' THEN 'queued'
              ELSE 'canceled' END,
            error = CASE WHEN t."delayMs" IS NULL THEN t.error END,
            failed_at = CASE WHEN t."delayMs" IS NULL THEN $3::timestamptz END,
            retry_at = ${agreedNow('$3')} + interval '1 ms' * t."delayMs",
            tries = r.tries + coalesce(t.counts, true)::int, lease_until = NULL,
            dispatched_at = NULL, attempt_id = NULL
       FROM told t
      WHERE r.broadcast_id = t.broadcast_id AND r.seq = t.seq AND r.fence = t.fence
        AND r.status = 'queued' AND r.attempt_id IS NOT DISTINCT FROM t.attempt
     RETURNING r.broadcast_id, 'queued' AS was, r.status AS now
   ), counted AS (
     ${countMoves('moved', '$3')}
   )
   SELECT id FROM counted WHERE is_over`,
)

/** The second statement's rows are the ids of complete broadcasts. */
function refusing(broadcastId: string, refused: Refused[], now: Date): Ask[] {
  const attemptIds = refused.flatMap((one) => (one.kind === 'unsendable' ? [] : one.attemptId))
  const told = refused.map((one) => {
    const retry = retryOf(one)
    return {
      seq: one.leased.seq,
      fence: one.leased.fence,
      attempt: one.kind === 'unsendable' ? null : one.attemptId,
      error: errorOfRefused(one),
      delayMs: retry?.delayMs,
      counts: retry?.counts,
    }
  })
  return [
    { statement: dropAttempts, values: [attemptIds] },
    { statement: refuse, values: [broadcastId, JSON.stringify(told), now] },
  ]
}

function errorOfRefused(one: Refused): Schema<'MessageError'> | null {
  if (one.kind === 'refused') return messageErrorOf(one.error)
  return one.kind === 'unsendable' ? one.error : null
}

function retryOf(one: Refused): Retry | null {
  if (one.kind === 'refused') return one.retry
  return one.kind === 'not_sent' ? { delayMs: 0, counts: false } : null
}

/** Opts out the customers whose refusal says that they want no marketing. */
async function noteOptOuts(ctx: Context, projectId: string, refused: Refused[]): Promise<void> {
  const choices = refused.flatMap((one) => {
    const { contact } = one.leased
    const hasChosen = one.kind === 'refused' && one.error.kind === 'opt_out'
    return hasChosen && contact ? [{ contactId: contact.id, optedIn: false, at: ctx.now() }] : []
  })
  await optIns.record(ctx.sql, projectId, choices, { now: ctx.now() })
}
