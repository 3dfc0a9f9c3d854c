import type { Context } from '../../core/context.ts'
import { agreedNow, must, oneOff, type SqlClient, statement } from '../../core/sql.ts'
import { audienceSql } from '../segments/audiences.ts'
import { allowAll } from './broadcast-counters.ts'
import { faultOf } from './broadcast-digest.ts'
import { failIn } from './broadcast-endings.ts'
import { tellComplete } from './broadcast-progress.ts'
import { eachDue, type Round } from './broadcast-rounds.ts'
import {
  audienceOf,
  BROADCAST_COLUMNS,
  readBroadcast,
  type StoredBroadcast,
} from './broadcast-rows.ts'
import { noteGrowth } from '../table-growth.ts'

// One row per transaction, skipping locked ones: freezing a large audience holds its row for a second. A start
// cannot be taken back, so it is due by the agreed clock: a process whose clock is ahead starts nothing early.
const takeDue = statement(
  'take-due-broadcast',
  `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
    WHERE ((b.status = 'sending' AND b.started_at IS NULL)
        OR (b.status = 'scheduled' AND b.scheduled_at <= ${agreedNow('$1')})) AND b.id <> ALL ($2::uuid[])
    ORDER BY b.scheduled_at NULLS FIRST, b.id LIMIT 1 FOR NO KEY UPDATE OF b SKIP LOCKED`,
)

/**
 * Starts the broadcasts whose time has come: freezes their audience into recipients and queues the first wave.
 * One that differs from what was approved, or whose template is no longer approved, fails instead.
 */
export async function startDue(ctx: Context): Promise<void> {
  const { recipients } = await eachDue(ctx, startOne)
  await noteGrowth(ctx, 'broadcast_recipients', recipients)
}

async function startOne(ctx: Context, tx: SqlClient, round: Round): Promise<(() => void) | null> {
  const now = ctx.now()
  const [row] = await tx.rows(takeDue, [now, round.failed])
  if (!row) return null
  const broadcast = readBroadcast(row)
  round.taken = broadcast.id
  const { id, project_id: project } = broadcast
  const reason = await faultOf(tx, id)
  if (reason !== null) {
    await failIn(tx, id, reason, now)
    return () => ctx.log.warn('broadcast.failed', { broadcast: id, reason })
  }
  const total = await freeze(tx, broadcast, now)
  return () => {
    round.recipients += total
    ctx.log.info('broadcast.started', { broadcast: id, project, total })
    if (total === 0) tellComplete(ctx, [id])
  }
}

// Without held recipients there is no next wave, whatever was planned before the audience was known.
const HAS_HELD = '$3::int > coalesce(b.wave_size, $3::int)'
const setStarted = statement(
  'start-broadcast',
  `UPDATE broadcasts b
      SET started_at = $2, updated_at = $2, total = $3::int,
          queued = least($3::int, coalesce(b.wave_size, $3::int)),
          held = $3::int - least($3::int, coalesce(b.wave_size, $3::int)),
          wave_scheduled_at = CASE WHEN ${HAS_HELD} THEN b.wave_scheduled_at END,
          wave_scheduled_count = CASE WHEN ${HAS_HELD} THEN b.wave_scheduled_count END,
          status = CASE WHEN $3::int = 0 THEN 'completed' ELSE 'sending' END,
          completed_at = CASE WHEN $3::int = 0 THEN $2::timestamptz END
    WHERE b.id = $1`,
)

/** Freezes the current audience into recipients; answers how many there are. */
async function freeze(tx: SqlClient, broadcast: StoredBroadcast, now: Date): Promise<number> {
  const { id, project_id: projectId, wave_size: waveSize } = broadcast
  const { from, where, values } = audienceSql(projectId, audienceOf(broadcast))
  const place = (value: unknown) => `$${values.push(value)}`
  const [idAt, waveAt, nowAt] = [place(id), place(waveSize), place(now)]
  const insert = oneOff(
    `WITH made AS (
       INSERT INTO broadcast_recipients
         (broadcast_id, seq, project_id, contact_id, phone, user_id, name, held, queued_at)
       SELECT ${idAt}::uuid, a.seq, $1, a.id, a.phone, a.user_id, a.name,
              coalesce(a.seq > ${waveAt}::int, false),
              CASE WHEN a.seq > ${waveAt}::int THEN NULL ELSE ${nowAt}::timestamptz END
         FROM (SELECT k.id, k.phone, k.user_id, coalesce(k.name, k.profile_name) AS name,
                      row_number() OVER (ORDER BY k.id) AS seq
                 FROM ${from} WHERE ${where} AND (k.phone IS NOT NULL OR k.user_id IS NOT NULL)) a
        ORDER BY a.seq
       RETURNING 1
     ) SELECT count(*) FROM made`,
  )
  await allowAll(tx)
  const [row] = await tx.rows(insert, values)
  const total = Number(must(row?.[0]))
  await tx.rows(setStarted, [id, now, total])
  return total
}
