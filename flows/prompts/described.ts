import {
  capitalised,
  CHOICES_MAX,
  type Field,
  type FieldKind,
  type Language,
} from '../forms/form.ts'
import { nameFor, plain } from '../forms/form.ts'
import { addressed, askedInSpanish, askedWhether, isOfCustomers } from '../words/addressing.ts'
import { agreement } from '../words/agreements.ts'
import { answersTo, areSeveral } from '../words/answers.ts'
import { amountOf, boundsOf } from '../words/bounds.ts'
import type { Limit } from '../words/marks.ts'
import type { Owner } from '../words/owners.ts'
import { kindNamed, type Wish } from '../words/words.ts'
import type { Answered } from './conditions.ts'

/** A described field that has no name yet; `isKnown` when a known word determined its kind. */
export type Described = Omit<Field, 'name' | 'isRequired' | 'when'> & {
  said: string
  isOptional: boolean
  /** Whether that was said of it, and does not go without saying. */
  isSaidOptional?: boolean
  isRequired: boolean
  isKnown: boolean
  /** Whether it only says what the form is for. */
  isPurpose?: boolean
  /** Whose it is, as far as its place in the prompt tells. */
  owner?: Owner
  /** What it is if its condition is about something that was described. */
  conditional?: {
    condition: string
    item: Described
    /** Its own words, of which `said` leaves out those that name customers. */
    words: string
    /** What would tell who meets the condition: whether "they are a company". */
    question: Described | null
  }
  /** Which answers to something else it is asked for. */
  when?: Answered
}

/** What a prompt says of a thing, as its words were read. */
export type Asked = {
  said: string
  given: string
  limits: Limit[]
  choices: string[]
  style: FieldKind | null
  isQuestion: boolean
  isNamed: boolean
  isWhether: boolean
}

/** Asks for one word or a few: "What is your name?" */
const NAMING =
  /^(?:what(?:['’]s| is)|which is|¿?\s*cual es) (?:your|the|tu|su|el|la) [\w-]+(?: [\w-]+){0,2}\?$/
/** "Tell us about your vision" */
const TELLING = /^(?:tell us (?:more )?about|cuent[ae]nos (?:mas )?(?:sobre|de))\s/
/** Asks for a time or for how often: "How long did you wait?" */
const MEASURE =
  /^(?:¿\s*)?(?:how (?:long|often|soon|far)|cuanto tiempo|con que frecuencia|como (?:se|te) llamas?)\b/
/** Asks for a day, unless for one that people are to be reached on. */
const WHEN =
  /^(?:¿\s*)?(?:when|cuando)\b(?!.*\b(?:times?|hours?|horas?|call|reach|contact|llam\w+|contact\w+)\b)/
/** "Which product did you buy?" */
const SHORT =
  /^(?:¿\s*)?which (?!ones?\b)\w+\?$|^(?:¿\s*)?(?:what|which|que|cual) (?:product|item|model|brand|service|city|country|branch|store|size|colou?r|plan|course|class|room|topic|language|department|area|day|time|date|producto|servicio|modelo|marca|ciudad|pais|sucursal|tienda|talla|color|curso)\b/
const FAVOURITE = /^(?:what(?:['’]s| is)|which is) your (?:favou?rite|preferred) /
const OPEN =
  /^(¿\s*)?(what|how|why|which|tell|anything|is there anything|algo|hay algo|describe|que|como|por que|cual|cuent\w+)\b/

/** The field that was asked for. */
export function describe(
  asked: Asked,
  language: Language,
  wish: Wish & { isSaidOptional: boolean },
): Described {
  const { said, isQuestion, isNamed, limits } = asked
  const text = plain(said)
  const known = kindNamed(said)
  const found = asked.choices.length > 0 ? asked.choices : answersTo(asked, known, language)
  const isNumbered = known === 'rating' && amountOf(limits, 'value') !== undefined
  const choices = isNumbered ? [] : found
  const kind = isNumbered ? 'number' : kindFor({ ...asked, choices }, known, text)
  const label =
    kind === 'consent' ? agreement(said, language) : capitalised(labelOf(asked, language))
  const { isOptional, isSaidOptional, isRequired } = wish
  return {
    said,
    label,
    kind,
    isOptional,
    isSaidOptional,
    isRequired,
    choices: kind === 'one_of' || kind === 'some_of' ? choices.slice(0, CHOICES_MAX + 1) : [],
    section: 0,
    ...boundsOf({ kind, choices }, limits, language),
    isKnown:
      known !== null ||
      choices.length > 0 ||
      isQuestion ||
      isNamed ||
      asked.isWhether ||
      limits.length > 0 ||
      isOfCustomers(said) ||
      TELLING.test(text) ||
      asked.style !== null,
  }
}

/** A question that speaks of customers, where it should speak to them: "would they come again". */
const OF_CUSTOMERS =
  /^(?:(?:how (?:often|likely|many|much|long|\w+)|what|why|when|where|which \w+) )?(?:would|do|did|does|will|are|were|have|had|can|could|should) they\b|^(?:what|why|when|where|how) they\b/i

/** Whoever describes a form speaks of customers, and the form to them. */
function labelOf({ said, isQuestion, isNamed, isWhether }: Asked, language: Language): string {
  if (isNamed) return said
  if (isQuestion) return language === 'en' && OF_CUSTOMERS.test(said) ? addressed(said) : said
  if (language === 'es') return isWhether ? askedInSpanish(said) : said
  return isWhether ? askedWhether(said) : addressed(said)
}

/** A longer text has more than one line. */
const LINE_CHARACTERS = 100

function isLong(limits: Limit[]): boolean {
  const characters = amountOf(limits, 'characters')?.most ?? 0
  return characters > LINE_CHARACTERS || amountOf(limits, 'words') !== undefined
}

/** As much as fits into one line: a message on a cake, on a card. */
const BRIEF_CHARACTERS = 50

function isBriefText(limits: Limit[]): boolean {
  const most = amountOf(limits, 'characters')?.most ?? Infinity
  return most <= BRIEF_CHARACTERS
}

function kindFor(asked: Asked, known: ReturnType<typeof kindNamed>, text: string): FieldKind {
  const { said, choices, style, isQuestion, limits } = asked
  if (choices.length > 0) {
    const isSeveral =
      style === 'some_of' || style === 'consent' || (style === null && areSeveral(said, choices))
    const counted = amountOf(limits, 'count')
    return (isSeveral || counted) && counted?.most !== 1 ? 'some_of' : 'one_of'
  }
  if (style !== null && style !== 'one_of' && style !== 'some_of') return style
  if ((known === null || known === 'text') && WHEN.test(text)) return 'date'
  if (known === 'paragraph' && isBriefText(limits)) return 'text'
  if (known !== null && known !== 'rating') {
    const isOpen = OPEN.test(text) && ![NAMING, MEASURE, SHORT].some((brief) => brief.test(text))
    return isQuestion && known === 'text' && isOpen ? 'paragraph' : known
  }
  const isBrief = [FAVOURITE, MEASURE, SHORT].some((brief) => brief.test(text))
  return isLong(limits) || TELLING.test(text) || (isQuestion && OPEN.test(text) && !isBrief)
    ? 'paragraph'
    : 'text'
}

/** Says of a thing that was described before how much it may be. */
export function limit(described: Described, limits: Limit[], language: Language): void {
  const counted = amountOf(limits, 'count')
  if (described.choices.length > 0 && counted) {
    described.kind = counted.most === 1 ? 'one_of' : 'some_of'
  }
  if (described.kind === 'text' && isLong(limits)) described.kind = 'paragraph'
  Object.assign(described, boundsOf(described, limits, language))
}

/** The field with a name that no other field has. */
export function named(described: Described, taken: string[], isRequired: boolean): Field {
  const { said, label, kind, choices, section, least, most, hint, initial } = described
  const bounds = {
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(hint !== undefined && { hint }),
    ...(initial !== undefined && { initial }),
  }
  return { name: nameFor(said, taken), label, kind, isRequired, choices, section, ...bounds }
}
