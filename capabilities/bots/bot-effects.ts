import type { ChangeContext, Context, OwnContext, ProjectContext } from '../../core/context.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import type { StoredError } from '../../core/replay.ts'
import { must, mustJson, oneOff, type SqlClient, statement } from '../../core/sql.ts'
import type { LeasedRun } from './bot-runs.ts'
import { pastConflicts } from '../conflicts.ts'
import { raiseCustom } from '../webhooks/custom-events.ts'

/** Under this name of a call, a run that has changed something keeps the event that its code was given. */
const EVENT = 'event'

const findEvents = statement(
  'find-bot-events',
  `SELECT run_id, answer FROM bot_calls WHERE run_id = ANY ($1::bigint[]) AND call = '${EVENT}'`,
)

/** The events, as JSON, of those runs that have changed something in an earlier try. */
export async function keptEvents(
  { sql }: Context,
  runs: readonly LeasedRun[],
): Promise<Map<string, string>> {
  const begun = runs.filter(({ isFirst }) => !isFirst).map(({ id }) => id)
  const rows = begun.length === 0 ? [] : await sql.rows(findEvents, [begun])
  return new Map(rows.map(([id, event]) => [must(id), must(event)]))
}

/** A run cannot go on, because an effect of its earlier try has no known outcome yet. */
const NOT_YET = new Error('The outcome of an earlier try is not known yet')

/** Whether a run has to wait because the outcome of one of its calls is not known yet. */
export function isUnknownYet(error: unknown): boolean {
  if (error === NOT_YET) return true
  return isServiceError(error) && error.code === 'idempotency_in_progress'
}

/** A stored error as an error to be thrown again. */
export function storedError({ code, message, details }: StoredError): ServiceError {
  return new ServiceError(code as 'invalid_request', message, { ...(details ? { details } : {}) })
}

const findFailure = statement(
  'find-bot-call-failure',
  'SELECT answer FROM bot_calls WHERE run_id = $1 AND call = $2 AND has_failed',
)
// This lock keeps the run from being leased by others, yet lets its lease be renewed, however long a change
// waits for a lock of somebody else. Whoever comes later finds a newer fence.
const keepFailure = statement(
  'keep-bot-call-failure',
  `INSERT INTO bot_calls (run_id, call, answer, has_failed)
     SELECT id, $3, $4, true FROM bot_runs WHERE id = $1 AND fence = $2 FOR KEY SHARE
   ON CONFLICT (run_id, call) DO UPDATE
     SET transaction_id = NULL, answer = excluded.answer, has_failed = true
   RETURNING 1`,
)

/**
 * Performs a call of a run, and stores a failure that the code is told. When the run is started again, the call
 * fails in the same way, even if it could succeed by then: the code has already branched on the failure.
 */
export async function failingOnce<T>(
  ctx: Context,
  run: LeasedRun,
  call: string,
  work: () => Promise<T>,
): Promise<T> {
  const [earlier] = run.isFirst ? [] : await ctx.sql.rows(findFailure, [run.id, call])
  if (earlier) throw storedError(mustJson<StoredError>(earlier[0]))
  try {
    return await work()
  } catch (error) {
    if (!isServiceError(error) || isUnknownYet(error)) throw error
    const { code, message, details } = error
    const failure: StoredError = { code, message, ...(details ? { details } : {}) }
    const values = [run.id, run.fence, call, JSON.stringify(failure)]
    const [kept] = await ctx.sql.rows(keepFailure, values)
    throw kept ? error : NOT_YET
  }
}

const findSeen = statement(
  'find-bot-call-seen',
  'SELECT answer FROM bot_calls WHERE run_id = $1 AND call = $2 AND NOT has_failed',
)
const keepSeen = statement(
  'keep-bot-call-seen',
  `WITH run AS (SELECT id FROM bot_runs WHERE id = $1 AND fence = $2 FOR KEY SHARE)
   INSERT INTO bot_calls (run_id, call, answer)
     SELECT run.id, seen.call, seen.answer
       FROM run, unnest($3::text[], $4::text[]) AS seen (call, answer)
   ON CONFLICT (run_id, call) DO UPDATE SET answer = bot_calls.answer
   RETURNING 1`,
)

/** What a run has read. It is kept before the run has its next effect, which may change what a rerun would read. */
export function createReadings(ctx: Context, run: LeasedRun) {
  const unkept = new Map<string, string>()
  return {
    /** The JSON that `read` answers, or that it answered in an earlier try of the run. */
    async read(call: string, read: () => Promise<string>): Promise<string> {
      const [earlier] = run.isFirst ? [] : await ctx.sql.rows(findSeen, [run.id, call])
      if (earlier) return must(earlier[0])
      const seen = await read()
      unkept.set(call, seen)
      return seen
    },
    async keep(): Promise<void> {
      if (unkept.size === 0) return
      const values = [run.id, run.fence, [...unkept.keys()], [...unkept.values()]]
      const kept = await ctx.sql.rows(keepSeen, values)
      if (kept.length === 0) throw NOT_YET
      unkept.clear()
    },
  }
}

// A rerun would otherwise see what it has changed of its own conversation, and take another way than before.
const claim = statement(
  'claim-bot-call',
  `WITH run AS (SELECT id FROM bot_runs WHERE id = $1 AND fence = $2 FOR KEY SHARE), event AS (
     INSERT INTO bot_calls (run_id, call, answer)
       SELECT id, '${EVENT}', $5 FROM run WHERE $5::text IS NOT NULL ON CONFLICT DO NOTHING
   )
   INSERT INTO bot_calls (run_id, call, answer) SELECT id, $3, $4 FROM run
   ON CONFLICT DO NOTHING RETURNING 1`,
)
const noteRefusal = statement(
  'note-bot-refusal',
  `UPDATE bot_calls SET answer = 'false' WHERE run_id = $1 AND call = $2`,
)
const findAnswer = statement(
  'find-bot-call-answer',
  'SELECT answer FROM bot_calls WHERE run_id = $1 AND call = $2',
)

/**
 * Runs `work` once for a call of a run, however often the run is started; answers as JSON. The first `event` is
 * kept for when the run is started again.
 */
function once(
  ctx: Context,
  { id, fence }: LeasedRun,
  { call, answer, event = null }: { call: string; answer: string; event?: string | null },
  work: (tx: SqlClient) => Promise<string>,
): Promise<string> {
  const inTransaction = async (tx: SqlClient) => {
    const [claimed] = await tx.rows(claim, [id, fence, call, answer, event])
    const [earlier] = claimed ? [] : await tx.rows(findAnswer, [id, call])
    if (earlier) return must(earlier[0])
    // Another process has taken the run over.
    if (!claimed) throw NOT_YET
    return work(tx)
  }
  return pastConflicts(() => ctx.sql.transaction(inTransaction))
}

/**
 * Raises a custom event, once for each call of a run however often the run is started. Answers whether it was
 * accepted.
 */
export async function emitOnce(
  ctx: Context,
  run: LeasedRun,
  call: string,
  name: unknown,
  payload?: unknown,
): Promise<boolean> {
  // The same subject as the events of the conversation's messages, so that all are delivered in one order.
  const about = { projectId: run.projectId, subject: run.conversationId }
  const answer = await once(ctx, run, { call, answer: 'true' }, async (tx) => {
    if (await raiseCustom({ sql: tx, now: ctx.now }, about, name, payload)) return 'true'
    await tx.rows(noteRefusal, [run.id, call])
    return 'false'
  })
  return answer === 'true'
}

/**
 * Changes records of the project, once for each call of a run however often the run is started, so that a
 * repetition does not overwrite later changes by others. `event` is what the code was told of them before.
 */
export async function changeOnce(
  ctx: ProjectContext,
  run: LeasedRun,
  { call, event }: { call: string; event: string },
  change: (ctx: ChangeContext) => Promise<unknown>,
): Promise<null> {
  const { project, now } = ctx
  await once(ctx, run, { call, answer: 'null', event }, async (tx) => {
    await change({ project, now, sql: tx })
    return 'null'
  })
  return null
}

const find = statement(
  'find-bot-call',
  `SELECT transaction_id, pg_xact_status(transaction_id::xid8), answer FROM bot_calls
    WHERE run_id = $1 AND call = $2`,
)
const note = statement(
  'note-bot-call',
  `INSERT INTO bot_calls (run_id, call, transaction_id, answer)
     SELECT id, $3, $4, $5 FROM bot_runs WHERE id = $1 AND fence = $2 FOR KEY SHARE
   ON CONFLICT (run_id, call) DO UPDATE
     SET transaction_id = excluded.transaction_id, answer = excluded.answer, has_failed = false
   RETURNING 1`,
)
const CURRENT = oneOff('SELECT pg_catalog.pg_current_xact_id()')

/**
 * A context whose writes to the project's tables happen once for a call of a run. The project's role cannot
 * record the call, so the service stores the id of the transaction before it commits, and asks PostgreSQL for
 * the transaction's outcome when the run is started again.
 */
export function writingOnce<C extends OwnContext>(ctx: C, run: LeasedRun, call: string): C {
  const { tables } = ctx
  const write: typeof tables.write = async (table, work) => {
    const [row] = run.isFirst ? [] : await ctx.sql.rows(find, [run.id, call])
    if (row?.[1] === 'in progress') throw NOT_YET
    if (row?.[1] === 'committed') return mustJson<Awaited<ReturnType<typeof work>>>(row[2])
    return tables.write(table, async (tx) => {
      const result = await work(tx)
      const [id] = await tx.rows(CURRENT)
      const values = [run.id, run.fence, call, must(id?.[0]), JSON.stringify(result)]
      const [noted] = await ctx.sql.rows(note, values)
      // Another process has taken the run over: this transaction must not commit.
      if (!noted) throw NOT_YET
      return result
    })
  }
  return { ...ctx, tables: { ...tables, write } }
}
