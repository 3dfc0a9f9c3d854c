import { parseArgs, types } from 'node:util'
import { ServiceError } from '../../core/errors.ts'
import type { Flag, Flags } from './flags.ts'
import { shorten } from './print.ts'
import { suggest } from './suggest.ts'

export type Arguments = { operand: string; values: Record<string, unknown> }

/**
 * Reads what follows a verb: its operand, if it takes one, and its flags. Throws one sentence that
 * names what is unknown, missing, repeated or wrong.
 */
export function readArguments(args: string[], flags: Flags, operand: string | null): Arguments {
  const { operands, given } = collect(args, flags)
  const [first, ...more] = operands
  const unexpected = operand === null ? first : more[0]
  if (unexpected !== undefined) throw new Error(`"${unexpected}" is not expected here.`)
  if (operand !== null && !first?.trim()) throw new Error(`The ${operand} is missing.`)
  const values = Object.entries(flags).map(([name, flag]): [string, unknown] => [
    name,
    valueOf(`--${name}`, flag, given.get(name) ?? []),
  ])
  return { operand: first ?? '', values: Object.fromEntries(values) }
}

/** Whether help is asked for anywhere. */
export function asksForHelp(args: string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** Takes `--json` out of the arguments; of a verb with a `--json` of its own, one that no value follows. */
export function takeJson(
  args: string[],
  { flags }: { flags: Flags },
): { asJson: boolean; rest: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const isAsked = (arg: string, index: number) =>
    arg === '--json' &&
    index < end &&
    (!Object.hasOwn(flags, 'json') || isFlag(args[index + 1] ?? '--'))
  const rest = args.filter((arg, index) => !isAsked(arg, index))
  return { asJson: rest.length < args.length, rest }
}

/** A negative number is no flag, so it is left to the flag's own check. */
function isFlag(arg: string): boolean {
  return /^-\D/.test(arg)
}

function collect(args: string[], flags: Flags) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { placeholder }]) => [
      name,
      { type: placeholder === null ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  // Not strict: its refusals name neither the usage nor the flag that was meant.
  const how = { strict: false, tokens: true, allowPositionals: true } as const
  const { tokens } = parseArgs({ args, options, ...how })
  const operands: string[] = []
  const given = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined
    if (!flag || !token.rawName.startsWith('--')) {
      throw new Error(`There is no flag ${token.rawName}.${suggest(token.rawName, spelled(flags))}`)
    }
    const texts = given.get(token.name) ?? []
    if (texts.length > 0 && !flag.isRepeated) throw new Error(`${token.rawName} is given twice.`)
    given.set(token.name, [...texts, textOf(token, flag)])
  }
  return { operands, given }
}

type Option = { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined }

function textOf({ rawName, value, inlineValue }: Option, { placeholder }: Flag): string {
  if (placeholder === null) {
    if (value !== undefined) throw new Error(`${rawName} takes no value.`)
    return ''
  }
  if (value === undefined) throw new Error(`${rawName} has no value.`)
  if (!inlineValue && isFlag(value)) {
    throw new Error(`${rawName} has no value; if "${value}" is meant, write ${rawName}=${value}.`)
  }
  return value
}

function valueOf(name: string, { isRequired, read }: Flag, given: string[]): unknown {
  if (isRequired && given.length === 0) throw new Error(`${name} is missing.`)
  try {
    return read(given)
  } catch (error) {
    if (error instanceof ServiceError || !types.isNativeError(error)) throw error
    throw new Error(`${name} is "${shorten(given.join(' '))}", but must be ${error.message}.`)
  }
}

function spelled(flags: Flags): string[] {
  return Object.keys(flags).map((name) => `--${name}`)
}
