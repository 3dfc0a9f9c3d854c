import type { ProjectContext } from '../../core/context.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import { statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'

const insertOne = statement(
  'ensure-customer',
  `WITH contact AS (
     INSERT INTO contacts (project_id, phone, match_key, tags, created_at, updated_at)
     VALUES ($1, $2, $3, '{}', $4::timestamptz, $4::timestamptz)
     ON CONFLICT (project_id, match_key) DO UPDATE SET phone = coalesce(contacts.phone, excluded.phone)
     RETURNING id
   )
   INSERT INTO conversations (project_id, contact_id, last_activity_at, created_at, updated_at)
   SELECT $1, id, $4::timestamptz, $4::timestamptz, $4::timestamptz FROM contact
   ON CONFLICT (contact_id) DO NOTHING`,
)

/** Makes the contact and the conversation of a number that is written to first, if there are none. */
export async function ensure(ctx: ProjectContext, phone: string): Promise<void> {
  const values = [ctx.project.id, phone, phoneMatchKey(phone), ctx.now()]
  await pastConflicts(() => ctx.sql.rows(insertOne, values))
}
