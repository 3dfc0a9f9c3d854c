import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { isoFromSql, must, type Row, type SqlClient, statement } from '../core/sql.ts'
import type { BotHandler } from '../core/bots.ts'

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
const insert = statement(
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

// From one project with something waiting to the next, by one look-up each; of each, the oldest runs
// that are their conversation's first. All projects have their first run before any has a second.
// What is put off for longer than anything can be was put off by a clock that was wrong.
const lease = statement(
  'lease-bot-runs',
  `WITH RECURSIVE waiting AS (
     (SELECT project_id FROM bot_runs ORDER BY project_id LIMIT 1)
     UNION ALL
     SELECT next.project_id FROM waiting CROSS JOIN LATERAL (
       SELECT r.project_id FROM bot_runs r WHERE r.project_id > waiting.project_id
        ORDER BY r.project_id LIMIT 1) AS next
   ), first AS (
     SELECT head.id, head.place
       FROM waiting LEFT JOIN unnest($1::text[], $2::int[]) AS busy (project_id, room)
              ON busy.project_id = waiting.project_id
      CROSS JOIN LATERAL (
        SELECT o.id, row_number() OVER (ORDER BY o.id) AS place
          FROM (SELECT id, conversation_id, due_at, lease_until FROM bot_runs
                 WHERE project_id = waiting.project_id
                 ORDER BY id LIMIT ${LIMITS.botRunsLookedThrough}) AS o
         WHERE (o.lease_until IS NULL OR o.lease_until <= now())
           AND (o.due_at IS NULL OR o.due_at <= $4
             OR o.due_at > $4::timestamptz + ${LIMITS.botClockAheadMs} * interval '1 ms')
           AND NOT EXISTS (SELECT FROM bot_runs e
                            WHERE e.conversation_id = o.conversation_id AND e.id < o.id)
         ORDER BY o.id LIMIT coalesce(busy.room, $3)) AS head
   ), free AS (
     SELECT r.id, r.lease_until IS NOT NULL AS had_lapsed
       FROM first JOIN bot_runs r ON r.id = first.id
      WHERE r.lease_until IS NULL OR r.lease_until <= now()
      ORDER BY first.place, first.id LIMIT $5
        FOR NO KEY UPDATE OF r SKIP LOCKED
   )
   UPDATE bot_runs r
      SET fence = r.fence + 1, begun = r.begun + 1,
          lease_until = now() + ${LIMITS.botLeaseMs} * interval '1 ms'
     FROM free WHERE r.id = free.id
   RETURNING r.id, r.project_id, r.conversation_id, r.message_id, r.step, r.fence, r.begun,
             r.created_at, free.had_lapsed`,
)

/** What of a project a process has room for, when that is not the usual. */
export type ProjectRoom = { projectId: string; room: number }

/** Takes runs that may begin now, one of each conversation, at most so many. */
export async function leaseRuns(
  ctx: Context,
  { most, perProject, busy }: { most: number; perProject: number; busy: ProjectRoom[] },
): Promise<LeasedRun[]> {
  const rows = await ctx.sql.rows(lease, [
    busy.map(({ projectId }) => projectId),
    busy.map(({ room }) => Math.max(0, room)),
    perProject,
    ctx.now(),
    most,
  ])
  return rows.map(readLeased).sort((a, b) => Number(a.id) - Number(b.id))
}

function readLeased(row: Row): LeasedRun {
  const [id, projectId, conversationId, messageId, step, fence, begun, createdAt, lapsed] = row
  return {
    id: must(id),
    projectId: must(projectId),
    conversationId: must(conversationId),
    messageId: must(messageId),
    step: step ?? null,
    fence: must(fence),
    begun: Number(begun),
    // Every lease raises the fence, and nothing lowers it.
    isFirst: fence === '1',
    createdAt: isoFromSql(must(createdAt)),
    hadLapsed: lapsed === 't',
  }
}

/** A lease as its holder knows it. */
export type Holding = { id: string; fence: string }

const keep = statement(
  'keep-bot-leases',
  `UPDATE bot_runs r SET lease_until = now() + ${LIMITS.botLeaseMs} * interval '1 ms'
     FROM unnest($1::bigint[], $2::bigint[]) AS h (id, fence)
    WHERE r.id = h.id AND r.fence = h.fence RETURNING r.id`,
)

/** Prolongs leases; answers with those that were still this process's. */
export async function keepLeases(ctx: Context, held: Holding[]): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  const rows = await ctx.sql.rows(keep, [held.map(({ id }) => id), held.map(({ fence }) => fence)])
  return new Set(rows.map(([id]) => must(id)))
}

const putOff = statement(
  'postpone-bot-run',
  `UPDATE bot_runs
      SET lease_until = NULL, due_at = $3, begun = CASE WHEN $4 THEN begun ELSE begun - 1 END
    WHERE id = $1 AND fence = $2`,
)

/**
 * Gives a run back, to be begun again then; its conversation waits for it. Counted is what must not go
 * on for ever.
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
