import { setTimeout as pause } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import { type Random, seededRandom } from './random.ts'

/** A key and the one request that goes with it. */
export type Planned = { key: string; body: object; reachesChannel: boolean; clients: number }

export type Answer = { status: number; text: string; isReplay: boolean; wamid: string | null }

const CALL_LIMIT_MS = 30_000
/** How long a client goes on asking: far longer than any lock or restart. */
const PATIENCE_MS = 90_000
const PAUSE_MS = [5, 120] as const

type Endpoint = { fleet: Fleet; bearer: string }

/** What the clients did, over a whole run. */
export type Tally = { calls: number; lost: number; inProgress: number; failed: number }

/** Asks until there is a final answer, as a careful client does; null when patience ended. */
export async function askUntilAnswered(
  endpoint: Endpoint,
  planned: Planned,
  seed: number,
  tally: Tally,
): Promise<Answer | null> {
  const random = seededRandom(seed)
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const answer = await ask(endpoint, planned, random).catch(() => null)
    tally.calls++
    if (answer === null) tally.lost++
    else if (answer.text.includes('"idempotency_in_progress"')) tally.inProgress++
    else if (answer.status >= 500) tally.failed++
    else return answer
    await pause(random.between(...PAUSE_MS))
  }
  return null
}

/** One request to one of the servers; rejects when its connection breaks. */
export async function ask(
  { fleet, bearer }: Endpoint,
  { key, body }: Planned,
  random: Random,
): Promise<Answer> {
  const url = await fleet.anyUrl(random)
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  })
  const text = await response.text()
  const { data } = JSON.parse(text) as { data?: { id?: string } }
  return {
    status: response.status,
    text,
    wamid: data?.id ?? null,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  }
}
