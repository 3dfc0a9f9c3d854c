import { type Language, plain } from '../forms/form.ts'
import { amountOf } from '../words/bounds.ts'
import { cleaned } from '../words/fillers.ts'
import { splitList } from '../words/lists.ts'
import { withoutMarks } from '../words/marks.ts'
import { readWish, tidy } from '../words/words.ts'
import { type Described, limit } from './described.ts'
import type { Reading } from './reading.ts'

const ALL =
  /\b(?:all|every(?:thing)?|each|todos?|todas?)\b.*\b(optional|required|mandatory|compulsory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b/
const EXCEPT = /\b(?:except(?: for)?|but|excepto|menos|salvo)\b(.*)$/i
const SAYING =
  /^(?<subject>.*?)\s+(?:(?<no>no )?(?:es|son|debe ser|deben ser|sera)|(?:is|are|must be|should be|can be)(?<not>n['’]t)?)\s+(?:an? )?(?<never>not? )?(?<wish>optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b/
const LAST =
  /^\s*(?:the last(?: one| field| question)?|(?:el|la) ultim[oa](?: campo| pregunta)?)\W*$/
const NONE = /^(?:no|none|neither|ningun[oa]?)\s/

/** Leads from one thing that is said of fields to the next. */
const FURTHER = /^[\s,;]*(?:(?:and|but|while|whereas|y|e|pero|mientras que)\s)?\s*/i

/** Whether a sentence only says of fields whether they must be filled in. */
export function isSaying(sentence: string): boolean {
  const text = plain(sentence)
  return SAYING.test(text) || ALL.test(text)
}

/** Lets several be chosen of the choices that were named last. */
export function letSeveral({ described }: Reading): void {
  const last = described.findLast(({ choices }) => choices.length > 0)
  if (last) last.kind = 'some_of'
}

/** A list without what it excepts: "all of it is required but the phone". */
export function withoutExceptions(text: string): string {
  return text.replace(EXCEPT, (whole) => (ALL.test(plain(text)) ? '' : whole))
}

/**
 * Heeds what is said about fields, mostly after they were named: "The phone is optional." What was not named yet
 * is given to `askFor`.
 */
export function applySaying(
  saying: string,
  reading: Reading,
  askFor: (text: string) => void,
): void {
  const text = plain(saying)
  const all = ALL.exec(text)
  if (all) {
    const { wish } = readWish(all[0])
    reading.all = wish.isOptional ? 'optional' : 'required'
    const except = EXCEPT.exec(saying)?.[1]
    if (except !== undefined) mark(except, reading, !wish.isOptional)
    return
  }
  const found = SAYING.exec(text)
  const { subject = '', no, not, never, wish = '' } = found?.groups ?? {}
  const isNegated = (no ?? not ?? never) !== undefined || NONE.test(subject)
  const isOptional = wish.startsWith('op') !== isNegated
  // What need not be given, and was not named, is not asked for.
  if (!mark(subject, reading, isOptional) && !isNegated) {
    askFor(saying.slice(0, subject.length))
    mark(subject, reading, isOptional)
  }
  const others = saying.slice(found?.[0].length).replace(FURTHER, '')
  if (SAYING.test(plain(others))) applySaying(others, reading, askFor)
}

/** Answers whether any of the things was named before. */
function mark(subject: string, reading: Reading, isOptional: boolean): boolean {
  const named = meant(subject, reading)
  for (const one of named) {
    Object.assign(one, { isOptional, isSaidOptional: isOptional, isRequired: !isOptional })
  }
  return named.length > 0
}

/** The described things that some words name. */
function meant(subject: string, { described }: Reading): Described[] {
  if (LAST.test(plain(subject))) return described.slice(-1)
  const words = splitList(subject).map(({ text }) => plain(cleaned(text)))
  return words.filter(Boolean).flatMap((word) => {
    const exact = described.filter(({ said }) => plain(said) === word)
    if (exact.length > 0) return exact
    return described.filter(({ said }) => plain(said).includes(word) || word.includes(plain(said)))
  })
}

/** Ends what is said of a thing, before what is said: "The PIN must have". */
const LIMITING =
  /^(?:(?<subject>\S.*?)\s+)??(?:(?:it|they|this|these)\s+)?(?:(?:must|should|can|may|need(?:s)? to|ha(?:s|ve) to|deben?|pueden?|tienen? que)(?:\s(?:not\s)?(?:be|have|contain|ser|tener|estar))?|is|are|has|have|es|son|tienen?)?$/iu

/** Whether a sentence only says how much something may be that was named before: "The PIN must have 4 digits." */
export function isLimiting(sentence: string, { described }: Reading): boolean {
  const { text, limits } = withoutMarks(sentence)
  const found = LIMITING.exec(tidy(text))
  const hasVerb = tidy(text) !== found?.groups?.subject
  const isOfAll = !limits.some((one) => 'condition' in one)
  return limits.length > 0 && isOfAll && found !== null && hasVerb && described.length > 0
}

/** Heeds that; answers false where it is said of something else. */
export function applyLimits(sentence: string, reading: Reading, language: Language): boolean {
  const { text, limits } = withoutMarks(sentence)
  const { subject } = LIMITING.exec(tidy(text))?.groups ?? {}
  const isOfChoices = amountOf(limits, 'count') !== undefined
  const last = reading.described.filter(({ choices }) => !isOfChoices || choices.length > 0)
  const named = subject === undefined ? last.slice(-1) : meant(subject, reading)
  for (const one of named) limit(one, limits, language)
  return named.length > 0
}
