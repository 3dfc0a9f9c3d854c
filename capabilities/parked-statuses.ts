import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { must, statement } from '../core/sql.ts'
import { json } from './message-rows.ts'
import { applyParked } from './statuses.ts'

/** Where a parked status stands in the order in which they are looked at. */
type Place = readonly [receivedAt: string, projectId: string, wamid: string, status: string]

const START: Place = ['-infinity', '', '', '']

/** Which of them to look at: those after a place, up to an instant, in so many steps at the most. */
type Stretch = { from: Place; until: string; stepsMax: number }

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

const readPlace = statement(
  'read-parked-place',
  `SELECT value FROM service_settings WHERE name = 'parked_statuses_place'`,
)
const writePlace = statement(
  'write-parked-place',
  `INSERT INTO service_settings (name, value) VALUES ('parked_statuses_place', $1)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
)

/**
 * Finds what a crash, or a callback at the very moment of a send, left parked: among those that came
 * lately each time, among the others in rounds, so many at a time. A project whose statuses cannot be
 * applied is passed over until the next time.
 */
export async function sweep(ctx: Context): Promise<void> {
  const { parkedLatelyMs, parkedLateSteps, parkedRoundSteps } = LIMITS
  const lately = new Date(ctx.now().getTime() - parkedLatelyMs).toISOString()
  const failed = new Set<string>()
  const late: Place = [lately, '', '', '']
  await look(ctx, { from: late, until: 'infinity', stepsMax: parkedLateSteps }, failed)
  const [row] = await ctx.sql.rows(readPlace)
  const from = json<Place>(row?.[0]) ?? START
  const place = await look(ctx, { from, until: lately, stepsMax: parkedRoundSteps }, failed)
  await ctx.sql.rows(writePlace, [JSON.stringify(place ?? START)])
}

/** Answers where it stopped; null when it came to the end. */
async function look(
  ctx: Context,
  { from, until, stepsMax }: Stretch,
  failed: Set<string>,
): Promise<Place | null> {
  let place = from
  for (let step = 0; step < stepsMax; step++) {
    const rows = await ctx.sql.rows(nextParked, [...place, until])
    const ours = new Map<string, Set<string>>()
    for (const [, projectId, wamid, , isOurs] of rows) {
      if (isOurs !== 't') continue
      const wamids = ours.get(must(projectId)) ?? new Set()
      ours.set(must(projectId), wamids.add(must(wamid)))
    }
    for (const [projectId, wamids] of ours) await applyOf(ctx, projectId, [...wamids], failed)
    const last = rows.at(-1)
    if (!last || rows.length < LIMITS.statusBatchUpdates) return null
    place = [must(last[0]), must(last[1]), must(last[2]), must(last[3])]
  }
  return place
}

/** The projects behind one whose statuses cannot be applied do not wait for it. */
async function applyOf(ctx: Context, projectId: string, wamids: string[], failed: Set<string>) {
  if (failed.has(projectId)) return
  try {
    await applyParked(ctx, projectId, wamids)
  } catch (error) {
    failed.add(projectId)
    ctx.log.warn('statuses.parked_failed', { project: projectId, error })
  }
}
