import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { tellSeldom } from '../../core/seldom.ts'
import type { Lane, Lanes } from './delivery-lanes.ts'
import { cancelOrphansOf } from './delivery-orphans.ts'
import {
  type Outcome,
  settlementOf,
  writeSettlement,
  type Written,
} from './delivery-settlements.ts'

const RETRY_MS = 250
/**
 * Smaller batches wait for more outcomes, unless nothing was written lately: a statement costs as much as 30
 * outcomes.
 */
const GATHERED = 100
const GATHER_MS = 3
/** How far `last_triggered_at` may lag behind for a registration that is triggered all the time. */
const TRIGGER_TOLD_MS = 1_000

const NOTHING_WRITTEN: Written = { counted: new Set(), restarted: new Map() }

type LaneOutcome = Outcome<Lane>

/** Collects outcomes and writes them. */
export type OutcomeWriter = {
  push(outcome: LaneOutcome): void
  /** How many are not written yet. */
  size(): number
  /** Resolves when all are written, or belong to the next holder of the lease, who repeats the attempts. */
  idle(): Promise<void>
}

/**
 * Writes one batch at a time; outcomes that arrive meanwhile form the next one. Calls `onWritten` after each.
 */
export function createOutcomeWriter(
  ctx: Context,
  lanes: Lanes,
  onWritten: (outcomes: LaneOutcome[]) => void,
): OutcomeWriter {
  const unwritten: LaneOutcome[] = []
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    // Lets the attempts that end in the same turn of the event loop share the statement.
    await new Promise((resolve) => setImmediate(resolve))
    while (unwritten.length > 0) {
      const outcomes = unwritten.slice(0, LIMITS.outcomesAtOnce)
      await writeBatch(ctx, lanes, outcomes)
      unwritten.splice(0, outcomes.length)
      onWritten(outcomes)
      if (unwritten.length < GATHERED) await pause(GATHER_MS)
    }
    writing = null
  }

  return {
    push(outcome) {
      unwritten.push(outcome)
      writing ??= writeAll()
    },
    size: () => unwritten.length,
    idle: async () => {
      while (writing) await writing
    },
  }
}

async function writeBatch(ctx: Context, lanes: Lanes, outcomes: LaneOutcome[]): Promise<void> {
  const now = performance.now()
  const settlement = settlementOf(
    outcomes,
    ({ triggerToldAt }) => now - triggerToldAt >= TRIGGER_TOLD_MS,
  )
  const { counted, restarted } = await untilWritten(ctx, outcomes, () =>
    writeSettlement(ctx, settlement),
  )
  for (const { lane, failureCount, triggeredAt } of settlement.lanes) {
    const anew = restarted.get(lane.webhookId)
    lane.failureCount = anew ?? failureCount ?? lane.failureCount
    if (anew !== undefined) continue
    if (triggeredAt) lane.triggerToldAt = now
    // Another process holds the lease, or the registration was turned off: what is in memory is no longer ours.
    if (!counted.has(lane.webhookId) || settlement.disabled.has(lane)) lanes.retire(lane)
  }
  const isOfRestarted = ({ lane }: LaneOutcome) => restarted.has(lane.webhookId)
  for (const outcome of outcomes) {
    if (!isOfRestarted(outcome)) outcome.lane.heldIds.delete(outcome.eventId)
  }
  for (const lane of settlement.disabled) {
    if (counted.has(lane.webhookId)) await turnedOff(ctx, lane)
  }
  if (restarted.size > 0) await writeBatch(ctx, lanes, outcomes.filter(isOfRestarted))
}

/** Retries for as long as one of the leases lasts; after that, other processes repeat these attempts. */
async function untilWritten(
  ctx: Context,
  outcomes: LaneOutcome[],
  write: () => Promise<Written>,
): Promise<Written> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      tellSeldom(ctx.log, 'warn', 'delivery.write_failed', { outcomes: outcomes.length, error })
      const now = performance.now()
      if (outcomes.every(({ lane }) => lane.leaseUntil < now)) return NOTHING_WRITTEN
      await pause(RETRY_MS)
    }
  }
}

async function turnedOff(ctx: Context, { webhookId, projectId }: Lane): Promise<void> {
  ctx.metrics.webhooksDisabled.inc()
  ctx.log.warn('webhook.disabled', { webhook: webhookId, project: projectId })
  await cancelOrphansOf(ctx, webhookId).catch((error: unknown) =>
    ctx.log.warn('delivery.cancel_failed', { webhook: webhookId, error }),
  )
}
