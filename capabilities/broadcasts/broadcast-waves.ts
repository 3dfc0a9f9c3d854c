import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { agreedNow, must, type SqlClient, statement } from '../../core/sql.ts'
import { allowAll } from './broadcast-counters.ts'
import { faultOf } from './broadcast-digest.ts'
import { failIn } from './broadcast-endings.ts'
import { eachDue, type Round } from './broadcast-rounds.ts'
import { IN_TURN } from './broadcast-rows.ts'

// The rest of the wave is due at once, so that any sender can finish it if this one dies.
const IS_LEFT = `number.n = ${LIMITS.recipientsReleased} AND b.held > number.n
  AND ($2::int IS NULL OR $2::int > number.n)`
const releaseWave = statement(
  'release-wave',
  `WITH wave AS (
     SELECT r.broadcast_id, r.seq FROM broadcast_recipients r
      WHERE r.broadcast_id = $1 AND r.held
      ORDER BY ${IN_TURN} LIMIT least($2::int, ${LIMITS.recipientsReleased})
   ), released AS (
     UPDATE broadcast_recipients r SET held = false, queued_at = $3
       FROM wave WHERE r.broadcast_id = wave.broadcast_id AND r.seq = wave.seq
     RETURNING 1
   ), number AS (SELECT count(*)::int AS n FROM released)
   UPDATE broadcasts b
      SET held = b.held - number.n, queued = b.queued + number.n, updated_at = $3,
          wave_scheduled_at = CASE WHEN ${IS_LEFT} THEN ${agreedNow('$3')} END,
          wave_scheduled_count = CASE WHEN ${IS_LEFT} THEN $2::int - number.n END
     FROM number WHERE b.id = $1
   RETURNING number.n`,
)

/**
 * Queues the next `count` held recipients of a broadcast that the transaction has locked, or all of them for
 * null, in place of the scheduled wave; answers how many. Of a large wave only the first part is queued; the
 * rest is made due.
 */
export async function release(
  tx: SqlClient,
  id: string,
  count: number | null,
  now: Date,
): Promise<number> {
  await allowAll(tx)
  const [row] = await tx.rows(releaseWave, [id, count, now])
  return Number(row?.[0] ?? 0)
}

const holdDue = statement(
  'hold-due-wave',
  `SELECT wave_scheduled_count FROM broadcasts
    WHERE id = $1 AND status = 'sending' AND wave_scheduled_at <= ${agreedNow('$2')} FOR NO KEY UPDATE`,
)

/** Queues the rest of a wave in parts, between which callbacks about the broadcast can take its lock. */
export async function releaseRest(ctx: Context, id: string): Promise<void> {
  const step = () =>
    ctx.sql.transaction(async (tx) => {
      const now = ctx.now()
      const [due] = await tx.rows(holdDue, [id, now])
      if (!due) return false
      await release(tx, id, due[0] == null ? null : Number(due[0]), now)
      return true
    })
  while (await step());
}

const takeWave = statement(
  'take-due-wave',
  `SELECT b.id, b.wave_scheduled_count FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
    WHERE b.status = 'sending' AND b.started_at IS NOT NULL AND b.wave_scheduled_at <= ${agreedNow('$1')}
      AND b.id <> ALL ($2::uuid[])
    ORDER BY b.wave_scheduled_at, b.id LIMIT 1 FOR NO KEY UPDATE OF b SKIP LOCKED`,
)

/** Releases the waves that are due, each exactly once however many workers run this. */
export async function releaseDue(ctx: Context): Promise<void> {
  await eachDue(ctx, releaseOne)
}

async function releaseOne(ctx: Context, tx: SqlClient, round: Round): Promise<(() => void) | null> {
  const now = ctx.now()
  const [row] = await tx.rows(takeWave, [now, round.failed])
  if (!row) return null
  const [id, count] = [must(row[0]), row[1]]
  round.taken = id
  const reason = await faultOf(tx, id)
  if (reason !== null) {
    await failIn(tx, id, reason, now)
    return () => ctx.log.warn('broadcast.failed', { broadcast: id, reason })
  }
  const released = await release(tx, id, count == null ? null : Number(count), now)
  return () => ctx.log.info('broadcast.wave_released', { broadcast: id, recipients: released })
}
