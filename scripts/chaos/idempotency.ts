import { setTimeout as pause } from 'node:timers/promises'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { inboundCallback, postCallback } from '../../channel/sandbox-callbacks.ts'
import { type Bed, withBed } from './bed.ts'
import { startCallbackRelay } from './callback-relay.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { connectChannel } from './idempotency-channel.ts'
import {
  type Answer,
  ask,
  askUntilAnswered,
  type Planned,
  type Tally,
} from './idempotency-clients.ts'
import { figuresOf, type Outcome } from './idempotency-figures.ts'
import { type Random, seededRandom } from './random.ts'
import type { Options, Scenario } from './scenario.ts'

const SERVERS = 3
/** Servers that must live before the next one is killed: some always answer. */
const ALIVE_MIN = 2
/** Above what the slowest callback takes while servers come back: a retry after it sends again. */
const LOCK_MS = 15_000
const CUSTOMERS = 20
/** From the start of a batch to the kill: a send takes about as long. */
const KILL_AFTER_MS = [0, 80] as const
const REPLAYS_AT_ONCE = 16
const PROGRESS_KILLS = 10

/**
 * Several clients race for each key while servers are killed and come back; afterwards every key is
 * asked for once more. However it went, the channel must have been asked once for each key, and all
 * who asked must have had the same answer.
 */
export const idempotency: Scenario = (options) =>
  withBed({ IDEMPOTENCY_LOCK_MS: String(LOCK_MS) }, options.databaseUrl, async (bed) => {
    const { say, seed } = options
    const { id } = await projects.create(bed.ctx, { id: 'chaos', name: 'Chaos', quota: 1_000_000 })
    const made = { projectId: id, name: 'Chaos', scopes: ['all'], isTest: true }
    const { secret } = await keys.create(bed.ctx, made)
    const fleet = await startFleet(SERVERS, bed.env)
    bed.atEnd(() => fleet.stop())
    const relay = await startCallbackRelay(fleet, seededRandom(seed + 1))
    bed.atEnd(() => relay.close())
    const channel = await connectChannel(bed, id, relay.url)
    const planned = plan(options)
    await letWrite(bed, channel.account, planned)

    const tally: Tally = { calls: 0, lost: 0, inProgress: 0, failed: 0 }
    const endpoint = { fleet, bearer: secret }
    const answers = await race(options, fleet, planned, (one, client) =>
      askUntilAnswered(endpoint, one, seed + 7_919 * planned.indexOf(one) + client, tally),
    )
    await channel.idle()
    const sendsBefore = channel.sends().length
    say('Asking for every key once more')
    await fleet.untilAlive(SERVERS)
    const random = seededRandom(seed + 2)
    const replays = await inLanes(planned, (one) => ask(endpoint, one, random))
    await channel.idle()
    const outcome: Outcome = {
      planned,
      answers,
      replays,
      tally,
      sendsBefore,
      kills: options.kills,
      sends: channel.sends(),
      problems: channel.problems.length,
    }
    return [
      ...(await figuresOf(bed.ctx, id, outcome)),
      { name: 'slowest callback, ms', value: relay.slowestMs() },
      { name: 'lock of a key, ms', value: LOCK_MS },
    ]
  })

/** What is asked for: mostly plain texts, some whose answer gets lost, some that are refused. */
function plan({ size: count, seed }: Options): Planned[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const key = `${seed}-${index}`
    const clients = random.between(2, 4)
    const kind = random.between(1, 100)
    if (kind > 95) {
      const body = { type: 'text', conversation_id: 999_999_999, content: key }
      return { key, clients, body, reachesChannel: false }
    }
    return {
      key,
      clients,
      reachesChannel: true,
      body: { type: 'text', phone: phoneFor(kind, random), content: key },
    }
  })
}

/** The last digits tell the sandbox: taken but cut off, reported before it is answered, or plain. */
function phoneFor(kind: number, random: Random): string {
  const customer = random.between(0, CUSTOMERS - 1)
  if (kind <= 10) return `+1555${200 + customer}0014`
  if (kind <= 20) return `+1555${300 + customer}0018`
  return `+1555400${1_000 + customer}`
}

async function letWrite(
  { ctx }: Bed,
  account: Parameters<typeof postCallback>[0],
  planned: Planned[],
): Promise<void> {
  const phones = planned.flatMap(({ body }) => ('phone' in body ? String(body.phone) : []))
  for (const phone of new Set(phones)) {
    const message = { type: 'text', text: { body: 'Hello' } }
    const payload = inboundCallback({ account, from: { phone }, message, at: ctx.now() })
    const { status } = await postCallback(account, payload)
    if (status !== 200) throw new Error(`A customer could not write in: ${status}`)
  }
}

/** Starts the keys in as many batches as there are kills, each kill amid the sends of its batch. */
async function race(
  { kills, seed, say }: Options,
  fleet: Fleet,
  planned: Planned[],
  client: (one: Planned, index: number) => Promise<Answer | null>,
): Promise<(Answer | null)[][]> {
  const random = seededRandom(seed + 3)
  const running: Promise<(Answer | null)[]>[] = []
  const batches = Math.max(1, kills)
  for (let batch = 0; batch < batches; batch++) {
    const from = Math.floor((planned.length * batch) / batches)
    const to = Math.floor((planned.length * (batch + 1)) / batches)
    for (const one of planned.slice(from, to)) {
      const clients = Array.from({ length: one.clients }, (_, index) => client(one, index))
      running.push(Promise.all(clients))
    }
    if (kills === 0) break
    await pause(random.between(...KILL_AFTER_MS))
    await fleet.untilAlive(ALIVE_MIN)
    fleet.killOne(random)
    if ((batch + 1) % PROGRESS_KILLS === 0) say(`${batch + 1} of ${kills} kills`)
    await fleet.untilAlive(ALIVE_MIN)
  }
  return Promise.all(running)
}

async function inLanes(
  planned: Planned[],
  work: (one: Planned) => Promise<Answer>,
): Promise<(Answer | null)[]> {
  const answers: (Answer | null)[] = planned.map(() => null)
  let begun = 0
  const lane = async () => {
    for (let index = begun++; index < planned.length; index = begun++) {
      const one = planned[index]
      if (one) answers[index] = await work(one).catch(() => null)
    }
  }
  await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, lane))
  return answers
}
