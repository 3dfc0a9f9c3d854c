import type { ProjectContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { Replay, type StoredAnswer } from '../../core/replay.ts'
import { must, type Row, statement } from '../../core/sql.ts'

// A lock lasts an hour at most; one that ends later was set by a clock that had leapt.
const LOCK_HOLDS = "r.locked_until > now() AND r.locked_until < now() + interval '2 hours'"

/**
 * The part of a statement that claims keys for 24 hours; of any number of requests with one key, exactly one
 * gets a row back. A key is free when it is new, when its 24 hours are over, or when its owner died: it has no
 * answer past its lock, and the channel has reported nothing of its attempt. The owner itself may claim again,
 * as after a lost answer. `asked` selects the columns key, fingerprint, attempt and request_id in the order of
 * the keys, so that batches with the same keys cannot deadlock.
 */
export const CLAIM = (asked: string, lockMs: string) =>
  `INSERT INTO idempotency_records AS r (project_id, key, fingerprint, attempt_id, request_id,
         locked_until, created_at, expires_at)
       SELECT $1, a.key, a.fingerprint, a.attempt, a.request_id,
              now() + ${lockMs} * interval '1 millisecond', now(), now() + interval '24 hours'
         FROM (${asked}) a
       ON CONFLICT (project_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, attempt_id = excluded.attempt_id,
             request_id = excluded.request_id, status = NULL, answer = NULL,
             locked_until = excluded.locked_until, created_at = excluded.created_at,
             expires_at = excluded.expires_at
       WHERE r.expires_at <= now() OR r.attempt_id = excluded.attempt_id
          OR (r.status IS NULL AND NOT (${LOCK_HOLDS}) AND r.fingerprint = excluded.fingerprint
              AND (SELECT m.id FROM messages m WHERE m.attempt_id = r.attempt_id LIMIT 1) IS NULL)
       RETURNING r.attempt_id`

/** The record of a key within its 24 hours, with the wamid of its attempt if the channel took that. */
export const EARLIER = (key: string) =>
  `SELECT r.fingerprint, r.request_id, r.status, r.answer, m.wamid
     FROM idempotency_records r LEFT JOIN messages m ON m.attempt_id = r.attempt_id
    WHERE r.project_id = $1 AND r.key = ${key} AND r.expires_at > now()`

export type Earlier = {
  fingerprint: string
  requestId: string
  status: number | null
  answer: string | null
  wamid: string | null
}

/** Reads the columns of `EARLIER`; null without a record. */
export function readEarlier([fingerprint, requestId, status, answer, wamid]: Row): Earlier | null {
  if (fingerprint == null) return null
  return {
    fingerprint,
    requestId: must(requestId),
    status: status == null ? null : Number(status),
    answer: answer ?? null,
    wamid: wamid ?? null,
  }
}

const findEarlier = statement('find-idempotency-record', EARLIER('$2'))

/**
 * The answer to a request whose key belongs to another request: the stored answer, or 409
 * `idempotency_key_mismatch` or `idempotency_in_progress`. An answer lost in a crash is rebuilt from the
 * channel's report.
 */
export async function answerFrom(ctx: ProjectContext, seen: Earlier | null): Promise<Replay> {
  const { key, fingerprint } = mustHaveKey(ctx)
  // The other request may have begun after this statement's snapshot.
  const earlier =
    seen ?? readEarlier((await ctx.sql.rows(findEarlier, [ctx.project.id, key]))[0] ?? [])
  if (earlier && isOther(earlier, fingerprint)) {
    throw new ServiceError(
      'idempotency_key_mismatch',
      'This Idempotency-Key was used with a different request; use a new one.',
    )
  }
  if (earlier?.status != null && earlier.answer !== null) {
    return new Replay(earlier.status, JSON.parse(earlier.answer) as StoredAnswer, earlier.requestId)
  }
  if (earlier?.wamid != null) {
    const answer = { data: { id: earlier.wamid, status: 'sent' } }
    await complete(ctx, null, 200, answer)
    return new Replay(200, answer, earlier.requestId)
  }
  throw new ServiceError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running, or left no record of its end; ask again in a second.',
    { retryAfterS: 1 },
  )
}

/** The stored answer to a request whose key was used before; null when there is none, or no key. */
export async function findAnswer(ctx: ProjectContext): Promise<Replay | null> {
  if (!ctx.idempotency) return null
  const values = [ctx.project.id, ctx.idempotency.key]
  const earlier = readEarlier((await ctx.sql.rows(findEarlier, values))[0] ?? [])
  return isAnswered(earlier) ? answerFrom(ctx, earlier) : null
}

/** Whether the record has a final answer for repetitions. */
function isAnswered(earlier: Earlier | null): boolean {
  return earlier !== null && (earlier.status !== null || earlier.wamid !== null)
}

/** Whether the key belongs to a different request. */
function isOther(earlier: Earlier, fingerprint: Buffer): boolean {
  return earlier.fingerprint !== `\\x${fingerprint.toString('hex')}`
}

/** Whether the record decides the answer to this request, whatever becomes of the request that owns the key. */
export function isDecided(ctx: ProjectContext, earlier: Earlier | null): boolean {
  if (earlier === null) return false
  return isAnswered(earlier) || isOther(earlier, mustHaveKey(ctx).fingerprint)
}

const ONE_KEY =
  'SELECT $2::text AS key, $3::bytea AS fingerprint, $4::uuid AS attempt, $5::text AS request_id'
const claimAlone = statement(
  'claim-idempotency-key',
  `WITH claim AS (${CLAIM(ONE_KEY, '$6')}) SELECT EXISTS (SELECT FROM claim)`,
)

/** Claims the request's key when nothing else is written with it; false when another request has it. */
export async function claim(ctx: ProjectContext, attemptId: string): Promise<boolean> {
  const { key, fingerprint } = mustHaveKey(ctx)
  const [row] = await ctx.sql.rows(claimAlone, [
    ctx.project.id,
    key,
    fingerprint,
    attemptId,
    ctx.requestId,
    ctx.config.idempotencyLockMs,
  ])
  return row?.[0] === 't'
}

const store = statement(
  'complete-idempotency-record',
  `UPDATE idempotency_records SET status = $4, answer = $5
    WHERE project_id = $1 AND key = $2 AND status IS NULL
      AND ($3::uuid IS NULL OR attempt_id = $3)
   RETURNING 1`,
)

/** Stores the answer of the attempt that holds the key; false when it does not hold it any more. */
export async function complete(
  ctx: ProjectContext,
  attemptId: string | null,
  status: number,
  answer: StoredAnswer,
): Promise<boolean> {
  const values = [ctx.project.id, mustHaveKey(ctx).key, attemptId, status, JSON.stringify(answer)]
  return (await ctx.sql.rows(store, values)).length > 0
}

const free = statement(
  'release-idempotency-key',
  `DELETE FROM idempotency_records
    WHERE project_id = $1 AND key = $2 AND attempt_id = $3 AND status IS NULL`,
)

/** Releases the key, so that a retry can try again. */
export async function release(ctx: ProjectContext, attemptId: string): Promise<void> {
  await ctx.sql.rows(free, [ctx.project.id, mustHaveKey(ctx).key, attemptId])
}

function mustHaveKey(ctx: ProjectContext) {
  if (!ctx.idempotency) throw new Error('The request has no Idempotency-Key')
  return ctx.idempotency
}
