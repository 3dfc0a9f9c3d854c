import type { BotHandler, BuiltBot } from './bots.ts'

export type BotLine = { level: 'info' | 'warn' | 'error'; text: string }

/** One run of a bot's code, and how its calls are performed. */
export type BotJob = BuiltBot & {
  projectId: string
  /** Identifies the code. */
  botId: string
  /** The first of these that the bot exports is called; without any, the run is done. */
  handlers: readonly BotHandler[]
  /** The argument of the handler, as JSON. */
  event: string
  /** Ends the run at any point, as `lost`. */
  signal: AbortSignal
  /** Called when the code begins, which may happen more than once: its calls are counted anew. */
  onBegin(): void
  /** Performs one call of the code: `args` is an untrusted JSON array. Answers JSON. */
  call(op: string, args: string): Promise<string>
  /** What the code is told of a call that was rejected: JSON of an object with a `message`. */
  describe(error: unknown): string
}

/**
 * How a run ended. `failed`: the code threw. `spent`: it used up its computing time. `late`: it took too long
 * in all. `lost`: it could not be run through no fault of the code, and should be run later. `broken`: like
 * `lost`, but the code itself may be what breaks its surroundings each time; it should be run later, but not
 * for ever.
 */
export type BotEnding = {
  result: 'done' | 'failed' | 'spent' | 'late' | 'lost' | 'broken'
  /** What was thrown. */
  text: string
  lines: BotLine[]
  linesDropped: number
  computedMs: number
}

/** Runs bots' code in isolation: it can reach nothing but its calls. */
export type BotPool = {
  run(job: BotJob): Promise<BotEnding>
  /** Whether a project's bot must run among the slow ones, because it has computed too much. */
  isSlow(projectId: string): boolean
  /** Ends all code at once; pending runs never resolve. */
  stop(): void
}
