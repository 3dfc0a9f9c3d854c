import { parseScopes } from '../../capabilities/projects/scopes.ts'
import { readInstant } from '../../core/instants.ts'
import { readUrl } from '../../core/urls.ts'

/** How a flag is given, and what its texts mean; `read` throws what a text must be. */
export type Flag<T = unknown> = {
  /** What stands for the value in the usage line; null for a flag without one. */
  placeholder: string | null
  says: string
  isRequired: boolean
  isRepeated: boolean
  read: (given: string[]) => T
}

export type Flags = Record<string, Flag>

/** What a command's `run` receives for its flags. */
export type Values<F extends Flags> = {
  [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never
}

type Reader<T> = (text: string) => T

/** A flag that must be given. */
export function required<T>(placeholder: string, says: string, read: Reader<T>): Flag<T> {
  return {
    placeholder,
    says,
    isRequired: true,
    isRepeated: false,
    read: ([given = '']) => read(given),
  }
}

/** A flag that may be given; undefined otherwise. */
export function optional<T>(
  placeholder: string,
  says: string,
  read: Reader<T>,
): Flag<T | undefined> {
  return {
    placeholder,
    says,
    isRequired: false,
    isRepeated: false,
    read: ([given]) => (given === undefined ? undefined : read(given)),
  }
}

/** A flag that may be given several times, in an order that counts. */
export function repeated<T>(placeholder: string, says: string, read: Reader<T>): Flag<T[]> {
  return {
    placeholder,
    says,
    isRequired: false,
    isRepeated: true,
    read: (given) => given.map(read),
  }
}

/** The same, but at least once. */
export function repeatedRequired<T>(placeholder: string, says: string, read: Reader<T>): Flag<T[]> {
  return { ...repeated(placeholder, says, read), isRequired: true }
}

/** A flag without a value. */
export function toggle(says: string): Flag<boolean> {
  return {
    placeholder: null,
    says,
    isRequired: false,
    isRepeated: false,
    read: (given) => given.length > 0,
  }
}

/** Any text but a blank one, as it is. */
export function text(given: string): string {
  if (given.trim() === '') throw new Error('a text')
  return given
}

/** What is pasted from elsewhere, without the blanks around it: an id with one would be another id. */
export function pasted(given: string): string {
  return text(given).trim()
}

/** What people call something: one trimmed line. */
export function name(given: string): string {
  const trimmed = text(given).trim()
  if ([...trimmed].length > NAME_CHARACTERS_MAX || /[\p{Cc}\u2028\u2029]/u.test(trimmed)) {
    throw new Error(`one line of at most ${NAME_CHARACTERS_MAX} characters`)
  }
  return trimmed
}

const NAME_CHARACTERS_MAX = 200
const INTEGER_MAX = 2_147_483_647

/** A whole number that PostgreSQL's integer can hold. */
export function wholeNumber(least: number, most = INTEGER_MAX): Reader<number> {
  return (given) => {
    const number = Number(given)
    if (/^\d{1,10}$/.test(given) && number >= least && number <= most) return number
    throw new Error(`a whole number from ${least} to ${most}`)
  }
}

/** What `read` reads, or null for the word that stands for having none. */
export function orWord<T>(word: string, read: Reader<T>): Reader<T | null> {
  return (given) => {
    if (given === word) return null
    try {
      return read(given)
    } catch (error) {
      throw new Error(`${(error as Error).message}, or ${word}`, { cause: error })
    }
  }
}

/** An instant with its time zone. */
export function instant(given: string): Date {
  const read = readInstant(given)
  if (read) return read
  throw new Error('an instant such as 2026-12-01T09:00:00Z')
}

/** One of a few words. */
export function oneOf<T extends string>(...words: T[]): Reader<T> {
  return (given) => {
    const found = words.find((word) => word === given)
    if (found === undefined) throw new Error(`one of ${words.join(', ')}`)
    return found
  }
}

/** An address of HTTP or HTTPS to which paths are added. */
export function httpUrl(given: string): string {
  if (!readUrl(given) || !/^https?:\/\//i.test(given)) {
    throw new Error('a URL that starts with https://')
  }
  if (/[?#]/.test(given)) throw new Error('a URL without a query and without a #')
  return given
}

/** `a,b` or `all`; throws the sentence that names an unknown scope. */
export function scopes(given: string): string[] {
  const names = given.split(',').map((scope) => scope.trim())
  return parseScopes(names.filter((scope) => scope !== ''))
}

/** `PROJECT=a,b`. */
export function grant(given: string): { projectId: string; scopes: string[] } {
  const [, projectId, list] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (projectId === undefined || list === undefined) throw new Error('PROJECT=scope,scope')
  return { projectId, scopes: scopes(list) }
}
