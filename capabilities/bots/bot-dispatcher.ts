import { setTimeout as pause } from 'node:timers/promises'
import type { BotPool } from '../../core/bot-pool.ts'
import type { BuiltBot } from '../../core/bots.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { tellSeldom } from '../../core/seldom.ts'
import { eventsOf } from './bot-events.ts'
import { keepLeases, leaseRuns, type ProjectRoom } from './bot-leases.ts'
import { createCodeReader, productionOf } from './bot-productions.ts'
import * as botRuns from './bot-runs.ts'
import type { LeasedRun, CheckRequest } from './bot-runs.ts'
import { type Beginning, perform } from './bot-tries.ts'

/** Runs bots in this process. */
export type BotDispatcher = {
  /** Looks now for runs that may start. */
  wake(): void
  /** Starts nothing more; resolves when the outcomes of what is running are stored. */
  stop(): Promise<void>
}

/** A run that this process has started; `stop` aborts it when another process has taken it over. */
type Held = { run: LeasedRun; stop: AbortController; done: Promise<void> }

type Dispatch = {
  ctx: Context
  pool: BotPool
  check: CheckRequest
  codeOf: (deploymentId: string) => Promise<BuiltBot>
  held: Map<string, Held>
  looking: Promise<void> | null
  mustLookAgain: boolean
  isKeeping: boolean
  isStopping: boolean
  renewedAt: number
}

type Ready = Omit<Beginning, 'code'>

/**
 * Starts running bots. The rows hold the truth: a run is leased to one process at a time, and only the oldest
 * run of each conversation is. After a crash, the next holder of the lease starts the run again; effects that
 * it had already are not repeated.
 */
export function startBots(
  ctx: Context,
  { pool, check }: { pool: BotPool; check: CheckRequest },
): BotDispatcher {
  const d: Dispatch = {
    ctx,
    pool,
    check,
    codeOf: createCodeReader(ctx),
    held: new Map<string, Held>(),
    looking: null,
    mustLookAgain: false,
    isKeeping: false,
    isStopping: false,
    renewedAt: 0,
  }
  const timer = setInterval(() => void poll(d), LIMITS.botPollMs)
  timer.unref()
  look(d)
  return {
    wake: () => look(d),
    async stop() {
      d.isStopping = true
      await d.looking
      // Their leases are renewed meanwhile, so that no other process starts them too.
      await Promise.all([...d.held.values()].map(({ done }) => done))
      clearInterval(timer)
      pool.stop()
    },
  }
}

async function poll(d: Dispatch): Promise<void> {
  if (d.isKeeping) return
  d.isKeeping = true
  try {
    if (performance.now() - d.renewedAt >= LIMITS.botLeaseRenewMs) {
      d.renewedAt = performance.now()
      await keep(d)
      d.ctx.metrics.botRunsWaiting.set(await botRuns.waitingRuns(d.ctx))
    }
  } catch (error) {
    tellSeldom(d.ctx.log, 'warn', 'bot.poll_failed', { error })
  }
  d.isKeeping = false
  look(d)
}

/** Renews the leases, and aborts runs that another process has taken over. */
async function keep({ ctx, held }: Dispatch): Promise<void> {
  const all = [...held.values()]
  const own = await keepLeases(
    ctx,
    all.map(({ run }) => run),
  )
  for (const { run, stop } of all) if (!own.has(run.id)) stop.abort()
}

/** One look at a time; a call that comes meanwhile makes it look once more. */
function look(d: Dispatch): void {
  d.mustLookAgain = true
  d.looking ??= lookAll(d).finally(() => (d.looking = null))
}

async function lookAll(d: Dispatch): Promise<void> {
  while (d.mustLookAgain && !d.isStopping) {
    d.mustLookAgain = false
    try {
      await lookOnce(d)
    } catch (error) {
      // The next poll tries again.
      tellSeldom(d.ctx.log, 'warn', 'bot.look_failed', { error })
      return
    }
  }
}

async function lookOnce(d: Dispatch): Promise<void> {
  const { ctx, held } = d
  const most = LIMITS.botRunsHeld - held.size
  if (most <= 0) return
  const perProject = LIMITS.botRunsPerProject
  const runs = await leaseRuns(ctx, { most, perProject, busy: roomsOf(d) })
  if (runs.length === 0) return
  const reading = readAll(ctx, runs)
  for (const run of runs) hold(d, run, reading)
  // A failed read is handled by each of its runs; the next look waits until it is known.
  await reading.catch(() => undefined)
}

/** What the leased runs need to start; runs whose bot or message is gone get nothing. */
async function readAll(ctx: Context, runs: LeasedRun[]): Promise<Map<string, Ready>> {
  const projectIds = [...new Set(runs.map(({ projectId }) => projectId))]
  const [productions, events] = await Promise.all([
    productionOf(ctx, projectIds),
    eventsOf(ctx, runs),
  ])
  return new Map(
    runs.flatMap((run) => {
      const [production, event] = [productions.get(run.projectId), events.get(run.id)]
      return production && event ? [[run.id, { run, production, event }]] : []
    }),
  )
}

/** Keeps a run for this process until it is over or given back. */
function hold(d: Dispatch, run: LeasedRun, reading: Promise<Map<string, Ready>>): void {
  const { ctx, held } = d
  if (run.hadLapsed) ctx.metrics.botLeasesLost.inc()
  // Its lease may have expired and been taken again by this very process.
  held.get(run.id)?.stop.abort()
  const stop = new AbortController()
  const done = serve(d, { run, reading, stop })
    .catch((error: unknown) => {
      // Its lease will expire, and then the run is started again.
      ctx.log.error('bot.run_failed', { project: run.projectId, run: run.id, error })
    })
    .then(() => {
      if (held.get(run.id) === mine) held.delete(run.id)
      look(d)
    })
  const mine = { run, stop, done }
  held.set(run.id, mine)
}

type Leased = { run: LeasedRun; reading: Promise<Map<string, Ready>>; stop: AbortController }

async function serve(d: Dispatch, { run, reading, stop }: Leased): Promise<void> {
  const { ctx } = d
  let ready: Ready | undefined
  let code: BuiltBot | null
  try {
    ready = (await reading).get(run.id)
    code = ready ? await d.codeOf(ready.production.deploymentId) : null
  } catch (error) {
    ctx.log.warn('bot.run_not_begun', { project: run.projectId, run: run.id, error })
    return giveBack(d, run, stop.signal)
  }
  if (ready && code) return perform(d, { ...ready, code }, stop)
  return botRuns.finish(ctx, { ...run, version: null, lines: [] })
}

/**
 * Gives back a run whose code has not started, which does not count as a try. While the database fails, the
 * process keeps the run, so that nobody starts it in vain.
 */
async function giveBack(d: Dispatch, run: LeasedRun, signal: AbortSignal): Promise<void> {
  const { ctx } = d
  while (!signal.aborted) {
    try {
      const until = new Date(ctx.now().getTime() + LIMITS.botPostponedMs)
      return await botRuns.postpone(ctx, run, { until, isCounted: false })
    } catch (error) {
      if (d.isStopping) throw error
      await pause(LIMITS.botPollMs)
    }
  }
}

/** Projects that this process holds runs of, and how many more it may take of each. */
function roomsOf({ held, pool }: Dispatch): ProjectRoom[] {
  const counts = new Map<string, number>()
  for (const { run } of held.values()) {
    counts.set(run.projectId, (counts.get(run.projectId) ?? 0) + 1)
  }
  return [...counts].map(([projectId, count]) => {
    // The rest of a slow project's runs stay in the database, where other processes can take them.
    const most = pool.isSlow(projectId) ? LIMITS.botSlowRunsHeld : LIMITS.botRunsPerProject
    return { projectId, room: most - count }
  })
}
