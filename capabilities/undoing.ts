import type { Context } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'

type About = { project: string } & Record<string, unknown>

/**
 * Undoes what nobody else would: now or, while the database fails, as soon as can be, for `forMs` at the
 * most. Never throws; null when it is not done yet. `what` names it for the log.
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

/** The same for what could not be done just now; nobody waits for it. */
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
