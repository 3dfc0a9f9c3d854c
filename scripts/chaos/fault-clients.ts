import { setTimeout as pause } from 'node:timers/promises'
import { type Documented, readAnswer } from './fault-answers.ts'
import type { Fleet } from './fleet.ts'
import { type Random, seededRandom } from './random.ts'

/** A project that messages are sent for, and the customers who wrote to it. */
export type Sender = { projectId: string; bearer: string; phones: string[] }

/** A key, its one request and what came of it. */
export type Asked = {
  key: string
  sender: Sender
  body: object
  reachesChannel: boolean
  /** The final answer of each client that asked; null where it gave up. */
  answers: (Final | null)[]
  replay: Final | null
}
export type Final = { status: number; text: string; isReplay: boolean; wamid: string | null }

export type Tally = {
  calls: number
  cutOff: number
  inProgress: number
  upstream: number
  serverErrors: number
  /** What was wrong with answers, whatever they said. */
  problems: string[]
}

export type Endpoint = { fleet: Fleet; documented: Documented; tally: Tally }

const CALL_LIMIT_MS = 15_000
/** How long a client goes on asking: far longer than any lock, outage or restart. */
const PATIENCE_MS = 120_000
const RETRY_MS = [20, 200] as const
const NEXT_MS = [0, 60] as const
const LANES = 6
const TWO_CLIENTS_PERCENT = 25
const REFUSED_PERCENT = 4

/** Sends under one key after the other until told to stop; answers with every key, all of them settled. */
export async function sendUntil(
  endpoint: Endpoint,
  senders: Sender[],
  { seed, mustGoOn }: { seed: number; mustGoOn: () => boolean },
): Promise<Asked[]> {
  const all: Asked[] = []
  const lane = async (number: number) => {
    const random = seededRandom(seed + 101 * number)
    for (let n = 0; mustGoOn(); n++) {
      const asked = plan(`${seed}-${number}-${n}`, senders, random)
      all.push(asked)
      const clients = random.between(1, 100) <= TWO_CLIENTS_PERCENT ? 2 : 1
      const asking = Array.from({ length: clients }, (_, client) =>
        askUntilAnswered(endpoint, asked, seededRandom(seed + 7 * n + client)),
      )
      asked.answers = await Promise.all(asking)
      await pause(random.between(...NEXT_MS))
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  return all
}

/** Asks for every key once more; what must not send again, and must answer alike. */
export async function replayAll(endpoint: Endpoint, asked: Asked[], seed: number): Promise<void> {
  const waiting = [...asked]
  const random = seededRandom(seed)
  const lane = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      one.replay = await ask(endpoint, one, random).catch(() => null)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function plan(key: string, senders: Sender[], random: Random): Asked {
  const sender = random.pick(senders)
  const reachesChannel = random.between(1, 100) > REFUSED_PERCENT
  const to = reachesChannel
    ? { phone: random.pick(sender.phones) }
    : { conversation_id: 999_999_999 }
  const body = { type: 'text', ...to, content: key }
  return { key, sender, body, reachesChannel, answers: [], replay: null }
}

async function askUntilAnswered(
  endpoint: Endpoint,
  asked: Asked,
  random: Random,
): Promise<Final | null> {
  const { tally } = endpoint
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    tally.calls++
    const answer = await ask(endpoint, asked, random).catch(() => null)
    if (answer === null) tally.cutOff++
    else if (answer.text.includes('"idempotency_in_progress"')) tally.inProgress++
    else if (answer.status === 502) tally.upstream++
    else if (answer.status >= 500) tally.serverErrors++
    else return answer
    await pause(random.between(...RETRY_MS))
  }
  return null
}

async function ask(
  { fleet, documented, tally }: Endpoint,
  { key, sender, body }: Asked,
  random: Random,
): Promise<Final> {
  const url = await fleet.anyUrl(random)
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sender.bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  })
  const text = await response.text()
  const { body: envelope, problem } = readAnswer(documented, response, text)
  if (problem !== null) tally.problems.push(problem)
  return {
    status: response.status,
    text,
    wamid: envelope.data?.id ?? null,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  }
}
