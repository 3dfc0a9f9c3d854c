import { emit } from '../../capabilities/webhooks/events.ts'
import type { Bed } from '../bed.ts'
import { caller, type Contestant, type Rounds, takeTurns } from '../measure.ts'
import { start } from '../processes.ts'
import { only, recordStatements } from '../projects.ts'
import { cpu, type Goal, p50, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'
import { AT_ONCE, DELIVERERS, deliverers } from './webhook-deliverers.ts'
import { DATA, empty, EVENT, type Ground, prepareGround, register } from './webhook-ground.ts'

const SCENARIO = 'webhooks'
const EMITTERS = 16
const EMIT_WEBHOOKS = 2
const LATENCY_PER_SECOND = 300
const POLL_MS = 250
const NAMES = {
  emit: 'event with two deliveries, committed',
  bareEmit: 'the same SQL through pg',
  woken: 'commit to first byte, 300 a second',
  polled: 'the same with a poll every 250 ms',
}

/** Delivery from end to end, durable emission, and the time until an attempt begins. */
export async function webhooks(bed: Bed, rounds: Rounds): Promise<Result> {
  const ground = await prepareGround(bed)
  try {
    const delivered = await takeTurns(await deliverers(ground), rounds, AT_ONCE)
    const emitted = await takeTurns(await emitters(ground), rounds, EMITTERS)
    const awaited = await takeTurns(await waiters(ground), rounds, 1)
    const ratio = (samples: typeof delivered, one: string, other: string, by = perSecond) =>
      paired(samplesOf(samples, one), samplesOf(samples, other), by)
    const latency = samplesOf(awaited, NAMES.woken)
    const { pipeline, posts, queue, jobs } = DELIVERERS
    const cpuRatio = ratio(delivered, pipeline, posts, cpu).median.toFixed(2)
    return {
      rates: [delivered, emitted, awaited].flatMap((samples) => ratesOf(SCENARIO, samples)),
      goals: goalsOf({
        posts: ratio(delivered, pipeline, posts),
        queue: ratio(delivered, pipeline, queue),
        jobs: ratio(delivered, pipeline, jobs),
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

type Compared = 'posts' | 'queue' | 'jobs' | 'emit' | 'p50' | 'p99' | 'polled'

function goalsOf(measured: Record<Compared, Goal['measured']>) {
  const goals: Omit<Goal, 'scenario'>[] = [
    {
      id: 'G7',
      bound: 'at least',
      threshold: 0.65,
      unit: '×',
      measured: measured.posts,
      says: 'deliveries per second, of signed posts alone at the same concurrency',
    },
    {
      id: 'G7',
      bound: 'at least',
      threshold: 1.8,
      unit: '×',
      measured: measured.queue,
      says: 'deliveries per second, of pg-boss in batches of 500',
    },
    {
      id: 'G7',
      bound: 'at least',
      threshold: 25,
      unit: '×',
      measured: measured.jobs,
      says: 'deliveries per second, of one Agenda job for each',
    },
    {
      id: 'G8',
      bound: 'at least',
      threshold: 0.85,
      unit: '×',
      measured: measured.emit,
      says: 'events committed per second, of the same SQL through pg',
    },
    {
      id: 'G9',
      bound: 'at most',
      threshold: 3,
      unit: 'ms',
      measured: measured.p50,
      says: 'p50 from commit to first byte, at 300 events a second',
    },
    {
      id: 'G9',
      bound: 'at most',
      threshold: 15,
      unit: 'ms',
      measured: measured.p99,
      says: 'p99 from commit to first byte, at 300 events a second',
    },
    {
      id: 'G9',
      bound: 'at most',
      threshold: 1 / 40,
      unit: '×',
      measured: measured.polled,
      says: 'p50 from commit to first byte, of a poll every 250 ms',
    },
  ]
  return goals.map((goal) => ({ ...goal, scenario: SCENARIO }))
}

/** With an address that nothing is sent to, since nobody delivers here. */
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
        await empty(ground)
        return measure(load)
      },
    }
  }
  return [by(NAMES.emit, null), by(NAMES.bareEmit, { statement: text, values })]
}

async function waiters(ground: Ground): Promise<Contestant[]> {
  const { bed, place } = ground
  await empty(ground)
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
