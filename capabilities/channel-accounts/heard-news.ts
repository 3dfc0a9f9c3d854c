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

/** What a project knows already of the news in a callback. */
export type Hearing = {
  /** Whether an update is new to the project; it is remembered from then on. */
  isNews(update: Update): boolean
  /** Stores what was new. */
  keep(now: Date): Promise<void>
}

/**
 * Looks up which of these updates a project has seen, under the lock on what they are about. The channel
 * repeats itself, and updates of the same second count in the order of their arrival.
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
