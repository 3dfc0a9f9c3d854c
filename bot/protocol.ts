import type { BotLine } from '../core/bot-pool.ts'
import type { BotHandler } from '../core/bots.ts'

/** The handlers that a bot exports, and the names of handlers under which it exports something else. */
export type Exported = { callable: BotHandler[]; others: BotHandler[] }

/** What the service says to a thread that runs bots, and what it hears. All of it is plain data. */
export type ToThread =
  | {
      kind: 'begin'
      run: number
      /** Names the code: an instance that has it runs nothing else. */
      botId: string
      /** The code itself, unless the thread has it. */
      bundle: string | null
      /** The first of these that the bot has is called. */
      handlers: readonly BotHandler[]
      /** What the handler gets, as JSON. */
      event: string
      /** The most that this run may compute, in milliseconds of the processor. */
      computingMs: number
    }
  | { kind: 'settle'; run: number; call: number; isDone: boolean; json: string }
  /** Throws a run away, with the instance that it is in. */
  | { kind: 'drop'; run: number }
  | { kind: 'check'; bundle: string; computingMs: number }

export type FromThread =
  /** `cpuFile` is where the system tells what the thread has used of the processor. */
  | { kind: 'ready'; cpuFile: string | null }
  | { kind: 'call'; run: number; call: number; op: string; args: string }
  /** Told at once, for a run may not come to its end; and how many lines were left out so far. */
  | { kind: 'said'; run: number; lines: BotLine[]; linesDropped: number }
  | { kind: 'ended'; run: number; ending: ThreadEnding }
  | { kind: 'checked'; exported: Exported; fault: string | null }

/**
 * How a run ended: `done`, `failed` because the bot threw, or `spent` when it had computed for as long
 * as it may. `lost` when the instance broke, which no bot's code can do on its own.
 */
export type ThreadEnding = {
  result: 'done' | 'failed' | 'spent' | 'lost'
  /** What was thrown. */
  text: string
  computedMs: number
}

/** What a thread shares with the service, which looks at it while the thread may be stuck. */
export const SHARED = {
  /** The number of the run whose code computes at this moment; 0 when none does. */
  run: 0,
  /** Counts up whenever code begins to compute. */
  turn: 1,
  /** 1 once the thread itself has begun. */
  hasBegun: 2,
  length: 3,
} as const

/** What a thread starts with. */
export type ThreadData = {
  wasm: WebAssembly.Module
  guest: string
  shared: SharedArrayBuffer
  niceness: number
}
