import type { Context } from '../../core/context.ts'
import { KEPT_NAMES } from '../../core/kept-names.ts'
import { LIMITS } from '../../core/limits.ts'
import { askAgreedNow, isoFromSql, json, must, statement } from '../../core/sql.ts'
import * as serviceSettings from '../service-settings.ts'
import { applyParked } from './statuses.ts'

/** The position of a parked status in the order in which they are examined; its instant in ISO 8601. */
type Place = readonly [receivedAt: string, projectId: string, wamid: string, status: string]

const START: Place = ['-infinity', '', '', '']

/** The statuses to examine: those after a place and up to an instant, in a limited number of steps. */
type Stretch = { from: Place; until: string; stepsMax: number }

/** Where the search stopped, null at the end; and before which step a project first failed. */
type Look = { place: Place | null; failedFrom: Place | null }

// Most belong to messages that this service did not send: another tool uses the same number. Each is looked up
// by key: a plan for many rows would read all messages for a few.
const nextParked = statement(
  'next-parked-statuses',
  `WITH step AS MATERIALIZED (
     SELECT received_at, project_id, wamid, status FROM parked_statuses
      WHERE (received_at, project_id, wamid, status) > ($1::timestamptz, $2, $3, $4)
        AND received_at <= $5::timestamptz
      ORDER BY received_at, project_id, wamid, status LIMIT ${LIMITS.statusBatchUpdates}
   )
   SELECT s.received_at, s.project_id, s.wamid, s.status, m.is_ours
     FROM step s
     LEFT JOIN LATERAL (
       SELECT true AS is_ours FROM messages m
        WHERE m.project_id = s.project_id AND m.wamid = s.wamid AND m.direction = 'outbound'
        LIMIT 1) m ON true
    ORDER BY s.received_at, s.project_id, s.wamid, s.status`,
)

const { parkedStatusesLatePlace: LATE, parkedStatusesPlace: ROUND } = KEPT_NAMES

/**
 * Applies statuses that a crash, or a callback during the send itself, left parked: each soon after its
 * arrival, and then in rounds, so many at a time. A project that fails is skipped until its next turn, which
 * for recent statuses is the next run, unless others are still to be examined.
 */
export async function sweep(ctx: Context): Promise<void> {
  const { parkedLatelyMs, parkedAgainMs, parkedLateSteps, parkedRoundSteps } = LIMITS
  const now = (await askAgreedNow(ctx.sql, ctx.now())).getTime()
  const since = (ms: number): Place => [new Date(now - ms).toISOString(), '', '', '']
  const [lately, again] = [since(parkedLatelyMs), since(parkedAgainMs)]
  const failed = new Set<string>()
  const late = between(lately, (await placeOf(ctx, LATE)) ?? lately, again)
  const { place: reached, failedFrom } = await look(
    ctx,
    { from: late, until: 'infinity', stepsMax: parkedLateSteps },
    failed,
  )
  await keepPlace(ctx, LATE, between(lately, reached ?? failedFrom ?? again, again))
  const from = (await placeOf(ctx, ROUND)) ?? START
  const { place } = await look(ctx, { from, until: late[0], stepsMax: parkedRoundSteps }, failed)
  await keepPlace(ctx, ROUND, place ?? START)
}

async function placeOf(ctx: Context, name: string): Promise<Place | null> {
  return json<Place>(await serviceSettings.read(ctx.sql, name))
}

async function keepPlace(ctx: Context, name: string, place: Place): Promise<void> {
  await serviceSettings.write(ctx.sql, name, JSON.stringify(place))
}

/** Limits a place to the given range: one stored by a clock that leapt may lie anywhere. */
function between(first: Place, place: Place, last: Place): Place {
  if (place[0] < first[0]) return first
  return place[0] < last[0] ? place : last
}

async function look(
  ctx: Context,
  { from, until, stepsMax }: Stretch,
  failed: Set<string>,
): Promise<Look> {
  let place = from
  let failedFrom: Place | null = null
  for (let step = 0; step < stepsMax; step++) {
    const rows = await ctx.sql.rows(nextParked, [...place, until])
    const ours = new Map<string, Set<string>>()
    for (const [, projectId, wamid, , isOurs] of rows) {
      if (isOurs !== 't') continue
      const wamids = ours.get(must(projectId)) ?? new Set()
      ours.set(must(projectId), wamids.add(must(wamid)))
    }
    for (const [projectId, wamids] of ours) {
      if (!(await applyOf(ctx, projectId, [...wamids], failed))) failedFrom ??= place
    }
    const last = rows.at(-1)
    if (!last || rows.length < LIMITS.statusBatchUpdates) return { place: null, failedFrom }
    place = [isoFromSql(must(last[0])), must(last[1]), must(last[2]), must(last[3])]
  }
  return { place, failedFrom }
}

/** Answers whether it succeeded: a project that fails must not delay those after it. */
async function applyOf(ctx: Context, projectId: string, wamids: string[], failed: Set<string>) {
  if (failed.has(projectId)) return false
  try {
    await applyParked(ctx, projectId, wamids)
    return true
  } catch (error) {
    failed.add(projectId)
    ctx.log.warn('statuses.parked_failed', { project: projectId, error })
    return false
  }
}
