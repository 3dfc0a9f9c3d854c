import { randomUUID } from 'node:crypto'
import { startDispatcher } from '../../capabilities/delivery-dispatcher.ts'
import { bodyOf } from '../../capabilities/delivery-attempts.ts'
import { signatureHeaders, signingKeys } from '../../capabilities/webhook-signature.ts'
import type { Context } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'
import type { Load, Timing } from '../timing.ts'
import { answerRuns, repeat } from './runs.ts'
import { createBareEgress, openBenchContext, type Place } from './webhook-context.ts'

// Signed posts alone, or the whole pipeline: leased, read, signed, posted and written.

type Run = Load & { urls: string[]; secret: string; data: string; pipeline: Place | null }

const egress = createBareEgress()
let opened: Promise<Context> | undefined

answerRuns<Run>((run) => (run.pipeline ? deliver(run, run.pipeline) : post(run)))

async function post({ urls, secret, data, ...load }: Run): Promise<Timing> {
  const keys = signingKeys(secret)
  return repeat(load, async (index) => {
    const at = new Date()
    const told = { id: randomUUID(), name: 'bench.happened', createdAt: at.toISOString(), data }
    const body = bodyOf(`wh_${index % urls.length}`, told)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': told.name,
      ...signatureHeaders(keys, { id: told.id, body, at }),
    }
    const url = urls[index % urls.length] ?? ''
    const { statusCode } = await egress.post(url, { headers, body, timeoutMs: 10_000 })
    if (statusCode !== 204) throw new Error(`The sink answered ${statusCode}`)
  })
}

const countDone = statement(
  'bench-delivered',
  `SELECT count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'pending')
     FROM deliveries`,
)

/** Delivers what was committed before, for as long as the round lasts; what is written counts. */
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
  const count = Number(after) - Number(before)
  return { count, elapsedS, p50Ms: Number.NaN, p99Ms: Number.NaN }
}
