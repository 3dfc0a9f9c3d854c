import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { isRefusedForGood } from '../../core/persisting.ts'
import { createSlots } from '../../core/slots.ts'
import { oneOff, type SqlClient, statement } from '../../core/sql.ts'
import { hasState, SQL_STATES } from '../../core/sql-states.ts'
import { joinedContactOf } from '../joined-contacts.ts'
import { compileFilter, CONTACT_TABLES, type ContactFilter } from './contact-filter.ts'

/** The contacts that a segment or a broadcast is meant for. */
export type Audience = {
  filter: ContactFilter
  /** MARKETING reaches only contacts who have opted in; null for a segment, which sends nothing. */
  category: Schema<'TemplateCategory'> | null
  /** The broadcast whose quality failures a follow-up tries again; null for anything else. */
  retargetParentId: string | null
}

/** The contacts `k` of an audience in SQL: the text after FROM and after WHERE, and the values. */
export type AudienceSql = { from: string; where: string; values: unknown[] }

/**
 * Compiles an audience to SQL that can be counted or turned into recipients; `$1` is the project. Throws
 * `null_filter_value` and `invalid_request`, with paths below `path`.
 */
export function audienceSql(projectId: string, audience: Audience, path = 'filter'): AudienceSql {
  const values: unknown[] = [projectId]
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = ['k.project_id = $1']
  if (audience.retargetParentId === null) {
    conditions.push(compileFilter(audience.filter, path, place))
  } else {
    conditions.push(`k.id IN (SELECT ${joinedContactOf('r.contact_id')} FROM broadcast_recipients r
      WHERE r.broadcast_id = ${place(audience.retargetParentId)}::uuid AND r.project_id = $1
        AND r.status = 'failed' AND r.error ->> 'code' = '${CHANNEL_CODES.marketingLimit}')`)
  }
  if (audience.category === 'MARKETING') conditions.push('k.opted_in')
  return { from: CONTACT_TABLES, where: conditions.join(' AND '), values }
}

/** Whether the audience is empty now; null when that cannot be told in time. */
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
 * The current number of contacts in each audience. All counts together take at most `LIMITS.audienceCountMs`;
 * null for each that was not done by then, or while the database fails.
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
    // A failed count must not fail the request: the caller would create the segment or broadcast a second time.
    ctx.log.warn('audience.uncounted', { project: projectId, error })
    return null
  }
}

const setTimeLimit = statement(
  'limit-statement-time',
  `SELECT set_config('statement_timeout', $1, true)`,
)

/** Limits the counts of this process: they read many rows and must leave connections to everyone else. */
const slots = createSlots({
  atOnce: LIMITS.audienceCountsAtOnce,
  atOnceEach: LIMITS.audienceCountsAtOnceEach,
  waitingMax: LIMITS.audienceCountsWaiting,
  waitMs: LIMITS.audienceCountMs,
})

/** The result of `work`, or null when its turn did not come, or PostgreSQL canceled it, in time. */
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
    if (!hasState(error, SQL_STATES.queryCanceled)) throw error
    return null
  } finally {
    giveBack()
  }
}
