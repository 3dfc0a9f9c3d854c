import { randomBytes } from 'node:crypto'
import * as projects from '../../capabilities/projects.ts'
import { emit } from '../../capabilities/events.ts'
import { openContext, type Opened } from '../../context.ts'
import { statement } from '../../core/sql.ts'
import { applyMigrations } from '../../database/migrations.ts'
import { MIGRATIONS } from '../../database/open.ts'
import type { Bed } from '../bed.ts'
import type { Place } from '../contestants/webhook-context.ts'
import { caller, type Contestant, type Rounds, takeTurns } from '../measure.ts'
import { start, startServer } from '../processes.ts'
import { only, recordStatements } from '../projects.ts'
import { cpu, type Goal, p50, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'

const SCENARIO = 'webhooks'
/** What the bounds let one process have under way: ten of each registration, forty of each host. */
const HOSTS = 3
const WEBHOOKS = 12
const AT_ONCE = 120
const EMITTERS = 16
const EMIT_WEBHOOKS = 2
const LATENCY_PER_SECOND = 300
const POLL_MS = 250
/** Far more than a process delivers in a second. */
const DELIVERIES_PER_SECOND = 40_000
const EMITTED_AT_ONCE = 500
const EVENT = 'bench.happened'
const DATA = JSON.stringify({ order: 1042, note: 'x'.repeat(380) })
const NAMES = {
  pipeline: 'events delivered, from lease to result',
  posts: 'signed posts alone (undici)',
  emit: 'event with two deliveries, committed',
  bareEmit: 'the same SQL through pg',
  woken: 'commit to first byte, 300 a second',
  polled: 'the same with a poll every 250 ms',
}

type Ground = { bed: Bed; opened: Opened; place: Place; secret: string }

/** Delivery from end to end, durable emission, and how soon an attempt begins. */
export async function webhooks(bed: Bed, rounds: Rounds): Promise<Result> {
  const ground = await prepare(bed)
  try {
    const delivered = await takeTurns(await deliverers(ground), rounds, AT_ONCE)
    const emitted = await takeTurns(await emitters(ground), rounds, EMITTERS)
    const awaited = await takeTurns(await waiters(ground), rounds, 1)
    const ratio = (samples: typeof delivered, one: string, other: string, by = perSecond) =>
      paired(samplesOf(samples, one), samplesOf(samples, other), by)
    const latency = samplesOf(awaited, NAMES.woken)
    const cpuRatio = ratio(delivered, NAMES.pipeline, NAMES.posts, cpu).median.toFixed(2)
    return {
      rates: [delivered, emitted, awaited].flatMap((samples) => ratesOf(SCENARIO, samples)),
      goals: goalsOf({
        pipeline: ratio(delivered, NAMES.pipeline, NAMES.posts),
        emit: ratio(emitted, NAMES.emit, NAMES.bareEmit),
        p50: spread(latency.map(({ p50Ms }) => p50Ms)),
        p99: spread(latency.map(({ p99Ms }) => p99Ms)),
        polled: ratio(awaited, NAMES.woken, NAMES.polled, p50),
      }),
      notes: [`A delivery's CPU is ${cpuRatio} × that of its signed post alone.`],
    }
  } finally {
    await ground.opened.close()
  }
}

function goalsOf(
  measured: Record<'pipeline' | 'emit' | 'p50' | 'p99' | 'polled', Goal['measured']>,
) {
  const goals: Omit<Goal, 'scenario'>[] = [
    {
      ...{ id: 'G7', bound: 'at least', threshold: 0.65, unit: '×', measured: measured.pipeline },
      says: 'deliveries per second, of signed posts alone at the same concurrency',
    },
    {
      ...{ id: 'G8', bound: 'at least', threshold: 0.85, unit: '×', measured: measured.emit },
      says: 'events committed per second, of the same SQL through pg',
    },
    {
      ...{ id: 'G9', bound: 'at most', threshold: 3, unit: 'ms', measured: measured.p50 },
      says: 'p50 from commit to first byte, at 300 events a second',
    },
    {
      ...{ id: 'G9', bound: 'at most', threshold: 15, unit: 'ms', measured: measured.p99 },
      says: 'p99 from commit to first byte, at 300 events a second',
    },
    {
      ...{ id: 'G9', bound: 'at most', threshold: 1 / 40, unit: '×', measured: measured.polled },
      says: 'p50 from commit to first byte, of a poll every 250 ms',
    },
  ]
  return goals.map((goal) => ({ ...goal, scenario: SCENARIO }))
}

/** A database of its own: the service of the other scenarios delivers what it finds in theirs. */
async function prepare(bed: Bed): Promise<Ground> {
  const { config } = bed.opened.ctx
  const url = new URL(bed.databaseUrl)
  url.pathname = '/bench_webhooks'
  await applyMigrations({ url: url.href, folder: MIGRATIONS })
  const opened = await openContext(config, url.href)
  const encryptionKey = config.encryptionKey?.toString('hex') ?? ''
  const place = { databaseUrl: url.href, encryptionKey }
  return { bed, opened, place, secret: `whsec_${randomBytes(32).toString('base64')}` }
}

const insert = statement(
  'bench-webhook',
  `INSERT INTO webhooks (id, project_id, url, events, is_active, secret)
   VALUES ($1, $2, $3, '{${EVENT}}', true, $4)`,
)

async function register({ opened: { ctx }, secret }: Ground, projectId: string, urls: string[]) {
  await projects.create(ctx, { id: projectId, name: projectId })
  for (const [n, url] of urls.entries()) {
    const id = `wh_${projectId}_${n}`
    const sealed = ctx.vault.seal(secret, `webhooks.secret.${id}`)
    await ctx.sql.rows(insert, [id, projectId, url, sealed])
  }
}

async function deliverers(ground: Ground): Promise<Contestant[]> {
  const { bed, place, secret } = ground
  const sink = bed.keep(await startServer('contestants/webhook-sink', { hosts: HOSTS }))
  const ports = sink.url.split(',')
  const urls = Array.from(
    { length: WEBHOOKS },
    (_, n) => `http://127.0.0.1:${ports[n % HOSTS]}/${n}`,
  )
  await register(ground, 'pipeline', urls)
  const by = (name: string, pipeline: Place | null) => {
    const child = bed.keep(start('contestants/webhook-posts'))
    return caller(name, child, { urls, secret, data: DATA, pipeline })
  }
  const pipeline = by(NAMES.pipeline, place)
  return [
    {
      name: pipeline.name,
      measure: async (load) => {
        await fill(ground, Math.ceil(DELIVERIES_PER_SECOND * load.seconds))
        return pipeline.measure(load)
      },
    },
    by(NAMES.posts, null),
  ]
}

const empty = statement('bench-empty', 'TRUNCATE deliveries, events')

/** Commits the events of a round beforehand, and nothing else. */
async function fill({ opened: { ctx } }: Ground, deliveries: number): Promise<void> {
  await ctx.sql.rows(empty)
  const event = { name: EVENT, data: DATA, at: ctx.now(), subject: null }
  const events = Array.from({ length: EMITTED_AT_ONCE }, () => event)
  for (let written = 0; written < deliveries; written += EMITTED_AT_ONCE * WEBHOOKS) {
    await emit(ctx.sql, 'pipeline', events)
  }
}

/** At an address that nothing is sent to: nobody delivers here. */
async function emitters(ground: Ground): Promise<Contestant[]> {
  const { bed, opened, place } = ground
  const url = 'http://127.0.0.1:9/'
  const projectId = 'emit'
  await register(ground, projectId, Array<string>(EMIT_WEBHOOKS).fill(url))
  const event = { name: EVENT, data: DATA, at: opened.ctx.now(), subject: null }
  const recorded = await recordStatements({ ...bed, opened }, projectId, ({ sql }) =>
    emit(sql, projectId, [event]),
  )
  const { statement: text, values } = only(recorded)
  const by = (name: string, bare: object | null): Contestant => {
    const child = bed.keep(start('contestants/webhook-emits'))
    const { measure } = caller(name, child, { place, projectId, data: DATA, bare })
    return {
      name,
      measure: async (load) => {
        await opened.ctx.sql.rows(empty)
        return measure(load)
      },
    }
  }
  return [by(NAMES.emit, null), by(NAMES.bareEmit, { statement: text, values })]
}

async function waiters(ground: Ground): Promise<Contestant[]> {
  const { bed, place, opened } = ground
  await opened.ctx.sql.rows(empty)
  await register(ground, 'latency', ['http://127.0.0.1:9/'])
  const common = { place, projectId: 'latency', perSecond: LATENCY_PER_SECOND }
  return [
    { name: NAMES.woken, pollMs: null },
    { name: NAMES.polled, pollMs: POLL_MS },
  ].map(({ name, pollMs }) => {
    const child = bed.keep(start('contestants/webhook-latency'))
    return caller(name, child, { ...common, pollMs })
  })
}
