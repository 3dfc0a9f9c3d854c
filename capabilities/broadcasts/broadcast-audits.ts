import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { persisting, politePause } from '../../core/persisting.ts'
import { isoFromSql, json, must, type Row, type SqlClient, statement } from '../../core/sql.ts'
import { holdBroadcast } from './broadcast-counters.ts'

/** What a person, or the service itself, did to a broadcast. */
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
     FROM broadcasts b WHERE b.id = $1
   RETURNING id`,
)

/**
 * Records an act, and the digest approved by then, in the transaction that performs it; answers the record's
 * id.
 */
export async function record(tx: SqlClient, act: BroadcastAct): Promise<string> {
  const { broadcastId, action, actor, details, at } = act
  const values = [broadcastId, action, actor, JSON.stringify(details), at]
  return must((await tx.rows(insert, values))[0]?.[0])
}

const findOne = statement(
  'find-broadcast-act',
  `SELECT 1 FROM broadcast_audits
    WHERE id = $1 AND broadcast_id = $2 AND action = $3 AND actor = $4 AND created_at = $5`,
)

/** An act of a person: its result, and what is to be recorded of it. */
export type Performed<Done> = { done: Done; act: Omit<BroadcastAct, 'broadcastId'> }

/**
 * Performs an act of a person and records it, in one transaction; then `show` reads the answer. When the answer
 * to the commit is lost, the record tells whether the act was performed, since repeating a release would
 * release another wave. Throws what `work` throws, and `server_error` while the outcome cannot be found out.
 */
export async function perform<Done, Shown>(
  ctx: Context,
  broadcastId: string,
  work: (tx: SqlClient) => Promise<Performed<Done>>,
  show: () => Promise<Shown>,
): Promise<{ done: Done; shown: Shown }> {
  const steps: { done: Done; recorded: unknown[] }[] = []
  const doing = ctx.sql.transaction(async (tx) => {
    const { done, act } = await work(tx)
    const id = await record(tx, { ...act, broadcastId })
    const step = { done, recorded: [id, broadcastId, act.action, act.actor, act.at] }
    steps.push(step)
    return step
  })
  const { done } = await doing.catch(async (error: unknown) => {
    const [step] = steps
    // No record means that the transaction was not committed.
    if (step && (await finding(broadcastId, () => isRecorded(ctx, step.recorded)))) return step
    throw error
  })
  return { done, shown: await finding(broadcastId, show) }
}

/** Waits for the lock on the broadcast: whoever held it has committed or rolled back by then. */
function isRecorded(ctx: Context, recorded: unknown[]): Promise<boolean> {
  return ctx.sql.transaction(async (tx) => {
    await holdBroadcast(tx, String(recorded[1]))
    return (await tx.rows(findOne, recorded)).length > 0
  })
}

/** Retries until the outcome is known, or it is too late: then throws `server_error`. */
async function finding<T>(broadcastId: string, find: () => Promise<T>): Promise<T> {
  const { signal } = new AbortController()
  const patience = { forMs: LIMITS.undoneForMs, pause: politePause, signal }
  try {
    return await persisting(find, patience)
  } catch (cause) {
    const problem = `Nobody heard what has become of broadcast ${broadcastId}: look at it before you try again.`
    throw new ServiceError('server_error', problem, { cause })
  }
}

const findAll = statement(
  'list-broadcast-acts',
  `SELECT action, actor, encode(digest, 'hex'), details, created_at FROM broadcast_audits
    WHERE broadcast_id = $1 ORDER BY id LIMIT $2`,
)
const SHOWN = 1_000

/** The acts on a broadcast, the oldest first. */
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
