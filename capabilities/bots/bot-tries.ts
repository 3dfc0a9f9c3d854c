import type { BotEnding, BotPool } from '../../core/bot-pool.ts'
import type { BuiltBot } from '../../core/bots.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { createCaller, describeFailure } from './bot-calls.ts'
import type { BotEvent } from './bot-events.ts'
import type { Production } from './bot-productions.ts'
import * as botRuns from './bot-runs.ts'
import type { LeasedRun, CheckRequest } from './bot-runs.ts'

/** A leased run with everything that it needs to start. */
export type Beginning = { run: LeasedRun; production: Production; event: BotEvent; code: BuiltBot }

/** What a run is performed with. */
type Means = { ctx: Context; pool: BotPool; check: CheckRequest }

/** Runs the bot and stores the outcome; `stop` aborts it at any point. */
export async function perform(
  means: Means,
  ready: Beginning,
  stop: AbortController,
): Promise<void> {
  const { ctx } = means
  const { run, production } = ready
  const refusal = refusalOf(ready)
  if (refusal !== null) {
    if (refusal.isGivenUp) ctx.metrics.botRuns.inc({ result: 'given_up' })
    return botRuns.finish(ctx, { ...run, lines: refusal.lines, version: production.version })
  }
  const { ending, hasFailed } = await execute(means, ready, stop)
  if (ending.result === 'lost' || ending.result === 'broken') {
    const isCounted = hasFailed || ending.result === 'broken'
    const until = new Date(
      ctx.now().getTime() + (isCounted ? backoffMs(run) : LIMITS.botPostponedMs),
    )
    return botRuns.postpone(ctx, run, { until, isCounted })
  }
  ctx.metrics.botRuns.inc({ result: ending.result })
  await botRuns.finish(ctx, { ...run, version: production.version, lines: linesOf(ending) })
}

/** How long a run waits before its next try; the fault often takes more than a moment to pass. */
function backoffMs({ begun }: LeasedRun): number {
  return Math.min(LIMITS.botPostponedMs * 2 ** (begun - 1), LIMITS.botPostponedMostMs)
}

type Refusal = Pick<botRuns.FinishedRun, 'lines'> & { isGivenUp: boolean }

/** Why a run is not started at all, as its log lines. */
function refusalOf({ run, production, event }: Beginning): Refusal | null {
  if (!event.handlers.some((handler) => production.handlers.includes(handler))) {
    return { lines: [], isGivenUp: false }
  }
  const { status } = production.project
  if (status !== 'active') {
    const text = `The run was left out: the project is ${status}.`
    return { lines: [{ level: 'warn', text }], isGivenUp: false }
  }
  if (run.begun <= LIMITS.botBegunMost) return null
  const text = `The run was begun ${run.begun - 1} times and never ended; it is given up.`
  return { lines: [{ level: 'error', text }], isGivenUp: true }
}

async function execute(
  { ctx, pool, check }: Means,
  { run, production, event, code }: Beginning,
  stop: AbortController,
): Promise<{ ending: BotEnding; hasFailed: boolean }> {
  const parties = { run, production, contactId: event.contactId, event: event.json }
  let hasFailed = false
  const caller = createCaller(ctx, parties, check, (why) => {
    hasFailed = why === 'failed'
    stop.abort()
  })
  const lagMs = ctx.now().getTime() - Date.parse(run.createdAt)
  ctx.metrics.botLagSeconds.observe(Math.max(0, lagMs) / 1000)
  const ending = await pool.run({
    ...code,
    projectId: run.projectId,
    botId: production.deploymentId,
    handlers: event.handlers,
    event: event.json,
    signal: stop.signal,
    onBegin: caller.begin,
    call: caller.call,
    describe: (error) => describeFailure(ctx, run, error),
  })
  // A call may still be under way; the next run of the conversation must not overtake it.
  await caller.close()
  return { ending, hasFailed }
}

const SAYS = {
  done: null,
  failed: '',
  spent: `The run computed for ${LIMITS.botComputingMs / 1000} s, which is all that it may, and was stopped.`,
  late: `The run took ${LIMITS.botRunMs / 1000} s, which is all that it may, and was stopped.`,
  lost: null,
  broken: null,
} satisfies Record<BotEnding['result'], string | null>

/** The log lines of a run: what it logged, and how it ended if that was not normal. */
function linesOf({ result, text, lines, linesDropped }: BotEnding): botRuns.FinishedRun['lines'] {
  const dropped = `${linesDropped} more lines were left out.`
  const ending = SAYS[result]
  return [
    ...lines,
    ...(linesDropped > 0 ? [{ level: 'warn' as const, text: dropped }] : []),
    ...(ending === null ? [] : [{ level: 'error' as const, text: ending || text }]),
  ]
}
