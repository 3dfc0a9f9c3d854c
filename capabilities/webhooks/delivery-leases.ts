import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Lane, Lanes } from './delivery-lanes.ts'
import { type Kept, keepLeases, leaseWebhooks } from './delivery-rows.ts'

/** A process may stall for this long without losing its leases. */
const SLACK_MS = 2_000
const RENEWED_BELOW = 0.75

/**
 * Long enough for an attempt that begins in the first half of the lease: one begins only if it must end within
 * the lease.
 */
function leaseMsOf({ config: { webhookTimeoutMs } }: Context): number {
  return webhookTimeoutMs + Math.max(webhookTimeoutMs, SLACK_MS)
}

/** Leases registrations that have something due, as many as there are free places; answers with those. */
export async function takeLanes(ctx: Context, lanes: Lanes): Promise<Lane[]> {
  const most = LIMITS.webhooksLeased - lanes.size()
  if (most <= 0) return []
  const leaseMs = leaseMsOf(ctx)
  // Taken before the statement is sent, so that the lease ends here no later than in the database.
  const now = performance.now()
  const except = lanes.all().map(({ webhookId }) => webhookId)
  const leased = await leaseWebhooks(ctx, { except, most, leaseMs })
  return leased.map((each) => {
    if (each.hadLapsed) ctx.metrics.webhookLeasesLost.inc()
    return lanes.add(each, { now, leaseUntil: now + leaseMs })
  })
}

/** Renews the leases that are in use, and gives back the others. */
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

/** A lane is kept for one look longer than needed, since the next event often comes right away. */
function isUnused(lane: Lane): boolean {
  const isIdle = lane.heldIds.size === 0
  const wasIdle = lane.wasIdle
  lane.wasIdle = isIdle
  return isIdle && (lane.isOver || wasIdle)
}

/** When all places are taken, lanes that have had their turn make room for others. */
function makeRoom(lanes: Lanes, now: number): void {
  if (lanes.size() < LIMITS.webhooksLeased) return
  for (const lane of lanes.all()) {
    if (now - lane.leasedAt >= LIMITS.webhookTurnMs) lanes.retire(lane)
  }
}
