import type { SqlClient } from '../../core/sql.ts'
import { isLeapt, isoFromSql, must, statement } from '../../core/sql.ts'
import { nameKey } from './template-records.ts'
import type { TemplateStatus } from './template-status.ts'

/** News of a template that is not stored here (yet). */
export type ParkedStatus = {
  /** Null when the callback's number could not hold it. */
  id: string | null
  name: string
  language: string
  status: TemplateStatus
  reason: string | null
  at: string
}

const parkAll = statement(
  'park-template-statuses',
  `INSERT INTO parked_template_statuses (project_id, name, language, status, reason, at, received_at,
     template_id)
   SELECT $1, p.name, p.language, p.status, p.reason, p.at, $3, p.id
     FROM jsonb_to_recordset($2::jsonb) AS p (id text, name text, language text, status text,
       reason text, at timestamptz)
   ON CONFLICT (project_id, name, language) DO UPDATE
     SET status = excluded.status, reason = excluded.reason, at = excluded.at,
         received_at = excluded.received_at, template_id = excluded.template_id
     WHERE parked_template_statuses.at <= excluded.at
       OR ${isLeapt('parked_template_statuses.at')}`,
)

/**
 * Stores the latest news of each until the template exists. Within a batch the order counts; a stored instant
 * after `latest`, from a clock that leapt, gives way to any news.
 */
export async function park(
  tx: SqlClient,
  projectId: string,
  said: ParkedStatus[],
  { latest, now }: { latest: string; now: Date },
): Promise<void> {
  if (said.length === 0) return
  const kept = new Map<string, ParkedStatus>()
  for (const one of said) {
    const key = nameKey(one)
    const before = kept.get(key)
    if (!before || before.at <= one.at || before.at > latest) kept.set(key, one)
  }
  await tx.rows(parkAll, [projectId, JSON.stringify([...kept.values()]), now])
}

const takeNamed = statement(
  'take-parked-template-status',
  `DELETE FROM parked_template_statuses WHERE project_id = $1 AND name = $2 AND language = $3
   RETURNING name, language, status, reason, at, template_id`,
)

/**
 * Removes and answers the news of one template that exists now, together with news of an earlier template of
 * the same name.
 */
export async function take(
  tx: SqlClient,
  projectId: string,
  { id, name, language }: { id: string; name: string; language: string },
): Promise<ParkedStatus | null> {
  const [row] = await tx.rows(takeNamed, [projectId, name, language])
  const parked = row && readParked(row)
  return parked && (parked.id === null || parked.id === id) ? parked : null
}

const takeOlder = statement(
  'take-older-parked-template-statuses',
  `DELETE FROM parked_template_statuses WHERE project_id = $1 AND received_at < $2
   RETURNING name, language, status, reason, at, template_id`,
)

/**
 * Removes and answers all news from before an instant: templates that did not exist by then are not expected
 * any more.
 */
export async function takeBefore(
  tx: SqlClient,
  projectId: string,
  before: Date,
): Promise<ParkedStatus[]> {
  return (await tx.rows(takeOlder, [projectId, before])).map(readParked)
}

function readParked([name, language, status, reason, at, id]: (string | null)[]): ParkedStatus {
  return {
    id: id ?? null,
    name: must(name),
    language: must(language),
    status: must(status) as TemplateStatus,
    reason: reason ?? null,
    at: isoFromSql(must(at)),
  }
}
