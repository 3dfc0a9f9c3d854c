import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Lane, Lanes } from './delivery-lanes.ts'
import { type Kept, keepLeases, leaseWebhooks } from './delivery-rows.ts'

/** A process that stands still for so long loses nothing. */
const SLACK_MS = 2_000
const RENEWED_BELOW = 0.75

/**
 * A lease lasts for one attempt, begun when half of it is over: an attempt begins only if it must end
 * within the lease.
 */
function leaseMsOf({ config: { webhookTimeoutMs } }: Context): number {
  return webhookTimeoutMs + Math.max(webhookTimeoutMs, SLACK_MS)
}

/** Takes registrations that have something due, as many as there are places; answers which. */
export async function takeLanes(ctx: Context, lanes: Lanes): Promise<Lane[]> {
  const most = LIMITS.webhooksLeased - lanes.size()
  if (most <= 0) return []
  const leaseMs = leaseMsOf(ctx)
  // Counted from before the question: the database's lease ends later than it is thought to end here.
  const now = performance.now()
  const except = lanes.all().map(({ webhookId }) => webhookId)
  const leased = await leaseWebhooks(ctx, { except, most, leaseMs })
  return leased.map((each) => {
    if (each.hadLapsed) ctx.metrics.webhookLeasesLost.inc()
    return lanes.add(each, { now, leaseUntil: now + leaseMs })
  })
}

/** Prolongs the leases that are in use, and gives back those that are not. */
export async function keepLanes(ctx: Context, lanes: Lanes): Promise<void> {
  const leaseMs = leaseMsOf(ctx)
  const now = performance.now()
  makeRoom(lanes, now)
  const kept = lanes.all().flatMap((lane) => {
    const isDone = isUnused(lane)
    if (isDone) lanes.retire(lane)
    const isOld = lane.leaseUntil - now < leaseMs * RENEWED_BELOW
    if (!isDone && !isOld && !lane.triggeredAt) return []
    const { webhookId, fence, triggeredAt } = lane
    const wanted: Kept = { webhookId, fence, triggeredAt, leaseMs: isDone ? 0 : leaseMs }
    return [{ lane, wanted }]
  })
  if (kept.length === 0) return
  const own = await keepLeases(
    ctx,
    kept.map(({ wanted }) => wanted),
  )
  for (const { lane, wanted } of kept) {
    if (wanted.leaseMs === 0 || !own.has(lane.webhookId)) lanes.remove(lane)
    else prolong(lanes, lane, { leaseUntil: now + leaseMs, triggeredAt: wanted.triggeredAt })
  }
}

function prolong(
  lanes: Lanes,
  lane: Lane,
  { leaseUntil, triggeredAt }: Pick<Lane, 'leaseUntil' | 'triggeredAt'>,
): void {
  lane.leaseUntil = leaseUntil
  if (lane.triggeredAt === triggeredAt) lane.triggeredAt = null
  lanes.makeReady(lane)
}

/** Kept for one look longer than it is needed: the next event often comes at once. */
function isUnused(lane: Lane): boolean {
  const isIdle = lane.heldIds.size === 0
  const wasIdle = lane.wasIdle
  lane.wasIdle = isIdle
  return isIdle && (lane.isOver || wasIdle)
}

/** When all places are taken, those that have had their turn give way to others. */
function makeRoom(lanes: Lanes, now: number): void {
  if (lanes.size() < LIMITS.webhooksLeased) return
  for (const lane of lanes.all()) {
    if (now - lane.leasedAt >= LIMITS.webhookTurnMs) lanes.retire(lane)
  }
}
