import { plain } from '../forms/form.ts'
import { hasOwnChoices, splitList } from '../words/lists.ts'
import { ownerOf } from '../words/owners.ts'
import { isOfKnown } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'
import { SECTION } from './sections.ts'

const ITEM = /^([ \t]*)(?:[-*•–]|\(?(?:\d{1,2}|(?<=[ \t])[a-j])[.)])[ \t]+(\S.*)$/

/** Says more of the thing on the line before: "type: text", "required", "options: S, M". */
const ATTRIBUTE =
  /^(?:(?:type|options|choices|tipo|opciones):\s*|(optional|required|mandatory|opcional|obligatori[oa])\s*$)/i

/**
 * A prompt whose lists have no lists in them: a line with things on lines further in is the heading of a screen, one
 * with other words on them a thing with its choices.
 */
export function withoutNesting(prompt: string): string {
  const lines = prompt.split('\n')
  const flat: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const inner = innerOf(lines, at)
    flat.push(...flattened(lines[at] ?? '', inner))
    at += inner.length
  }
  return flat.join('\n')
}

function flattened(line: string, inner: string[]): string[] {
  if (inner.length === 0) return [line]
  const head = line.replace(/[:\s]+$/, '')
  if (inner.every((one) => ATTRIBUTE.test(one))) {
    const said = inner.map((one) => `(${one.replace(ATTRIBUTE, '$1')})`)
    return [`${head} ${said.join(' ')}`]
  }
  const [only = '', other] = inner
  const isList = other === undefined ? kindNamed(only) !== null : isOfKnown(inner.join(', '))
  const isHeading = isList && !head.endsWith('?')
  return isHeading
    ? [SECTION, ...headingOf(head), ...inner.map((one) => `- ${one}`)]
    : [`${head} (${inner.join(', ')})`]
}

/** A heading as it is read, where it says whose the things below it are. */
function headingOf(line: string): string[] {
  const owner = ownerOf(line)
  return owner === '' ? [] : [`${owner}:`]
}

/** The things on the lines behind one, as far as they are further in. */
function innerOf(lines: string[], at: number): string[] {
  const [, indent, head] = ITEM.exec(lines[at] ?? '') ?? []
  if (indent === undefined || head === undefined) return []
  const things: string[] = []
  for (const line of lines.slice(at + 1)) {
    const [, further = '', thing] = ITEM.exec(line) ?? []
    if (thing === undefined || further.length <= indent.length) break
    things.push(thing)
  }
  return things
}

/** "Ticket (type (General, VIP), notes)" */
const GROUP =
  /(?<!\p{L})(?:(?!and |or |with |y |con )[\p{L}'’-]{2,20} ){1,4}\(((?:[^()\n]|\([^()\n]{0,150}\)){3,400})\)/gu

/** "Personal data (name, age), contact (email, phone)" */
const GROUPS =
  /(?<=[:.;\n] ?|^)(?:\p{L}{1,20} ){0,2}(?:data|details|info(?:rmation)?|datos|información)(?: personales)? \([^()\n]*,[^()\n]*\)(?:,? (?:and |y )?(?:\p{L}{1,20} ){1,3}\([^()\n]*,[^()\n]*\))+(?=[.;\n]|$)/gimu

function withoutNames(found: string): string {
  const groups = [...found.matchAll(/\(([^()]*)\)/g)].map(([, things = '']) => things)
  const areOfKnown = groups.every((things) =>
    splitList(things).some(({ text }) => kindNamed(text) !== null),
  )
  const things = groups.flatMap((list) => splitList(list).map(({ text }) => plain(text.trim())))
  // "Sender details (name), recipient details (name)" are those of two.
  const areDistinct = new Set(things).size === things.length
  return areOfKnown && areDistinct ? groups.join(', ') : found
}

/** A prompt without the names of groups that have things with choices of their own in their brackets. */
export function withoutInnerGroups(prompt: string): string {
  return prompt.replace(GROUPS, withoutNames).replace(GROUP, (found, inner: string) => {
    const things = splitList(inner).map(({ text }) => text)
    const isNested = inner.includes('(') && things.length > 1
    return isNested && things.some(hasOwnChoices) && things.some((one) => kindNamed(one) !== null)
      ? inner
      : found
  })
}
