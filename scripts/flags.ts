import { parseArgs, type ParseArgsConfig, types } from 'node:util'

/**
 * The flags of one of the project's tools. Prints `usage` and ends the process when it is asked for with
 * `--help`; ends it with 1, and says why, for what is no flag.
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
    // Node's second sentence tells how to pass a flag that is none.
    const said = types.isNativeError(error) ? error.message : String(error)
    misused(usage, `${said.split('. ')[0]?.replace(/\.$/, '')}.`)
  }
}

/** A flag's value as a number; ends the process with 1 when it is none. */
export function wholeNumber(usage: string, name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  misused(usage, `--${name} is "${text}", but must be a whole number.`)
}

/** Ends the process with 1 and says how the tool is used. */
export function misused(usage: string, problem = 'These flags do not fit.'): never {
  process.stderr.write(`${problem}\n\n${usage}\n`)
  process.exit(1)
}
