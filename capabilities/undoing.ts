import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'

type About = { project: string } & Record<string, unknown>

/**
 * Undoes something that nothing else would clean up: at once or, while the database fails, with retries for at
 * most `forMs`. Never throws; null when it has not succeeded yet. `what` names it in the log.
 */
export async function undoing<T>(
  ctx: Context,
  what: string,
  about: About,
  work: () => Promise<T>,
  forMs: number = LIMITS.undoneForMs,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    ctx.log.warn(`${what}.not_undone`, { ...about, error })
    undoLater(ctx, what, about, work, forMs)
    return null
  }
}

/** The same in the background, after a first attempt has failed. */
export function undoLater(
  ctx: Context,
  what: string,
  about: About,
  work: () => Promise<unknown>,
  forMs: number = LIMITS.undoneForMs,
): void {
  const write = async () => void (await work())
  ctx.afterwards.persist(write, forMs, (error) =>
    ctx.log.error(`${what}.never_undone`, { ...about, error }),
  )
}
