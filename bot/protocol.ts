import type { BotLine } from '../core/bot-pool.ts'
import type { BotHandler } from '../core/bots.ts'

/** The handlers that a bot exports, and the names of handlers under which it exports something else. */
export type Exported = { callable: BotHandler[]; others: BotHandler[] }

/** What the service says to a thread that runs bots, and what it hears. All of it is plain data. */
export type ToThread =
  | {
      kind: 'begin'
      run: number
      /** Identifies the code: an instance that has loaded it runs no other code. */
      botId: string
      /** The code itself; null when the thread has it already. */
      bundle: string | null
      /** The first of these that the bot exports is called. */
      handlers: readonly BotHandler[]
      /** The argument of the handler, as JSON. */
      event: string
      /** The most that this run may compute, in milliseconds of CPU time. */
      computingMs: number
    }
  | { kind: 'settle'; run: number; call: number; isDone: boolean; json: string }
  /** Drops a run together with its instance. */
  | { kind: 'drop'; run: number }
  | { kind: 'check'; bundle: string; computingMs: number }

export type FromThread =
  /** `cpuFile` is the file with the thread's CPU time. */
  | { kind: 'ready'; cpuFile: string | null }
  | { kind: 'call'; run: number; call: number; op: string; args: string }
  /** Sent at once, since a run may never end; with the number of lines left out so far. */
  | { kind: 'said'; run: number; lines: BotLine[]; linesDropped: number }
  | { kind: 'ended'; run: number; ending: ThreadEnding }
  | { kind: 'checked'; exported: Exported; fault: string | null }

/**
 * How a run ended: `done`, `failed` because the bot threw, or `spent` when it has used up its computing time.
 * `lost` when the instance broke, which a bot's code cannot cause on its own.
 */
export type ThreadEnding = {
  result: 'done' | 'failed' | 'spent' | 'lost'
  /** What was thrown. */
  text: string
  computedMs: number
}

/** Memory shared with the service, which reads it while the thread may be stuck. */
export const SHARED = {
  /** The number of the run that is computing; 0 when none is. */
  run: 0,
  /** Incremented whenever code starts to compute. */
  turn: 1,
  /** 1 once the thread has started. */
  hasBegun: 2,
  length: 3,
} as const

/** What every thread makes its instances of: the engine, and the scripts that are the environment of bots' code. */
export type ThreadParts = { wasm: WebAssembly.Module; guests: { calls: string; intl: string } }

/** The data that a thread is started with. */
export type ThreadData = ThreadParts & {
  shared: SharedArrayBuffer
  niceness: number
}
