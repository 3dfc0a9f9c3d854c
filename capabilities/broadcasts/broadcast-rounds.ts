import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { SqlClient } from '../../core/sql.ts'

/** The broadcast at hand, those that failed in this round, and how many recipients were created. */
export type Round = { taken: string | null; failed: string[]; recipients: number }
/** Takes the next one that is due; answers what tells of it after the commit, or null when none is due. */
type Take = (ctx: Context, tx: SqlClient, round: Round) => Promise<(() => void) | null>

/**
 * Runs `take` for one broadcast after another, each in its own transaction, until none is due. One that fails
 * is left for the next round and does not delay the others.
 */
export async function eachDue(ctx: Context, take: Take): Promise<Round> {
  const round: Round = { taken: null, failed: [], recipients: 0 }
  for (let done = 0; done < LIMITS.broadcastsPerRun; done++) {
    round.taken = null
    try {
      const tell = await ctx.sql.transaction((tx) => take(ctx, tx, round))
      if (!tell) break
      tell()
    } catch (error) {
      if (round.taken === null) throw error
      ctx.log.warn('broadcast.due_failed', { broadcast: round.taken, error })
      round.failed.push(round.taken)
    }
  }
  return round
}
