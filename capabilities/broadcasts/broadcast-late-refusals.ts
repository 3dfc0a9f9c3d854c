import type { Context } from '../../core/context.ts'
import type { StatusUpdate } from '../../core/ports.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import * as broadcastEndings from './broadcast-endings.ts'
import * as pace from './broadcast-pace.ts'
import { judge, type Silence } from './broadcast-verdicts.ts'

/**
 * The message that a status is about: the attempt names a recipient of a broadcast; null for other messages.
 */
export type Sent = { broadcastAttempt: string | null }

const findNumber = statement(
  'find-number-of-project',
  'SELECT phone_number_id FROM channel_accounts WHERE project_id = $1',
)
const findBroadcasts = statement(
  'find-broadcasts-of-attempts',
  `SELECT attempt_id, broadcast_id FROM broadcast_recipients
    WHERE attempt_id = ANY ($1::uuid[]) ORDER BY broadcast_id`,
)

/** What has come of the refusals, for the operators: told by `tell` once the transaction is committed. */
export type Heeded = {
  silenced: { broadcast: string | null; channelCode: number | null } | null
  failed: { broadcast: string; reason: string }[]
}

/**
 * Reacts to refusals that the channel reports only after it has taken a broadcast's message, within the
 * callback's transaction: pauses the number or fails the broadcast, as if the send had been refused. The
 * recipient has failed already. A pause that would be over by now is skipped; `sent` is keyed by wamid.
 */
export async function heed(
  tx: SqlClient,
  projectId: string,
  sent: Map<string, Sent>,
  updates: StatusUpdate[],
  now: Date,
): Promise<Heeded> {
  const reasons = new Map<string, string>()
  let stopping: { attempt: string; silence: Silence; channelCode: number | null } | null = null
  for (const { wamid, refusal, at } of updates) {
    const attempt = sent.get(wamid)?.broadcastAttempt
    if (!attempt || !refusal) continue
    const { silence, broadcastFails } = judge(refusal, LIMITS.broadcastTries, 0)
    if (broadcastFails !== null) reasons.set(attempt, broadcastFails)
    const isOver = silence === null || now.getTime() - at.getTime() >= silence.firstMs
    if (!isOver) stopping ??= { attempt, silence, channelCode: refusal.code }
  }
  const heeded: Heeded = { silenced: null, failed: [] }
  const attempts = [...reasons.keys(), ...(stopping ? [stopping.attempt] : [])]
  if (attempts.length === 0) return heeded
  const rows = await tx.rows(findBroadcasts, [attempts])
  const broadcasts = new Map(rows.map(([attempt, id]) => [must(attempt), must(id)]))
  // Only once per number: closing it again would double its pause.
  if (stopping && (await closeNumber(tx, projectId, stopping.silence, now))) {
    const { attempt, channelCode } = stopping
    heeded.silenced = { broadcast: broadcasts.get(attempt) ?? null, channelCode }
  }
  const failing = new Map<string, string>()
  for (const [attempt, id] of broadcasts) {
    const reason = reasons.get(attempt)
    if (reason !== undefined) failing.set(id, reason)
  }
  for (const [broadcast, reason] of failing) {
    const isFailed = await broadcastEndings.failIn(tx, broadcast, reason, now)
    if (isFailed) heeded.failed.push({ broadcast, reason })
  }
  return heeded
}

async function closeNumber(
  tx: SqlClient,
  projectId: string,
  silence: Silence,
  now: Date,
): Promise<boolean> {
  const [number] = await tx.rows(findNumber, [projectId])
  return number ? pace.close({ sql: tx, now: () => now }, must(number[0]), silence) : false
}

/** Tells the operators what they are told of refusals that come with the answer to a send, too. */
export function tell(ctx: Context, { silenced, failed }: Heeded): void {
  if (silenced) pace.tellClosed(ctx, silenced)
  for (const { broadcast, reason } of failed)
    ctx.log.warn('broadcast.failed', { broadcast, reason })
}
