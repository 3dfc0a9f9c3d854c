/** What the platform calls in a project's code. */
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

/** One script that leaves the bot's exports in the global `bot`, and where its lines come from. */
export type BuiltBot = { bundle: string; sourceMap: string }

/**
 * Makes a project's code ready to run; projects take turns. Neither throws for what is wrong with the code,
 * and both answer null when there is no room for it now: too many wait, or it has waited for too long.
 */
export type BotCode = {
  /** Builds a bot from its files, of which all that it imports must be UTF-8. */
  build(
    files: CodeFiles,
    projectId: string,
  ): Promise<({ ok: true } & BuiltBot) | { ok: false; errors: BuildFault[] } | null>
  /** Loads what was built as production does, and tells which handlers it exports. */
  check(
    built: BuiltBot,
    projectId: string,
  ): Promise<{ ok: true; handlers: BotHandler[] } | { ok: false; errors: BuildFault[] } | null>
}
