import { hasOwnChoices, splitList, withoutBrackets } from '../words/lists.ts'
import { FIRST, ownerIn } from '../words/owners.ts'
import { ASKING, BULLET, CLAUSE, INDIRECT, PREFACE, TELLING } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'

const THING_WORDS_MAX = 3
const LIST_LEAST = 3

/** Whether a sentence is nothing but a list of things, however few of them are known: "Occasion, size, flavour." */
export function isBareList(text: string): boolean {
  const parts = splitList(text)
  const isThing = (part: string) =>
    withoutBrackets(part).trim().split(/\s+/).length <= THING_WORDS_MAX
  const known = parts.filter((part) => kindNamed(part.text) !== null)
  // "Small, medium or large" is none, but "name, email, phone, products or services offered" is.
  const alternatives = parts.filter((part) => part.after === 'or').length
  return (
    parts.length >= LIST_LEAST + alternatives &&
    (alternatives === 0 || known.length > alternatives) &&
    !CLAUSE.test(text) &&
    !TELLING.test(text) &&
    parts.every((part) => isThing(part.text))
  )
}

const FRAGMENT_WORDS_MAX = 8
const FRAGMENTS_LEAST = 2
/** Tells what is to be done, or nothing: "Keep it short.", "Thanks!" */
const OTHER =
  /^(?:keep|make|use|send|show|display|save|store|thanks?|thx|please|cheers|hi|hello|hey|hola|gracias|no|yes|don['’]?t|do|let|also|then|be|just|only|title|call|name (?:it|the)|tone|style|design|set|put|start|begin|end|finish|submit|review|mark|all|every\w*|nothing|that|this|these|those|sort|order (?:by|it)|note|remember|ensure|in|with|to|por favor|usa|haz|muestra|todo|que|section|part|page|step|screen|sección|parte|página|paso|pantalla)(?!\p{L})/iu
/** "Any medical conditions we should know about" */
const ANY = /^(?:any|alg[uú]n[oa]?s?)\s/iu

/** Whether a sentence only names a thing: "Preferred neighborhoods." */
function isFragment(sentence: string): boolean {
  const bare = withoutBrackets(sentence).trim()
  const isOne = splitList(bare).length === 1 && bare.split(/\s+/).length <= FRAGMENT_WORDS_MAX
  if (!isOne || /[:?!]|\d[.)]\s|\s[-–—]\s/.test(bare)) return false
  if (ANY.test(bare)) return true
  const isClause = !INDIRECT.test(bare) && (CLAUSE.test(bare) || TELLING.test(bare))
  return !isClause && ![OTHER, PREFACE, ASKING].some((pattern) => pattern.test(bare))
}

/**
 * The sentences that only name what is asked for, where a prompt is written in such: "Number of bedrooms. Preferred
 * neighborhoods. Email." At least as many things are known as not. The first may be the form's title, and is none of
 * them; nor is a heading before things of someone.
 */
export function fragmentsIn(sentences: string[]): ReadonlySet<string> {
  const isHeading = (at: number) =>
    FIRST.test(sentences[at + 1]?.replace(BULLET, '') ?? '') &&
    ownerIn(sentences[at] ?? '') !== null
  const fragments = sentences.filter((one, at) => isFragment(one) && !isHeading(at))
  const unknown = fragments.filter((one) => !isThing(one))
  const known = sentences.filter((one) => splitList(one).every(({ text }) => isThing(text)))
  const isEnough = known.length >= FRAGMENTS_LEAST && known.length >= unknown.length
  return new Set(isEnough ? fragments.filter((one) => one !== sentences[0]) : [])
}

/** A question without its mark: "When did it start" */
const ASKED =
  /^(?:what|which|how|when|where|why|who)\b.*?\s(?:is|are|do|does|did|can|will|was|were|would|should)\s/iu

/** Whether a text is a thing that is asked for, as far as is known: "Email", "Size: S, M", "Do you smoke?" */
function isThing(text: string): boolean {
  const isAsked = isFragment(text) || /^[^:]{1,40}: [^:]*,/.test(text)
  return (
    /\?$/.test(text) ||
    ASKED.test(text) ||
    (isAsked && (kindNamed(text) !== null || hasOwnChoices(text) || text.includes(':')))
  )
}

/** Shows that a sentence goes on with a list behind a question: "first time here? prayer request, phone". */
export function goesOnWithList(sentence: string, before: string | undefined): boolean {
  const [first = ''] = splitList(sentence).map(({ text }) => text)
  const isList = first !== sentence && /^\p{Ll}/u.test(sentence)
  return isList && /\?\)?$/.test(before ?? '') && isFragment(first)
}
