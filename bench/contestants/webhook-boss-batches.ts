import type PgBoss from 'pg-boss'
import type { Load } from '../timing.ts'
import { fail } from './contestant.ts'
import { answerRuns, counted } from './runs.ts'
import { createPoster, type Delivery, type Receivers } from './signed-posts.ts'
import { openBoss, type Queues } from './webhook-queues.ts'

// Jobs in pg-boss's queue: fetched, signed, posted and completed in batches.

type Run = Load & Queues & { receivers: Receivers }

const BATCH = 500
/** While one worker waits for PostgreSQL, the other one posts. */
const WORKERS = 2
let opened: Promise<PgBoss> | undefined

answerRuns<Run>(async ({ receivers, work, connections, seconds, ...queues }) => {
  const boss = await (opened ??= openBoss(queues, fail))
  const post = createPoster(receivers)
  const atOnce = connections / WORKERS
  let count = 0
  const start = performance.now()
  const until = start + seconds * 1000
  const worker = async () => {
    while (performance.now() < until) {
      const jobs = await boss.fetch<Delivery>(work, { batchSize: BATCH })
      if (jobs.length === 0) throw new Error('There were too few jobs for the round')
      await postAll(jobs, post, atOnce)
      const ids = jobs.map(({ id }) => id)
      await boss.complete(work, ids)
      count += ids.length
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  return counted(count, (performance.now() - start) / 1000)
})

/** Posts a batch, with a limited number at a time. */
async function postAll(
  jobs: PgBoss.Job<Delivery>[],
  post: (delivery: Delivery) => Promise<void>,
  atOnce: number,
): Promise<void> {
  const waiting = jobs.values()
  const loop = async () => {
    for (const { data } of waiting) await post(data)
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}
