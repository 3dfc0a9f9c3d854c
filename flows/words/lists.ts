import { readSeries } from './series.ts'
import { kindNamed, tidy } from './words.ts'

/** A part of a list, and the separator before it. */
export type Part = { text: string; after: ',' | 'and' | 'or' | '' }

/** Stands between characters at which a text is not to be divided; it is shown as nothing. */
export const JOINED = '\u2060'
const BRACKETS = /\([^()]*\)/g

const OPENING = '([{"“«'
const CLOSING = ')]}"”»'
const separators: readonly [Part['after'], RegExp][] = [
  [
    'and',
    /^[,;]?\s+(?:and then|and|plus(?! ones?\b|\s*[$€£\d(])|as well as|then|y|e|luego|además de|más(?= (?:una?|el|la|los|las|sus?)\s)|&|\+)\s+/i,
  ],
  ['or', /^[,;]?\s+(?:or|o|u)\s+/i],
  [',', /^\s*[,;]\s*/],
]

/** Splits a list at commas and conjunctions, except within brackets and quotes. */
export function splitList(text: string): Part[] {
  const parts: Part[] = []
  let part: Part = { text: '', after: '' }
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '"') isQuoted = !isQuoted
    else if (OPENING.includes(letter)) depth += 1
    else if (CLOSING.includes(letter)) depth = Math.max(0, depth - 1)
    const found = depth === 0 && !isQuoted ? separatorAt(text.slice(at, at + 20)) : null
    if (found) {
      parts.push(part)
      part = { text: '', after: found.kind }
      at += found.length - 1
    } else part.text += letter
  }
  parts.push(part)
  return parts.filter((one) => one.text.trim() !== '')
}

function separatorAt(text: string): { kind: Part['after']; length: number } | null {
  for (const [kind, pattern] of separators) {
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { kind, length: found.length }
  }
  return null
}

/** Splits a text into sentences and lines; questions keep their question mark. */
export function splitSentences(text: string): string[] {
  return text
    .replace(BRACKETS, (group) => group.replace(/[.!?](?=\s)/g, `$&${JOINED}`))
    .replace(/\b(?:Dr|Dra|Mr|Mrs|Ms|Prof|Sr|Sra|St)\.(?=\s)/g, `$&${JOINED}`)
    .split(
      /\n+|(?<=\?["”]?\s*\([^()]*\)\.?)\s+(?=[\p{L}¿¡"“«\d])(?!(?:and|or|y|e|o|u|if|si)\b)|(?<=[^\s,;:])(?<!\b[yoeu])\s+(?=¿)|(?<=\?)\s+(?=[\p{L}¿¡"“«\d])(?!(?:and|or|y|e|o|u)\b)|(?<=[.!])\s+(?=[\p{Lu}¿¡"“«\d])|(?<=\p{L}{4}(?<!\b(?:approx|incl|excl|misc|dept|prof|gral|aprox|nro))\.)\s+(?=\p{Ll})|[.!]\s*$/u,
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

const OPTION_INTRO =
  /^(?:enum|(?:(?:choose|select|pick|tick|check) )?(?:one|any|some|several|one or more) of|choose (?:from|between)|(?:select|pick|drop-?down|radio|check ?boxes)(?=[\s:])(?: from)?|options?|choices?|either|between|multiple|una de|elegir entre|entre|opciones)\b[\s:]*/i

/** "Sales and marketing, IT, HR": joined where others follow. */
const AND_WITHIN = /[\p{L}\d] (?:&|and|y) [^,()"]{1,40},/iu

/** Divided by slashes, whatever commas there are. */
const SPACED_SLASHES = /^[^/|]+,[^/|]+ [/|] [^/|]+/u

/** The choices that a text lists; a single one is not a choice. */
export function readChoices(text: string): string[] {
  const bare = text.replace(OPTION_INTRO, '')
  const parts = splitList(bare).map(({ text: part }) => part)
  // "Cut, colour, cut and colour": the last of them is both.
  const isRepeated = new Set(parts.map((part) => part.trim())).size < parts.length
  const isJoined = isRepeated || AND_WITHIN.test(bare)
  const listed =
    isJoined && bare.includes(',')
      ? bare.split(/\s*[,;]\s*(?:(?:or|and|o|y)\s)?|\s(?:or|o)\s(?=[^,;]*$)/)
      : parts
  // "Yes, I'll be there / No, cancel"
  const spaced = SPACED_SLASHES.test(bare) ? bare.split(/\s[/|]\s/) : []
  const given = spaced.length > 1 ? spaced : listed.length > 1 ? listed : bare.split(/\s*[/|]\s*/)
  const choices = given
    .map((choice) => choice.trim().replace(/^["“«]|["”».?]$/g, ''))
    .filter(Boolean)
  const distinct = [...new Set(withUnit(choices))]
  return distinct.length > 1 ? distinct : []
}

/** "12, 24, 36 months": each in months. */
function withUnit(choices: string[]): string[] {
  const unit = /^\d+( \p{L}+(?: \p{L}+)?)$/u.exec(choices.at(-1) ?? '')?.[1]
  const areNumbers = choices.slice(0, -1).every((choice) => /^\d+$/.test(choice) && choice !== '1')
  if (unit === undefined || !areNumbers) return choices
  return choices.map((choice, index) => (index < choices.length - 1 ? choice + unit : choice))
}

const SEVERAL = 'multiple[ -]choice|selecci[oó]n m[uú]ltiple|opci[oó]n m[uú]ltiple'
/** Says in brackets that several may be chosen. */
const MANY = /\([^()]*\b(?:several|multiple|more than one|all that apply|varias|varios)\b[^()]*\)/iu
const CHOOSING = new RegExp(
  `\\b(?:${SEVERAL}|(?:should be |must be )?(?:an? |una? )?(?:drop-?down|desplegable)(?: list| menu)? (?:of|with|de|con)|one of|choice of|choices?|options?|either|such as|choose from|choose between|between(?! [^,;]{1,12}\u2060)|out of(?! \\d)|una de|a elegir entre|elegir entre|entre(?! [^,;]{1,12}\u2060)|opciones)\\b:?\\s*(.*)$`,
  'iu',
)

/** A text without what stands in its brackets. */
export function withoutBrackets(text: string): string {
  return text.replace(BRACKETS, ' ')
}

const QUOTES = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»/g

/** A text of the same length in which nothing stands in brackets or quotation marks. */
export function withBlankGroups(text: string): string {
  const blank = (group: string) => `${group[0]}${' '.repeat(group.length - 2)}${group.at(-1)}`
  return text.replace(BRACKETS, blank).replace(QUOTES, blank)
}

/** Whether a part of a list has choices of its own: "size (S, M)", or "size: S" where others follow. */
function hasChoices(text: string): boolean {
  return /:\s/.test(text) || hasBracketed(text)
}

function hasBracketed(text: string): boolean {
  const groups = text.match(BRACKETS) ?? []
  return groups.some((group) => {
    const content = group.slice(1, -1)
    return readChoices(content).length > 1 || readSeries(content) !== null
  })
}

/** Whether a thing is named with its choices: "size (S, M)", "food 1-5". */
export function hasOwnChoices(text: string): boolean {
  return hasBracketed(text) || /\p{L}/u.test(readScale(text)?.rest ?? '')
}

/** Whether some words are all of the choices: "S/M/L". */
export function isWhole(text: string): boolean {
  return kindNamed(text) === null && readChoices(text).length > 1
}

/** Begins a question, which is none of several choices: "how to pay" may be one. */
export const INTERROGATIVE =
  /^\s*(?:(?:what|how|which|when|where|who|why)\b(?! to\b)|(?:qué|por qué|cuándo|dónde|quién|cuál(?:es)?|cuánt[oa]s?|cómo(?! \p{L}+r\b))\s)/iu

/** Whether a list of choices goes on with other things: "S, M; shoes: red, blue", or "S/M, email". */
export function goesOn(parts: Part[]): boolean {
  const texts = parts.map(({ text }) => text)
  const [first = '', second = ''] = texts
  const isEnded = isWhole(first) && (kindNamed(second) !== null || INTERROGATIVE.test(second))
  const many = texts.findIndex((text) => MANY.test(text)) + 1
  const other = isEnded ? 1 : many > 0 && many < texts.length ? many : texts.findIndex(hasChoices)
  return other > 0 && readChoices(texts.slice(0, other).join(', ')).length > 1
}

/**
 * When choices are listed without brackets, the parts that belong to them: those up to the last "or", or else
 * those before the next known thing; never one with choices of its own. With `isAlone`, the list is about one
 * thing, and all parts are its choices.
 */
export function withChoices(
  parts: Part[],
  index: number,
  { isAlone = false } = {},
): { used: number; choices: string; text: string } {
  const text = parts[index]?.text ?? ''
  const none = { used: 0, choices: '', text }
  const found = CHOOSING.exec(text) ?? /(?:(?<!\d):|:(?!\d))\s*(\S.*)$/u.exec(text)
  const before = text.slice(0, found?.index)
  const isOwn = before.includes('(') || hasChoices(found?.[1] ?? '')
  if (!found || isOwn || !/\S/.test(before)) return none
  const rest = parts.slice(index + 1)
  const other = isAlone ? -1 : rest.findIndex((part) => hasChoices(part.text))
  if (other >= 0) rest.length = other
  const last = rest.findIndex(({ after, text }) => after === 'or' || MANY.test(text))
  const known = rest.findIndex(({ text }) => kindNamed(text) !== null || INTERROGATIVE.test(text))
  const isBetween = /^(between|entre)/i.test(found[0])
  const pair = rest[0]?.after === 'and' || rest[0]?.after === 'or' ? 1 : 0
  const open = isBetween ? pair : known < 0 ? rest.length : known
  const end = isAlone ? rest.length : last >= 0 ? last + 1 : open
  const choices = [found[1] ?? '', ...rest.slice(0, end).map((part) => part.text)]
  const listed = choices.map((choice) => tidy(withoutBrackets(choice))).filter(Boolean)
  if (listed.length < 2 && !isWhole(listed[0] ?? '')) return none
  const isSeveral =
    new RegExp(`^(?:${SEVERAL})`, 'i').test(found[0]) || choices.some((one) => MANY.test(one))
  return {
    used: end,
    choices: listed.join(', '),
    text: isSeveral ? `${before.trimEnd()} multiple choice` : before,
  }
}

/** One of them, in the singular: "questions or concerns" are one thing. */
const ALTERNATIVE =
  /^\s*(?:(?:ask|asks|asking|pide|pida|pregunta|pregunte) (?:for |about |por )?)?(?:(?:an?|the|una?|el|la) )?((?!(?:any|alg[uú]n[oa]?)\b)[\p{L}-]+(?: \p{L}+)?(?: (?:in|at|to|by|from|en|a|al|de|por)(?: the| el| la)? \p{L}+)?)(?<!s)\s*[?.]?\s*$/iu

/** Begins a question: "are you a new or a returning patient". */
const ASKS =
  /^\s*(?:are|is|was|were|do|does|did|will|would|can|have|has) (?:you|they|it|this|the)\s/i

/**
 * Two things that nobody knows, between which one may choose, in a list of other things: "delivery or pickup", joined
 * by a word for "or".
 */
export function alternativesAt(parts: Part[], index: number, or: string): Part | null {
  const [one, other, third] = parts.slice(index, index + 3)
  if (!one || other?.after !== 'or' || third?.after === 'or' || ASKS.test(one.text)) return null
  const choices = [one, other].map(({ text }) => ALTERNATIVE.exec(text)?.[1] ?? '')
  const isPlain = choices.every(
    (choice) => choice !== '' && (choice.includes('-') || kindNamed(choice) === null),
  )
  return isPlain ? { ...one, text: `"${choices.join(` ${or} `)}" (${choices.join(', ')})` } : null
}

const RANGE =
  /(?:\b(?:from|(?:on )?(?:an? )?scale(?: (?:of|from))?|on an?|between|de|del|entre)\s+)?\b(\d{1,2})\s*(?:-|–|to|through|a|al)\s*(\d{1,2})\b(?:\s*(?:scale|stars?|points?|estrellas|puntos))?/i
/** A scale has fewer choices than this. */
export const RANGE_MAX = 20

/** The numbers of a scale that a text names, such as "from 1 to 5"; `rest` is the text without it. */
export function readScale(text: string): { choices: string[]; rest: string } | null {
  const [whole, from, to] = RANGE.exec(text) ?? []
  const [low, high] = [Number(from), Number(to)]
  if (whole === undefined || high <= low || high - low >= RANGE_MAX) return null
  const choices = Array.from({ length: high - low + 1 }, (_, index) => String(low + index))
  return { choices, rest: text.replace(whole, ' ') }
}
