import type { Change } from './changes.ts'

/** More operations than this are counted rather than named. */
const NAMED_MAX = 3
const HEADING = '### The contract'

/** A change as one line: the operations, where in them, and what has become of it. */
export function lineOf({ operations, where, what }: Change): string {
  const named = operations.slice(0, NAMED_MAX).join(', ')
  const others = operations.length - NAMED_MAX
  const who = others > 0 ? `${named} and ${others} more` : named
  return where === '' ? `${who} ${what}` : `${who}: ${where} ${what}`
}

/** The changes as text, what breaks callers first. */
export function reportOf(changes: Change[]): string {
  if (changes.length === 0) return 'Callers see no change.'
  const group = (title: string, isBreaking: boolean) => {
    const lines = changes.filter((change) => change.isBreaking === isBreaking).map(lineOf)
    return lines.length === 0 ? [] : [[`${title} (${lines.length})`, ...bulleted(lines)].join('\n')]
  }
  return [...group('Breaking', true), ...group('Compatible', false)].join('\n\n')
}

/**
 * A changelog whose section "Unreleased" tells the changes, in place of what was written there by an
 * earlier call. Throws when there is no such section.
 */
export function withChanges(changelog: string, changes: Change[]): string {
  const start = /^## Unreleased$/m.exec(changelog)
  if (!start) throw new Error('CHANGELOG.md has no section "## Unreleased".')
  const from = start.index + start[0].length
  const length = changelog.slice(from).search(/^## /m)
  const to = length < 0 ? changelog.length : from + length
  const section = changelog.slice(from, to)
  const next = length < 0 ? '\n' : '\n\n'
  const told = changes.map(
    (change) => `${change.isBreaking ? '**Breaking.** ' : ''}${lineOf(change)}`,
  )
  const ours = told.length === 0 ? '' : `\n\n${HEADING}\n\n${bulleted(told).join('\n')}`
  const kept = withoutOurs(section).trimEnd()
  return `${changelog.slice(0, from)}${kept}${ours}${next}${changelog.slice(to)}`
}

/** The section without the part that tells of the contract, which ends at the next heading. */
function withoutOurs(section: string): string {
  const from = section.search(new RegExp(`^${HEADING}$`, 'm'))
  if (from < 0) return section
  const rest = section.slice(from + HEADING.length)
  const end = rest.search(/^#{2,3} /m)
  return section.slice(0, from) + (end < 0 ? '' : rest.slice(end))
}

function bulleted(lines: string[]): string[] {
  return lines.map((line) => `- ${line}`)
}
