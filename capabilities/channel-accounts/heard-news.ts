import { hash } from 'node:crypto'
import type { FlowUpdate } from '../../core/channel-flows.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import type { TemplateUpdate } from '../../core/template-update.ts'

const hear = statement(
  'hear-news',
  `INSERT INTO heard_template_news (project_id, digest, received_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING RETURNING 1`,
)

/**
 * Whether a project hears this of a template or a flow for the first time, which it then has. The channel
 * repeats itself, and what it says in one second stands in the order of its arrival.
 */
export async function isNews(
  tx: SqlClient,
  projectId: string,
  update: TemplateUpdate | FlowUpdate,
  now: Date,
): Promise<boolean> {
  const digest = hash('sha256', JSON.stringify(update), 'base64')
  return (await tx.rows(hear, [projectId, digest, now])).length > 0
}
