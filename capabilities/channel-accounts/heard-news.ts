import { hash } from 'node:crypto'
import type { FlowUpdate } from '../../core/channel-flows.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import type { TemplateUpdate } from '../../core/template-update.ts'

const find = statement(
  'find-heard-news',
  'SELECT digest FROM heard_template_news WHERE project_id = $1 AND digest = ANY ($2)',
)
const hear = statement(
  'hear-news',
  `INSERT INTO heard_template_news (project_id, digest, received_at)
   SELECT $1, digest, $3 FROM unnest($2::text[]) AS digest
   ON CONFLICT DO NOTHING`,
)

type Update = TemplateUpdate | FlowUpdate

/** What a project has heard of that which one callback says. */
export type Hearing = {
  /** Whether it hears this for the first time; from now on it has heard it. */
  isNews(update: Update): boolean
  /** Writes down what it has heard for the first time. */
  keep(now: Date): Promise<void>
}

/**
 * Looks up what a project has heard of these updates, under the lock of what they are about. The channel
 * repeats itself, and what it says in one second stands in the order of its arrival.
 */
export async function listen(
  tx: SqlClient,
  projectId: string,
  updates: Update[],
): Promise<Hearing> {
  const rows = updates.length > 0 ? await tx.rows(find, [projectId, updates.map(digestOf)]) : []
  const heard = new Set(rows.map(([digest]) => must(digest)))
  const fresh: string[] = []
  return {
    isNews(update) {
      const digest = digestOf(update)
      if (heard.has(digest)) return false
      heard.add(digest)
      fresh.push(digest)
      return true
    },
    async keep(now) {
      if (fresh.length > 0) await tx.rows(hear, [projectId, fresh, now])
    },
  }
}

function digestOf(update: Update): string {
  return hash('sha256', JSON.stringify(update), 'base64')
}
