import type { Command, Noun } from './command.ts'
import type { Flag } from './flags.ts'

const PROGRAM = 'npm run -s operator --'
const ANYWHERE: [string, string][] = [
  ['--json', 'prints JSON on a terminal too'],
  ['--help', 'explains a noun or a verb'],
]

/** The one line that follows a mistake. */
export function usageOf(
  words: string,
  { operand, flags }: Pick<Command, 'operand' | 'flags'>,
): string {
  const parts = Object.entries(flags).map(([name, flag]) => {
    const shown = spell(name, flag)
    if (flag.isRepeated) return flag.isRequired ? `${shown} [${shown}]...` : `[${shown}]...`
    return flag.isRequired ? shown : `[${shown}]`
  })
  return ['Usage:', PROGRAM, words, ...(operand === null ? [] : [operand]), ...parts].join(' ')
}

/** What `operator --help` prints. */
export function helpOf(nouns: Record<string, Noun>): string {
  const rows = Object.entries(nouns).map(([name, { says, verbs }]): [string, string] => [
    `${name} ${Object.keys(verbs).join('|')}`,
    says,
  ])
  return page([
    'Does what the dashboard would, on the database of this service.',
    usageOf('<noun> <verb>', { operand: null, flags: {} }) + ' [--flag value]...',
    columns(rows),
    columns(ANYWHERE),
  ])
}

/** What `operator <noun> --help` prints. */
export function helpOfNoun(name: string, { says, verbs }: Noun): string {
  const rows = Object.entries(verbs).map(([verb, command]): [string, string] => [
    verb,
    command.says,
  ])
  return page([says, `Usage: ${PROGRAM} ${name} <verb> [--flag value]...`, columns(rows)])
}

/** What `operator <noun> <verb> --help` prints. */
export function helpOfVerb(words: string, command: Command): string {
  const rows = Object.entries(command.flags).map(([name, flag]): [string, string] => [
    spell(name, flag),
    flag.isRequired ? `${flag.says} (required)` : flag.says,
  ])
  return page([command.says, usageOf(words, command), columns([...rows, ...ANYWHERE])])
}

/** Rows in two columns, indented. */
function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function page(blocks: string[]): string {
  return `${blocks.join('\n\n')}\n`
}

function spell(name: string, { placeholder }: Flag): string {
  return placeholder === null ? `--${name}` : `--${name} ${placeholder}`
}
