import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoFromSql, must, plannedOnce, type Row, statement } from '../../core/sql.ts'
import type { Holding, LeasedRun } from './bot-runs.ts'

// A run put off for longer than any delay was put off by a wrong clock, and may start.
const MAY_BEGIN = `(o.lease_until IS NULL OR o.lease_until <= now())
  AND (o.due_at IS NULL OR o.due_at <= $4::timestamptz
    OR o.due_at > $4::timestamptz + ${LIMITS.botClockAheadMs} * interval '1 ms')`

// This redundant condition makes PostgreSQL use the project's index; without it, it may scan the runs of all
// projects in order until it meets one of this project.
const OF_PROJECT = 'project_id BETWEEN waiting.project_id AND waiting.project_id'

// Of the project's oldest runs, those that are the first of their conversation.
const FIRST_OF_OLDEST = `SELECT o.id
   FROM (SELECT project_id, id, conversation_id, due_at, lease_until FROM bot_runs
          WHERE ${OF_PROJECT} ORDER BY project_id, id LIMIT ${LIMITS.botRunsLookedThrough}) AS o
  WHERE ${MAY_BEGIN}
    AND o.id = (SELECT e.id FROM bot_runs e
                 WHERE e.project_id = o.project_id AND e.conversation_id = o.conversation_id
                 ORDER BY e.id LIMIT 1)
  ORDER BY o.project_id, o.id`

// The first run of the project's next conversation, by one index look-up each.
const nextConversation = (after: string) => `(
  SELECT id, conversation_id, due_at, lease_until FROM bot_runs
   WHERE project_id = waiting.project_id
     AND conversation_id > ${after} AND conversation_id <= part.upto
   ORDER BY conversation_id, id LIMIT 1)`

// All of the oldest runs may belong to a few conversations of which none may start. The other conversations are
// then searched from a random one on; if there are more than one look can search, later looks reach the rest.
const FIRST_OF_OTHERS = `SELECT o.id
   FROM (
     SELECT walk.*, span.last FROM (
       SELECT ends.*, low + floor(random() * (high - low + 1))::bigint AS start FROM (
         SELECT id AS last,
                (SELECT min(conversation_id) FROM bot_runs WHERE project_id = waiting.project_id) AS low,
                (SELECT max(conversation_id) FROM bot_runs WHERE project_id = waiting.project_id) AS high
           FROM bot_runs WHERE ${OF_PROJECT} ORDER BY project_id, id
          OFFSET ${LIMITS.botRunsLookedThrough - 1} LIMIT 1) AS ends) AS span
      CROSS JOIN LATERAL (VALUES (start - 1, high), (low - 1, start - 1)) AS part (after, upto)
      CROSS JOIN LATERAL (
        WITH RECURSIVE walk AS (
          ${nextConversation('part.after')}
          UNION ALL
          SELECT next.* FROM walk CROSS JOIN LATERAL ${nextConversation('walk.conversation_id')} AS next
        ) SELECT * FROM walk) AS walk
      LIMIT ${LIMITS.botConversationsLookedThrough}) AS o
  WHERE o.id > o.last AND ${MAY_BEGIN}
  ORDER BY o.id`

// Steps from one project with waiting runs to the next, by one index look-up each; of each project, it takes
// the oldest runs that are the first of their conversation. Every project gets its first run before any gets a
// second. A run that is performing a change has its row locked FOR KEY SHARE, which only FOR UPDATE skips.
const lease = plannedOnce(
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
        SELECT id, row_number() OVER (ORDER BY id) AS place FROM (
          (${FIRST_OF_OLDEST}) UNION ALL (${FIRST_OF_OTHERS})
          LIMIT coalesce(busy.room, $3::int)) AS heads) AS head
   ), free AS (
     SELECT r.id, r.lease_until IS NOT NULL AS had_lapsed
       FROM first JOIN bot_runs r ON r.id = first.id
      WHERE r.lease_until IS NULL OR r.lease_until <= now()
      ORDER BY first.place, first.id LIMIT $5::bigint
        FOR UPDATE OF r SKIP LOCKED
   )
   UPDATE bot_runs r
      SET fence = r.fence + 1, begun = r.begun + 1,
          lease_until = now() + ${LIMITS.botLeaseMs} * interval '1 ms'
     FROM free WHERE r.id = free.id
   RETURNING r.id, r.project_id, r.conversation_id, r.message_id, r.step, r.fence, r.begun,
             r.created_at, free.had_lapsed`,
)

/** How many more runs of a project this process may take, where that differs from the usual. */
export type ProjectRoom = { projectId: string; room: number }

/** Leases up to so many runs that may start now, at most one of each conversation. */
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

// Skips locked rows: such a run is about to end or to be taken over, and the others must not wait for it.
// A run that is given back while the statement runs keeps its fence; renewing it would only delay its next start.
const keep = statement(
  'keep-bot-leases',
  `WITH own AS (
     SELECT r.id FROM bot_runs r JOIN unnest($1::bigint[], $2::bigint[]) AS h (id, fence)
         ON r.id = h.id AND r.fence = h.fence
   ), free AS (
     SELECT r.id FROM bot_runs r JOIN unnest($1::bigint[], $2::bigint[]) AS h (id, fence)
         ON r.id = h.id AND r.fence = h.fence
      WHERE r.lease_until IS NOT NULL
        FOR NO KEY UPDATE OF r SKIP LOCKED
   ), kept AS (
     UPDATE bot_runs r SET lease_until = now() + ${LIMITS.botLeaseMs} * interval '1 ms'
       FROM free WHERE r.id = free.id
   )
   SELECT id FROM own`,
)

/** Renews leases; answers with those that still belonged to this process. */
export async function keepLeases(ctx: Context, held: Holding[]): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  const rows = await ctx.sql.rows(keep, [held.map(({ id }) => id), held.map(({ fence }) => fence)])
  return new Set(rows.map(([id]) => must(id)))
}
