import { isLeapt, type SqlClient, statement } from '../../core/sql.ts'

/** A customer's choice on marketing messages. */
export type Choice = { contactId: string; optedIn: boolean; at: Date }

// The latest choice counts, in whatever order choices arrive; of two in the same second, the refusal. The
// channel's instants are whole seconds, while those of an import have fractions.
const write = statement(
  'record-opt-ins',
  `WITH locked AS MATERIALIZED (
     SELECT id FROM contacts WHERE project_id = $1 AND id = ANY ($4::bigint[])
      ORDER BY id FOR NO KEY UPDATE
   ), said AS (
     SELECT c.* FROM jsonb_to_recordset($2::jsonb) AS c ("contactId" bigint, "optedIn" boolean,
         at timestamptz)
       JOIN locked ON locked.id = c."contactId"
   )
   UPDATE contacts k SET opted_in = said."optedIn", opted_in_at = said.at, updated_at = $3
     FROM said
    WHERE k.id = said."contactId"
      AND (k.opted_in_at IS NULL OR k.opted_in_at < said.at OR ${isLeapt('k.opted_in_at')}
        OR (date_trunc('second', k.opted_in_at) <= said.at AND k.opted_in AND NOT said."optedIn"))`,
)

/**
 * Records choices; one older than what the contact has changes nothing. If there are any, the contacts that the
 * transaction changes next are locked together with theirs, because contacts must be locked in one order.
 */
export async function record(
  tx: SqlClient,
  projectId: string,
  choices: Choice[],
  { next = [], now }: { next?: string[]; now: Date },
): Promise<void> {
  const latest = new Map<string, Choice>()
  for (const choice of choices) {
    const other = latest.get(choice.contactId)
    if (!other || isLater(choice, other)) latest.set(choice.contactId, choice)
  }
  if (latest.size === 0) return
  const said = JSON.stringify([...latest.values()])
  await tx.rows(write, [projectId, said, now, [...latest.keys(), ...next]])
}

function isLater(a: Choice, b: Choice): boolean {
  return a.at > b.at || (a.at.getTime() === b.at.getTime() && !a.optedIn)
}
