import { LIMITS } from '../core/limits.ts'

/**
 * The code of the bots that a thread ran lately. The service and the thread each keep one, and as both
 * see the same runs in the same order, each knows what the other has.
 */
export function createBundles() {
  const bundles = new Map<string, string>()
  let characters = 0
  const forget = (botId: string) => {
    characters -= bundles.get(botId)?.length ?? 0
    bundles.delete(botId)
  }
  return {
    has: (botId: string) => bundles.has(botId),

    /** The code of a bot, which is in use now; `given` when it was not here. */
    use(botId: string, given: string | null): string | null {
      const bundle = bundles.get(botId) ?? given
      forget(botId)
      if (bundle === null) return null
      bundles.set(botId, bundle)
      characters += bundle.length
      for (const oldest of bundles.keys()) {
        const { botBundlesKept, botBundlesKeptCharacters } = LIMITS
        if (bundles.size <= botBundlesKept && characters <= botBundlesKeptCharacters) break
        forget(oldest)
      }
      return bundle
    },
  }
}
