import type { BotHandler, BuiltBot } from './bots.ts'

export type BotLine = { level: 'info' | 'warn' | 'error'; text: string }

/** One run of a bot's code, and how to do what that asks for. */
export type BotJob = BuiltBot & {
  projectId: string
  /** Names the code. */
  botId: string
  /** The first of these that the bot has is called; when it has none, the run is done. */
  handlers: readonly BotHandler[]
  /** What the handler gets, as JSON. */
  event: string
  /** Ends the run wherever it is, as `lost`. */
  signal: AbortSignal
  /** Called whenever the code begins, which may be more than once: it counts its calls anew. */
  onBegin(): void
  /** Does one thing that the code asked for: `args` is a JSON array, and so untrusted. Answers JSON. */
  call(op: string, args: string): Promise<string>
  /** What the code is told of a call that was rejected: JSON of an object with a `message`. */
  describe(error: unknown): string
}

/**
 * How a run ended. `failed`: the code threw. `spent`: it computed for as long as it may. `late`: it took
 * longer than it may. `lost`: it could not be run, for no fault of the code; it is to be run later.
 * `broken`: like `lost`, but the code itself may be what breaks its surroundings each time; it is to be run
 * later, but not for ever.
 */
export type BotEnding = {
  result: 'done' | 'failed' | 'spent' | 'late' | 'lost' | 'broken'
  /** What was thrown. */
  text: string
  lines: BotLine[]
  linesDropped: number
  computedMs: number
}

/** Runs bots' code where it can reach nothing but its calls. */
export type BotPool = {
  run(job: BotJob): Promise<BotEnding>
  /** Whether a project's bot has to compute among its like, for it took too much. */
  isSlow(projectId: string): boolean
  /** Ends all code at once; what ran then never resolves. */
  stop(): void
}
