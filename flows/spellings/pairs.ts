import { withGroups } from '../words/groups.ts'
import { kindNamed } from '../words/words.ts'

const AND = '(?: (?:and|&|y|e|\\+) | ?/ ?)'
const WORDS =
  "(?<!\\p{L})((?:(?!(?:and|or|the|their|your|his|her|a|an|for|with|get|ask|asks|collect|collects|need|needs)\\b)[\\p{L}'’-]{1,30} ){0,2})"

/** "Pick-up date & time", "contact name and number" */
const DATE_AND_TIME = new RegExp(`${WORDS}date${AND}time\\b`, 'giu')
const NAME_AND_NUMBER = new RegExp(`${WORDS}name${AND}number\\b`, 'giu')
/** "Pick-up location & date" */
const PLACE_AND_DATE =
  /(?<!\p{L})((?:pick-?up|drop-?off|return|delivery|departure|arrival|event|meeting) )(location|place|address|point)(?: (?:and|&) | ?\/ ?)(date|time)(?!\p{L})/giu
/** "Number of adults and children", "how many adults and children" */
const COUNTS =
  /\b(number of|how many|número de|cuánt[oa]s) (\p{L}{1,30}) (?:and|&|y|e) (\p{L}{1,30}s|children|people)(?!\p{L})/giu
/** "Emergency contact name and phone" */
const CONTACT_BOTH =
  /((?:\p{L}{1,20} )?(?:contact|guardian|parent|reference|owner)) name(?:,? (?:and|&) | ?\/ ?)(phone|email|e-mail|number)\b/giu
/** "The name and phone of the sender", "nombre y teléfono del remitente" */
const NAME_AND =
  /(?<!\p{L})(?:full )?name(?: and | & )(phone|e-?mail|age|address)(?: number)? of (?:the|their|your) (\p{L}{2,30})(?!\p{L})/giu
const NOMBRE_Y =
  /(?<!\p{L})(nombre(?: completo)?) y (teléfono|telefono|correo|edad|dirección) (del?(?: la| los| las)? \p{L}{2,30})(?!\p{L})/giu
const WITH = /(?<=\s)w\/ ?(?=\p{L})/giu

/** "Q1: name", "Q2 What is it?", but not "Q3 revenue" */
const QUESTION_NUMBER =
  /(?<=^|\s)(?:Q|Question |Pregunta )(\d{1,2})(?:[.:)]\s*(?=\S)|\s+(?=[\p{Lu}¿"“]))/gu
/** "Name email and message": known things with nothing between them. */
const RUN_TOGETHER =
  /(?<!\p{L})(names?|e-?mail(?: address)?|phone(?: number)?|mobile|age|nombres?|apellidos?|correo|teléfono|telefono|edad) (?=(?:e-?mail|phone|mobile|message|age|gender|birthday|correo|teléfono|telefono|mensaje|edad|comentarios?|comments?)(?!\p{L}))/giu

/** "Start and end dates", "check-in/check-out dates" */
const SHARED =
  /(?<![\p{L}-])([\p{L}-]{2,30})(?: (?:and|&) | ?\/ ?)([\p{L}-]{2,30}) (date|time|address|number)(?:e?s)(?!\p{L})/giu
/** "Arrival & departure time" */
const BOTH =
  /(?<![\p{L}-])(arrival|start|pick-?up|check-?in|opening) (?:and|&|\/) (departure|end|finish|drop-?off|return|check-?out|closing) (date|time|address|place)(?!\p{L})/giu
/** "Photo of the ID (front and back)" */
const SIDES =
  /(?<!\p{L})(?:(?:photos?|pictures?|images?|scans?|copy) of )?(?:the |your |their |an? )?((?:\p{L}{2,20} )?\p{L}{2,20}) ?\(front (?:and|&|\+) back(?: side)?s?\)/giu

/** "Picture of the front and back of the ID" */
const SIDES_OF =
  /(?<!\p{L})(?:photos?|pictures?|images?|scans?|cop(?:y|ies)) of (?:the |both )?front (?:and|&) (?:the )?back(?: sides?)? of (?:the |your |their |an? )?((?:\p{L}{2,20} )?\p{L}{2,20})/giu
/** "Leave dates from/to", "dates of absence from and to" */
const FROM_TO =
  /(?<!\p{L})((?:\p{L}{2,20} ){0,2})dates?((?: of \p{L}{2,20})?),? ?[(]?from ?(?:\/|and|&|-|–| ) ?to[)]?(?=[,.;\n]|$)/gimu
const DESDE_HASTA =
  /(?<!\p{L})fechas?((?: (?:de |del )?\p{L}{2,20}){0,2}),? ?[(]?desde ?(?:\/|y|-|–| ) ?hasta[)]?(?=[,.;\n]|$)/gimu

const SAME = /\(([^()]*,[^()]*)\)([^()]*)\(same(?: scale| options| choices| answers)?\)/i

const QUOTED_OR_NOT = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|["“«]|[^"“«]+/gu

/** A prompt in which two things with a word in common are both named in full, but for what is quoted. */
export function namedInFull(prompt: string): string {
  return withSame(prompt)
    .replace(QUESTION_NUMBER, '$1. ')
    .replace(QUOTED_OR_NOT, (part) => (/^["“«]/.test(part) ? part : inFull(part)))
}

function inFull(text: string): string {
  return withGroups(text)
    .replace(NAME_AND, '$2 name, $2 $1')
    .replace(NOMBRE_Y, '$1 $3, $2 $3')
    .replace(RUN_TOGETHER, '$1, ')
    .replace(WITH, 'with ')
    .replace(/\bname \(first(?: and | & |, ?| ?\/ ?)last\)/gi, 'first name, last name')
    .replace(/\b(first|last) ?(?:and|&|\/) ?(last|first) names?/gi, '$1 name, $2 name')
    .replace(SIDES_OF, 'photo of $1 front, photo of $1 back')
    .replace(FROM_TO, '$1date$2 from, $1date$2 to')
    .replace(DESDE_HASTA, 'fecha$1 desde, fecha$1 hasta')
    .replace(SIDES, 'photo of $1 front, photo of $1 back')
    .replace(BOTH, '$1 $3, $2 $3')
    .replace(SHARED, (found, one: string, other: string, what: string) =>
      isCounted(one) || isDate(one) ? `${one} ${what}, ${other} ${what}` : found,
    )
    .replace(CONTACT, contacts)
    .replace(CONTACT_BOTH, '$1 name, $1 $2')
    .replace(PLACE_AND_DATE, '$1$2, $1$3')
    .replace(DATE_AND_TIME, (_, of: string) => `${of}date, ${of}time`)
    .replace(NAME_AND_NUMBER, (_, of: string) => `${of}name, ${numberOf(of)}`)
    .replace(COUNTS, (found, how: string, one: string, other: string) =>
      isCounted(one) && isCounted(other) ? `${how} ${one}, ${how.toLowerCase()} ${other}` : found,
    )
}

/** "(same scale)" are the choices of the thing before. */
function withSame(prompt: string): string {
  let text = prompt
  while (SAME.test(text)) text = text.replace(SAME, '($1)$2($1)')
  return text
}

const CONTACT = /(?<=[,;:.] (?:and )?|\band )contact (?:details|info|information)(?=[,;.]|$)/gimu

/** What one needs to reach somebody, but for what the prompt names itself. */
function contacts(_found: string, ...rest: unknown[]): string {
  const prompt = rest.at(-1) as string
  const others = ['name', 'phone', 'email'].filter(
    (one) => !new RegExp(`\\b${one}`, 'i').test(prompt),
  )
  return others.length > 0 ? others.join(', ') : 'contact details'
}

function isDate(thing: string): boolean {
  return kindNamed(thing) === 'date'
}

const PERSON = /['’]s\s*$|\b(?:contact|owner|parent|guardian|person|driver|captain)\s*$/iu

/** The number beside a name is that of a phone, unless the thing has numbers: a card, an account. */
function numberOf(of: string): string {
  const isItsOwn =
    of !== '' && !PERSON.test(of) && ['text', 'phone'].includes(kindNamed(`${of}number`) ?? '')
  return isItsOwn ? `${of}number` : `${of}phone number`
}

function isCounted(thing: string): boolean {
  return ['number', null].includes(kindNamed(thing))
}
