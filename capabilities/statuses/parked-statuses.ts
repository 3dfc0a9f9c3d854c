import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { askAgreedNow, isoFromSql, json, must, statement } from '../../core/sql.ts'
import { applyParked } from './statuses.ts'

/** Where a parked status stands in the order in which they are looked at; its instant in ISO 8601. */
type Place = readonly [receivedAt: string, projectId: string, wamid: string, status: string]

const START: Place = ['-infinity', '', '', '']

/** Which of them to look at: those after a place, up to an instant, in so many steps at the most. */
type Stretch = { from: Place; until: string; stepsMax: number }

/** Where a look stopped, null when it came to the end; and before which step a project first failed. */
type Look = { place: Place | null; failedFrom: Place | null }

// Most belong to messages that are not ours: another tool sends from the same number. Each is looked up by
// itself: a plan made for many rows would read all messages for a few.
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

/** Where the next look begins: at those that came lately, and at all before them. */
const LATE = 'parked_statuses_late_place'
const ROUND = 'parked_statuses_place'

const readPlace = statement(
  'read-parked-place',
  'SELECT value FROM service_settings WHERE name = $1',
)
const writePlace = statement(
  'write-parked-place',
  `INSERT INTO service_settings (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
)

/**
 * Finds what a crash, or a callback at the very moment of a send, left parked: each soon after it came,
 * and then in rounds, so many at a time. A project whose statuses cannot be applied is passed over until
 * the next time; for as long as they came lately that is a minute, unless others are still to be looked at.
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
  const [row] = await ctx.sql.rows(readPlace, [name])
  return json<Place>(row?.[0])
}

async function keepPlace(ctx: Context, name: string, place: Place): Promise<void> {
  await ctx.sql.rows(writePlace, [name, JSON.stringify(place)])
}

/** A place, but none before the first or after the last: a clock that leapt may have left it anywhere. */
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

/** Whether they are applied: the projects behind one whose statuses cannot be do not wait for it. */
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
