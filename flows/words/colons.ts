import { plain } from '../forms/form.ts'
import { isType } from './brackets.ts'
import { goesOn, hasOwnChoices, isWhole, splitList } from './lists.ts'
import { ASKING, FOR, isChoice, isIndirect, isIntroducing, isOfKnown, OTHER } from './sentences.ts'
import { isTitle } from './purposes.ts'
import { kindNamed } from './words.ts'

/**
 * Whether the part after a colon lists things to ask for; otherwise it lists the choices of what stands before
 * it.
 */
function isIntroduction(head: string, rest: string): boolean {
  if (isIntroducing(head) || WANTING.test(head) || isOfKnown(rest)) return true
  const parts = splitList(rest)
  const isAnyAsked = parts.some(({ text }) => ASKED_INDIRECTLY.test(text))
  if (parts.length > 1 && isAnyAsked && !rest.includes('/')) return true
  if ((DEED.test(head) || isTitle(head)) && areMixed(parts.map(({ text }) => text))) return true
  const kind = kindNamed(head)
  // "Real estate lead: buy or rent, price"
  const or = parts.findIndex(({ after }) => after === 'or')
  if (kind === null && or > 0 && parts.slice(or + 1).some(({ text }) => kindNamed(text) !== null))
    return true
  const isWide = kind === null || (kind === 'paragraph' && parts.length > 2)
  const listed = parts.filter(({ text }) => LISTED.test(text) && hasOwnChoices(text))
  const isAnyListed =
    listed.length > 0 && listed.length < parts.length && !isWhole(parts[0]?.text ?? '')
  const areAll = parts.every(({ text }) => hasOwnChoices(text))
  return parts.length > 1 && (isAnyListed || (isWide && areAll))
}

/** "We need staff to log maintenance" */
const WANTING =
  /^(?:we|i)(?:['’]d like| (?:need|want|would like))\b.*\bto (?!(?:know|learn|choose|pick|select|decide|find)\b)\p{L}+|^(?:queremos|quiero|necesito|necesitamos) que\s.*\p{L}/iu

/** "Order a custom T-shirt": what no form is called by, beside the deeds of `isTitle`. */
const DEED =
  /^(?:order|submit|file|apply for|cancel|reserve|rent|sign up for|pedir|cancelar)\s[\p{L}'’ -]{2,50}$/iu

/** Whether some things are hardly choices, since several are known, and not all as texts: "size, colour, quantity". */
function areMixed(things: string[]): boolean {
  const kinds = things.map((text) => kindNamed(text)).filter((kind) => kind !== null)
  const isKnown = kinds.length > 1 && kinds.some((kind) => kind !== 'text')
  return things.length > 2 && (isKnown || things.some((text) => /\?\s*$/.test(text)))
}

/** "what should improve", but not "how to pay", "when ready" */
const ASKED_INDIRECTLY =
  /^\s*(?:(?:what|which|where|why|who|how (?:often|likely|many|much|long)) (?!to\b)\p{L}+ \p{L}+|since when|desde cuándo|(?:is|are|was) any(?:one|body) \p{L}+|hay (?:alguien|alg[uú]n\p{L}*) \p{L}+|(?:qué|cuál(?:es)?|cuánt[oa]s?|cómo|dónde|por qué)\s\p{L}+)/iu

/** "Delivery (home, shop)" */
const LISTED = /\([^()]*[,/][^()]*\)/

const GENERAL =
  /\b(?:fields?|questions?|following|details|data|information|campos?|preguntas?|datos|siguientes?)\b/iu

/** Names what one chooses, even between things that are asked for elsewhere: "contact method: phone or email". */
const CHOSEN =
  /\b(?:method|channel|way|preference|option|mode|slot|window|medio|método|canal|forma|preferencia|opción)\W*$/i

/** "As soon as possible", "at a certain time" */
const WHEN =
  /^\s*(?:as|at|in|on|by|after|before|during|now|later|today|tomorrow|anytime|whenever)\b/i

/** Says who gives what is asked for: "customers can". */
const SUBJECT =
  /^(?:(?:and|then|also|next|finally|please|luego|después|y) )*(?:(?:the |el |la |los )?(?:customers?|users?|clients?|guests?|people|they|clientes?|usuarios?)(?: (?:can|should|must|will|puede|debe))?\s)?$/i

/**
 * What is asked for before a colon, with the choices behind it: "the size: S, M, L" of "Ask for the size: S, M, L".
 * Null where the colon introduces the things that are asked for.
 */
function askedWithChoices(head: string, list: string): string | null {
  const asking = ASKING.exec(head)
  if (!asking || !SUBJECT.test(head.slice(0, asking.index)) || isIndirect(head)) return null
  const asked = head.slice(asking.index + asking[0].length).replace(/\s(?:from|entre|de)\s*$/i, '')
  const things = splitList(asked).map(({ text }) => text)
  const thing = things.at(-1) ?? ''
  const choices = splitList(list)
  const last = choices.findIndex(({ after }) => after === 'or')
  const alternatives = last < 0 ? choices : choices.slice(0, last + 1)
  const isChosen = CHOSEN.test(thing)
  const isWhen = alternatives.every(({ text }) => WHEN.test(text))
  // "Ask for the date and the colours: red, green"
  const isAfterOthers =
    things.slice(0, -1).some((one) => kindNamed(one) !== null) &&
    alternatives.every(({ text }) => kindNamed(text) === null)
  const isThing =
    isChosen || kindNamed(thing) !== null || isAfterOthers || (last >= 0 && thing !== '')
  // "Ask the reason: price, service, other"
  const isEnded = choices.length > 2 && OTHER.test(plain(choices.at(-1)?.text ?? ''))
  const isOther =
    !isEnded &&
    alternatives.some(
      ({ text }) =>
        (last < 0 ? /:\s|[?(]/ : /:\s|\?/).test(text) ||
        (!isChosen && !isWhen && kindNamed(text) !== null),
    )
  if (!isThing || isOther || GENERAL.test(thing)) return null
  return isChosen && last < 0 ? `${asked} (${list})` : `${asked}: ${list}`
}

/** Says what customers do with a form: "that lets students apply". */
const RELATIVE =
  /^(?:that|so that|letting|where (?:(?:the )?\p{L}+|they) (?:can|may|will)|que|donde)\b(?!.*\?)/iu
/** A heading, and what is behind its colon. */
export const COLON = /^((?:[^:(,]|(?<=\d):(?=\d))*)(?:(?<!\d):|:(?!\d))\s*([\s\S]*)$/

/** The things that a sentence with a colon lists; null where it is about one thing. */
export function listBehindColon(text: string, hasPreface: boolean): string | null {
  const [, head = '', rest] = COLON.exec(text) ?? []
  if (rest === undefined || (isType(rest) && !isIntroducing(head))) return null
  const chosen = askedWithChoices(head, rest)
  if (chosen !== null) return chosen
  const isFormFor = FOR.test(head) || (RELATIVE.test(head) && !ASKING.test(head))
  if (CHOSEN.test(head) && !isIntroducing(head) && !ASKING.test(head)) return null
  // "A poll for lunch: pizza or tacos?"
  if (isFormFor && isChoice(rest.replace(/\?\s*$/, ''))) return null
  if ((hasPreface && isFormFor) || isIntroduction(head, rest)) return rest
  return goesOn(splitList(rest)) ? text : null
}
