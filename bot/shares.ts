import { LIMITS } from '../core/limits.ts'

type Share = { leftMs: number; at: number; slowUntil: number }

const PROJECTS_MAX = 10_000

/** Counts what each project's bot computes; one that exceeds its share runs among the slow ones for a while. */
export function createShares(now: () => number = () => performance.now()) {
  const shares = new Map<string, Share>()

  /** The rest of a project's share, which refills over time. */
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
    // A project that was idle for longest has its full share anyway, or is soon found slow again.
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
