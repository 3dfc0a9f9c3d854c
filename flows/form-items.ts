import { capitalised, CHOICES_MAX, type Field, type FieldKind, type Language } from './form.ts'
import { nameFor, plain, shortened } from './form.ts'
import { readChoices, readScale } from './form-lists.ts'
import { kindNamed, readWish, tidy, type Wish, withoutAddresses } from './form-words.ts'

/** A described field that has no name yet; `isKnown` when a known word determined its kind. */
export type Described = Omit<Field, 'name' | 'isRequired'> & {
  said: string
  isOptional: boolean
  isRequired: boolean
  isKnown: boolean
}

const LABEL_WORDS_MAX = 8
const QUESTION_CHARACTERS_MAX = 300
const PARENTHESES = /\(([^()]*)\)|\[([^[\]]*)\]/g
/** Words that introduce what is asked for and say nothing about it. */
const LEADING_WORDS = [
  'please|then|also|next|finally|lastly',
  'ask(?:s|ing)?|collects?|requests?|gets?|choose|select|pick|enter|leave|provide|give|upload|write',
  'attach|share|includes?|called|named',
  'customers?|users?|clients?|guests?|patients?|person|you',
  'for|about|if|an?|the|their|your|his|her|its|our|my|some|one|of|to|in|it',
  'must|should|can|be|are|is|have|has',
  'por favor|también|tambien|luego|después|finalmente',
  'pide|pedir|elegir|elija|subir|adjuntar|escribir|dejar|deja|deje|indicar|ingresar|pregunta|preguntar',
  'el|la|los|las|un|una|unos|unas|su|sus|tu|tus|del|de|al|por|para|si|que',
]
const LEADING = new RegExp(`^(?:(?:${LEADING_WORDS.join('|')})(?:'s|’s|s')?\\s+)+`, 'i')
const TRAILING =
  /\s+(?:(?:of|from) (?:the )?(?:customer|user|client|guest)|del? (?:cliente|usuario)|please|too|as well|también|at the end|al final|with|con|that|which|is|are|es|son|be|as|of|de)$/i

/** Reads one thing that is asked for; null for words that cannot be one. */
export function readItem(given: string, language: Language): Described | null {
  const groups: string[] = []
  const outside = withoutAddresses(given).replace(
    PARENTHESES,
    (_, round?: string, square?: string) => {
      groups.push(round ?? square ?? '')
      return ' '
    },
  )
  const [head = '', ...tail] = outside.split(/:\s+|:$/)
  if (tail.length > 0 && tidy(tail.join(': ')) !== '') groups.push(tail.join(': '))
  const quoted = /["“«]([^"”»]+)["”»]/.exec(head)?.[1]
  const isQuestion = /\?\s*$/.test(tidy(head))
  const scale = isQuestion ? null : readScale(head)
  const inline = scale ? null : readInline(head)
  const asked = scale?.rest ?? inline?.rest ?? head
  const { wish, rest } = readWish(quoted === undefined ? asked : asked.replace(`"${quoted}"`, ' '))
  const said = quoted ?? (isQuestion ? tidy(head) : cleaned(rest))
  const about = readGroups(groups)
  if (said === '' || !/\p{L}/u.test(said)) return null
  const isLong = said.split(/\s+/).length > LABEL_WORDS_MAX
  const isQuotation = quoted !== undefined || isQuestion
  if (isQuotation ? said.length > QUESTION_CHARACTERS_MAX : isLong) return null
  const choices = [scale?.choices, inline?.choices, about.choices].find((one) => one?.length) ?? []
  const style = about.wish.style ?? wish.style
  return describe(
    { said, given, choices, style, isQuestion, isNamed: quoted !== undefined },
    language,
    {
      isOptional: wish.isOptional || about.wish.isOptional,
      isRequired: wish.isRequired || about.wish.isRequired,
      style,
    },
  )
}

/** Removes words before and after the thing that is asked for. */
export function cleaned(text: string): string {
  let clean = tidy(text)
  for (let round = 0; round < 3; round++) {
    clean = tidy(clean.replace(LEADING, '').replace(TRAILING, ''))
  }
  return clean
}

/** Choices written as one word: "small/medium/large". */
function readInline(head: string): { choices: string[]; rest: string } | null {
  // Starts only at the beginning of a word, in any script; otherwise the search would start again at each
  // letter.
  const [whole] = /(?<![\p{L}\d])[\p{L}\d]+(?:\s?[/|]\s?[\p{L}\d]+)+/u.exec(head) ?? []
  if (whole === undefined || /^and\s?\/\s?or$/i.test(whole)) return null
  return { choices: readChoices(whole), rest: head.replace(whole, ' ') }
}

/** What stands in brackets or after a colon: a wish, or the choices. */
function readGroups(groups: string[]): { wish: Wish; choices: string[] } {
  const wish: Wish = { isOptional: false, isRequired: false, style: null }
  let choices: string[] = []
  for (const group of groups) {
    if (/^\s*(e\.?g\.?|for example|such as|ej\.?|por ejemplo|max|min|up to|hasta)\b/i.test(group))
      continue
    const read = readWish(group)
    wish.isOptional ||= read.wish.isOptional
    wish.isRequired ||= read.wish.isRequired
    wish.style ??= read.wish.style ?? (isType(read.rest) ? kindOfType(read.rest) : null)
    const several = readChoices(read.rest)
    const listed = several.length > 0 ? several : (readScale(read.rest)?.choices ?? [])
    if (listed.length > 0 && !listed.every(isType)) choices = listed
  }
  return { wish, choices }
}

const TYPES =
  /^(text|string|number|numeric|email|phone|date|photo|document|file|texto|numero|correo|telefono|fecha|foto|documento|archivo)$/

function isType(text: string): boolean {
  return TYPES.test(plain(text.trim()))
}

function kindOfType(text: string): FieldKind | null {
  const kind = kindNamed(text)
  return kind === 'rating' ? null : kind
}

type Asked = {
  said: string
  given: string
  choices: string[]
  style: FieldKind | null
  isQuestion: boolean
  isNamed: boolean
}

const YES_NO =
  /^(¿\s*)?(would|do|does|did|are|is|have|has|can|will|was|were|should|te|le|lo|la|nos|quieres?|quiere|desea|tienes?|tiene|eres|es|esta|ha|has|recomendaria\w*|volveria\w*)\b/
const OPEN = /^(¿\s*)?(what|how|why|which|tell|describe|que|como|por que|cual|cuent\w+)\b/

function describe(asked: Asked, language: Language, wish: Wish): Described {
  const { said, isQuestion, isNamed } = asked
  const text = plain(said)
  const known = kindNamed(said)
  const isYesNo = isQuestion
    ? YES_NO.test(text)
    : /\b(yes|si)\s?[/|,]\s?no\b/.test(plain(asked.given))
  const answers = language === 'es' ? ['Sí', 'No'] : ['Yes', 'No']
  const scale = known === 'rating' ? ['1', '2', '3', '4', '5'] : []
  const choices = [asked.choices, isYesNo ? answers : [], scale].find((one) => one.length) ?? []
  const kind = kindFor({ ...asked, choices }, known, text)
  const label = kind === 'consent' ? agreement(said, language) : capitalised(said)
  const { isOptional, isRequired } = wish
  return {
    said,
    label,
    kind,
    isOptional,
    isRequired,
    choices: kind === 'one_of' || kind === 'some_of' ? choices.slice(0, CHOICES_MAX + 1) : [],
    isKnown: known !== null || choices.length > 0 || isQuestion || isNamed || asked.style !== null,
  }
}

function kindFor(asked: Asked, known: ReturnType<typeof kindNamed>, text: string): FieldKind {
  const { choices, style, isQuestion } = asked
  if (choices.length > 0) return style === 'some_of' ? 'some_of' : 'one_of'
  if (style !== null && style !== 'one_of' && style !== 'some_of') return style
  if (known !== null && known !== 'rating') {
    return isQuestion && known === 'text' && OPEN.test(text) ? 'paragraph' : known
  }
  return isQuestion && OPEN.test(text) ? 'paragraph' : 'text'
}

const AGREEMENT_CHARACTERS_MAX = 120
/** Says that something is agreed to, but not what. */
const BARE_AGREEMENT = /^(consent|agreement|consentimiento|autorizacion)$/

/** What a customer agrees to, as a full sentence when the usual wording is known. */
function agreement(said: string, language: Language): string {
  const text = plain(said)
  const isPrivacy = /priva/.test(text)
  const isData = /\b(data|datos|gdpr)\b/.test(text)
  const isTerms = /\b(terms|conditions|terminos|condiciones)\b/.test(text)
  const isSentence = /^(i |acepto|autorizo|estoy)/.test(text)
  // Nobody should agree to anything but what was named.
  if (isSentence || !(isPrivacy || isData || isTerms || BARE_AGREEMENT.test(text))) {
    return shortened(capitalised(said), AGREEMENT_CHARACTERS_MAX)
  }
  if (language === 'es') {
    if (isPrivacy) return 'Acepto la política de privacidad'
    return isData ? 'Autorizo el uso de mis datos' : 'Acepto los términos y condiciones'
  }
  if (isPrivacy) return 'I accept the privacy policy'
  return isData ? 'I agree to the use of my data' : 'I accept the terms and conditions'
}

/** The field with a name that no other field has. */
export function named(described: Described, taken: string[], isRequired: boolean): Field {
  const { said, label, kind, choices } = described
  return { name: nameFor(said, taken), label, kind, isRequired, choices }
}
