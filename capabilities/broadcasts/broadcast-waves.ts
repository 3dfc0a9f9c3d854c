import { type SqlClient, statement } from '../../core/sql.ts'
import { allowAll } from './broadcast-counters.ts'

const releaseWave = statement(
  'release-wave',
  `WITH wave AS (
     SELECT broadcast_id, seq FROM broadcast_recipients
      WHERE broadcast_id = $1 AND held ORDER BY seq LIMIT $2
   ), released AS (
     UPDATE broadcast_recipients r SET held = false, queued_at = $3
       FROM wave WHERE r.broadcast_id = wave.broadcast_id AND r.seq = wave.seq
     RETURNING 1
   ), number AS (SELECT count(*)::int AS n FROM released)
   UPDATE broadcasts b
      SET held = b.held - number.n, queued = b.queued + number.n, updated_at = $3,
          wave_scheduled_at = NULL, wave_scheduled_count = NULL
     FROM number WHERE b.id = $1
   RETURNING number.n`,
)

/**
 * Queues the next held recipients of a broadcast that the transaction holds locked, all of them when
 * `count` is null, in place of the wave that was due; answers with how many there were.
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
