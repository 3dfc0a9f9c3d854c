import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoFromSql, must, type Row, statement } from '../../core/sql.ts'

/** One line of a bot's log; `version` is that of the code, null when none ran. */
export type BotLogLine = {
  id: number
  at: string
  level: string
  version: number | null
  run_id: number
  conversation_id: number
  text: string
}

const COLUMNS = 'id, at, level, version, run_id, conversation_id, text'

const findLast = statement(
  'find-last-bot-log-lines',
  `SELECT * FROM (SELECT ${COLUMNS} FROM bot_log_lines WHERE project_id = $1
                   ORDER BY id DESC LIMIT $2) AS lines ORDER BY id`,
)

/** The last lines of a project's bot, the newest last; at most `LIMITS.botLogLinesShown`. */
export async function last(ctx: Context, projectId: string, limit: number): Promise<BotLogLine[]> {
  return (await ctx.sql.rows(findLast, [projectId, limit])).map(present)
}

const findAfter = statement(
  'find-bot-log-lines-after',
  `SELECT ${COLUMNS} FROM bot_log_lines WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
)

/** The lines after a given one, in order. */
async function after(ctx: Context, projectId: string, id: number): Promise<BotLogLine[]> {
  const rows = await ctx.sql.rows(findAfter, [projectId, id, LIMITS.botLogLinesShown])
  return rows.map(present)
}

/** Ids are assigned before the commit, so a line up to this many ids back may still appear. */
const LATE = 500

/** Follows a log: answers first with the last lines, then with new ones, each once. */
export function tail(ctx: Context, projectId: string, limit: number): () => Promise<BotLogLine[]> {
  let seen: Set<number> | null = null
  let newest = 0
  return async () => {
    const before = seen
    const found = before
      ? await after(ctx, projectId, newest - LATE)
      : await last(ctx, projectId, Math.max(limit, LATE))
    newest = Math.max(newest, ...found.map(({ id }) => id))
    const ids = [...(before ?? []), ...found.map(({ id }) => id)]
    seen = new Set(ids.filter((id) => id > newest - LATE))
    return before ? found.filter(({ id }) => !before.has(id)) : found.slice(-limit)
  }
}

function present([id, at, level, version, runId, conversationId, text]: Row): BotLogLine {
  return {
    id: Number(id),
    at: isoFromSql(must(at)),
    level: must(level),
    version: version == null ? null : Number(version),
    run_id: Number(runId),
    conversation_id: Number(conversationId),
    text: must(text),
  }
}
