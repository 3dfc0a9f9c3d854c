import type { Context } from '../../core/context.ts'
import { plannedOnce, type SqlClient, statement } from '../../core/sql.ts'
import type { BotHandler } from '../../core/bots.ts'

/** Whether the project `$1` has a bot that wants to hear of it; PostgreSQL looks once. */
export const runsBot = (handler: BotHandler) =>
  `EXISTS (SELECT FROM bots WHERE project_id = $1 AND production_id IS NOT NULL
                              AND '${handler}' = ANY (handlers))`

/** A message that a bot is to be run for, or a step that one of ours has made. */
export type NewRun = {
  messageId: string
  step: { status: string; error: unknown; occurred_at: string } | null
}

// Whoever holds a conversation's row gives out its numbers: they are in the order of the commits.
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

/** Has the project's bot run for each, in their order, once `tx` commits. */
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

/** A run that this process alone has begun, until its lease ends. */
export type LeasedRun = {
  id: string
  projectId: string
  conversationId: string
  messageId: string
  /** JSON of the step that it is for; null when it is for a customer's message. */
  step: string | null
  /** The lease's own number: what is written under another one counts for nothing. */
  fence: string
  /** How often it was begun and did not end, this time too; what only waited does not count. */
  begun: number
  /** Whether nobody has begun it before. */
  isFirst: boolean
  createdAt: string
  /** Whether the one before ran out without being given back. */
  hadLapsed: boolean
}

/** A lease as its holder knows it. */
export type Holding = { id: string; fence: string }

const putOff = statement(
  'postpone-bot-run',
  `UPDATE bot_runs
      SET lease_until = NULL, due_at = $3, begun = CASE WHEN $4 THEN begun ELSE begun - 1 END
    WHERE id = $1 AND fence = $2`,
)

/**
 * Gives a run back, to be begun again then; its conversation waits for it. `isCounted` limits how
 * often that may happen.
 */
export async function postpone(
  ctx: Context,
  { id, fence }: Holding,
  { until, isCounted }: { until: Date; isCounted: boolean },
): Promise<void> {
  await ctx.sql.rows(putOff, [id, fence, until, isCounted])
}

/** What is written of a run that is over. */
export type FinishedRun = Holding & {
  version: number | null
  lines: { level: 'info' | 'warn' | 'error'; text: string }[]
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

/** Writes down that a run is over, with what it logged; together with others that end now. */
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

/** What PostgreSQL cannot hold is shown as the mark for that. */
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

/** Has every process look for runs that nobody told of. */
export async function sweepRuns(ctx: Context): Promise<void> {
  if ((await waitingRuns(ctx)) > 0) ctx.sql.announce('bots')
}
