/** The functions of a project's code that the platform calls. */
export const BOT_HANDLERS = ['onMessage', 'onStatus', 'onFlowReply'] as const
export type BotHandler = (typeof BOT_HANDLERS)[number]

/** The bytes of code files by their paths. */
export type CodeFiles = ReadonlyMap<string, Buffer>

/** One fault in a project's code; lines and columns begin at 1. */
export type BuildFault = {
  file: string | null
  line: number | null
  column: number | null
  text: string
}

/** One script that assigns the bot's exports to the global `bot`, and its source map. */
export type BuiltBot = { bundle: string; sourceMap: string }

/**
 * Builds and checks a project's code; projects take turns. Neither method throws for faults of the code, and
 * both answer null when there is no capacity: too many builds wait, or this one has waited for too long.
 */
export type BotCode = {
  /** Builds a bot from its files; every file that it imports must be UTF-8. */
  build(
    files: CodeFiles,
    projectId: string,
  ): Promise<({ ok: true } & BuiltBot) | { ok: false; errors: BuildFault[] } | null>
  /** Loads a built bot as production does, and answers which handlers it exports. */
  check(
    built: BuiltBot,
    projectId: string,
  ): Promise<{ ok: true; handlers: BotHandler[] } | { ok: false; errors: BuildFault[] } | null>
}
