import { type SqlClient, statement } from '../../core/sql.ts'

/** A contact with its new names. */
export type Moved = {
  contactId: string
  matchKey: string | null
  waId: string | null
  userId: string | null
  /** Whether the number is new too. */
  isRenumbered: boolean
}

// The old names are cleared first: two customers may have exchanged numbers, and each must be unique at every
// moment.
const clearNames = statement(
  'clear-names',
  `UPDATE contacts
      SET match_key = NULL, user_id = CASE WHEN user_id IS NOT NULL THEN 'moving ' || id END
    WHERE project_id = $1 AND id = ANY ($2)`,
)

const setNames = statement(
  'set-names',
  `UPDATE contacts k
      SET phone = CASE WHEN c."isRenumbered" THEN '+' || c."waId" ELSE k.phone END,
          wa_id = coalesce(c."waId", k.wa_id), match_key = c."matchKey", user_id = c."userId",
          updated_at = $3
     FROM jsonb_to_recordset($2::jsonb) AS c ("contactId" bigint, "waId" text, "matchKey" text,
       "userId" text, "isRenumbered" boolean)
    WHERE k.id = c."contactId" AND k.project_id = $1`,
)

/** Gives contacts their new numbers and user ids, all at once. */
export async function moveContacts(
  tx: SqlClient,
  projectId: string,
  moved: Moved[],
  now: Date,
): Promise<void> {
  if (moved.length === 0) return
  await tx.rows(clearNames, [projectId, moved.map(({ contactId }) => contactId)])
  await tx.rows(setNames, [projectId, JSON.stringify(moved), now])
}
