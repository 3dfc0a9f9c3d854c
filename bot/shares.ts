import { LIMITS } from '../core/limits.ts'

type Share = { leftMs: number; at: number; slowUntil: number }

const PROJECTS_MAX = 10_000

/** Counts what each project's bot computes: who takes more than its share has to make way for a while. */
export function createShares(now: () => number = () => performance.now()) {
  const shares = new Map<string, Share>()

  /** What is left of a project's share, which fills again as time goes by. */
  function shareOf(projectId: string): Share {
    const at = now()
    const share = shares.get(projectId) ?? {
      leftMs: LIMITS.botQuickBurstMs,
      at,
      slowUntil: 0,
    }
    const gained = ((at - share.at) / 1000) * LIMITS.botQuickShareMs
    share.leftMs = Math.min(LIMITS.botQuickBurstMs, share.leftMs + gained)
    share.at = at
    // Who was not heard of for longest has his full share in any case, or is soon slow again.
    shares.delete(projectId)
    shares.set(projectId, share)
    for (const oldest of shares.keys()) {
      if (shares.size <= PROJECTS_MAX) break
      shares.delete(oldest)
    }
    return share
  }

  return {
    spend: (projectId: string, ms: number) => void (shareOf(projectId).leftMs -= ms),
    slowDown: (projectId: string) => void (shareOf(projectId).slowUntil = now() + LIMITS.botSlowMs),
    isSlow(projectId: string): boolean {
      const { leftMs, slowUntil } = shareOf(projectId)
      return leftMs <= 0 || slowUntil > now()
    },
  }
}
