import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import * as parkedStatuses from '../../capabilities/statuses/parked-statuses.ts'
import { statement } from '../../core/sql.ts'
import { type Bed, withBed } from './bed.ts'
import { deployCode } from './bot-code.ts'
import { documentedFor } from './fault-answers.ts'
import {
  type FaultyAccount,
  type FaultyChannel,
  newAccount,
  startFaultyChannel,
} from './fault-channel.ts'
import { type Endpoint, replayAll, type Sender, sendUntil } from './fault-clients.ts'
import { figuresOf } from './fault-figures.ts'
import { createLogWatch, type LogWatch } from './fault-logs.ts'
import { createFaultyPostgres, type FaultyPostgres } from './fault-postgres.ts'
import { statusOf, watchReadiness } from './fault-readiness.ts'
import { startFailingReceiver } from './fault-receiver.ts'
import { type FaultyRedis, startFaultyRedis } from './fault-redis.ts'
import { type Faults, rage } from './fault-storm.ts'
import { countLeft, makeRetriesDue, watchStatuses } from './fault-tables.ts'
import { createCustomers } from './fault-writers.ts'
import { startFleet } from './fleet.ts'
import type { Figure, Options, Scenario } from './scenario.ts'

const SERVERS = 3
/** The server whose clock jumps. */
const JUMPING = 1
/** The one with a bot and registrations; in the other nobody hears of a send, which changes how it is written. */
const [TOLD, QUIET] = ['chaos', 'quiet'] as const
const REGISTRATIONS = 2
const PHONES = 10
const LONG_S = 60
const DRAIN_LIMIT_MS = 180_000
const DRAIN_POLL_MS = 100

/** Goes on asking until the channel has taken its answer, or may have. */
const CODE = `var bot = { onMessage: async (ctx) => {
  for (;;) {
    try { return await ctx.send({ type: 'text', content: 'Re ' + ctx.message.content }) }
    catch (error) { if (error.details?.outcome !== 'refused') throw error }
  }
} }`

const subscribe = statement(
  'chaos-subscribe',
  `INSERT INTO webhooks (id, project_id, url, events, is_active, secret)
   VALUES ($1, $2, $3, '{message.received,message.status}', true, $4)`,
)

/**
 * Everything around the servers fails while clients send, customers write and subscribers are told:
 * PostgreSQL, Redis, the channel, the servers themselves and their clocks. When it is over, everything
 * must have happened once, and everybody must have been told the truth.
 */
export const faults: Scenario = async (options) => {
  const postgres = createFaultyPostgres()
  const redis = await startFaultyRedis()
  const lockMs = options.size >= LONG_S ? 20_000 : 8_000
  const settings = {
    IDEMPOTENCY_LOCK_MS: String(lockMs),
    LOG_LEVEL: 'info',
    DAILY_SEND_QUOTA: '1000000',
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_RETRY_DELAYS_MS: '100,200,400,800',
    CHAOS_CLOCK_SEED: String(options.seed),
    ...(redis ? { REDIS_URL: redis.url } : {}),
  }
  const scene = async (bed: Bed) => {
    if (redis) bed.atEnd(() => redis.close())
    // Lost connections of this process are the plan: its own log says nothing.
    bed.ctx.log.silent = true
    const logs = createLogWatch()
    const world = await prepare(bed, options, logs)
    return play(options, bed, { ...world, logs, postgres, redis, lockMs })
  }
  return withBed(settings, postgres.open, scene).finally(() => redis?.close())
}

type World = Awaited<ReturnType<typeof prepare>> & {
  logs: LogWatch
  postgres: FaultyPostgres
  redis: FaultyRedis | null
  lockMs: number
}

async function play({ seed, size, say }: Options, bed: Bed, world: World): Promise<Figure[]> {
  const { fleet, channel, senders, receiver, logs, postgres, redis, lockMs } = world
  const tally = { calls: 0, cutOff: 0, inProgress: 0, upstream: 0, serverErrors: 0, problems: [] }
  const endpoint: Endpoint = { fleet, documented: documentedFor('sendMessage'), tally }
  const readiness = watchReadiness(fleet, seed + 5)
  bed.atEnd(() => Promise.resolve(readiness.end()))
  if (!redis) say('There is no redis-server here: Redis does not fail')
  let isStormy = true
  const mustGoOn = () => isStormy
  const work = Promise.all([
    sendUntil(endpoint, senders, { seed, mustGoOn }),
    world.customers.writeUntil(mustGoOn),
  ])
  // The storm may fail first, and that is what is told then.
  work.catch(() => {})
  const done = await rage({
    fleet,
    postgres,
    redis,
    seed,
    forMs: size * 1_000,
    freezesMs: size >= LONG_S ? [3_000, 8_000, 1_000, lockMs + 2_000, 5_000] : [3_000, 1_000],
  }).finally(() => (isStormy = false))
  say('The storm is over; waiting for what is left')
  await world.calm()
  const [asked, written] = await work
  await readiness.stop()
  const putOff = await untilDrained(bed, channel)
  const takenBefore = channel.taken.length
  say('Asking for every key once more')
  await replayAll(endpoint, asked, seed + 6)
  await channel.idle()
  for (const line of new Set([...endpoint.tally.problems, ...logs.leaks])) say(line)
  const outcome = { asked, senders, tally, channel, takenBefore, receiver, written, lockMs, say }
  return [
    ...faultFigures(done, postgres, channel),
    ...(await figuresOf(bed.ctx, { ...outcome, botProject: TOLD })),
    { name: 'retries put off by a clock that was ahead', value: putOff },
    ...(await serverFigures(world, readiness)),
  ]
}

function faultFigures(
  { redis, kills, freezes }: Faults,
  { stops }: FaultyPostgres,
  { ways }: FaultyChannel,
): Figure[] {
  const named = Object.entries(ways).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    { name: 'PostgreSQL stopped at once', value: stops.immediate },
    { name: 'PostgreSQL stopped in order', value: stops.fast },
    { name: 'faults of Redis', value: redis },
    { name: 'servers killed', value: kills },
    { name: 'servers frozen', value: freezes },
    ...named.map(([way, times]) => ({ name: `channel: ${way}`, value: times })),
  ]
}

async function serverFigures(
  { fleet, postgres, logs }: World,
  readiness: ReturnType<typeof watchReadiness>,
): Promise<Figure[]> {
  const ready = await Promise.all(fleet.urls().map((url) => statusOf(`${url}/readyz`)))
  const said = readiness.saidWhileAway(postgres)
  return [
    { name: 'servers that ended by themselves', value: fleet.ended(), due: 0 },
    { name: 'looks at /readyz while PostgreSQL was away', value: said.notReady },
    { name: 'of them answered with anything but 503', value: said.otherwise, due: 0 },
    { name: 'servers ready', value: ready.filter((one) => one === 200).length, due: SERVERS },
    { name: 'lines logged', value: logs.lines() },
    { name: 'lines with a secret', value: logs.leaks.length, due: 0 },
  ]
}

async function prepare(bed: Bed, { seed }: Options, logs: LogWatch) {
  const { ctx, env, atEnd } = bed
  const accounts = [newAccount(TOLD, '106540352242922'), newAccount(QUIET, '106540352242923')]
  const channel = await startFaultyChannel(accounts, seed)
  atEnd(() => channel.close())
  const senders: Sender[] = []
  for (const account of accounts)
    senders.push(await prepareProject(bed, account, channel.url, logs))
  const receiver = await startFailingReceiver(seed + 3)
  atEnd(() => receiver.close())
  for (let n = 0; n < REGISTRATIONS; n++) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    logs.forbid(secret)
    const sealed = ctx.vault.seal(secret, `webhooks.secret.wh_${n}`)
    await ctx.sql.rows(subscribe, [`wh_${n}`, TOLD, `${receiver.url}/${n}`, sealed])
  }
  await deployCode(ctx, TOLD, CODE)
  await watchStatuses(ctx)
  logs.forbid(env.ENCRYPTION_KEY ?? '', new URL(env.DATABASE_URL ?? '').password)
  let isCalm = false
  const fleet = await startFleet(
    SERVERS,
    { ...env, ROLE: 'all', EGRESS_ALLOW: new URL(receiver.url).host },
    {
      argsOf: (place) => [
        ...(place === JUMPING && !isCalm ? ['--import', './scripts/chaos/jumping-clock.mjs'] : []),
        ...['scripts/run.mjs', 'main'],
      ],
      onOutput: logs.hear,
      isSupervised: true,
    },
  )
  atEnd(() => fleet.stop())
  channel.callTo(fleet)
  const customers = createCustomers({ fleet, accounts, seed: seed + 4 })
  for (const sender of senders) await customers.greet(sender)
  const calm = async () => {
    isCalm = true
    fleet.replace(JUMPING)
    await fleet.untilAlive(SERVERS)
  }
  return { fleet, channel, customers, senders, receiver, calm }
}

async function prepareProject(
  { ctx }: Bed,
  account: FaultyAccount,
  apiUrl: string,
  logs: LogWatch,
): Promise<Sender> {
  const { projectId, phoneNumberId, businessAccountId, appId, accessToken, appSecret } = account
  await projects.create(ctx, { id: projectId, name: projectId })
  const verifyToken = randomBytes(16).toString('hex')
  await channelAccounts.connect(ctx, projectId, {
    phoneNumberId,
    businessAccountId,
    appId,
    accessToken,
    appSecret,
    verifyToken,
    apiUrl,
  })
  const made = { projectId, name: 'Chaos', scopes: ['all'], isTest: true }
  const { secret } = await keys.create(ctx, made)
  logs.forbid(accessToken, appSecret, verifyToken, secret)
  const phones = Array.from({ length: PHONES }, (_, n) => `+1555400${1_000 + n}`)
  return { projectId, bearer: secret, phones }
}

/** Answers how many retries a clock that was ahead had put off. */
async function untilDrained({ ctx }: Bed, channel: { idle(): Promise<void> }): Promise<number> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  let putOff = 0
  await channel.idle()
  await parkedStatuses.sweep(ctx)
  while ((await countLeft(ctx)) > 0 && performance.now() < deadline) {
    putOff += await makeRetriesDue(ctx)
    await pause(DRAIN_POLL_MS)
  }
  await channel.idle()
  return putOff
}
