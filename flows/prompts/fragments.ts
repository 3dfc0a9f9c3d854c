import { hasOwnChoices, splitList, withoutBrackets } from '../words/lists.ts'
import { FIRST, ownerIn } from '../words/owners.ts'
import { ASKING, BULLET, CLAUSE, PREFACE, TELLING } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'

const THING_WORDS_MAX = 3
const LIST_LEAST = 3

/** Whether a sentence is nothing but a list of things, however few of them are known: "Occasion, size, flavour." */
export function isBareList(text: string): boolean {
  const parts = splitList(text)
  const isThing = (part: string) =>
    withoutBrackets(part).trim().split(/\s+/).length <= THING_WORDS_MAX
  return (
    parts.length >= LIST_LEAST &&
    !CLAUSE.test(text) &&
    !TELLING.test(text) &&
    parts.every((part) => part.after !== 'or' && isThing(part.text))
  )
}

const FRAGMENT_WORDS_MAX = 7
const FRAGMENTS_LEAST = 2
/** Tells what is to be done, or nothing: "Keep it short.", "Thanks!" */
const OTHER =
  /^(?:keep|make|use|send|show|display|save|store|thanks?|thx|please|cheers|hi|hello|hey|hola|gracias|no|yes|don['’]?t|do|let|also|then|be|just|only|title|call|name (?:it|the)|tone|style|design|set|put|start|begin|end|finish|submit|review|mark|all|every\w*|nothing|that|this|these|those|sort|order (?:by|it)|note|remember|ensure|in|with|to|por favor|usa|haz|muestra|todo|que|section|part|page|step|screen|sección|parte|página|paso|pantalla)(?!\p{L})/iu
/** "When they plan to move" */
const INDIRECT =
  /^(?:what|which|how|when|where|why|who|qu[eé]|cu[aá]l(?:es)?|c[oó]mo|cu[aá]ndo|d[oó]nde)\s+(?!(?:is|are|do|does|did|can|will)\b)/iu

/** Whether a sentence only names a thing: "Preferred neighborhoods." */
function isFragment(sentence: string): boolean {
  const bare = withoutBrackets(sentence).trim()
  const isOther =
    OTHER.test(bare) ||
    PREFACE.test(bare) ||
    ASKING.test(bare) ||
    /[:?!]|\d[.)]\s|\s[-–—]\s/.test(bare)
  const isClause = !INDIRECT.test(bare) && (CLAUSE.test(bare) || TELLING.test(bare))
  const isOne = splitList(bare).length === 1 && bare.split(/\s+/).length <= FRAGMENT_WORDS_MAX
  return isOne && !isOther && !isClause
}

/**
 * The sentences that only name what is asked for, where a prompt is written in such: "Number of bedrooms. Preferred
 * neighborhoods. Email." At least half of them are known. The first may be the form's title, and is none of them; nor
 * is a heading before things of someone.
 */
export function fragmentsIn(sentences: string[]): ReadonlySet<string> {
  const isHeading = (at: number) =>
    FIRST.test(sentences[at + 1]?.replace(BULLET, '') ?? '') &&
    ownerIn(sentences[at] ?? '') !== null
  const fragments = sentences.filter((one, at) => isFragment(one) && !isHeading(at))
  const known = fragments.filter((one) => kindNamed(one) !== null || hasOwnChoices(one))
  const isEnough = known.length >= FRAGMENTS_LEAST && known.length >= fragments.length / 2
  return new Set(isEnough ? fragments.filter((one) => one !== sentences[0]) : [])
}
