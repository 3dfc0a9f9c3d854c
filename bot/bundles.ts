import { LIMITS } from '../core/limits.ts'

/**
 * The code of bots that a thread has run lately. The service and the thread each keep such a list; both see the
 * same runs in the same order, so each knows what the other has.
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

    /** Marks a bot's code as used and answers with it; `given` when it is not in the list. */
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
