import { caller, type Contestant } from '../measure.ts'
import { start, startServer } from '../processes.ts'
import { fillJobs, fillQueue, prepareQueues } from './webhook-backlogs.ts'
import { DATA, EVENT, fillEvents, type Ground, register } from './webhook-ground.ts'

/** The limits of one process: ten deliveries under way per registration, forty per host. */
const HOSTS = 3
const WEBHOOKS = 12
export const AT_ONCE = 120
const PROJECT = 'pipeline'
/** Far more than each contestant delivers in a second. */
const PIPELINE_PER_SECOND = 40_000
const QUEUE_PER_SECOND = 25_000
const JOBS_PER_SECOND = 4_000

export const DELIVERERS = {
  pipeline: 'events delivered, from lease to result',
  posts: 'signed posts alone (undici)',
  queue: 'the same posts from pg-boss, 500 at a time',
  jobs: 'the same posts, an Agenda job for each',
}

/**
 * The contestants that deliver the same signed events to the same receivers; waiting events are written
 * beforehand.
 */
export async function deliverers(ground: Ground): Promise<Contestant[]> {
  const { bed, place, secret } = ground
  const sink = bed.keep(await startServer('contestants/webhook-sink', { hosts: HOSTS }))
  const ports = sink.url.split(',')
  const urls = Array.from(
    { length: WEBHOOKS },
    (_, n) => `http://127.0.0.1:${ports[n % HOSTS]}/${n}`,
  )
  await register(ground, PROJECT, urls)
  const queues = await prepareQueues(bed)
  const by = (name: string, program: string, run: object) =>
    caller(name, bed.keep(start(`contestants/${program}`)), { receivers: { urls, secret }, ...run })
  const event = { event: EVENT, data: DATA }
  return [
    filled(by(DELIVERERS.pipeline, 'webhook-posts', { ...event, pipeline: place }), (seconds) =>
      fillEvents(ground, PROJECT, Math.ceil((PIPELINE_PER_SECOND * seconds) / WEBHOOKS)),
    ),
    by(DELIVERERS.posts, 'webhook-posts', { ...event, pipeline: null }),
    filled(by(DELIVERERS.queue, 'webhook-boss-batches', queues), (seconds) =>
      fillQueue(queues, Math.ceil(QUEUE_PER_SECOND * seconds)),
    ),
    filled(by(DELIVERERS.jobs, 'webhook-agenda-jobs', queues), (seconds) =>
      fillJobs(queues, Math.ceil(JOBS_PER_SECOND * seconds)),
    ),
  ]
}

/** Does something before each round, outside of the measured time. */
function filled(
  { name, measure }: Contestant,
  fill: (seconds: number) => Promise<void>,
): Contestant {
  return {
    name,
    measure: async (load) => {
      await fill(load.seconds)
      return measure(load)
    },
  }
}
