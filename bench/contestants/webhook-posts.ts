import { randomUUID } from 'node:crypto'
import { startDispatcher } from '../../capabilities/webhooks/delivery-dispatcher.ts'
import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'
import type { Load, Timing } from '../timing.ts'
import { answerRuns, counted, repeat } from './runs.ts'
import { createPoster, type Receivers } from './signed-posts.ts'
import { openBenchContext, type Place } from './webhook-context.ts'

// Signed posts alone, or the whole pipeline: leased, read, signed, posted and recorded.

type Run = Load & { receivers: Receivers; event: string; data: string; pipeline: Place | null }

let opened: Promise<Context> | undefined

answerRuns<Run>((run) => (run.pipeline ? deliver(run, run.pipeline) : postAlone(run)))

function postAlone({ receivers, event, data, ...load }: Run): Promise<Timing> {
  const post = createPoster(receivers)
  return repeat(load, (index) => {
    const createdAt = new Date().toISOString()
    return post({ index, told: { id: randomUUID(), name: event, createdAt, data } })
  })
}

const countDone = statement(
  'bench-delivered',
  `SELECT count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'pending')
     FROM deliveries`,
)

/** Delivers events committed beforehand for as long as the round lasts; recorded deliveries count. */
async function deliver({ seconds }: Run, place: Place): Promise<Timing> {
  const ctx = await (opened ??= openBenchContext(place))
  const done = async () => (await ctx.sql.rows(countDone))[0] ?? []
  const [before] = await done()
  const start = performance.now()
  const dispatcher = startDispatcher(ctx)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  await dispatcher.stop()
  const elapsedS = (performance.now() - start) / 1000
  const [after, pending] = await done()
  if (pending === '0') throw new Error('There were too few events for the round')
  return counted(Number(after) - Number(before), elapsedS)
}
