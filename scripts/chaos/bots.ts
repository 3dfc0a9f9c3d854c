import { setTimeout as pause } from 'node:timers/promises'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { inboundCallback, postCallback } from '../../channel/sandbox-callbacks.ts'
import { must, statement } from '../../core/sql.ts'
import { type Bed, withBed } from './bed.ts'
import { deployCode } from './bot-code.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { seededRandom } from './random.ts'
import type { Figure, Options, Scenario } from './scenario.ts'

const SERVERS = 3
const CUSTOMERS = 20
const PROJECT = 'chaos'
/** What a killed server leaves of a send is settled this soon; in half of it, the channel answers. */
const SETTINGS = { IDEMPOTENCY_LOCK_MS: '8000' }
const KILL_AFTER_MS = [0, 800] as const
const POST_TRIES = 20
const PROGRESS_KILLS = 10
const DRAIN_LIMIT_MS = 300_000
const DRAIN_POLL_MS = 200

/** Answers with what came in, and moves the conversation. */
const CODE = `var bot = { onMessage: async (ctx) => {
  await ctx.send({ type: 'text', content: ctx.message.content })
  await ctx.emit('chaos.answered', ctx.message.content)
  ctx.log.info(ctx.message.content)
} }`
const countLeft = statement('chaos-runs-left', 'SELECT count(*) FROM bot_runs')

/**
 * Customers write in while the servers that run their bot are killed and come back. However it went, every
 * message must have been answered, in its order; and only a send that was cut off in the very middle may
 * have come twice.
 */
export const bots: Scenario = (options) =>
  withBed(SETTINGS, options.databaseUrl, async (bed) => {
    await projects.create(bed.ctx, { id: PROJECT, name: 'Chaos' })
    await deployCode(bed.ctx, PROJECT, CODE)
    const fleet = await startFleet(SERVERS, { ...bed.env, ROLE: 'all' })
    bed.atEnd(() => fleet.stop())
    await writeAndKill(options, bed, fleet)
    options.say('Waiting for what is left')
    await untilDrained(bed)
    return figuresOf(bed, options)
  })

async function writeAndKill(options: Options, bed: Bed, fleet: Fleet): Promise<void> {
  const { size, kills, seed, say } = options
  const random = seededRandom(seed)
  const batches = Math.max(1, kills)
  for (let batch = 0; batch < batches; batch++) {
    const from = Math.floor((size * batch) / batches)
    const to = Math.floor((size * (batch + 1)) / batches)
    for (let n = from; n < to; n++) await write(bed, fleet, n, seed)
    if (kills === 0) break
    await pause(random.between(...KILL_AFTER_MS))
    await fleet.untilAlive(1)
    fleet.killOne(random)
    if ((batch + 1) % PROGRESS_KILLS === 0) say(`${batch + 1} of ${kills} kills`)
  }
}

/** A customer writes; the channel calls back until it is heard. */
async function write({ ctx }: Bed, fleet: Fleet, n: number, seed: number): Promise<void> {
  const found = await channelAccounts.find(ctx, PROJECT)
  if (!found) throw new Error('The project has no channel account')
  const from = { phone: `+1555123${String(7_000 + (n % CUSTOMERS))}`, name: 'Ana' }
  const message = { type: 'text', text: { body: String(n) } }
  const wamid = `wamid.chaos.${seed}.${n}`
  const random = seededRandom(seed + n)
  for (let tries = 0; tries < POST_TRIES; tries++) {
    const callbackUrl = `${await fleet.anyUrl(random)}/channel/${PROJECT}/webhook`
    const account = { ...found, callbackUrl }
    const payload = inboundCallback({ account, from, message, at: ctx.now(), wamid })
    const { status } = await postCallback(account, payload).catch(() => ({ status: 0 }))
    if (status === 200) return
  }
  throw new Error(`Nobody took message ${n}`)
}

async function untilDrained({ ctx }: Bed): Promise<void> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  while (performance.now() < deadline) {
    const [row] = await ctx.sql.rows(countLeft)
    if (row?.[0] === '0') return
    await pause(DRAIN_POLL_MS)
  }
}

const readAnswers = statement(
  'chaos-bot-answers',
  `SELECT conversation_id, content FROM messages WHERE project_id = $1 AND origin = 'bot' ORDER BY id`,
)
const readLog = statement(
  'chaos-bot-log',
  'SELECT level, text FROM bot_log_lines WHERE project_id = $1',
)

async function figuresOf({ ctx }: Bed, { size, say }: Options): Promise<Figure[]> {
  const [left] = await ctx.sql.rows(countLeft)
  const answers = await ctx.sql.rows(readAnswers, [PROJECT])
  const log = await ctx.sql.rows(readLog, [PROJECT])
  const byConversation = new Map<string, number[]>()
  for (const [id, content] of answers) {
    const known = byConversation.get(must(id)) ?? []
    byConversation.set(must(id), [...known, Number(content)])
  }
  const outOfOrder = [...byConversation.values()].flatMap((numbers) =>
    numbers.filter((number, place) => number < (numbers[place - 1] ?? -1)),
  )
  const answered = new Set(answers.map(([, content]) => content))
  const logged = log.filter(([level]) => level === 'info')
  const failures = log.filter(([level]) => level !== 'info').map(([, text]) => must(text))
  for (const failure of new Set(failures)) say(failure)
  return [
    { name: 'messages', value: size },
    { name: 'runs left', value: Number(left?.[0]), due: 0 },
    { name: 'messages answered', value: answered.size, due: size },
    { name: 'answers out of order', value: outOfOrder.length, due: 0 },
    { name: 'answers recorded twice', value: answers.length - answered.size, due: 0 },
    { name: 'runs logged', value: logged.length, due: size },
    { name: 'runs that failed', value: log.length - logged.length, due: 0 },
  ]
}
