import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { must, oneOff, type SqlClient, type Statement, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'
import * as looseBytes from '../media/loose-bytes.ts'
import * as tableSchemas from '../tables/table-schemas.ts'

const BATCH = 5_000
const FILES_AT_ONCE = 100

type Purging = { name: string; onProgress: (rows: number) => void; stop: AbortSignal }

/** What a purge has deleted: rows of the service, sets of tables, and files of media. */
export type Purged = { id: string; rows: number; table_sets: number; files: number }

// Whoever resumes the project waits here, and finds it without a channel.
const hold = statement(
  'hold-project-to-purge',
  'SELECT status, name FROM projects WHERE id = $1 FOR UPDATE',
)

/** What lets anybody reach the project: it goes first, so that nothing new comes while the rest is deleted. */
const REACH = [
  'DELETE FROM api_keys WHERE project_id = $1',
  'DELETE FROM connection_grants WHERE project_id = $1',
  'UPDATE connections SET default_project_id = NULL WHERE default_project_id = $1',
  `DELETE FROM sandbox_templates t USING channel_accounts a
    WHERE a.project_id = $1 AND a.kind = 'sandbox' AND t.business_account_id = a.business_account_id`,
  `DELETE FROM sandbox_flows f USING channel_accounts a
    WHERE a.project_id = $1 AND a.kind = 'sandbox' AND f.business_account_id = a.business_account_id`,
  'DELETE FROM channel_accounts WHERE project_id = $1',
]

/** What would keep rows from being deleted, since rows refer to each other both ways. */
const TIES = [
  'UPDATE bots SET production_id = NULL WHERE project_id = $1',
  'UPDATE broadcasts SET retarget_parent_id = NULL WHERE project_id = $1 AND retarget_parent_id IS NOT NULL',
]

const OWN = 'project_id = $1'
const OF_RUN = 'run_id IN (SELECT id FROM bot_runs WHERE project_id = $1)'
const OF_BROADCAST = 'broadcast_id IN (SELECT id FROM broadcasts WHERE project_id = $1)'

/** The tables that hold rows of projects, in an order in which nothing is deleted that another row refers to. */
export const PURGED_TABLES: readonly [table: string, where: string][] = [
  ['bot_calls', OF_RUN],
  ...['bot_runs', 'bot_log_lines', 'deployment_files', 'deployments'].map(own),
  ...['code_files', 'code_blobs', 'bots'].map(own),
  ['broadcast_recipients', OF_BROADCAST],
  ['broadcast_audits', OF_BROADCAST],
  ...['broadcasts', 'segments', 'events', 'webhooks'].map(own),
  ...['send_attempts', 'messages', 'conversations', 'contacts', 'joined_contacts'].map(own),
  ...['parked_statuses', 'unread_callbacks', 'idempotency_records'].map(own),
  ...['conversation_states', 'send_budgets', 'row_cursors'].map(own),
  ...['templates', 'parked_template_statuses', 'heard_template_news', 'template_syncs'].map(own),
  ...['header_samples', 'flows', 'flow_syncs', 'media_leases'].map(own),
]

function own(table: string): [table: string, where: string] {
  return [table, OWN]
}

const deleteSome = (table: string, where: string): Statement =>
  oneOff(
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} LIMIT ${BATCH})) RETURNING 1
     ) SELECT count(*) FROM gone`,
  )
// Events have no index of their project; those that nobody was told of any more are few.
const dropDeliveries = statement(
  'purge-deliveries',
  `WITH gone AS (
     DELETE FROM deliveries WHERE ctid = ANY (ARRAY(
       SELECT d.ctid FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id
        WHERE w.project_id = $1 LIMIT ${BATCH})) RETURNING event_id
   ), told AS (
     DELETE FROM events WHERE id = ANY (ARRAY(SELECT event_id FROM gone))
   ) SELECT count(*) FROM gone`,
)
const dropFiles = statement(
  'purge-media',
  `WITH gone AS (
     DELETE FROM media WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM media WHERE project_id = $1 LIMIT ${FILES_AT_ONCE})) RETURNING store_key
   ), loose AS (
     INSERT INTO loose_bytes (store_key, created_at)
     SELECT store_key, now() FROM gone WHERE store_key IS NOT NULL ON CONFLICT DO NOTHING
   )
   SELECT store_key FROM gone`,
)
const dropProject = statement('purge-project', 'DELETE FROM projects WHERE id = $1')

/**
 * Deletes a deleted project for good, with all that is kept of it here; what is at WhatsApp stays there. In small
 * steps: one that is cut off, or that `stop` ends, can be made again and goes on. `onProgress` is told how many rows
 * are gone. Throws `bad_request` for a project that is not deleted, or whose name is another.
 */
export async function purge(
  ctx: Context,
  id: string,
  { name, onProgress, stop }: Purging,
): Promise<Purged> {
  await ctx.sql.transaction((tx) => cutOff(tx, id, name))
  await ctx.cache.changed()
  const tableSets = await tableSchemas.dropAll(ctx, id)
  const files = await deleteFiles(ctx, id, stop)
  for (const tie of TIES) await ctx.sql.rows(oneOff(tie), [id])
  const steps = PURGED_TABLES.map(([table, where]) => deleteSome(table, where))
  let rows = 0
  // What was under way may have ended meanwhile, and have left a row behind.
  await pastConflicts(async () => {
    for (const step of [dropDeliveries, ...steps]) {
      let deleted: number
      do {
        stop.throwIfAborted()
        deleted = Number((await ctx.sql.rows(step, [id]))[0]?.[0])
        rows += deleted
        onProgress(rows)
      } while (deleted === BATCH)
    }
    await ctx.sql.rows(dropProject, [id])
  })
  return { id, rows, table_sets: tableSets, files }
}

async function cutOff(tx: SqlClient, id: string, name: string): Promise<void> {
  const [row] = await tx.rows(hold, [id])
  const [status, held] = row ?? []
  if (status !== 'deleted') {
    const now = status === undefined ? 'gone already' : `${status}: delete it first`
    throw new ServiceError('bad_request', `The project ${id} is ${now}.`)
  }
  if (held !== name) {
    throw new ServiceError('bad_request', `The name of ${id} is ${JSON.stringify(held)}.`)
  }
  for (const command of REACH) await tx.rows(oneOff(command), [id])
}

async function deleteFiles(ctx: Context, id: string, stop: AbortSignal): Promise<number> {
  let files = 0
  for (;;) {
    stop.throwIfAborted()
    const rows = await ctx.sql.rows(dropFiles, [id])
    if (rows.length === 0) return files
    files += rows.length
    const keys = rows.flatMap(([key]) => (key == null ? [] : [must(key)]))
    await Promise.all(keys.map((key) => looseBytes.remove(ctx, key)))
  }
}
