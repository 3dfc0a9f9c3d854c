import { randomUUID } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })

const makeBot = statement('chaos-bot', 'INSERT INTO bots (project_id) VALUES ($1)')
const deploy = statement(
  'chaos-deploy',
  `WITH made AS (
     INSERT INTO deployments (id, project_id, version, snapshot, changes, bundle, source_map, created_at)
     VALUES ($2, $1, 1, 1, '[]', $3, $4, now()) RETURNING id
   )
   UPDATE bots SET production_id = made.id, handlers = '{onMessage}' FROM made WHERE project_id = $1`,
)

/** Puts a bundle that answers messages into production, past the build. */
export async function deployCode(ctx: Context, projectId: string, bundle: string): Promise<void> {
  await ctx.sql.rows(makeBot, [projectId])
  await ctx.sql.rows(deploy, [projectId, randomUUID(), bundle, NO_MAP])
}
