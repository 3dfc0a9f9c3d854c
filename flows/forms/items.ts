import { capitalised, CHOICES_MAX, type Field, type FieldKind, type Language } from './form.ts'
import { nameFor, plain } from './form.ts'
import { addressed, askedInSpanish, askedWhether, isOfCustomers } from './addressing.ts'
import { agreement, isAdvertising, withoutConsent } from './agreements.ts'
import { answersTo, areSeveral, asksYesOrNo, namesAlternatives } from './answers.ts'
import { readGroups, readInline } from './brackets.ts'
import { readScale, splitList } from './lists.ts'
import { cleaned } from './fillers.ts'
import { areDays, readSeries } from './series.ts'
import { withoutOccasion } from './purposes.ts'
import { QUESTION } from './sentences.ts'
import { kindNamed, readWish, tidy, type Wish, withoutAddresses } from './words.ts'

/** A described field that has no name yet; `isKnown` when a known word determined its kind. */
export type Described = Omit<Field, 'name' | 'isRequired'> & {
  said: string
  isOptional: boolean
  isRequired: boolean
  isKnown: boolean
  /** Whether it only says what the form is for. */
  isPurpose?: boolean
}

const DATED = /\b(?:dates?|fechas?)\b/i
const YES_NO = /^(?:yes|s[ií]|no)$/i
const PHOTOS = /^(?:photos?|pictures?|images?|scans?|fotos?|fotograf[ií]as?) (?:of|de)\b/i
const LABEL_WORDS_MAX = 8
const QUESTION_CHARACTERS_MAX = 300
const PARENTHESES = /\(([^()]*)\)|\[([^[\]]*)\]/g
/** No name of a thing: "a", or "two" of "two fields". */
const DETERMINER =
  /^(?:an?|the|una?|el|la|\d+|two|three|four|five|six|several|some|dos|tres|cuatro|cinco|seis)$/i

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
  const [head = '', ...tail] = withoutConsent(outside).split(/:\s+|:$/)
  if (tail.length > 0 && tidy(tail.join(': ')) !== '') groups.push(tail.join(': '))
  const quotation = /["“«]([^"”»]+)["”»]/.exec(head)?.[1]
  const quoted = quotation === undefined ? undefined : tidy(quotation)
  const bare = quoted ?? tidy(head)
  const isQuestion = /\?\s*$/.test(bare) || ASKED.test(bare)
  const scale = isQuestion && !SCALED.test(plain(head)) ? null : readScale(head)
  const inline = scale || isQuestion ? null : (readInline(head) ?? readSeries(head))
  const asked = scale?.rest ?? inline?.rest ?? head
  const { wish, rest } = readWish(
    quoted === undefined ? asked : asked.replace(`"${quotation}"`, ' '),
  )
  const [, undecided] = WHETHER.exec(tidy(rest)) ?? []
  const said =
    quoted ??
    (isQuestion
      ? tidy(head)
      : (undecided ?? (withoutOccasion(cleaned(rest)) || (scale ? UNNAMED_SCALE[language] : ''))))
  const about = readGroups(groups)
  if (said === '' || !/\p{L}/u.test(said) || DETERMINER.test(said)) return null
  const isLong = said.split(/\s+/).length > LABEL_WORDS_MAX
  const isQuotation = quoted !== undefined || isQuestion
  if (isQuotation ? said.length > QUESTION_CHARACTERS_MAX : isLong) return null
  const listed = [scale?.choices, inline?.choices, about.choices, alternatives(said)]
  const found = listed.find((one) => one?.length) ?? []
  // "The date of the visit (Monday to Friday)" is a date all the same, and "photos of it (front, back)" are photos.
  const isNone =
    (DATED.test(said) && areDays(found)) || (PHOTOS.test(said) && !YES_NO.test(found[0] ?? ''))
  const choices = isNone ? [] : found
  const style = about.wish.style ?? wish.style ?? styleOf(rest)
  return describe(
    {
      said,
      given,
      choices,
      style,
      isQuestion,
      isNamed: quoted !== undefined,
      isWhether: undecided !== undefined,
    },
    language,
    {
      isOptional:
        [wish, about.wish].some((one) => one.isOptional) ||
        isFree(said, choices) ||
        // A box that one may tick, and no agreement.
        (style === 'consent' && kindNamed(said) !== 'consent'),
      isRequired: wish.isRequired || about.wish.isRequired,
      style,
    },
  )
}

/** Asks for a yes or a no, without being a question: "whether they come by car". */
export const WHETHER =
  /^\s*(?:(?:asks?|asking|pregunt\w+|to|know|tell us|let us know|say|indicate|also|también)\s+)*(?:whether|if(?! you\b)|si)\s+(?:to\s+)?(?=\S+\s)(.*?)(?:\s+(?:or not|o no))?$/i
/** A question for those who have answered the one before in a certain way. */
export const DEPENDENT =
  /^(?:¿\s*)?(?:if (?:yes|so|no|not|any)|si (?:es así|la respuesta|no|sí))(?=[\s,])/i
/** Asks for more, if there is any, or only in some cases. */
const VOLUNTARY =
  /^(?:any|anything|algun[oa]?s?|algo)\b.*\?$|^(?:¿\s*)?(?:cual(?:es)?|which ones?|what kind)\?$|\s(?:if|si) (?:it['’]s |for |es )?[a-z]+(?: [a-z]+)?$|\bif (?:below|above|under|over|less|more|lower|higher)\b/

/** Whether something is up to the customer, whatever else is required. */
function isFree(said: string, choices: string[]): boolean {
  return (
    DEPENDENT.test(said) ||
    VOLUNTARY.test(plain(said)) ||
    (choices.length === 0 && kindNamed(said) === 'consent' && isAdvertising(said))
  )
}

const ALTERNATIVE_WORDS_MAX = 3
const PREFERRED =
  /\b(?:prefer\w*|prefier\w*|quieren?|desean?|rather(?: have)?|(?:do|would) (?:you|they) (?:want|like|need)|^(?:are|is) (?:you|they|it|this)|^(?:you|they|it) (?:are|is)|^(?:they|you) will [a-z]+|^(?:(?:the|el|la) )?[a-z]+ (?:wants?|needs?|would like|is|are)(?: to)?)\s+(.+?)\??$/i

/** What one may choose between in words: "Would you prefer a call or an email?", "Pickup or delivery?" */
function alternatives(said: string): string[] {
  const bare = said.replace(/^¿\s*/, '')
  const isBare = said.endsWith('?') && !QUESTION.test(bare) && !asksYesOrNo(said)
  const parts = splitList((PREFERRED.exec(said)?.[1] ?? (isBare ? bare : '')).replace(/\?$/, ''))
  const isShort = parts.every(({ text }) => text.split(' ').length <= ALTERNATIVE_WORDS_MAX)
  return isShort && namesAlternatives(said) && parts.at(-1)?.after === 'or'
    ? parts.map(({ text }) => (/^in\s/i.test(text) ? tidy(text) : cleaned(text)))
    : []
}

/** What a scale is about when only its numbers were given: "1-5 stars". */
const UNNAMED_SCALE: Record<Language, string> = { en: 'Rating', es: 'Valoración' }
/** Says that numbers are a scale, in a question, too. */
const SCALED =
  /\b(?:scale|stars?|points?|escala|estrellas|puntos)\b|^(?:¿\s*)?(?:how|que tan|cuan|como|.*\brecom+end\w*)\b.*\b\d{1,2} ?(?:-|–|to|a|al) ?\d{1,2}\W*$/

/** Says that one may choose several: "choose toppings". */
const PLURAL =
  /\b(?:choose|select|pick)\s+(?:(?:the|their|your|any) )?(?:[a-z]+ )?[a-z]+(?<![su])s\b|\b(?:elija|elige|elegir|seleccionar?)\s+(?:los|las|sus)\s/i

const UPLOAD = /^\s*(?:an? )?(?:uploads?|attach(?:es)?|subir|adjuntar)\b|\supload\s*$/i

/** What a verb says about the input, where nothing else does. */
function styleOf(head: string): FieldKind | null {
  if (PLURAL.test(head)) return 'some_of'
  const known = kindNamed(head)
  return UPLOAD.test(head) && known !== 'photo' && known !== 'document' ? 'document' : null
}

type Asked = {
  said: string
  given: string
  choices: string[]
  style: FieldKind | null
  isQuestion: boolean
  isNamed: boolean
  isWhether: boolean
}

/** A question of a list, without its mark: "would you come again". */
export const ASKED =
  /^\s*(?:(?:what|how|when|where|why|which|who) (?:can|do|did|would|will|are|should|could|have) you|(?:would|do|does|did|are|is|have|has|can|will|was|were) (?:you|they|it|this|we|he|she)|(?:do|does|did|are|is|was|were) (?:the|your|our|there|any|anyone))\b/i
/** Asks for one word or a few: "What is your name?" */
const NAMING =
  /^(?:what(?:['’]s| is)|which is|¿?\s*cual es) (?:your|the|tu|su|el|la) \w+(?: \w+)?\?$/
/** Asks for a time or for how often: "How long did you wait?" */
const MEASURE = /^(?:¿\s*)?(?:how (?:long|often|soon|far)|cuanto tiempo|con que frecuencia)\b/
/** Asks for a day, unless for one that people are to be reached on. */
const WHEN =
  /^(?:¿\s*)?(?:when|cuando)\b(?!.*\b(?:times?|hours?|horas?|call|reach|contact|llam\w+|contact\w+)\b)/
const FAVOURITE = /^(?:what(?:['’]s| is)|which is) your (?:favou?rite|preferred) /
const OPEN =
  /^(¿\s*)?(what|how|why|which|tell|anything|algo|describe|que|como|por que|cual|cuent\w+)\b/

function describe(asked: Asked, language: Language, wish: Wish): Described {
  const { said, isQuestion, isNamed } = asked
  const text = plain(said)
  const known = kindNamed(said)
  const choices = asked.choices.length > 0 ? asked.choices : answersTo(asked, known, language)
  const kind = kindFor({ ...asked, choices }, known, text)
  const label =
    kind === 'consent' ? agreement(said, language) : capitalised(labelOf(asked, language))
  const { isOptional, isRequired } = wish
  return {
    said,
    label,
    kind,
    isOptional,
    isRequired,
    choices: kind === 'one_of' || kind === 'some_of' ? choices.slice(0, CHOICES_MAX + 1) : [],
    section: 0,
    isKnown:
      known !== null ||
      choices.length > 0 ||
      isQuestion ||
      isNamed ||
      asked.isWhether ||
      isOfCustomers(said) ||
      asked.style !== null,
  }
}

/** A question that speaks of customers, where it should speak to them: "would they come again". */
const OF_CUSTOMERS =
  /^(?:(?:how (?:often|likely|many|much|long|\w+)|what|why|when|where|which \w+) )?(?:would|do|did|does|will|are|were|have|had|can|could|should) they\b/i

/** Whoever describes a form speaks of customers, and the form to them. */
function labelOf({ said, isQuestion, isNamed, isWhether }: Asked, language: Language): string {
  if (isNamed) return said
  if (isQuestion) return language === 'en' && OF_CUSTOMERS.test(said) ? addressed(said) : said
  if (language === 'es') return isWhether ? askedInSpanish(said) : said
  return isWhether ? askedWhether(said) : addressed(said)
}

function kindFor(asked: Asked, known: ReturnType<typeof kindNamed>, text: string): FieldKind {
  const { said, choices, style, isQuestion } = asked
  if (choices.length > 0) {
    const isSeveral =
      style === 'some_of' || style === 'consent' || (style === null && areSeveral(said, choices))
    return isSeveral ? 'some_of' : 'one_of'
  }
  if (style !== null && style !== 'one_of' && style !== 'some_of') return style
  if ((known === null || known === 'text') && WHEN.test(text)) return 'date'
  if (known !== null && known !== 'rating') {
    const isOpen = OPEN.test(text) && ![NAMING, MEASURE].some((brief) => brief.test(text))
    return isQuestion && known === 'text' && isOpen ? 'paragraph' : known
  }
  const isBrief = [FAVOURITE, MEASURE].some((brief) => brief.test(text))
  return isQuestion && OPEN.test(text) && !isBrief ? 'paragraph' : 'text'
}

/** The field with a name that no other field has. */
export function named(described: Described, taken: string[], isRequired: boolean): Field {
  const { said, label, kind, choices, section } = described
  return { name: nameFor(said, taken), label, kind, isRequired, choices, section }
}
