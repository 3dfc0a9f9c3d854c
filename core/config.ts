import { readFileSync } from 'node:fs'
import { messageOf } from './caught-errors.ts'
import { type Setting, SETTINGS } from './settings.ts'

/** The settings as they were read. */
export type Config = Readonly<{
  [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']>
}>

type Environment = Record<string, string | undefined>

/**
 * Reads the environment once, with the files that it names in place of values, checks it and freezes the result.
 * Throws one Error with a line for each bad setting.
 */
export function loadConfig(env: Environment): Config {
  const problems: string[] = []
  const entries = Object.entries(SETTINGS).map(([field, one]) => {
    try {
      return [field, readFrom(env, one)]
    } catch (error) {
      problems.push(messageOf(error))
      return [field, null]
    }
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return Object.freeze(Object.fromEntries(entries) as Config)
}

function readFrom(env: Environment, { name, initial, read }: Setting<unknown>): unknown {
  const given = valueOf(env, name) || initial
  try {
    return read(given)
  } catch (cause) {
    const due = messageOf(cause)
    throw new Error(`${name} is "${shown(name, given)}", but must be ${due}.`, { cause })
  }
}

/** A setting's value, or what the file holds that `NAME_FILE` names, as secrets are handed to containers. */
function valueOf(env: Environment, name: string): string {
  const value = env[name]?.trim() ?? ''
  const file = env[`${name}_FILE`]?.trim() ?? ''
  if (file === '') return value
  if (value !== '') throw new Error(`${name} and ${name}_FILE are both set; one of them must go.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Error(`${name}_FILE cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

/** The text of `.env.example`: each setting commented out, at its default. */
export function envExample(): string {
  const blocks = Object.values(SETTINGS).map(
    ({ name, initial, says }) => `# ${says}\n# ${name}=${initial}\n`,
  )
  return [
    '# Settings and their defaults. Copy this file to .env and change what you need.\n',
    ...blocks,
  ].join('\n')
}

/** A bad key or a password in an address must not end up on a terminal, also where an address is none. */
function shown(name: string, value: string): string {
  return /KEY|_URL/.test(name) || value.includes('@') ? '…' : value
}
