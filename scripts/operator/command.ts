import type { Context } from '../../core/context.ts'
import type { Flags, Values } from './flags.ts'
import { readArguments } from './parse.ts'
import type { Result } from './print.ts'

/** What a run has of the outside; only results and help reach `stdout`. */
export type Io = {
  stdin: AsyncIterable<Uint8Array | string>
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  env: Record<string, string | undefined>
  isTerminal: boolean
  /** Whether a person watches `stderr`. */
  isWatched: boolean
  /** Tells a command to end in order before it is done; its reason is `stopped`. */
  stop: AbortSignal
}

/** Why a command ends before it is done. */
export type Stopped = Error & { exitCode: number }

/** The reason with which a command is told to end, and the process's exit code then. */
export function stopped(exitCode: number): Stopped {
  return Object.assign(new Error('The command was stopped.'), { exitCode })
}

/** Why a command could not do what it was asked, when its answer is for programs all the same. */
export function refused(result: Result, why: string): Error & { result: Result } {
  return Object.assign(new Error(why), { result })
}

/**
 * Does what a checked command line asks; null when it has printed that itself. `address` is the database's for other
 * programs.
 */
export type Work = (ctx: Context, io: Io, address: string) => Promise<Result | null>

export type Command = {
  says: string
  /** What stands for the argument without a flag; null when there is none. */
  operand: string | null
  flags: Flags
  /** Whether it runs also where the secrets of the database are sealed with another key. */
  takesAnyKey: boolean
  /** Checks the arguments without opening anything; throws one sentence. */
  prepare(args: string[]): Work
}

export type Noun = { says: string; verbs: Record<string, Command> }

type Definition<F extends Flags> = {
  says: string
  operand?: string
  flags: F
  takesAnyKey?: boolean
  /** What the flags must be together; throws one sentence. */
  check?: (flags: Values<F>) => void
  run: (
    ctx: Context,
    flags: Values<F>,
    operand: string,
    io: Io,
    address: string,
  ) => Promise<Result | null>
}

/** One verb of the command line; `run` gets its flags read and typed, its operand and the outside. */
export function command<F extends Flags>(definition: Definition<F>): Command {
  const { says, operand = null, flags, takesAnyKey = false, check, run } = definition
  return {
    says,
    operand,
    flags,
    takesAnyKey,
    prepare(args) {
      const given = readArguments(args, flags, operand)
      const values = given.values as Values<F>
      check?.(values)
      return (ctx, io, address) => run(ctx, values, given.operand, io, address)
    },
  }
}
