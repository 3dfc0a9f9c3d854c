import { parseArgs, type ParseArgsConfig } from 'node:util'
import { messageOf } from '../core/caught-errors.ts'

/**
 * Reads the flags of one of the project's tools. Prints `usage` and ends the process for `--help`; ends it with
 * exit code 1 and the reason for an unknown flag.
 */
export function readFlags<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const args = config.args ?? process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    process.exit()
  }
  try {
    return parseArgs<T>({ ...config, args })
  } catch (error) {
    // Node's second sentence tells how to pass an argument that looks like a flag.
    const said = messageOf(error)
    misused(usage, `${said.split('. ')[0]?.replace(/\.$/, '')}.`)
  }
}

/** A flag's value as a whole number; ends the process with exit code 1 when it is not one. */
export function wholeNumber(usage: string, name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  misused(usage, `--${name} is "${text}", but must be a whole number.`)
}

/** Prints the problem and how the tool is used, and ends the process with exit code 1. */
export function misused(usage: string, problem = 'These flags do not fit.'): never {
  process.stderr.write(`${problem}\n\n${usage}\n`)
  process.exit(1)
}
