import type { Form } from '../forms/form.ts'
import { COLON, listBehindColon } from '../words/colons.ts'
import { readScale, splitList } from '../words/lists.ts'
import { withBlankGroups, withChoices, withoutBrackets } from '../words/lists.ts'
import { ownerIn, thingsBehindOwner, withoutHeading } from '../words/owners.ts'
import { isClosing, isIntroduction, isPurpose, listBehindTitle } from '../words/purposes.ts'
import { isScreen } from '../words/screen-words.ts'
import { ASKING, BULLET, CLAUSE, FOR, INTRO, QUESTION } from '../words/sentences.ts'
import { isChoice, isNaming, isQuestion } from '../words/sentences.ts'
import { thingsBehind, WITH_VERB, withoutPreface } from '../words/sentences.ts'
import { tidy } from '../words/words.ts'
import type { Described } from './described.ts'
import { readItem } from './items.ts'
import { readKnown } from './known.ts'
import { areTwoThings, itemsOf, restored } from './listed.ts'
import { add, calledSo, followOwner, type Reading, underOwner } from './reading.ts'

/** Reads what a sentence asks for. */
export function readSentence(sentence: string, language: Form['language'], reading: Reading): void {
  if (isClosing(sentence)) return
  const isBullet = BULLET.test(sentence)
  const text = isBullet ? sentence.replace(BULLET, '') : withoutPreface(sentence)
  if (!isBullet) followOwner(text, reading)
  if (text.endsWith(':') && !isBullet) {
    reading.isInList = true
    return
  }
  const own = thingsBehindOwner(text)
  if (own !== null)
    return underOwner(own.owner, reading, () => readList(own.list, language, reading))
  const pairs = splitList(text).map((part) => part.text)
  const isPaired = pairs.length > 1 && pairs.every((pair) => /:\s/.test(withoutBrackets(pair)))
  const hasPreface = text !== sentence
  const titled = isBullet || reading.described.length > 0 ? null : listBehindTitle(text)
  const list = isPaired ? text : isBullet ? null : (listBehindColon(text, hasPreface) ?? titled)
  if (list !== null) {
    const owner = (isPaired ? null : ownerIn(COLON.exec(text)?.[1] ?? '')) ?? reading.owner
    return underOwner(owner, reading, () => readList(withoutHeading(list), language, reading))
  }
  const asking = ASKING.exec(withBlankGroups(text))
  const isAsked = asking?.index === 0 && INTRO.test(asking[0])
  const isItem =
    (!isAsked && (isBullet || reading.isInList)) ||
    isQuestion(text) ||
    reading.fragments.has(sentence)
  if (isItem || COLON.test(text)) return readOne(text, language, reading, !isItem)
  if (asking) return readAsked(text, asking, hasPreface, language, reading)
  if (hasPreface && (FOR.test(text) || isOccasion(text))) return
  const [agreed] = AGREEING.exec(text) ?? []
  if (agreed !== undefined) return readOne(agreed, language, reading)
  const bare = tidy(text)
  if (isChoice(bare)) return readOne(`"${bare}" (${bare})`, language, reading)
  const isOne = isNaming(text) || QUOTED.test(text)
  if (isIntroduction(text)) return
  if (splitList(text).length > 1 || isOne) readKnown(text, language, reading)
}

/** "A feedback form after check-out" */
function isOccasion(text: string): boolean {
  return CLAUSE.test(text) && splitList(text).length === 1 && !text.includes('(')
}

/** 'Also a question "How did you find us?"', '"Small or large" (small, large)' */
const QUOTED = /["“«][^"”»]+(?:\?["”»]|["”»] ?\()/
/** "Finally they must accept the terms." */
const AGREEING =
  /(?<=\b(?:must|should|(?:have|has|needs?) to|deben?|tienen? que) (?:also |finally )?)(?:accept|agree|acept)\p{L}* .*$/iu

function readAsked(
  text: string,
  { index, 0: verb }: RegExpExecArray,
  hasPreface: boolean,
  language: Form['language'],
  reading: Reading,
): void {
  readBefore(text.slice(0, index).trimEnd(), STEP.test(verb), language, reading)
  const asked = text.slice(index + (CHOOSING.exec(verb)?.index ?? verb.length))
  const isAside =
    !WITH_VERB.test(verb) && /\S\s+(?!(?:to|para)\s*$)\S+\s*$/i.test(text.slice(0, index))
  const isPurposed = index > 0 && hasPreface && FOR.test(text) && !isAside
  if (!isPurposed) return readList(asked, language, reading)
  const things = thingsBehind(verb, asked)
  if (things !== null) return readList(things, language, reading)
  const before = reading.described.length
  readKnown(asked, language, reading)
  const [item, other] = reading.described.slice(before)
  if (item && !other) item.isPurpose = isPurpose(verb, asked)
}

/** Tells customers what to do next, and thus what stands before it may be asked for as well. */
const STEP =
  /^(?:tell us|enter|fill in|provide|leave|choose|select|pick|upload|elegir|elijan?|seleccion(?:en?|ar)|subir|suban)\b/i
/** Kept, since it tells how many may be chosen. */
const CHOOSING = /\b(?:choose|select|pick|upload|elegir|elija|seleccion|subir)/i
const LISTED = /(?:[,;]|\s(?:and|then|y|luego))(?:\s(?:please|then|also|finally|luego|también))?$/i

/** "Rate us from 1 to 5 and leave a comment": the part before "leave". */
function readBefore(
  text: string,
  isStep: boolean,
  language: Form['language'],
  reading: Reading,
): void {
  if (!(LISTED.test(text) || readScale(text)) || CLAUSE.test(text)) return
  const items = itemsOf(text.replace(LISTED, ''), language).map(({ item }) => item)
  const isList = isStep && items.length > 2 && areMostlyKnown(items)
  for (const item of items) {
    const isNamed = isStep && isNaming(item.said)
    const isSure = item.isKnown && (item.choices.length > 0 || isNamed)
    if (isSure || isList || (isStep && QUESTION.test(item.said))) add(item, reading)
  }
}

/** Whether some things are a list of what is asked for, so that those among them that nobody knows are as well. */
function areMostlyKnown(items: Described[]): boolean {
  const isThing = ({ said }: Described) => isNaming(said) || QUESTION.test(said)
  return items.filter(({ isKnown }) => isKnown).length > items.length / 2 && items.every(isThing)
}

/** A line of its own: one thing, with its choices after a colon, or more of a thing that was named earlier. */
function readOne(
  text: string,
  language: Form['language'],
  reading: Reading,
  mayTellMore = false,
): void {
  if (isScreen(text)) return
  if (areTwoThings(text)) return readList(text, language, reading)
  const { choices, text: asked } = /[:?]/.test(text)
    ? { choices: '', text }
    : withChoices(splitList(text), 0, { isAlone: true })
  const item = readItem(restored(choices === '' ? text : `${asked} (${choices})`), language)
  if (item) add(item, reading, mayTellMore ? calledSo(item.said, reading) : undefined)
}

/** Reads all things of a list. */
export function readList(text: string, language: Form['language'], reading: Reading): void {
  for (const { item } of itemsOf(text, language)) add(item, reading)
}
