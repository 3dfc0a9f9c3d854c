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
): Promise<void> {
  const reasons = new Map<string, string>()
  let stopping: Silence | null = null
  for (const { wamid, refusal, at } of updates) {
    const attempt = sent.get(wamid)?.broadcastAttempt
    if (!attempt || !refusal) continue
    const { silence, broadcastFails } = judge(refusal, LIMITS.broadcastTries, 0)
    if (broadcastFails !== null) reasons.set(attempt, broadcastFails)
    if (silence && now.getTime() - at.getTime() < silence.firstMs) stopping ??= silence
  }
  // Only once per number: closing it again would double its pause.
  if (stopping) {
    const [number] = await tx.rows(findNumber, [projectId])
    if (number) await pace.close({ sql: tx, now: () => now }, must(number[0]), stopping)
  }
  if (reasons.size === 0) return
  const failing = new Map<string, string>()
  for (const [attempt, id] of await tx.rows(findBroadcasts, [[...reasons.keys()]])) {
    failing.set(must(id), reasons.get(must(attempt)) ?? '')
  }
  for (const [id, reason] of failing) await broadcastEndings.failIn(tx, id, reason, now)
}
