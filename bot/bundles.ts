import { LIMITS } from '../core/limits.ts'

/**
 * The code of the bots that a thread ran lately. The service and the thread each keep one, and as both
 * see the same runs in the same order, each knows what the other has.
 */
export function createBundles() {
  const bundles = new Map<string, string>()
  return {
    has: (botId: string) => bundles.has(botId),

    /** The code of a bot, which is in use now; `given` when it was not here. */
    use(botId: string, given: string | null): string | null {
      const bundle = bundles.get(botId) ?? given
      bundles.delete(botId)
      if (bundle !== null) bundles.set(botId, bundle)
      for (const oldest of bundles.keys()) {
        if (bundles.size <= LIMITS.botBundlesKept) break
        bundles.delete(oldest)
      }
      return bundle
    },
  }
}
