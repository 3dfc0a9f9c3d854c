import { setTimeout as pause } from 'node:timers/promises'
import { type Ground, STEADY_PATH } from './ground.ts'

/** The number of things that should not exist. */
export type Left = { name: string; count: number }

/** Whatever is empty once all accepted work is done. */
const QUEUES: Record<string, string> = {
  'runs of bots': 'bot_runs',
  'calls of runs': 'bot_calls',
  'deliveries pending': "deliveries WHERE status = 'pending'",
  'sends without an outcome': 'send_attempts',
  'idempotency keys in progress': 'idempotency_records WHERE status IS NULL',
  'statuses without a message': 'parked_statuses',
  'messages not read': "messages WHERE direction = 'outbound' AND status NOT IN ('read', 'failed')",
  'broadcasts under way': "broadcasts WHERE status NOT IN ('completed', 'failed', 'canceled')",
  'recipients waiting or leased': "broadcast_recipients WHERE status = 'queued'",
  'bytes without a medium': 'loose_bytes',
  'jobs overdue': `agenda_jobs WHERE next_run_at < now() - interval '30 s'
     OR locked_at < now() - interval '30 s'`,
}
/** Whatever must never have happened. */
const LOSSES: Record<string, string> = {
  'deliveries dropped': "deliveries WHERE status = 'dropped'",
  'messages failed': "messages WHERE status = 'failed'",
  'broadcasts failed': "broadcasts WHERE status = 'failed'",
  'recipients not sent to': "broadcast_recipients WHERE status IN ('failed', 'canceled')",
  'callbacks not understood': 'unread_callbacks',
  'webhooks turned off': 'webhooks WHERE NOT is_active',
}
const DRAIN_LIMIT_MS = 180_000
const DRAIN_POLL_MS = 500
const COMPLAINTS_SHOWN = 20

/** Waits until the queues are empty, or for three minutes; answers what is left in each. */
export async function drained(ground: Ground): Promise<Left[]> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  for (;;) {
    const left = await counted(ground, QUEUES)
    if (left.every(({ count }) => count === 0) || performance.now() > deadline) return left
    await pause(DRAIN_POLL_MS)
  }
}

/** Whatever was lost in a drained run; `inbound` different customers' messages were accepted. */
export async function losses(ground: Ground, inbound: number): Promise<Left[]> {
  const { bed, project, receiver } = ground
  const { rows: answers } = await bed.admin.query<{ all: string; different: string }>(
    `SELECT count(*) AS all, count(DISTINCT content) AS different FROM messages WHERE origin = 'bot'`,
  )
  const [all, different] = [Number(answers[0]?.all), Number(answers[0]?.different)]
  const { rows } = await bed.admin.query<{ id: string }>(
    `SELECT d.id FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE w.project_id = $1 AND w.url LIKE '%' || $2 AND d.status = 'delivered'`,
    [project.id, STEADY_PATH],
  )
  const taken = receiver.taken(STEADY_PATH)
  const untold = rows.filter(({ id }) => !taken.has(id)).length
  return [
    ...(await counted(ground, LOSSES)),
    ...(await complaints(ground)),
    { name: 'customers’ messages without an answer', count: inbound - different },
    { name: 'customers’ messages answered twice', count: all - different },
    { name: 'deliveries on record that nobody took', count: untold },
    { name: 'deliveries taken and not on record', count: taken.size - (rows.length - untold) },
  ]
}

/** The first lines logged about failed runs of the bot, with their numbers. */
async function complaints({ bed }: Ground): Promise<Left[]> {
  const { rows } = await bed.admin.query<{ says: string; count: string }>(
    `SELECT left(split_part(text, E'\\n', 1), 200) AS says, count(*) FROM bot_log_lines
      WHERE level <> 'info' GROUP BY 1 ORDER BY 2 DESC LIMIT ${COMPLAINTS_SHOWN}`,
  )
  if (rows.length === 0) return [{ name: 'runs that failed', count: 0 }]
  return rows.map(({ says, count }) => ({ name: `runs: ${says}`, count: Number(count) }))
}

async function counted({ bed }: Ground, what: Record<string, string>): Promise<Left[]> {
  const counts: Left[] = []
  for (const [name, from] of Object.entries(what)) {
    const { rows } = await bed.admin.query<{ count: string }>(`SELECT count(*) FROM ${from}`)
    counts.push({ name, count: Number(rows[0]?.count) })
  }
  return counts
}
