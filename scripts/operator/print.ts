import { escaped, harmlessJson } from '../../core/harmless-json.ts'

/** What a command answers: its JSON. On a terminal each member is shown by itself. */
export type Result = Record<string, unknown>

/** The members of a result that are secrets, as a sentence calls them. */
const SECRETS: Record<string, string> = { secret: 'key', token: 'token' }
const CELL_CHARACTERS_MAX = 40
const NOTHING = '–'

/** A result for a person: lists as tables, objects line by line, a secret by itself at the end. */
export function asText(result: Result): string {
  const secrets = Object.entries(result).filter(([name]) => Object.hasOwn(SECRETS, name))
  const others = Object.entries(result).filter(([name]) => !Object.hasOwn(SECRETS, name))
  const plain = others.filter(([, value]) => !isObject(value))
  const nested = others.filter(([, value]) => isObject(value))
  const blocks = nested.map(([name, value]) => blockOf(name, value))
  if (plain.length > 0) blocks.unshift(fields(Object.fromEntries(plain)))
  for (const [name, value] of secrets) {
    blocks.push(`The ${SECRETS[name]}, which will not be shown again:\n\n  ${cell(value)}`)
  }
  return `${blocks.join('\n\n')}\n`
}

/** A result for a program: one JSON value. */
export function asJson(result: Result): string {
  return `${harmlessJson(result, undefined, 2)}\n`
}

/** A value of many for a program: JSON in one line. */
export function asJsonLine(value: unknown): string {
  return `${harmlessJson(value)}\n`
}

/** A sentence that may quote what others wrote: their words, with nothing that steers the terminal. */
export function asSentence(text: string): string {
  return `${text.replace(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/gu, escaped)}\n`
}

function blockOf(name: string, value: unknown): string {
  if (!Array.isArray(value)) return fields(Object(value) as Record<string, unknown>)
  if (value.length === 0) return `No ${name}.`
  return table(value.map((row) => Object(row) as Record<string, unknown>))
}

function fields(value: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(value).map((name) => name.length))
  return Object.entries(value)
    .map(([name, member]) => `${name.padEnd(width)}  ${cell(member)}`)
    .join('\n')
}

/** Rows under the names of their members; nothing stands beside the last one, which has all the room it takes. */
function table(rows: Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const last = names.at(-1)
  const shown = (name: string, value: unknown) =>
    name === last ? cell(value) : shorten(cell(value))
  const lines = [names, ...rows.map((row) => names.map((name) => shown(name, row[name])))]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
  )
  const padded = lines.map((line) => line.map((text, column) => padEnd(text, widths[column] ?? 0)))
  return padded.map((line) => line.join('  ').trimEnd()).join('\n')
}

/** One value in one line; what others wrote must not steer the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(cell).join(', ')
  if (isObject(value)) return pairs(value)
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

function pairs(value: object): string {
  const shown = (member: unknown) =>
    isObject(member) && !Array.isArray(member) ? `(${pairs(member)})` : cell(member)
  const members = Object.entries(value).map(([name, member]) => `${name} ${shown(member)}`)
  return members.join(', ')
}

/** A text in one line that is not too long for a table or a sentence. */
export function shorten(text: string): string {
  const characters = [...oneLine(text)]
  if (characters.length <= CELL_CHARACTERS_MAX) return characters.join('')
  return `${characters.slice(0, CELL_CHARACTERS_MAX - 1).join('')}…`
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function widthOf(text: string): number {
  return [...text].length
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
