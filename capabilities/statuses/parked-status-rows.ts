import type { Schema } from '../../core/contract.ts'
import type { ChannelError } from '../../core/channel-account.ts'
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

// Of equal statuses the first one counts, as it does for a message that is known.
const parkStatuses = statement(
  'park-statuses',
  `INSERT INTO parked_statuses (project_id, wamid, status, at, error, wa_id, user_id, refusal, received_at)
   SELECT $1, s.wamid, s.status, s.at, s.error, s."waId", s."userId", s.refusal, ${agreedNow('$3')}
     FROM jsonb_to_recordset($2::jsonb) AS s (wamid text, status text, at timestamptz, error jsonb,
       "waId" text, "userId" text, refusal jsonb, position int)
    ORDER BY s.wamid, s.status, s.position
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
  const parked = updates.map((update, position) => ({ position, ...update }))
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
     RETURNING p.wamid, p.status, p.at, p.error, p.wa_id, p.user_id, p.refusal
   )
   SELECT wamid, status, at, error, wa_id, user_id, refusal FROM taken
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

function readParked([wamid, status, at, error, waId, userId, refusal]: Row): StatusUpdate {
  return {
    wamid: must(wamid),
    status: must(status) as StatusUpdate['status'],
    at: new Date(isoFromSql(must(at))),
    attemptId: null,
    waId: waId ?? null,
    userId: userId ?? null,
    error: json<Schema<'MessageError'>>(error),
    refusal: json<ChannelError>(refusal),
  }
}
