import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { isRefusedForGood } from '../../core/persisting.ts'
import { createSlots } from '../../core/slots.ts'
import { oneOff, type SqlClient, sqlFaultOf, statement } from '../../core/sql.ts'
import { compileFilter, CONTACT_TABLES, type ContactFilter } from './contact-filter.ts'

/** Who a segment or a broadcast means. */
export type Audience = {
  filter: ContactFilter
  /** Marketing reaches those alone who have opted in; null for a segment, which sends nothing. */
  category: Schema<'TemplateCategory'> | null
  /** The broadcast whose quality failures a follow-up tries again; null for all but follow-ups. */
  retargetParentId: string | null
}

/** Rows `k` (a contact) of an audience: what stands between FROM and ORDER BY, and its values. */
export type AudienceSql = { from: string; where: string; values: unknown[] }

/**
 * An audience's contacts in SQL, ready to be counted or to be made into recipients; `$1` is the project.
 * Throws `null_filter_value` and `invalid_request`, with places below `path`.
 */
export function audienceSql(projectId: string, audience: Audience, path = 'filter'): AudienceSql {
  const values: unknown[] = [projectId]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = ['k.project_id = $1']
  if (audience.retargetParentId === null) {
    conditions.push(compileFilter(audience.filter, path, place))
  } else {
    conditions.push(`k.id IN (SELECT r.contact_id FROM broadcast_recipients r
      WHERE r.broadcast_id = ${place(audience.retargetParentId)}::uuid AND r.project_id = $1
        AND r.status = 'failed' AND r.error ->> 'code' = '${CHANNEL_CODES.marketingLimit}')`)
  }
  if (audience.category === 'MARKETING') conditions.push('k.opted_in')
  return { from: CONTACT_TABLES, where: conditions.join(' AND '), values }
}

/** Whether nobody is in the audience at this moment; null when that takes too long to tell. */
export async function isEmpty(
  ctx: Context,
  projectId: string,
  audience: Audience,
): Promise<boolean | null> {
  const { from, where, values } = audienceSql(projectId, audience)
  const exists = oneOff(`SELECT 1 FROM ${from} WHERE ${where} LIMIT 1`)
  const { audienceCountMs } = LIMITS
  const found = await withinTime(ctx, projectId, audienceCountMs, (tx) => tx.rows(exists, values))
  return found && found.length === 0
}

/**
 * How many contacts each audience has at this moment. All of them together take no longer than
 * `LIMITS.audienceCountMs`; null for each that could not be counted in it, or while the database fails.
 */
export async function count(
  ctx: Context,
  projectId: string,
  audiences: Audience[],
): Promise<(number | null)[]> {
  const startedAt = performance.now()
  const counted = new Map<string, number | null>()
  for (const audience of audiences) {
    const key = JSON.stringify(audience)
    if (counted.has(key)) continue
    const leftMs = LIMITS.audienceCountMs - (performance.now() - startedAt)
    counted.set(key, leftMs < 1 ? null : await countOne(ctx, projectId, audience, leftMs))
  }
  return audiences.map((audience) => counted.get(JSON.stringify(audience)) ?? null)
}

async function countOne(ctx: Context, projectId: string, audience: Audience, timeoutMs: number) {
  const { from, where, values } = audienceSql(projectId, audience)
  const counting = oneOff(`SELECT count(*) FROM ${from} WHERE ${where}`)
  try {
    const found = await withinTime(ctx, projectId, timeoutMs, (tx) => tx.rows(counting, values))
    return found && Number(found[0]?.[0])
  } catch (error) {
    if (isRefusedForGood(error)) throw error
    // What is counted is there, and was perhaps made just now: who made it would make another one.
    ctx.log.warn('audience.uncounted', { project: projectId, error })
    return null
  }
}

const setTimeLimit = statement(
  'limit-statement-time',
  `SELECT set_config('statement_timeout', $1, true)`,
)

/** Counts of this process: they read many rows, and must leave connections to everyone else. */
const slots = createSlots({
  atOnce: LIMITS.audienceCountsAtOnce,
  atOnceEach: LIMITS.audienceCountsAtOnceEach,
  waitingMax: LIMITS.audienceCountsWaiting,
  waitMs: LIMITS.audienceCountMs,
})

/** What `work` found, or null when its turn did not come, or PostgreSQL gave it up, in time. */
async function withinTime<T>(
  ctx: Context,
  projectId: string,
  timeoutMs: number,
  work: (tx: SqlClient) => Promise<T>,
): Promise<T | null> {
  const askedAt = performance.now()
  const giveBack = await slots.take(projectId, timeoutMs)
  if (!giveBack) return null
  try {
    const leftMs = Math.ceil(timeoutMs - (performance.now() - askedAt))
    if (leftMs < 1) return null
    return await ctx.sql.transaction(async (tx) => {
      await tx.rows(setTimeLimit, [String(leftMs)])
      return work(tx)
    })
  } catch (error) {
    if (!isTimedOut(error)) throw error
    return null
  } finally {
    giveBack()
  }
}

/** Whether PostgreSQL stopped the statement. */
function isTimedOut(error: unknown): boolean {
  return sqlFaultOf(error)?.state === '57014'
}
