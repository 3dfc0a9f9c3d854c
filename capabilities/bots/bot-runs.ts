import type { Context, ProjectContext } from '../../core/context.ts'
import type { OperationId } from '../../core/contract.ts'
import { plannedOnce, type SqlClient, statement } from '../../core/sql.ts'
import type { BotLine } from '../../core/bot-pool.ts'
import type { BotHandler } from '../../core/bots.ts'

/**
 * Whether project `$1` has a bot in production with the handler; PostgreSQL evaluates it once per statement.
 */
export const runsBot = (handler: BotHandler) =>
  `EXISTS (SELECT FROM bots WHERE project_id = $1 AND production_id IS NOT NULL
                              AND '${handler}' = ANY (handlers))`

/** A message, or a status of one of our messages, that a bot is to run for. */
export type NewRun = {
  messageId: string
  step: { status: string; error: unknown; occurred_at: string } | null
}

// The numbers are assigned under the lock on the conversation, so they follow the order of the commits.
const insert = plannedOnce(
  'enqueue-bot-runs',
  `WITH wanted AS (
     SELECT w.position, w."messageId" AS message_id, nullif(w.step, 'null') AS step, m.conversation_id
       FROM jsonb_to_recordset($2::jsonb) AS w (position int, "messageId" bigint, step jsonb)
       JOIN messages m ON m.id = w."messageId" AND m.project_id = $1
   ), locked AS MATERIALIZED (
     SELECT id FROM conversations WHERE id = ANY (ARRAY(SELECT conversation_id FROM wanted))
      ORDER BY id FOR NO KEY UPDATE
   )
   INSERT INTO bot_runs (project_id, conversation_id, message_id, step, created_at)
   SELECT $1, w.conversation_id, w.message_id, w.step, $3::timestamptz
     FROM wanted w JOIN locked ON locked.id = w.conversation_id ORDER BY w.position`,
)

/** Queues a run of the project's bot for each, in their order, as part of what `tx` commits. */
export async function enqueue(
  tx: SqlClient,
  projectId: string,
  runs: NewRun[],
  now: Date,
): Promise<void> {
  if (runs.length === 0) return
  const wanted = runs.map((run, position) => ({ ...run, position }))
  await tx.rows(insert, [projectId, JSON.stringify(wanted), now])
  tx.announce('bots')
}

/** A run leased to this process. */
export type LeasedRun = {
  id: string
  projectId: string
  conversationId: string
  messageId: string
  /** The status change as JSON; null when the run is for a customer's message. */
  step: string | null
  /** The number of the lease; writes under another number are ignored. */
  fence: string
  /** How often it was started without ending, this time included; waiting for an outcome does not count. */
  begun: number
  /** Whether it was never leased before. */
  isFirst: boolean
  createdAt: string
  /** Whether the previous lease expired instead of being given back. */
  hadLapsed: boolean
}

/** Validates what a bot asks for against the contract, like a request; throws the same refusals. */
export type CheckRequest = (
  operation: OperationId,
  request: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown },
) => Promise<void>

/** What a call of a run works with. */
export type BotCall = {
  ctx: ProjectContext
  run: LeasedRun
  contactId: number
  /** What the code was given, as JSON. */
  event: string
  check: CheckRequest
  /** Identifies the call; the same when the run is started again. */
  name: string
}

/** What identifies a lease to its holder. */
export type Holding = { id: string; fence: string }

const putOff = statement(
  'postpone-bot-run',
  `UPDATE bot_runs
      SET lease_until = NULL, due_at = $3, begun = CASE WHEN $4 THEN begun ELSE begun - 1 END
    WHERE id = $1 AND fence = $2 AND lease_until IS NOT NULL`,
)

/**
 * Puts a run off until an instant; its conversation waits for it. `isCounted` counts this start against the
 * limit. A repetition changes nothing.
 */
export async function postpone(
  ctx: Context,
  { id, fence }: Holding,
  { until, isCounted }: { until: Date; isCounted: boolean },
): Promise<void> {
  await ctx.sql.rows(putOff, [id, fence, until, isCounted])
}

/** What is stored of a run that is over. */
export type FinishedRun = Holding & {
  version: number | null
  lines: BotLine[]
}

const remove = statement(
  'finish-bot-runs',
  `WITH gone AS (
     DELETE FROM bot_runs r USING unnest($1::bigint[], $2::bigint[]) AS h (id, fence)
      WHERE r.id = h.id AND r.fence = h.fence
     RETURNING r.id, r.project_id, r.conversation_id
   ), call AS (
     DELETE FROM bot_calls c USING gone WHERE c.run_id = gone.id
   ), line AS (
     INSERT INTO bot_log_lines (project_id, run_id, conversation_id, version, level, text, at)
     SELECT gone.project_id, gone.id, gone.conversation_id, l.version, l.level, l.text, $4::timestamptz
       FROM jsonb_to_recordset($3::jsonb)
              AS l (position int, run bigint, version int, level text, text text)
       JOIN gone ON gone.id = l.run ORDER BY l.position
   )
   SELECT count(*) FROM gone`,
)

/** Stores the end of a run and its log lines, batched with other runs that end at the same moment. */
export async function finish(ctx: Context, run: FinishedRun): Promise<void> {
  await ctx.batches.join('finish-bot-runs', run, async (batch) => {
    const lines = batch.flatMap(({ id, version, lines }) =>
      lines.map(({ level, text }) => ({ run: id, version, level, text: storable(text) })),
    )
    await ctx.sql.rows(remove, [
      batch.map(({ id }) => id),
      batch.map(({ fence }) => fence),
      JSON.stringify(lines.map((line, position) => ({ position, ...line }))),
      ctx.now(),
    ])
    return batch.map(() => undefined)
  })
}

/** Replaces characters that PostgreSQL cannot store. */
function storable(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd')
}

const COUNTED_MOST = 100_000
const count = statement(
  'count-bot-runs',
  `SELECT count(*) FROM (SELECT FROM bot_runs LIMIT ${COUNTED_MOST}) AS runs`,
)

/** How many runs wait or are under way; 100,000 when there are more. */
export async function waitingRuns(ctx: Context): Promise<number> {
  return Number((await ctx.sql.rows(count))[0]?.[0])
}

/** Wakes every process to look for runs that no notice has told it of. */
export async function sweepRuns(ctx: Context): Promise<void> {
  if ((await waitingRuns(ctx)) > 0) ctx.sql.announce('bots')
}
