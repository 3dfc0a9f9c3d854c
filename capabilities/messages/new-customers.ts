import type { ProjectContext } from '../../core/context.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import { statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'

// An existing contact is not locked: a callback that is opening its conversation may be about to change it.
const insertOne = statement(
  'ensure-customer',
  `WITH known AS (
     SELECT id FROM contacts WHERE project_id = $1 AND match_key = $3 AND phone IS NOT NULL
   ), made AS (
     INSERT INTO contacts (project_id, phone, match_key, tags, created_at, updated_at)
     SELECT $1, $2, $3, '{}', $4::timestamptz, $4::timestamptz WHERE NOT EXISTS (SELECT FROM known)
     ON CONFLICT (project_id, match_key) DO UPDATE SET phone = coalesce(contacts.phone, excluded.phone)
     RETURNING id
   )
   INSERT INTO conversations (project_id, contact_id, last_activity_at, created_at, updated_at)
   SELECT $1, id, $4::timestamptz, $4::timestamptz, $4::timestamptz
     FROM (SELECT id FROM known UNION ALL SELECT id FROM made) contact
   ON CONFLICT (contact_id) DO NOTHING`,
)

/** Creates the contact and the conversation of a number that is written to for the first time. */
export async function ensure(ctx: ProjectContext, phone: string): Promise<void> {
  const values = [ctx.project.id, phone, phoneMatchKey(phone), ctx.now()]
  await pastConflicts(() => ctx.sql.rows(insertOne, values))
}
