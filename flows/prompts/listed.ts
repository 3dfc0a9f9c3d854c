import type { Language } from '../forms/form.ts'
import { alternativesAt, JOINED, type Part, splitList, withChoices } from '../words/lists.ts'
import { isScreen } from '../words/screen-words.ts'
import { kindNamed } from '../words/words.ts'
import type { Described } from './described.ts'
import { ASKED, readItem, WHETHER } from './items.ts'
import { withoutExceptions } from './sayings.ts'

const SUMMARY = /^\s*(?:an? |the |un )?(?:summary|resumen)\s*$/i

/** The things that a list names; `isLoose` when only a few words indicate that choices follow. */
export function itemsOf(text: string, language: Language) {
  const items: { item: Described; isLoose: boolean }[] = []
  const parts = splitList(withoutExceptions(text))
  const or = language === 'es' ? 'o' : 'or'
  for (let index = 0; index < parts.length; index++) {
    if (!parts[index]) continue
    const either = alternativesAt(parts, index, or)
    if (either) parts.splice(index, 2, either)
    const part = parts[index]
    while (part && parts[index + 1]?.after === 'or' && isWithOr(part.text, parts[index + 1])) {
      part.text += ` ${or} ${parts[index + 1]?.text}`
      parts.splice(index + 1, 1)
    }
    const { used, choices, text: asked } = withChoices(parts, index)
    index += used
    // "Title, summary, author"
    const isThing = SUMMARY.test(asked) && index < parts.length - 1
    if (isScreen(asked) && !isThing) continue
    const item = readItem(restored(choices === '' ? asked : `${asked} (${choices})`), language)
    if (!item) continue
    const other = part?.after === 'or' ? parts[index - 1] : parts[index + 1]
    const isOr = part?.after === 'or' || other?.after === 'or'
    if (isOr && isContact(item.said) && isContact(other?.text ?? '')) item.isOptional = true
    items.push({ item, isLoose: choices !== '' || either !== null })
  }
  return items
}

/** Whether "or" stands within what is asked for, and not before another thing: "any injuries or conditions". */
function isWithOr(text: string, other?: Part): boolean {
  const isOne =
    WHETHER.test(text) || ASKED.test(text) || /^\s*(?:any|alg[uú]n[oa]?s?)\s/i.test(text)
  return isOne || [text, other?.text ?? ''].every(isUnknown)
}

/** "products or services offered" */
function isUnknown(text: string): boolean {
  return kindNamed(text) === null && /^\p{Ll}+(?: \p{Ll}+)?$/u.test(text.trim())
}

/** Whether one is reached by it: of two such, either may do. */
function isContact(text: string): boolean {
  return ['email', 'phone'].includes(kindNamed(text) ?? '')
}

/** Whether two things stand on one line, "name & phone", and no thing with a name of two words. */
export function areTwoThings(text: string): boolean {
  const parts = splitList(text)
  const kinds = parts.map((part) => kindNamed(part.text))
  const isShort = parts.every((part) => part.text.trim().split(/\s+/).length <= 3)
  const [one, other] = kinds
  return (
    parts.length === 2 && parts[1]?.after === 'and' && isShort && one !== other && isSure(kinds)
  )
}

function isSure(kinds: (string | null)[]): boolean {
  return (
    !kinds.includes(null) && kinds.some((kind) => ['email', 'phone', 'date'].includes(kind ?? ''))
  )
}

const JOINED_OR_BRACKETS = new RegExp(`\\([^()]*\\)|${JOINED}`, 'gu')

/** A text without the marks that kept its parts together, but in brackets, whose choices are yet to be divided. */
export function restored(text: string): string {
  return text.replace(JOINED_OR_BRACKETS, (found) => (found === JOINED ? '' : found))
}
