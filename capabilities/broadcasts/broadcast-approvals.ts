import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { agreedNow, type SqlClient, statement } from '../../core/sql.ts'
import { perform, type Performed } from './broadcast-audits.ts'
import { faultOf, readApproval, type TemplateFault } from './broadcast-digest.ts'
import * as broadcastEndings from './broadcast-endings.ts'
import { show } from './broadcast-overviews.ts'
import { lockBroadcast, mustBeUuid, type StoredBroadcast } from './broadcast-rows.ts'
import * as broadcastWaves from './broadcast-waves.ts'

/**
 * What an operator does to broadcasts. Approving, releasing and canceling are for the people who run this
 * service; no operation of the API leads here.
 */

export type WavePlan = {
  /**
   * How many recipients the first wave has; the rest are held. Undefined keeps what the broadcast was created
   * with.
   */
  waveSize?: number | undefined
  /** When the next wave is released by itself, and how many recipients it has: all held ones by default. */
  nextWaveAt?: Date | undefined
  nextWaveCount?: number | undefined
}

const planWaves = statement(
  'plan-broadcast-waves',
  `UPDATE broadcasts SET wave_size = $2, wave_scheduled_at = $3, wave_scheduled_count = $4 WHERE id = $1`,
)
const setApproved = statement(
  'approve-broadcast',
  `UPDATE broadcasts
      SET status = CASE WHEN scheduled_at > ${agreedNow('$2')} THEN 'scheduled' ELSE 'sending' END,
          approved_at = $2, approved_by = $3, approval_digest = $4, updated_at = $2
    WHERE id = $1`,
)

/**
 * Lets a broadcast be sent: now, or at its time. What it says, to whom and in which waves is sealed; if
 * any of it is different when the sending starts, it fails instead.
 *
 * Throws `BROADCAST_NOT_FOUND`, `bad_request` for a broadcast that does not wait for approval, a paused
 * project or a plan that does not fit, and `template_not_found` or `template_not_approved`.
 */
export async function approve(
  ctx: Context,
  id: string,
  { by, ...plan }: WavePlan & { by: string },
): Promise<Schema<'Broadcast'>> {
  const approving = async (tx: SqlClient): Promise<Performed<null>> => {
    const broadcast = await lock(tx, id)
    mustBe(broadcast, ['pending_approval'], 'approved')
    await mustBeActive(tx, broadcast)
    const now = ctx.now()
    const waves = wavesOf(broadcast, plan, now)
    await tx.rows(planWaves, [id, waves.size, waves.nextAt, waves.nextCount])
    const { digest, templateFault } = await readApproval(tx, id)
    if (templateFault !== null) throw templateRefusal(broadcast, templateFault)
    await tx.rows(setApproved, [id, now, by, digest])
    const details = {
      wave_size: waves.size,
      next_wave_at: waves.nextAt?.toISOString() ?? null,
      next_wave_count: waves.nextCount,
    }
    return { done: null, act: { action: 'approved', actor: by, details, at: now } }
  }
  const { shown } = await perform(ctx, id, approving, () => show(ctx, id))
  ctx.log.info('broadcast.approved', { broadcast: id, by })
  return shown
}

/**
 * Queues the next wave now, in place of the one that is due: as many as that one, or all that are held,
 * by default. Answers how many these were. A broadcast that is no longer what was approved fails instead.
 *
 * Throws `BROADCAST_NOT_FOUND`, and `bad_request` when nothing is held, when somebody else has released a
 * wave just now, or when it has failed.
 */
export async function release(
  ctx: Context,
  id: string,
  { by, count }: { by: string; count?: number | undefined },
): Promise<{ released: number; broadcast: Schema<'Broadcast'> }> {
  const planned = count === undefined ? (await show(ctx, id)).wave_scheduled_at : null
  type Released = { fault: string | null; released: number }
  const releasing = async (tx: SqlClient): Promise<Performed<Released>> => {
    const broadcast = await lock(tx, id)
    mustBe(broadcast, ['sending'], 'released')
    // The scheduled wave was released meanwhile. Without a count, this would now release everyone who is left.
    if (count === undefined && broadcast.wave_scheduled_at !== planned) {
      const problem = `A wave of broadcast ${id} has been released just now; look before the next one.`
      throw new ServiceError('bad_request', problem)
    }
    const held = broadcast.counts?.held ?? 0
    if (held === 0) {
      throw new ServiceError('bad_request', `Broadcast ${id} holds nobody back.`)
    }
    const now = ctx.now()
    const own = { actor: by, at: now }
    const found = await faultOf(tx, id)
    if (found !== null) {
      await broadcastEndings.end(tx, id, { status: 'failed', reason: found, now })
      const act = { ...own, action: 'failed' as const, details: { reason: found } }
      return { done: { fault: found, released: 0 }, act }
    }
    const due = count ?? broadcast.wave_scheduled_count
    await broadcastWaves.release(tx, id, due, now)
    const released = Math.min(due ?? held, held)
    const act = { ...own, action: 'released' as const, details: { count: released } }
    return { done: { fault: null, released }, act }
  }
  const { done, shown } = await perform(ctx, id, releasing, async () => {
    await broadcastWaves.releaseRest(ctx, id)
    return show(ctx, id)
  })
  if (done.fault !== null) {
    throw new ServiceError(
      'bad_request',
      `Broadcast ${id} has failed and is stopped. ${done.fault}`,
    )
  }
  ctx.log.info('broadcast.released', { broadcast: id, by })
  return { released: done.released, broadcast: shown }
}

/**
 * Stops a broadcast for good. Messages that were sent stay sent, those under way are settled; all other
 * recipients become `canceled`. Throws `BROADCAST_NOT_FOUND`, and `bad_request` for one that has ended.
 */
export async function cancel(
  ctx: Context,
  id: string,
  { by }: { by: string },
): Promise<Schema<'Broadcast'>> {
  const canceling = async (tx: SqlClient): Promise<Performed<null>> => {
    const broadcast = await lock(tx, id)
    mustBe(broadcast, ['pending_approval', 'scheduled', 'sending'], 'canceled')
    const now = ctx.now()
    await broadcastEndings.end(tx, id, { status: 'canceled', reason: null, now })
    const details = { was: broadcast.status }
    return { done: null, act: { action: 'canceled', actor: by, details, at: now } }
  }
  const { shown } = await perform(ctx, id, canceling, () => show(ctx, id))
  ctx.log.info('broadcast.canceled', { broadcast: id, by })
  return shown
}

const findStatus = statement('find-project-status', 'SELECT status FROM projects WHERE id = $1')

/** Locks a broadcast; throws `BROADCAST_NOT_FOUND`, also for what is no id. */
async function lock(tx: SqlClient, id: string): Promise<StoredBroadcast> {
  mustBeUuid(id)
  return lockBroadcast(tx, id)
}

function mustBe({ id, status }: StoredBroadcast, due: StoredBroadcast['status'][], act: string) {
  if (due.includes(status)) return
  const problem = `Broadcast ${id} is ${status}; only one that is ${due.join(' or ')} can be ${act}.`
  throw new ServiceError('bad_request', problem)
}

async function mustBeActive(tx: SqlClient, { project_id: projectId }: StoredBroadcast) {
  const [row] = await tx.rows(findStatus, [projectId])
  if (row?.[0] === 'active') return
  const problem = `The project ${projectId} is ${row?.[0]}; resume it first.`
  throw new ServiceError('bad_request', problem)
}

/** The waves of a broadcast once it is approved; throws `bad_request` for a plan that cannot be kept. */
function wavesOf(
  { wave_size, scheduled_at: scheduledAt }: StoredBroadcast,
  plan: WavePlan,
  now: Date,
) {
  const size = plan.waveSize ?? wave_size
  const nextAt = plan.nextWaveAt ?? null
  const nextCount = plan.nextWaveCount ?? null
  if (nextAt !== null && size === null) {
    throw new ServiceError('bad_request', 'A next wave needs the size of the first one.')
  }
  if (nextCount !== null && nextAt === null) {
    throw new ServiceError('bad_request', 'The size of the next wave needs its time.')
  }
  const startsAt = Math.max(now.getTime(), scheduledAt === null ? 0 : Date.parse(scheduledAt))
  if (nextAt !== null && nextAt.getTime() <= startsAt) {
    throw new ServiceError('bad_request', 'The next wave must come after the first one.')
  }
  return { size, nextAt, nextCount }
}

function templateRefusal(
  { template_name, template_language, category }: StoredBroadcast,
  fault: TemplateFault,
): ServiceError {
  const template = `The template ${template_name} in ${template_language}`
  switch (fault) {
    case 'template_not_found':
      return new ServiceError(fault, `${template} is gone.`)
    case 'template_not_approved':
      return new ServiceError(fault, `${template} is not approved by the channel at this moment.`)
    case 'template_recategorised':
      return new ServiceError(
        'bad_request',
        `${template} is no longer in the category ${category}; create the broadcast anew.`,
      )
  }
}
