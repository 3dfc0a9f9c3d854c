import { withGroups } from '../words/groups.ts'
import { kindNamed } from '../words/words.ts'

const AND = '(?: (?:and|&|y|e|\\+) | ?/ ?)'
const WORDS =
  "(?<!\\p{L})((?:(?!(?:and|or|the|their|your|his|her|a|an|for|with|get|ask|asks|collect|collects|need|needs)\\b)[\\p{L}'’-]{1,30} ){0,2})"

/** "Pick-up date & time", "contact name and number" */
const DATE_AND_TIME = new RegExp(
  `${WORDS}date${AND}time\\b( of (?:the |your |their )?\\p{L}{2,20})?`,
  'giu',
)
const NAME_AND_NUMBER = new RegExp(`${WORDS}name${AND}number\\b(?! of )`, 'giu')
/** "Pick-up location & date" */
const PLACE_AND_DATE =
  /(?<!\p{L})((?:pick-?up|drop-?off|return|delivery|departure|arrival|event|meeting) )(location|place|address|point)(?: (?:and|&) | ?\/ ?)(date|time)(?!\p{L})/giu
/** "ID type & number" */
const TYPE_AND_NUMBER =
  /(?<!\p{L})(ID|passport|document|card|account|policy|documento|cuenta) type (?:and|&) number/giu
/** "Ceremony location and time" */
const PLACE_AND_TIME =
  /(?<!\p{L})(?!(?:the|and|with|their|your|our|for|preferred)\b)(\p{L}{3,20} )(location|place|venue)(?: (?:and|&) | ?\/ ?)(date|time)(?!\p{L})/giu
/** "Number of adults and children", "how many adults and children" */
const COUNTS =
  /\b(number of|how many|número de|cuánt[oa]s) (\p{L}{1,30}) (?:and|&|y|e) (\p{L}{1,30}s|children|people)(?!\p{L})/giu
/** "Emergency contact name and phone" */
const CONTACT_BOTH =
  /((?:\p{L}{1,20} )?(?:contact(?: person)?|parent\/guardian|guardian|parent|reference|owner)) name(?:,? (?:and|&|\+) | ?\/ ?)(phone|email|e-mail|number|contact(?=[,.;\n]|$))\b/gimu
/** "The name and phone of the sender", "nombre y teléfono del remitente" */
const NAME_AND =
  /(?<!\p{L})(?:full )?(name|phone|e-?mail|address)(?: number)?(?: and | & )(phone|e-?mail|age|address)(?: number)? of (?:the|their|your) (\p{L}{2,30})(?!\p{L})/giu
const NOMBRE_Y =
  /(?<!\p{L})(nombre(?: completo)?|tel[eé]fono|correo) y (teléfono|telefono|correo|edad|dirección) (del?(?: la| los| las)? \p{L}{2,30})(?!\p{L})/giu
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
/** "Expected and actual result" */
const CONTRASTED =
  /(?<![\p{L}-])(expected|current|old|previous|original|minimum|min\.?) (?:and|&|\/) (actual|desired|new|preferred|target|maximum|max\.?) (\p{L}{3,20})(?!\p{L})/giu
/** "Kilometraje inicial y final" */
const CONTRASTE =
  /(?<!\p{L})(\p{L}{3,20}) (inicial|actual|m[ií]nim[oa]|antigu[oa]|anterior|real) y (final|anterior|deseado|m[aá]xim[oa]|nuev[oa]|actual|esperad[oa])(?=[,;.\n]|$)/gimu
/** "Car make/model" */
const MAKE_AND_MODEL =
  /(?<![\p{L}-])((?:car|vehicle|bike|boat|phone|device|truck|laptop) )make ?(?:\/|and|&) ?model(?!\p{L})/giu
/** "Photo of the ID (front and back)" */
const SIDES =
  /(?<!\p{L})(?:(?:photos?|pictures?|images?|scans?|copy) of )?(?:the |your |their |an? )?((?:\p{L}{2,20} )?\p{L}{2,20}) ?\(front (?:and|&|\+) back(?: side)?s?\)/giu

/** "Picture of the front and back of the ID" */
const SIDES_OF =
  /(?<!\p{L})(?:photos?|pictures?|images?|scans?|cop(?:y|ies)) of (?:the |both )?front (?:and|&) (?:the )?back(?: sides?)? of (?:the |your |their |an? )?((?:\p{L}{2,20} )?\p{L}{2,20})/giu
/** "Insurance card photo (front/back)" */
const SIDES_BEHIND =
  /(?<!\p{L})((?:\p{L}{2,20} ){1,3})(?:photos?|pictures?|images?|scans?|cop(?:y|ies)),? ?\(?front ?(?:and|&|\/|\+) ?(?:the )?back\)?/giu
/** "Licence front & back", "upload ID front/back" */
const SIDES_OPEN =
  /(?<!\p{L})(?:(?:photos?|pictures?|images?|scans?|copy) of |upload )?(?:the |your |their |an? )?((?:\p{L}{2,20}(?:['’]s)? )?(?:licen[cs]e|passport|id(?: card)?|card|certificate|permit|document)),? front ?(?:and|&|\/|\+) ?back(?: sides?)?(?=[,.;\n]|$)/gimu
/** "Photo of both sides of the ID", "foto del DNI por ambos lados" */
const BOTH_SIDES =
  /(?<!\p{L})(?:photos?|pictures?|images?|scans?) of (?:both sides of (?:the |your |their |an? )?(?<one>(?:\p{L}{2,20} )?\p{L}{2,20})|(?:the |your |their |an? )?(?<other>(?:\p{L}{2,20} )?\p{L}{2,20}?),? \(?(?:on )?both sides\)?)(?=[,.;\n]|$)/gimu
const AMBOS_LADOS =
  /(?<!\p{L})(foto|imagen)(?:s|es)? (del?(?: la| los| las)? \p{L}{2,20}),? \(?(?:(?:por|de) )?amb[oa]s (?:lados|caras)\)?(?=[,.;\n]|$| y )/gimu
/** "Number of travelers (adults/children)" */
const OF_PEOPLE =
  /(?<!\p{L})(number of|n[uú]mero de) (?:travell?ers|guests|people|persons|passengers|visitors|attendees|personas|hu[eé]spedes|pasajeros|viajeros) ?\((adults|adultos) ?(?:\/|,|and|&|\+|y) ?(children|kids|niñ[oa]s|menores)\)/giu
/** "Participants adults/children" */
const PEOPLE_OF =
  /(?<=[,;:.\n] ?|^)(?:participants|guests|travell?ers|people|passengers|visitors|attendees|participantes|hu[eé]spedes|pasajeros|personas):? \(?(adults|adultos) ?(?:\/|,|and|&|\+|y) ?(children|kids|niñ[oa]s|menores)\)?(?=[,;.\n]|$)/gimu
/** "Child's name and age" */
const NAME_AND_MORE =
  /(?<!\p{L})(\p{L}{2,20}['’]s?) (?:full )?name (?:and|&) (age|birthday|date of birth|grade|gender)(?!\p{L})/giu
/** "Realtor name and phone" */
const SOMEONES =
  /(?<!\p{L})(realtor|agent|doctor|dentist|vet|teacher|manager|supervisor|employer|landlord|tenant|caregiver|nurse|coach|driver|spouse|partner|mother|father|mom|dad|child|friend|neighbou?r|witness|physician|insurer|candidate|nominee|applicant|sender|recipient|buyer|seller|host|bride|groom|supplier|vendor|(?:doctor|dentist|vet|teacher|landlord|employer|manager|agent)['’]s) name (?:and|&) (?:(phone|email)(?: number| address)?|contact(?=[,.;\n]|$))/gimu
/** "Number and ages of children" */
const NUMBER_AND_AGES = /(?<!\p{L})number (?:and|&) ages? of (?:the |your |their )?(\p{L}{2,20})/giu
/** "Type and number of pets" */
const KIND_AND_NUMBER =
  /(?<!\p{L})(type|kind|breed|number)s? (?:and|&) (type|kind|breed|number)s? of (?:the |your |their )?(\p{L}{2,20})/giu
/** "Photos of the box and the item" */
const PHOTOS_OF =
  /(?<!\p{L})(photos?|pictures?|images?) of (?:the |their |your )?(\p{L}{2,20}(?: \p{L}{2,20})?) and (?:of )?(?:the|their|your) (\p{L}{2,20}(?: \p{L}{2,20})?)(?=[,.;\n]|$)/gimu
/** "Before and after photos" */
const BEFORE_AND_AFTER =
  /(?<!\p{L})before (?:and|&|\/) after (photos?|pictures?|images?)(?!\p{L})/giu
/** "The address in separate fields" */
const ADDRESS_IN_PARTS =
  /\b(?:full |complete )?address (?:in|as|with|split into) (?:separate|several|multiple|individual) (?:fields|parts|lines|inputs)/giu
/** "30/45/60 minutes" */
const IN_UNITS =
  /(?<![\d/])(, )?(?<![\d/])(\d{1,3}(?:\/\d{1,3}){1,6}) (min(?:ute)?s?|hours?|days|weeks|months|people|persons|minutos|horas|d[ií]as|meses|personas)(?!\p{L})/giu

/** "Día y hora preferidos" */
const DIA_Y_HORA = /(?<!\p{L})(d[ií]a|fecha) y hora (preferid|dese)(?:[oa]s?|ad[oa]s?)(?!\p{L})/giu

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
    .replace(NAME_AND, '$3 $1, $3 $2')
    .replace(NOMBRE_Y, '$1 $3, $2 $3')
    .replace(RUN_TOGETHER, '$1, ')
    .replace(WITH, 'with ')
    .replace(/\bname \(first(?: and | & |, ?| ?\/ ?)last\)/gi, 'first name, last name')
    .replace(/\b(first|last) ?(?:and|&|\/) ?(last|first) names?/gi, '$1 name, $2 name')
    .replace(SIDES_OF, 'photo of $1 front, photo of $1 back')
    .replace(SIDES_BEHIND, '$1photo front, $1photo back')
    .replace(SIDES_OPEN, 'photo of $1 front, photo of $1 back')
    .replace(BOTH_SIDES, (_, ...rest: unknown[]) => {
      const { one, other = one } = rest.at(-1) as Record<string, string | undefined>
      return `photo of ${other} front, photo of ${other} back`
    })
    .replace(AMBOS_LADOS, '$1 $2 frente, $1 $2 reverso')
    .replace(NAME_AND_MORE, '$1 name, $1 $2')
    .replace(SOMEONES, (_, of: string, how = 'phone') => `${of} name, ${of} ${how}`)
    .replace(NUMBER_AND_AGES, 'number of $1, ages of $1')
    .replace(KIND_AND_NUMBER, '$1 of $3, $2 of $3')
    .replace(PHOTOS_OF, (found, photos: string, one: string, other: string) =>
      kindNamed(other) === null ? `${photos} of ${one}, ${photos} of ${other}` : found,
    )
    .replace(BEFORE_AND_AFTER, 'before $1, after $1')
    .replace(ADDRESS_IN_PARTS, 'street, city, postal code')
    .replace(/(?<=, )from time to time(?=,|$)/gim, 'start time, end time')
    .replace(IN_UNITS, (_, start: string | undefined, numbers: string, unit: string) => {
      const choices = numbers.split('/').map((one) => `${one} ${unit}`)
      const name = /^(?:min|hour)/i.test(unit) ? 'duration ' : ''
      return `${start ?? ''}${start === undefined ? '' : name}(${choices.join(', ')})`
    })
    .replace(OF_PEOPLE, '$1 $2, $1 $3')
    .replace(PEOPLE_OF, (_, one: string, other: string) => {
      const how = /s$/i.test(one) && !/os$/i.test(one) ? 'number of' : 'número de'
      return `${how} ${one}, ${how} ${other}`
    })
    .replace(DIA_Y_HORA, dayAndHour)
    .replace(FROM_TO, '$1date$2 from, $1date$2 to')
    .replace(DESDE_HASTA, 'fecha$1 desde, fecha$1 hasta')
    .replace(SIDES, 'photo of $1 front, photo of $1 back')
    .replace(BOTH, '$1 $3, $2 $3')
    .replace(CONTRASTED, '$1 $3, $2 $3')
    .replace(CONTRASTE, '$1 $2, $1 $3')
    .replace(MAKE_AND_MODEL, '$1make, $1model')
    .replace(SHARED, (found, one: string, other: string, what: string) =>
      isCounted(one) || isDate(one) ? `${one} ${what}, ${other} ${what}` : found,
    )
    .replace(CONTACT, contacts)
    .replace(
      CONTACT_BOTH,
      (_, of: string, how: string) => `${of} name, ${of} ${/contact/i.test(how) ? 'phone' : how}`,
    )
    .replace(PLACE_AND_DATE, '$1$2, $1$3')
    .replace(TYPE_AND_NUMBER, '$1 type, $1 number')
    .replace(PLACE_AND_TIME, '$1$2, $1$3')
    .replace(/\bname, number(?=,)/gi, 'name, phone number')
    .replace(DATE_AND_TIME, (_, of: string, more = '') => `${of}date${more}, ${of}time${more}`)
    .replace(NAME_AND_NUMBER, (_, of: string) => `${of}name, ${numberOf(of)}`)
    .replace(COUNTS, (found, how: string, one: string, other: string) =>
      isCounted(one) && isCounted(other) ? `${how} ${one}, ${how.toLowerCase()} ${other}` : found,
    )
}

function dayAndHour(_: string, day: string, wish: string): string {
  const end = /^prefer/i.test(wish) ? '' : 'ad'
  return `${day} ${wish}${end}${/^f/i.test(day) ? 'a' : 'o'}, hora ${wish}${end}a`
}

/** "(same scale)" are the choices of the thing before. */
function withSame(prompt: string): string {
  let text = prompt
  while (SAME.test(text)) text = text.replace(SAME, '($1)$2($1)')
  return text
}

const CONTACT =
  /(?<=[,;:.] (?:and )?|\band )contact (?:details|info|information)(?=[,;.]|$)|(?<=[,;:.] (?:y )?|\by )(?:los )?(?<es>datos|información) de contacto(?=[,;.]|$)/gimu

/** What one needs to reach somebody, but for what the prompt names itself. */
function contacts(found: string, ...rest: unknown[]): string {
  const [prompt, { es }] = rest.slice(-2) as [string, Record<string, string | undefined>]
  const others = (
    es === undefined ? ['name', 'phone', 'email'] : ['nombre', 'teléfono', 'correo']
  ).filter((one) => !new RegExp(`(?<!\\p{L})${one}`, 'iu').test(prompt))
  return others.length > 0 ? others.join(', ') : found
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
