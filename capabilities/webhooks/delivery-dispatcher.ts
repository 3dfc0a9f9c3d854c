import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { tellSeldom } from '../../core/seldom.ts'
import { remember } from '../../core/under-way.ts'
import { endpointOf, post } from './delivery-attempts.ts'
import { createLanes, type Lane, type Lanes, type Taken } from './delivery-lanes.ts'
import { keepLanes, takeLanes } from './delivery-leases.ts'
import { cancelUnwantedOf } from './delivery-orphans.ts'
import { dueCount, readDueDeliveries } from './delivery-rows.ts'
import { afterAttempt } from './delivery-schedule.ts'
import type { Outcome } from './delivery-settlements.ts'
import { createOutcomeWriter, type OutcomeWriter } from './delivery-writer.ts'

/** Makes the attempts that are due, in this process. */
export type Dispatcher = {
  /** Looks for what is due, now; harmless when nothing is. */
  wake(): void
  /** Begins no more attempts; resolves when those under way are recorded and all leases are given back. */
  stop(): Promise<void>
}

type Dispatch = {
  ctx: Context
  random: () => number
  lanes: Lanes
  writer: OutcomeWriter
  /** Work that must end before the process may. */
  running: Set<Promise<void>>
  /** Whether something may have become due since the last look. */
  isWoken: boolean
  isLooking: boolean
  mustLookAgain: boolean
  isPolling: boolean
  isStopping: boolean
  polls: number
  retry: { timer: NodeJS.Timeout | undefined; at: number }
}

/**
 * Starts delivering. The rows hold the truth: each registration with something due is leased to one process,
 * which alone attempts its deliveries and so begins them in the order of events. After a crash, the next holder
 * of the lease repeats the unfinished attempts under the same ids.
 */
export function startDispatcher(ctx: Context, { random = Math.random } = {}): Dispatcher {
  const lanes = createLanes()
  const d: Dispatch = {
    ctx,
    random,
    lanes,
    running: new Set(),
    writer: createOutcomeWriter(ctx, lanes, (outcomes) => afterWrite(d, outcomes)),
    isWoken: true,
    isLooking: false,
    mustLookAgain: false,
    isPolling: false,
    isStopping: false,
    polls: 0,
    retry: { timer: undefined, at: Infinity },
  }
  const timer = setInterval(() => {
    letGo(d)
    remember(d.running, poll(d))
  }, LIMITS.deliveriesPollMs)
  timer.unref()
  remember(d.running, look(d))
  return {
    wake: () => wake(d),
    async stop() {
      d.isStopping = true
      clearInterval(timer)
      clearTimeout(d.retry.timer)
      while (d.running.size > 0) await Promise.all(d.running)
      await d.writer.idle()
      for (const lane of lanes.all()) lanes.retire(lane)
      await keepLanes(ctx, lanes).catch((error: unknown) =>
        ctx.log.warn('delivery.release_failed', { error }),
      )
    },
  }
}

function wake(d: Dispatch): void {
  d.isWoken = true
  if (!d.isStopping) remember(d.running, look(d))
}

/** One look at a time; a call that comes meanwhile makes it look once more. */
async function look(d: Dispatch): Promise<void> {
  d.mustLookAgain = true
  if (d.isLooking) return
  d.isLooking = true
  try {
    while (d.mustLookAgain && !d.isStopping) {
      d.mustLookAgain = false
      await lookOnce(d)
    }
  } catch (error) {
    // The next poll tries again.
    tellSeldom(d.ctx.log, 'warn', 'delivery.look_failed', { error })
  } finally {
    d.isLooking = false
  }
}

/** Registrations leased already are read first, so that they do not wait for the leasing of others. */
async function lookOnce(d: Dispatch): Promise<void> {
  const { ctx, lanes, isWoken } = d
  d.isWoken = false
  if (isWoken) for (const lane of lanes.all()) lane.mayHaveMore = true
  const [taken] = await Promise.all([isWoken ? takeLanes(ctx, lanes) : [], read(d)])
  for (const lane of taken) lane.prepared = prepare(d, lane)
  if (taken.length > 0) await read(d)
  begin(d)
}

/** Loads an endpoint once, before its first attempts would all load it at the same time. */
async function prepare({ ctx }: Dispatch, { webhookId }: Lane): Promise<void> {
  await endpointOf(ctx, webhookId).catch((error: unknown) =>
    // Each attempt loads the endpoint itself then, and reports the failure.
    ctx.log.debug('delivery.unprepared', { webhook: webhookId, error }),
  )
}

/** Reads until no lane has both free room and more deliveries in the database. */
async function read(d: Dispatch): Promise<void> {
  for (;;) {
    const rooms = d.lanes.rooms(performance.now())
    if (rooms.length === 0 || d.isStopping) return
    const due = await readDueDeliveries(d.ctx, rooms)
    const bytes = due.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
    d.lanes.accept(rooms, due, bytes >= LIMITS.deliveriesReadBytes)
    begin(d)
  }
}

function begin(d: Dispatch): void {
  const { webhookTimeoutMs } = d.ctx.config
  while (!d.isStopping && d.writer.size() < LIMITS.outcomesUnwritten) {
    const taken = d.lanes.next(performance.now(), webhookTimeoutMs)
    if (!taken) return
    remember(d.running, attempt(d, taken))
  }
}

/** Does not wait for the database, unlike the rest of a poll: attempts that hang must not delay the others. */
function letGo(d: Dispatch): void {
  d.lanes.letGo(performance.now())
  begin(d)
}

async function attempt(d: Dispatch, taken: Taken): Promise<void> {
  const { ctx, lanes, writer } = d
  const outcome = await make(d, taken).catch((error: unknown) => {
    ctx.log.warn('delivery.attempt_failed', { delivery: taken.due.id, error })
    return null
  })
  lanes.finish(taken, outcome && outcome.verdict.status === 'delivered')
  if (outcome) writer.push(outcome)
  else lanes.retire(taken.lane)
  begin(d)
  if (lanes.wantsMore(taken.lane, performance.now())) remember(d.running, look(d))
}

/**
 * Answers null when the attempt must not begin: the registration is gone, was turned off or on again, no longer
 * has the event, or its endpoint took so long to load that the lease might end first.
 */
async function make(d: Dispatch, { lane, due }: Taken): Promise<Outcome<Lane> | null> {
  const { ctx } = d
  await lane.prepared
  const endpoint = await endpointOf(ctx, lane.webhookId)
  if (!endpoint?.isActive || endpoint.epoch !== lane.epoch || lane.isOver) return null
  if (!endpoint.events.includes(due.name)) {
    // At once, so that of the attempts that are just beginning one alone cancels what waits.
    d.lanes.retire(lane)
    await cancelUnwantedOf(ctx, lane.webhookId)
    return null
  }
  if (performance.now() + ctx.config.webhookTimeoutMs > lane.leaseUntil) return null
  const begunAt = ctx.now()
  if (due.attempts === 0) {
    const lagMs = begunAt.getTime() - Date.parse(due.createdAt)
    ctx.metrics.deliveryLagSeconds.observe(Math.max(0, lagMs) / 1000)
  }
  const { attempt, isSuccess, endedAt } = await post(ctx, endpoint, due, due.attempts + 1)
  const ended = { attemptsBefore: due.attempts, isSuccess, at: endedAt }
  const verdict = afterAttempt(ended, ctx.config.webhookRetryDelaysMs, d.random)
  const result = verdict.status === 'pending' ? 'failed' : verdict.status
  ctx.metrics.deliveryAttempts.inc({ result })
  lane.triggeredAt = begunAt
  return { lane, eventId: due.eventId, attemptsBefore: due.attempts, attempt, verdict }
}

function afterWrite(d: Dispatch, outcomes: Outcome<Lane>[]): void {
  wakeForRetries(d, outcomes)
  begin(d)
  const now = performance.now()
  if (outcomes.some(({ lane }) => d.lanes.wantsMore(lane, now))) remember(d.running, look(d))
}

/** Wakes for the first retry in time; later ones are found then, or by a poll. */
function wakeForRetries(d: Dispatch, outcomes: Outcome<Lane>[]): void {
  const times = outcomes.flatMap(({ verdict }) => verdict.nextAttemptAt?.getTime() ?? [])
  if (times.length === 0 || d.isStopping) return
  const inMs = Math.max(0, Math.min(...times) - d.ctx.now().getTime())
  const at = performance.now() + inMs
  if (at >= d.retry.at) return
  clearTimeout(d.retry.timer)
  const timer = setTimeout(() => {
    d.retry.at = Infinity
    wake(d)
  }, inMs)
  d.retry = { timer: timer.unref(), at }
}

async function poll(d: Dispatch): Promise<void> {
  if (d.isPolling) return
  d.isPolling = true
  try {
    await keepLanes(d.ctx, d.lanes)
    if (d.polls++ % LIMITS.pollsPerCount === 0) {
      d.ctx.metrics.deliveriesDue.set(await dueCount(d.ctx.sql, d.ctx.now()))
    }
  } catch (error) {
    tellSeldom(d.ctx.log, 'warn', 'delivery.poll_failed', { error })
  }
  d.isPolling = false
  wake(d)
}
