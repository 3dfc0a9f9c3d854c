import type { Schema } from '../../core/contract.ts'
import type { StatusUpdate } from '../../core/ports.ts'
import {
  agreedNow,
  isoFromSql,
  json,
  must,
  type Row,
  type SqlClient,
  statement,
} from '../../core/sql.ts'

const parkStatuses = statement(
  'park-statuses',
  `INSERT INTO parked_statuses (project_id, wamid, status, at, error, received_at)
   SELECT $1, s.wamid, s.status, s.at, s.error, ${agreedNow('$3')}
     FROM jsonb_to_recordset($2::jsonb) AS s (wamid text, status text, at timestamptz, error jsonb)
    ORDER BY s.wamid, s.status
   ON CONFLICT DO NOTHING`,
)

/** Stores statuses until their messages exist; answers the wamids of messages that exist by now. */
export async function park(
  tx: SqlClient,
  projectId: string,
  updates: StatusUpdate[],
  now: Date,
): Promise<string[]> {
  if (updates.length === 0) return []
  const parked = updates.map(({ wamid, status, at, error }) => ({ wamid, status, at, error }))
  await tx.rows(parkStatuses, [projectId, JSON.stringify(parked), now])
  return [...new Set(updates.map(({ wamid }) => wamid))]
}

// In the order of status, so that each step forward is raised as an event.
const takeParked = statement(
  'take-parked-statuses',
  `WITH taken AS (
     DELETE FROM parked_statuses p USING messages m
      WHERE p.project_id = $1 AND p.wamid = ANY ($2)
        AND m.project_id = p.project_id AND m.wamid = p.wamid AND m.direction = 'outbound'
     RETURNING p.wamid, p.status, p.at, p.error
   )
   SELECT wamid, status, at, error FROM taken
    ORDER BY at, array_position('{sent,delivered,read,failed}', status)`,
)

/** Removes and answers the stored statuses of messages that exist by now. */
export async function take(
  tx: SqlClient,
  projectId: string,
  wamids: string[],
): Promise<StatusUpdate[]> {
  return (await tx.rows(takeParked, [projectId, wamids])).map(readParked)
}

function readParked([wamid, status, at, error]: Row): StatusUpdate {
  return {
    wamid: must(wamid),
    status: must(status) as StatusUpdate['status'],
    at: new Date(isoFromSql(must(at))),
    attemptId: null,
    waId: null,
    userId: null,
    error: json<Schema<'MessageError'>>(error),
    refusal: null,
  }
}
