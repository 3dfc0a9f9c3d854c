import { messageOf } from './caught-errors.ts'
import { readUrl } from './urls.ts'

/**
 * How the text of a setting is read. Each reader throws an Error whose message completes the sentence
 * "X must be …".
 */

/** Anything but nothing. */
export function text(value: string): string {
  if (value === '') throw new Error('a text')
  return value
}

/** Null for an empty value. */
export function optional<T>(read: (value: string) => T): (value: string) => T | null {
  return (value) => (value === '' ? null : read(value))
}

/** Plain digits within the bounds. */
export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d{1,12}$/.test(value) && number >= least && number <= most) return number
    throw new Error(`a whole number from ${least} to ${most}`)
  }
}

/** One of the given words. */
export function oneOf<T extends string>(...values: T[]): (value: string) => T {
  return (value) => {
    const found = values.find((known) => known === value)
    if (found === undefined) throw new Error(`one of ${values.join(', ')}`)
    return found
  }
}

/** A text of a form; `what` names the form. */
export function matching(pattern: RegExp, what: string): (value: string) => string {
  return (value) => {
    if (!pattern.test(value)) throw new Error(what)
    return value
  }
}

/** What an HTTP header can hold as it is. */
export const headerText = matching(/^[\x20-\x7e]+$/, 'a text that an HTTP header can hold')

/** Comma-separated values, as many as `itemsMax` at the most. */
export function listOf<T>(read: (value: string) => T, itemsMax: number): (value: string) => T[] {
  return (value) => {
    const items = value.split(',').map((item) => item.trim())
    if (items.length > itemsMax) throw new Error(`at most ${itemsMax} values, separated by commas`)
    try {
      return items.map(read)
    } catch (error) {
      throw new Error(`values separated by commas, each of them ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
}

/** `localhost:9000` or `[::1]:9000`, as a URL writes it. */
export function hostAndPort(value: string): string {
  const url = readUrl(`http://${value}/`)
  const port = /:(\d{1,5})$/.exec(value)?.[1]
  if (
    !url ||
    url.host === '' ||
    port === undefined ||
    url.pathname !== '/' ||
    url.username !== ''
  ) {
    throw new Error('host:port')
  }
  return `${url.hostname}:${Number(port)}`
}

const UNREADABLE =
  'a URL with a host that can be read; / ? # in a user or password are written as %2F %3F %23'

/** A URL of one of the protocols, without slashes at its end. */
export function urlOf(...protocols: string[]): (value: string) => string {
  return (value) => {
    const begins = protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))
    if (!begins) {
      const ways = protocols.map((protocol) => `${protocol}//`).join(' or ')
      throw new Error(`a URL that starts with ${ways}`)
    }
    if (!readUrl(value)) throw new Error(UNREADABLE)
    return value.replace(/\/+$/, '')
  }
}

/**
 * The same, of a PostgreSQL whose host may be a parameter alone: `postgres://user:password@/name?host=/cloudsql/db`.
 */
export function postgresUrl(value: string): string {
  const read = urlOf('postgres:', 'postgresql:')
  return read(value.replace(/^(postgres(?:ql)?:\/\/[^@/?#]*@)\//i, '$1localhost/'))
}

/** The same, of a service that is told a password: what reads the URL decodes it. */
export function loginUrlOf(...protocols: string[]): (value: string) => string {
  const read = urlOf(...protocols)
  return (value) => {
    const url = read(value)
    const { username, password } = new URL(url)
    try {
      decodeURIComponent(`${username}:${password}`)
      return url
    } catch (cause) {
      throw new Error('a URL in whose user and password each % is written as %25', { cause })
    }
  }
}

/** An http or https URL to which paths are added, without slashes at its end. */
export function httpUrl(value: string): string {
  const url = urlOf('http:', 'https:')(value)
  if (/[?#]/.test(url)) throw new Error('a URL without a query and without a #')
  return url
}

/** 32 bytes, in hex or base64. */
export function key(value: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : Buffer.from(value, 'base64')
  if (bytes.length !== 32) throw new Error('32 bytes in base64 or hex')
  return bytes
}
