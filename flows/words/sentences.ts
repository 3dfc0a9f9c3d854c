import { plain } from '../forms/form.ts'
import { hasOwnChoices, INTERROGATIVE, isWhole, readScale, splitList } from './lists.ts'
import { withoutBrackets } from './lists.ts'
import { kindNamed } from './words.ts'

/** Words that ask for what follows them. */
export const ASKING =
  /\b(ask(?:s|ing(?! price))?(?: (?:(?:the |our )?(?:new |existing |all )?(?:customers?|users?|clients?|guests?|people|them|patients?|attendees|participants|visitors|members|students|employees|parents|drivers|applicants|candidates|tenants|residents|suppliers|travell?ers|passengers|volunteers)(?!['’]s)|(?:the|our|each|every) \p{L}{1,20}(?= (?:for|about|to (?:enter|choose|select|give|provide|pick|confirm|write|share|specify|indicate|tell us))\b)))?(?: (?:for|about|to (?:enter|choose|select|give|provide|pick|confirm|write|share|specify|indicate|tell us)))?|collect(?:s|ing)?|(?<!\b(?:special|service|feature|other|additional|dietary|specific|further|your|an?) )request(?:s|ing)?(?!\s*(?:[,;().]|$|(?:and|or|optional|required)\b))|gather(?:s|ing)?|captur(?:e|es|ing)|includ(?:e|es|ing)|cover(?:s|ing)|contain(?:s|ing)?|with(?! (?:us|you|it|them|that|this)\b)|fields? for|(?<!\bdo (?:you|they|we) )needs?(?! it\b)(?!\s*(?:[,;(]|$|and\b))(?! to (?!ask|collect|get|know|gather|capture|have|see|find|record|request)\p{L})|(?<!\b(?:they|you|we) )wants?(?! to (?!ask|collect|get|know|gather|capture|have|see|find|record|request)\p{L})|know(?: about)?|find(?:s|ing)? out|tell us(?! about)|enters?|by (?:entering|providing|giving|sharing|submitting|selecting|choosing|filling in)|fills? in|provides?|(?<!\b(?:sick|annual|maternity|paternity|parental|medical|family|casual|study|bereavement|unpaid|paid|on|of|for) )leaves?(?! (?:types?|dates?|balance|requests?|period|start|end)\b)|chooses?|selects?|picks?|(?<!\b(?:i|we|hereby) )gives?(?: us)?|uploads?(?!\s*(?:[,;.()]|$|(?:and|optional|required|mandatory)\b))|(?<=\b(?:they|customers?|users?|guests?|patients?|and) (?:can |should |must |then |also |finally )?)(?:writes?|types?(?= (?:in|their|his|her|the|an?)\b)(?: in)?)|attach(?:es)?|record(?:s|ing)?|get|(?<!\b(?:(?:any|some|every)(?:thing|one|body)|nothing|he|she|who|customer|user|client|guest|patient|person) )has|(?<!\b(?:you|they|we|i|who) )have|pedir|pide|pida|pidiendo|solicit(?!ud|ante)\w+|recog(?!id[ao]s?\b)\w+|recopil\w+|incluy\w+|incluir|con(?! nosotros\b)|averiguar|pregunt(?:e|a|ar)(?: por)?|elegir|elijan?|seleccion(?:en?|ar)|(?:(?:me|nos) )?(?:dejen|den)(?= (?:el|la|los|las|sus?|un|una|nombre|correo)\b)|suban|adjunten|registr(?:e|ar)|deben? (?:indicar|ingresar|escribir|introducir|proporcionar|dejar|dar|rellenar|completar)|teng[ao]|que contenga|subir|(?:quiero|queremos|necesito|necesitamos) saber|necesit(?:o|amos)(?= (?:el|la|los|las|sus?|tu)\s)|(?:(?:me|nos) )?(?:diga|indique|ingrese|escriba|proporcione)n?)\b:?/iu
/** Words about a form and its fields, which introduce a list of them. */
export const INTRO =
  /\b(fields?|questions?|ask|asks|asking|know|collect\w*|following|details|data|information|inputs?|campos?|preguntas?|datos|siguientes?|pide|pedir|solicit(?!ante)\w*|screen|page|step|pantalla|paso)\b/iu
/** The beginning of a prompt, before it names what the form asks for. */
export const PREFACE =
  /^[^,:;?]*?\b(?:form|flow|survey|poll|quiz|questionnaire|formulario|encuesta|cuestionario|flujo)\b/iu
/** The wish for a form, put as a question. */
const REQUEST =
  /^(?:\p{L}+[,!] )?(?:(?:can|could|would|will) you|(?:can|could|may) (?:i|we) (?:please )?(?:get|have))\b|^¿?(?:puedes?|podrías?|podria)\b/iu

/** The same, without a word for a form: "Could you build something to capture the email" */
const BUILDING =
  /^(?:can|could|would|will) you (?:please )?(?:build|make|create|design|set up|write|generate|prepare|draft|give me|help)\b/i

const ADDRESSING = /^(?:hi|hey|hello|hola|buenas|good (?:morning|afternoon))(?: there)?[,!]\s+/i

/** "For my passengers, rating, comments" */
const FOR_WHOM = /^for ((?:my|our|the) [^,:;?.()]{2,40}), (?=[^:]*,)/i

/** A sentence without words about the form itself, such as "A survey for our guests". */
export function withoutPreface(greeted: string): string {
  const sentence = greeted.replace(ADDRESSING, '')
  const behind = sentence.replace(PREFACE, '').replace(/^[\s,;]+/, '')
  const [whom = '', name = ''] = behind === sentence ? [] : (FOR_WHOM.exec(behind) ?? [])
  const text = kindNamed(name) === null ? behind.slice(whom.length) : behind
  if (text !== sentence && REQUEST.test(sentence)) return text.replace(/[\s?]+$/, '')
  if (BUILDING.test(text) && ASKING.test(text))
    return text.replace(BUILDING, '').replace(/[\s?]+$/, '')
  const question = text.replace(/^:\s*/, '')
  return question.split('?').length === 2 && isQuestion(question) ? question : text
}

/** What a thing that has a line of its own begins with. */
export const BULLET = /^\s*(?:[-*•–]|\(?(?:\d{1,2}|[a-j])\)|\d{1,2}\.)\s+/iu
/** Begins what only says when something is to be done. */
export const CLAUSE =
  /^(?:when|once|if|after|before|while|as|at|on|in|for|cuando|si|tras|al|antes|después|en|para)\s/i

/** What an English or a Spanish question begins with. */
export const QUESTION =
  /^\s*(?:¿|(?:what|how|why|which|where|when|who|would|do|does|did|are|is|was|were|have|has|can|could|will|should|may)\b)/i

/** Begins what is asked in other words than a question's: "when they plan to move" */
export const INDIRECT =
  /^(?:what|which|how|when|where|why|who|qu[eé]|cu[aá]l(?:es)?|c[oó]mo|cu[aá]ndo|d[oó]nde)\s/iu

/** Whether a sentence is one question, and no list that ends with one: "Name, email, how did you find us?" */
export function isQuestion(text: string): boolean {
  if (!/\?[\s.]*$/.test(withoutBrackets(text))) return false
  const parts = splitList(text).map((part) => part.text)
  const last = parts.pop() ?? ''
  const asked = parts.filter((part) => QUESTION.test(part))
  if (asked.length > 1 && QUESTION.test(parts[0] ?? '')) return false
  if (parts.some((part) => ENDED.test(withoutBrackets(part)))) return false
  if (QUESTION.test(text) || (!QUESTION.test(last) && parts.length < 2)) return true
  const known = parts.filter((part) => hasOwnChoices(part) || kindNamed(part) !== null)
  const isThing = (part: string, at: number) =>
    hasOwnChoices(part) || isNaming(part) || (at === 0 && known.length > 1 && ASKING.test(part))
  if (parts.length > 3 && known.length > 2) return false
  const isNamed = known.length > parts.length / 2 && parts.every(isThing)
  return ASKING.exec(text)?.index !== 0 && (CLAUSE.test(text) || !isNamed)
}

/** Begins what says more of a thing. */
export const SAID_OF = /\s(?:of|for|from|about|in|on|at|de|del|para|sobre|en)\s/i
const DETERMINED = /^(?:an?|the|their|his|her|el|la|los|las|una?|su)\s/i
/** Shows that something is said, and not only named. */
export const TELLING =
  /^(?:we|i|you|they|it|this|that|there)\b|\b(?:is|are|was|were|be|has|have|will|should|must|can|es|son|debe|tiene)\b/i

/** Whether some words only name a thing, without saying anything about it: "The photo of the damage". */
export function isNaming(text: string): boolean {
  const bare = withoutBrackets(text)
  const words = (readScale(bare)?.rest ?? bare).trim()
  const countOf = (some: string) => some.trim().split(/\s+/).length
  if (countOf(words) <= 4) return true
  const [thing = ''] = words.split(SAID_OF)
  const isShort = countOf(thing) <= (DETERMINED.test(words) ? 4 : 2)
  return isShort && kindNamed(thing) !== null && !TELLING.test(words)
}

const ASKS = /\b(?:ask(?:s|ing)?|pregunt\w+)\b/i
// `\b` takes only ASCII for letters: it sees no end of "qué".
const WHICH = /\b(?:which|what|how|where|who|whether|qué|cuál(?:es)?|cómo|dónde)(?!\p{L})/iu

/** "Ask which topics they like": what follows are the answers. */
export function isIndirect(text: string): boolean {
  const at = text.search(ASKS)
  return at >= 0 && WHICH.test(text.slice(at))
}

/** "Customers should tell us": what follows is no choice. */
const GIVING =
  /(?:^|\s)(?:tell us|let us know|give us|send us|share|provide|submit|enter|fill in|dinos|díganos|indícanos|indiquen?|proporcionen?)$/iu

/** Whether a text says that what follows it is asked for. */
export function isIntroducing(head: string): boolean {
  return head === '' || GIVING.test(head) || (INTRO.test(head) && !isIndirect(head))
}

/** Ends a list of choices. */
export const OTHER =
  /^\s*(?:others?|none|something else|not sure|otr[oa]s?|ningun[oa]?)(?: (?:of (?:these|the above)))?\W*$/

/** With it begins what is asked of a person, and no list of choices. */
const PERSON =
  /^(?:(?:your|their|the|customer|client|guest|contact|full|first|patient|student|employee|child|parent|owner|pet|applicant|member|donor|company|business|el|su)(?:['’]s)? )*names?$|^nombre(?: completo| comercial| y apellidos?|s)?$/

/** A question without its mark: "what did you see", "was the police informed". */
const IN_WORDS =
  /^\s*(?:(?:what|how|which|when|where|who|why) (?:do|did|does|is|are|was|were|can|could|would|will)|(?:do|did|does|is|are|was|were|have|has|can|could|would|will) (?:you|they|it|we|the|your|our|there|any)) \S/i

/** Is asked for, and seldom chosen: "start date" */
const DAY = /\bdates?\s*$|^\s*fecha (?:de|del)\b/i

/** A question, which is none of several choices. */
const ENDED = /\?[\s.]*$/

/** Is to be given, and not chosen: "attach the receipt" */
const UPLOAD = /^\s*(?:uploads?|attach|adjuntar|subir)\s/i

/** Whether most of what is listed is known, a question, or has choices of its own. */
export function isOfKnown(list: string): boolean {
  const parts = splitList(list).map(({ text }) => text)
  if (isWhole(withoutBrackets(parts[0] ?? ''))) return false
  if (INTERROGATIVE.test(list)) return true
  if (parts.length > 1 && PERSON.test(plain(parts[0] ?? '').trim())) return true
  const colon = parts.findIndex((text) => /\S:\s/.test(text))
  if (colon === 1 || (colon > 1 && parts.slice(0, colon).every((text) => kindNamed(text) !== null)))
    return true
  const areAsked = parts
    .slice(parts.length > 3 ? 0 : -1)
    .some((text) => ENDED.test(text) || UPLOAD.test(text))
  if (parts.length > 2 && areAsked && parts.some((text) => kindNamed(text))) return true
  const nested = parts.filter(hasOwnChoices).length
  if (nested === 0 && OTHER.test(plain(parts.at(-1) ?? ''))) return false
  const isKnown = parts.length > 1 && parts.some((text) => kindNamed(text) !== null)
  if (nested > 0 && (isKnown || (nested > 1 && nested < parts.length))) return true
  const kinds = parts.map((text) => kindNamed(withoutBrackets(text)))
  const sure = kinds.filter((kind) => kind !== null && kind !== 'text' && kind !== 'rating')
  if (kinds[0] != null && sure.length > 2) return true
  if (parts.filter((text) => DAY.test(text)).length > 1) return true
  const firm = kinds.filter((kind) =>
    ['paragraph', 'date', 'number', 'consent'].includes(kind ?? ''),
  )
  const isLong = parts.length > 4 && kinds.filter((kind) => kind !== null).length > 2
  if (isLong && firm.length > 0 && sure.length > 1) return true
  if (sure.length > 1 && kinds.filter((kind) => kind !== null).length > 3) return true
  const known = parts.filter(
    (text) =>
      kindNamed(withoutBrackets(text)) !== null ||
      /\?[\s.]*$/.test(withoutBrackets(text)) ||
      IN_WORDS.test(text),
  )
  const chosen = parts.filter((text) => !known.includes(text) && hasOwnChoices(text))
  if (known.length > parts.length / 2) return true
  return known.length > 0 && chosen.length > 0 && known.length + chosen.length >= parts.length / 2
}

const WITH = /^([^,;]*?)\s(?:with|con)\s(.*)$/is

/** The preposition that tells what a form has. */
export const WITH_VERB = /^(?:with|con)\b/i

/** What a form has that is made for something else: "to collect feedback with a rating, a comment". */
export function thingsBehind(verb: string, asked: string): string | null {
  if (WITH_VERB.test(verb)) return isEnumeration(asked) ? asked : null
  const [, before = '', things = ''] = WITH.exec(asked) ?? []
  const kind = kindNamed(before)
  const isOne = splitList(before).length === 1 && (kind === null || kind === 'paragraph')
  return isOne && isOfKnown(things) ? things : null
}

/** "Last 4 digits of the card" */
const OF_IT =
  /^\s*(?:[\p{L}\d]+ ){1,4}(?:of|de) (?:(?:the|your|their|la|el|su) )?(?:\p{L}+ )?\p{L}+\s*$/iu

/** Whether a list names things, of which some are known. */
function isEnumeration(list: string): boolean {
  const parts = splitList(list).map(({ text }) => text)
  const isEach = parts.every(
    (text) =>
      hasOwnChoices(text) ||
      isNaming(text) ||
      OF_IT.test(text) ||
      /^(?:whether|if|what|how|si)\s/i.test(text),
  )
  return parts.length > 1 && isEach && parts.some((text) => kindNamed(text) !== null)
}

const CHOICE_WORDS_MAX = 3

/** Whether a sentence is nothing but alternatives: "Delivery or pickup." */
export function isChoice(text: string): boolean {
  const parts = splitList(text)
  const isShort = parts.every(({ text: one }) => one.trim().split(/\s+/).length <= CHOICE_WORDS_MAX)
  const isOther = CLAUSE.test(text) || TELLING.test(text) || /[()]/.test(text)
  const isKnown = parts.some(({ text: one }) => kindNamed(one) !== null)
  return isShort && !isOther && !isKnown && parts.at(-1)?.after === 'or'
}

/** Says whom or what a form is for: "a survey for our guests". */
export const FOR = /^(?:for|about|to|para|sobre)\b/i
