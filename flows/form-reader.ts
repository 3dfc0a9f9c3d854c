import { capitalised, CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from './form.ts'
import { type Form, plain, SEVERAL_MAX } from './form.ts'
import { cleaned, type Described, named, readItem } from './form-items.ts'
import { goesOn, isWhole, readScale, splitList } from './form-lists.ts'
import { splitSentences, withChoices, withoutBrackets } from './form-lists.ts'
import { kindNamed, languageOf, readWish, tidy, withoutAddresses } from './form-words.ts'

const ASKING =
  /\b(ask(?:s|ing)?(?: (?:the )?(?:customers?|users?|clients?|guests?|people|them|patients?))?(?: (?:for|about|to (?:enter|choose|select|give|provide|pick)))?|collect(?:s|ing)?|request(?:s|ing)?|gather(?:s|ing)?|captur(?:e|es|ing)|includ(?:e|es|ing)|contain(?:s|ing)?|with(?! (?:us|you)\b)|fields? for|needs?(?!\s*(?:[,;(]|$|and\b))|wants?|enter|fill in|provide|leave|choose|select|pick|upload|record(?:s|ing)?|get|has|have|pedir|pide|pida|pidiendo|solicit\w+|recog\w+|recopil\w+|incluy\w+|incluir|con(?! nosotros\b)|pregunt(?:e|a|ar)(?: por)?|elegir|elija|seleccion(?:e|ar)|registr(?:e|ar)|teng[ao]|que contenga|subir)\b:?/iu
const INTRO =
  /\b(fields?|questions?|ask|asks|asking|collect\w*|following|details|data|information|inputs?|campos?|preguntas?|datos|siguientes?|pide|pedir|solicit\w*|screen|page|step|pantalla|paso)\b/iu
/** The beginning of a prompt, before it names what the form asks for. */
const PREFACE =
  /^[^,:;?]*?\b(?:form|flow|survey|quiz|questionnaire|formulario|encuesta|cuestionario|flujo)\b/iu
const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+/u
const REVIEWING =
  /\b(confirmation|confirm|review (?:screen|page|step)|summary|thank[- ]?you|confirmacion|confirmar|resumen|agradecimiento|pantalla final)\b/
const UNREVIEWED =
  /\b(without (?:a |any )?(?:confirmation|review|summary)|no (?:confirmation|review|summary)|(?:single|one|una sola|una unica)[ -](?:screen|page|pantalla)|sin (?:pantalla de )?(?:confirmacion|resumen|revision))\b/
const ALL =
  /\b(?:all|every(?:thing)?|each|todos?|todas?)\b.*\b(optional|required|mandatory|compulsory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b/
const EXCEPT = /\b(?:except(?: for)?|but|excepto|menos|salvo)\b(.*)$/i
const SAYING =
  /^(.*?)\s+(?:is|are|must be|should be|can be|es|son|debe ser|deben ser|sera)\s+(?:an? )?((?:not )?(?:optional|required|mandatory)|(?:no )?(?:opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?))\b/

const FORMER_CONJUNCTION = '\u2060'

/** Far more than a form can ask for, even with repetitions; a longer list cannot describe a form. */
const DESCRIBED_MAX = 4 * FIELDS_MAX

type Reading = { described: Described[]; isInList: boolean; all: 'optional' | 'required' | null }

const NOTHING = 'no fields of a form were found in the prompt; name what is to be asked'
const TOO_MUCH = `the prompt asks for more than a form can have: ${FIELDS_MAX} fields, ${CONSENTS_MAX} agreements, ${CHOICES_MAX} choices, and ${SEVERAL_MAX} where one may choose several`

/**
 * Reads the form that a prompt describes in English or Spanish: the fields, their kinds, and which are
 * optional. Otherwise answers the reason why there is none.
 */
export function readForm(name: string, prompt: string): Form | string {
  const language = languageOf(prompt)
  const reading: Reading = { described: [], isInList: false, all: null }
  const sayings: string[] = []
  for (const sentence of withAnswers(splitSentences(withLines(prepared(prompt))))) {
    if (SAYING.test(plain(sentence)) || ALL.test(plain(sentence))) sayings.push(sentence)
    else readSentence(sentence, language, reading)
  }
  const { described } = reading
  if (!described.some(({ isKnown }) => isKnown)) return NOTHING
  if (described.length > DESCRIBED_MAX) return TOO_MUCH
  for (const saying of sayings) applySaying(saying, reading)
  const fields = toFields(described, reading.all)
  const consents = fields.filter(({ kind }) => kind === 'consent').length
  const isTooMuch = fields.length > FIELDS_MAX || consents > CONSENTS_MAX
  if (isTooMuch || !fields.every(fits)) return TOO_MUCH
  const isReviewed = !UNREVIEWED.test(plain(prompt))
  return { title: titleOf(name, prompt), language, fields, isReviewed }
}

function fits({ kind, choices: { length } }: Field): boolean {
  return length <= (kind === 'some_of' ? SEVERAL_MAX : CHOICES_MAX)
}

const TITLE =
  /\b(?:titled|entitled|with the title|title|called|titulad[oa]|llamad[oa]|título)\b:?\s*["“«]([^"”»]{1,80})["”»]/iu

function titleOf(name: string, prompt: string): string {
  const given = TITLE.exec(prompt)?.[1]
  return capitalised(tidy(given ?? name.replace(/[_-]+/g, ' '))) || 'Form'
}

/** The prompt, with parts that belong together protected against splitting. */
function prepared(prompt: string): string {
  return withoutAddresses(prompt.normalize('NFC').replace(TITLE, ' '))
    .replace(/\b(first|last) and (last|first) names?/gi, '$1 name, $2 name')
    .replace(/\b(between|entre) (\d{1,2}) (?:and|y) (\d{1,2})\b/gi, 'from $2 to $3')
    .replace(
      /\b(terms|food|pros|términos|terminos|ventajas) (and|&|y) (conditions|drinks?|cons|condiciones|desventajas)\b/gi,
      `$1 $2${FORMER_CONJUNCTION} $3`,
    )
}

const NUMBER = /(?<=^|\s)(?:(?:and|y|e)\s)?\(?(\d{1,2})[.)]\s+/giu

/** A text with each numbered thing on a line of its own: "1. Name 2. Email". */
function withLines(text: string): string {
  const items: string[] = []
  let end = 0
  for (const { index, 0: found, 1: number } of text.matchAll(NUMBER)) {
    if (Number(number) !== items.length + 1) continue
    items.push(text.slice(end, index))
    end = index + found.length
  }
  const [head = '', ...others] = [...items, text.slice(end)]
  const line = head.slice(head.lastIndexOf('\n') + 1).replace(PREFACE, '')
  // What is numbered behind the name of a thing may be its choices.
  const isIntroduced = isIntroducing(line.trim()) && kindNamed(line) === null
  const isList = isIntroduced || isOfKnown(others.join(', '))
  return others.length > 1 && isList ? [head, ...others].join('\n- ') : text
}

/** The sentences, with the answers that follow a question in brackets: "Which plan? (Basic or Pro)". */
function withAnswers(sentences: string[]): string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const question = joined.at(-1)
    if (!question?.endsWith('?') || !isAnswer(sentence)) joined.push(sentence)
    else joined[joined.length - 1] = `${question} (${withoutBrackets(sentence)})`
  }
  return joined
}

const ANSWER_WORDS_MAX = 4

/** Whether a sentence only says how the question before it can be answered. */
function isAnswer(sentence: string): boolean {
  const { rest } = readWish(sentence)
  if (rest === '' || readScale(rest)?.rest.trim() === '') return true
  const isOther = [/[:?]/, BULLET, ASKING, TELLING].some((pattern) => pattern.test(sentence))
  if (isOther || isScreen(sentence)) return false
  const parts = splitList(withoutBrackets(rest))
  const isShort = parts.every(({ text }) => text.trim().split(/\s+/).length <= ANSWER_WORDS_MAX)
  const isChoice = parts.at(-1)?.after === 'or' || isWhole(rest)
  const isUnknown = parts.every(({ text }) => kindNamed(text) === null)
  return isShort && (isChoice || (parts.length > 1 && isUnknown))
}

function readSentence(sentence: string, language: Form['language'], reading: Reading): void {
  const isBullet = BULLET.test(sentence)
  const text = isBullet ? sentence.replace(BULLET, '') : sentence.replace(PREFACE, '').trim()
  if (text.endsWith(':') && !isBullet) {
    reading.isInList = true
    return
  }
  const [, head = '', rest] = /^([^:(,]*):\s*([\s\S]*)$/.exec(text) ?? []
  if (rest !== undefined && !isBullet && isIntroduction(head, rest)) {
    return readList(rest, language, reading)
  }
  if (rest !== undefined && !isBullet && goesOn(splitList(rest))) {
    return readList(text, language, reading)
  }
  const asking = ASKING.exec(text)
  const isAsked = asking?.index === 0 && INTRO.test(asking[0])
  const isItem = (!isAsked && (isBullet || reading.isInList)) || isQuestion(text)
  if (rest !== undefined || isItem) return readOne(text, language, reading)
  if (asking) {
    if (STEP.test(asking[0])) readBefore(text.slice(0, asking.index).trimEnd(), language, reading)
    return readList(text.slice(asking.index + asking[0].length), language, reading)
  }
  if (splitList(text).length > 1 || isNaming(text)) readKnown(text, language, reading)
}

/** Tells customers what to do next, and thus what stands before it may be asked for as well. */
const STEP =
  /^(?:enter|fill in|provide|leave|choose|select|pick|upload|elegir|elija|seleccion(?:e|ar)|subir)\b/i
const LISTED = /(?:[,;]|\s(?:and|then|y|luego))(?:\s(?:please|then|also|finally|luego|también))?$/i
/** Begins what only says when something is to be done. */
const CLAUSE =
  /^(?:when|once|if|after|before|while|as|at|on|in|for|cuando|si|tras|al|antes|después|en|para)\s/i

/** "Rate us from 1 to 5 and leave a comment": the part before "leave". */
function readBefore(text: string, language: Form['language'], reading: Reading): void {
  if (!LISTED.test(text) || CLAUSE.test(text)) return
  for (const { item } of itemsOf(text.replace(LISTED, ''), language)) {
    if (item.isKnown && (item.choices.length > 0 || isNaming(item.said))) add(item, reading)
  }
}

const QUESTION =
  /^\s*(?:¿|(?:what|how|why|which|where|when|who|would|do|does|did|are|is|was|were|have|has|can|could|will|should|may)\b)/i

/** Whether a sentence is one question, and no list that ends with one: "Name, email, how did you find us?" */
function isQuestion(text: string): boolean {
  if (!withoutBrackets(text).trimEnd().endsWith('?')) return false
  const parts = splitList(text).map((part) => part.text)
  const last = parts.pop() ?? ''
  if (QUESTION.test(text) || !QUESTION.test(last)) return true
  const isNamed = parts.every((part) => isNaming(part) && kindNamed(part) !== null)
  return ASKING.exec(text)?.index !== 0 && (CLAUSE.test(text) || !isNamed)
}

const SAID_OF = /\s(?:of|for|from|about|in|on|at|de|del|para|sobre|en)\s/i
const DETERMINED = /^(?:an?|the|their|his|her|el|la|los|las|una?|su)\s/i
const TELLING =
  /^(?:we|i|you|they|it|this|that|there)\b|\b(?:is|are|was|were|be|has|have|will|should|must|can|es|son|debe|tiene)\b/i

/** Whether some words only name a thing, without saying anything about it: "The photo of the damage". */
function isNaming(text: string): boolean {
  const words = (readScale(text)?.rest ?? text).trim()
  const countOf = (some: string) => some.trim().split(/\s+/).length
  if (countOf(words) <= 4) return true
  const [thing = ''] = words.split(SAID_OF)
  const isShort = countOf(thing) <= (DETERMINED.test(words) ? 4 : 2)
  return isShort && kindNamed(thing) !== null && !TELLING.test(words)
}

/**
 * Whether the part after a colon lists things to ask for; otherwise it lists the choices of what stands before
 * it.
 */
function isIntroduction(head: string, rest: string): boolean {
  return isIntroducing(head) || isOfKnown(rest)
}

function isIntroducing(head: string): boolean {
  return head === '' || INTRO.test(head)
}

/** Whether most of what is listed is known or a question. */
function isOfKnown(list: string): boolean {
  const parts = splitList(list).map(({ text }) => withoutBrackets(text).trim())
  const known = parts.filter((text) => kindNamed(text) !== null || text.endsWith('?'))
  return !isWhole(parts[0] ?? '') && known.length > parts.length / 2
}

/** A line of its own: one thing, with its choices after a colon. */
function readOne(text: string, language: Form['language'], reading: Reading): void {
  if (isScreen(text)) return
  const { choices, text: asked } = /[:?]/.test(text)
    ? { choices: '', text }
    : withChoices(splitList(text), 0, { isAlone: true })
  const item = readItem(restored(choices === '' ? text : `${asked} (${choices})`), language)
  if (item) add(item, reading)
}

function readList(text: string, language: Form['language'], reading: Reading): void {
  for (const { item } of itemsOf(text, language)) add(item, reading)
}

/** A list without an introduction counts only as far as it names something known. */
function readKnown(text: string, language: Form['language'], reading: Reading): void {
  const items = itemsOf(text, language)
  const isFamiliar = ({ item, isLoose }: (typeof items)[number]) =>
    item.isKnown && !(isLoose && kindNamed(item.said) === null)
  if (!items.some(isFamiliar)) return
  for (const { item } of items) if (item.isKnown) add(item, reading)
}

/** The things that a list names; `isLoose` when only a few words indicate that choices follow. */
function itemsOf(text: string, language: Form['language']) {
  const items: { item: Described; isLoose: boolean }[] = []
  const parts = splitList(text.replace(EXCEPT, (whole) => (ALL.test(plain(text)) ? '' : whole)))
  for (let index = 0; index < parts.length; index++) {
    if (!parts[index]) continue
    const { used, choices, text: asked } = withChoices(parts, index)
    index += used
    if (isScreen(asked)) continue
    const item = readItem(restored(choices === '' ? asked : `${asked} (${choices})`), language)
    if (item) items.push({ item, isLoose: choices !== '' })
  }
  return items
}

/** The choices of something named earlier may follow later: "The size is one of S, M, L." */
function add(item: Described, { described }: Reading): void {
  if (described.length > DESCRIBED_MAX) return
  const earlier = described.find(({ said }) => plain(said) === plain(item.said))
  const isTold = item.choices.length > 0 && earlier?.choices.length === 0
  if (isTold) Object.assign(earlier, { kind: item.kind, choices: item.choices, isKnown: true })
  else described.push(item)
}

/** Words about screens that exist in any case. */
function isScreen(text: string): boolean {
  const words = plain(text)
  return REVIEWING.test(words) || UNREVIEWED.test(words)
}

function restored(text: string): string {
  return text.replaceAll(FORMER_CONJUNCTION, '')
}

/** What is said about fields after they were named: "The phone is optional." */
function applySaying(saying: string, reading: Reading): void {
  const text = plain(saying)
  const all = ALL.exec(text)
  if (all) {
    const { wish } = readWish(all[0])
    reading.all = wish.isOptional ? 'optional' : 'required'
    const except = EXCEPT.exec(saying)?.[1]
    if (except !== undefined) mark(except, reading, !wish.isOptional)
    return
  }
  const [, subject = '', said = ''] = SAYING.exec(text) ?? []
  mark(subject, reading, readWish(said).wish.isOptional)
}

function mark(subject: string, { described }: Reading, isOptional: boolean): void {
  const words = splitList(subject).map(({ text }) => plain(cleaned(text)))
  for (const one of described) {
    const said = plain(one.said)
    const isMeant = words.some(
      (word) => word !== '' && (said.includes(word) || word.includes(said)),
    )
    if (isMeant) Object.assign(one, { isOptional, isRequired: !isOptional })
  }
}

/** When some fields are called required and none optional, all others are optional. */
function toFields(described: Described[], all: Reading['all']): Field[] {
  const isMarked = described.some((one) => one.isRequired)
  const isContrast = isMarked && !described.some((one) => one.isOptional)
  const usual = all === null ? !isContrast : all === 'required'
  const fields: Field[] = []
  const seen = new Set<string>()
  for (const one of described) {
    const said = plain(one.said)
    if (seen.has(said)) continue
    seen.add(said)
    const isRequired = one.isRequired || (one.isOptional ? false : usual || one.kind === 'consent')
    fields.push(
      named(
        one,
        fields.map(({ name }) => name),
        isRequired,
      ),
    )
  }
  return fields
}
