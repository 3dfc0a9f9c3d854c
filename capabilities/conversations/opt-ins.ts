import { isLeapt, type SqlClient, statement } from '../../core/sql.ts'
import { goneMeanwhile } from '../conflicts.ts'
import { joinedContactOf } from '../joined-contacts.ts'

/** A customer's choice on marketing messages. */
export type Choice = { contactId: string; optedIn: boolean; at: Date }

// The latest choice counts, in whatever order choices arrive; of two in the same second, the refusal. The
// channel's instants are whole seconds, while those of an import have fractions. Nobody chooses for a contact that was
// erased; each is looked up by its id, as a plan for many would read them all.
const write = statement(
  'record-opt-ins',
  `WITH asked AS MATERIALIZED (
     SELECT DISTINCT known.id FROM unnest($4::bigint[]) AS a (id) CROSS JOIN LATERAL (
       SELECT k.id FROM contacts k WHERE k.project_id = $1 AND k.id = ${joinedContactOf('a.id')} LIMIT 1) known
   ), locked AS MATERIALIZED (
     SELECT id FROM contacts WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM asked))
      ORDER BY id FOR NO KEY UPDATE
   ), said AS (
     SELECT locked.id, c."optedIn", c.at
       FROM jsonb_to_recordset($2::jsonb) AS c ("contactId" bigint, "optedIn" boolean, at timestamptz)
       JOIN locked ON locked.id = ${joinedContactOf('c."contactId"')}
   ), chosen AS (
     UPDATE contacts k SET opted_in = said."optedIn", opted_in_at = said.at, updated_at = $3
       FROM said
      WHERE k.id = said.id
        AND (k.opted_in_at IS NULL OR k.opted_in_at < said.at OR ${isLeapt('k.opted_in_at')}
          OR (date_trunc('second', k.opted_in_at) <= said.at AND k.opted_in AND NOT said."optedIn"))
   )
   SELECT (SELECT count(*) FROM asked) = (SELECT count(*) FROM locked)`,
)

/**
 * Records choices; one older than what the contact has changes nothing. If there are any, the contacts that the
 * transaction changes next are locked together with theirs, because contacts must be locked in one order. Throws
 * for `pastConflicts` when a contact has been joined with another while this waited: a refusal must not be lost.
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
  const [row] = await tx.rows(write, [projectId, said, now, [...latest.keys(), ...next]])
  if (row?.[0] !== 't') throw goneMeanwhile('A contact')
}

function isLater(a: Choice, b: Choice): boolean {
  return a.at > b.at || (a.at.getTime() === b.at.getTime() && !a.optedIn)
}
