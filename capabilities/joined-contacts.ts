import type { ChangeContext } from '../core/context.ts'
import { statement } from '../core/sql.ts'

/** SQL of the id of the contact that an id leads to: its own, or the one of the contact that it was joined with. */
export const joinedContactOf = (id: string) =>
  `coalesce((SELECT j.into_contact_id FROM joined_contacts j WHERE j.contact_id = ${id}), ${id})`

const FIND = {
  contact: statement(
    'find-joined-contact',
    'SELECT into_contact_id FROM joined_contacts WHERE project_id = $1 AND contact_id = $2',
  ),
  conversation: statement(
    'find-joined-conversation',
    `SELECT c.id FROM joined_contacts j JOIN conversations c ON c.contact_id = j.into_contact_id
      WHERE j.project_id = $1 AND j.conversation_id = $2`,
  ),
}

type Asking = Pick<ChangeContext, 'project' | 'sql'>

/**
 * What `look` finds under an id, or else under the id of the contact or conversation that it was joined with;
 * null when both are unknown.
 */
export async function followed<T>(
  { project, sql }: Asking,
  kind: keyof typeof FIND,
  id: number,
  look: (id: number) => Promise<T | null>,
): Promise<T | null> {
  const found = await look(id)
  if (found !== null) return found
  const current = await successorOf({ project, sql }, kind, id)
  return current === null ? null : look(current)
}

/** The id of the contact or conversation that this one was joined with; null for any other id. */
export async function successorOf(
  { project, sql }: Asking,
  kind: keyof typeof FIND,
  id: number,
): Promise<number | null> {
  const [row] = await sql.rows(FIND[kind], [project.id, id])
  return row ? Number(row[0]) : null
}
