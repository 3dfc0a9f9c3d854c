import type { Context } from '../../core/context.ts'
import { isoFromSql, json, must, type Row, type SqlClient, statement } from '../../core/sql.ts'

/** What somebody, or the service itself, has done to a broadcast. */
export type BroadcastAct = {
  broadcastId: string
  action: 'approved' | 'released' | 'canceled' | 'failed' | 'retargeted'
  /** A person's name, or `service`. */
  actor: string
  details: Record<string, unknown>
  at: Date
}

const insert = statement(
  'record-broadcast-act',
  `INSERT INTO broadcast_audits
     (broadcast_id, project_id, action, actor, digest, details, created_at)
   SELECT b.id, b.project_id, $2, $3, b.approval_digest, $4::jsonb, $5
     FROM broadcasts b WHERE b.id = $1`,
)

/** Records an act, with what was approved by then, in the transaction that has done it. */
export async function record(tx: SqlClient, act: BroadcastAct): Promise<void> {
  const { broadcastId, action, actor, details, at } = act
  await tx.rows(insert, [broadcastId, action, actor, JSON.stringify(details), at])
}

const findAll = statement(
  'list-broadcast-acts',
  `SELECT action, actor, encode(digest, 'hex'), details, created_at FROM broadcast_audits
    WHERE broadcast_id = $1 ORDER BY id LIMIT $2`,
)
const SHOWN = 1_000

/** What was done to a broadcast, the first act first. */
export async function list(ctx: Context, broadcastId: string) {
  return (await ctx.sql.rows(findAll, [broadcastId, SHOWN])).map(present)
}

function present([action, actor, digest, details, at]: Row) {
  return {
    at: isoFromSql(must(at)),
    action: must(action),
    actor: must(actor),
    digest: digest ?? null,
    details: json<Record<string, unknown>>(details) ?? {},
  }
}
