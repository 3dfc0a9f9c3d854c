import { type Language, plain } from '../forms/form.ts'
import { COLON } from './colons.ts'
import { cleaned } from './fillers.ts'
import { hasOwnChoices, splitList } from './lists.ts'
import { isScreen } from './screen-words.ts'
import { ASKING, isIntroducing, isNaming } from './sentences.ts'

/** Where a thing was named: under a heading, or in a list behind the name of someone. */
export type Owner = { of: string; isHeading: boolean }

const OWNER_WORDS_MAX = 3
/** What a heading begins with: "1.", "-", "Section 2 -" */
const NUMBERED =
  /^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|(?:section|part|group|sección|parte|grupo) (?:\d{1,2}|[a-j])\s*[-–—.)]\s+)/iu
/** Says that a heading is about the data of someone or something. */
const DATA =
  /[\s,]+(?:(?:contact |personal )?(?:data|details|info|information|section|fields|address)|datos|información|dirección)$/iu
const DATOS =
  /^(?:los )?(?:datos|información|dirección|detalles)(?: personales| de contacto)? (?:del?|de la|de los|de las|para el|para la)\s+/iu
/** "Also emergency contact" */
const ALSO = /^(?:also|and|then|plus|finally|next|también|además|y),? (?=\S)/iu
/** "For each child" */
const EACH = /^(?:for|about|of|para|de) (?:each|every|cada) (?:one of )?(?:(?:the|their) )?/iu
/** Is the form itself. */
export const FORM =
  /(?:^|\s)(?:registrations?|bookings?|reservations?|requests?|applications?|appointments?|feedback|enquiry|inquiry|sign-?up|rsvp|leads?|quotes?|registros?|reservas?|citas?|solicitud(?:es)?|inscripci[oó]n)$|^(?:contact|users?|customers?|clients?|contacto|clientes?|usuarios?)$/iu
/** Headings that say of things what they are for, or how they are, and not whose. */
const NOBODY =
  /^(?:(?:your|my|our|their|simple|quick|short|easy|just|personal|basic|contact|general|main|key|additional|other|more|extra|further|all|purpose|goal|fields?|required|mandatory|optional|order|sequence|validations?|formats?|layout|notes?|types?|labels?|examples?|steps?|screens?|pages?|title|name|requirements?|rules|inputs?|questions?|details|data|info|information|form|flow|survey|obligatori[oa]s?|opcional(?:es)?|requerid[oa]s?|personales|campos?|preguntas?|datos|orden|notas?|ejemplos?|nombre)(?:\s|$))+$/iu

/** Whose things stand behind a heading: "Buyer details:" is the buyer; '' where it names nobody. */
export function ownerOf(heading: string): string {
  const head = heading
    .replace(NUMBERED, '')
    .replace(/[:\s]+$/, '')
    .replace(ALSO, '')
    .replace(EACH, '')
  const said = cleaned(head.replace(DATOS, '').replace(DATA, ''))
  const isTold = /^[\p{L}'’ -]+(?: \d{1,2})?$/u.test(said)
  const isShort = said.split(' ').length <= OWNER_WORDS_MAX
  const isOther =
    NOBODY.test(plain(said)) ||
    isScreen(head) ||
    FORM.test(said) ||
    ASKING.test(said) ||
    isIntroducing(said)
  return isTold && isShort && !isOther ? singular(said) : ''
}

/** The same, for the things below a heading; null where it names nobody. */
export function ownerIn(heading: string): Owner | null {
  const of = ownerOf(heading)
  return of === '' ? null : { of, isHeading: true }
}

/** No plurals: "boss", "Sales", "the guest's" */
const SINGLE = /(?:[ius'’]|ic|sale|operation|serie)s$/iu
const PLURALS: readonly [RegExp, string][] = [
  [/children$/iu, 'child'],
  [/people$/iu, 'person'],
  [/(?<=[a-z]{2})ies$/iu, 'y'],
  [/(?<=ch|sh|ss|x)es$/iu, ''],
  [/(?<=ador|edor|idor|utor|uctor)es$/iu, ''],
  [/(?<=\p{L}{3})s$/iu, ''],
]

/** One of some things: "players" are each a "player". */
export function singular(things: string): string {
  const [plural, one] = PLURALS.find(([end]) => end.test(things)) ?? [/$/u, '']
  return SINGLE.test(things) ? things : things.replace(plural, one)
}

const NAME_OF =
  /^(?!(?:full|first|last|middle|user|legal|nick|given|family|company|business|product|event)\s)((?:[\p{L}-]+ )?(?:[\p{L}-]+['’]s|[\p{L}-]+(?: \d{1,2})?)) (?:(?:full|first) )?names?$/iu
const NOMBRE_DE = /^nombre (?:completo )?(?:del?|de la|de los|de las) (\p{L}+)$/iu

/** Whose name a thing is: "sender name" is the sender's, as is what follows it; '' for other things. */
export function ownerNamed(said: string): string {
  return (NAME_OF.exec(said) ?? NOMBRE_DE.exec(said))?.[1] ?? ''
}

/** A thing of someone: "sender" and "Phone" are "sender phone". */
export function owned(owner: string, said: string, language: Language): string {
  if (plain(said).includes(plain(owner).replace(/['’]s$/, ''))) return said
  const thing = /^\p{Lu}\p{Lu}/u.test(said) ? said : said.charAt(0).toLowerCase() + said.slice(1)
  if (language === 'en') return `${owner} ${thing}`
  return `${thing} ${articleFor(owner)} ${owner.charAt(0).toLowerCase()}${owner.slice(1)}`
}

/** "Del padre", "de la madre" */
function articleFor(owner: string): string {
  const [first = ''] = plain(owner).split(' ')
  if (/as$/.test(first)) return 'de las'
  if (/[eo]s$/.test(first)) return 'de los'
  return /a$|^madre$/.test(first) ? 'de la' : 'del'
}

/** A thing with which what is asked of a person begins. */
const NAMES = /^(?:names?|full name|first name|nombres?|nombre completo)$/

/** What begins the things of a person or an object; choices seldom do. */
export const FIRST =
  /^(?:(?:full |first |last )?name|number|make|brand|provider|carrier|plate|iban|account holder|nombres?(?: completo)?|n[uú]mero|marca|aseguradora|placa|matr[ií]cula)$/iu
/** Is chosen, by something that may be called so. */
export const CHOSEN =
  /(?:^|\s)(?:by|via|types?|methods?|channels?|kinds?|formats?|preferences?|options?|choices?|tipos?|m[eé]todos?|canal(?:es)?|formatos?|opci[oó]n(?:es)?)$/iu

/** The things behind a colon that are someone's or something's: "Sender: name, phone", "Fields: sender: name, phone". */
export function thingsBehindOwner(text: string): { owner: Owner | null; list: string } | null {
  const [, head = '', list = ''] = COLON.exec(text) ?? []
  const [, inner = '', further = ''] = COLON.exec(list) ?? []
  return thingsOf(inner, further) ?? thingsOf(head, list)
}

function thingsOf(head: string, list: string): { owner: Owner | null; list: string } | null {
  const things = splitList(list)
  const isOwned = things.length > 1 && FIRST.test(things[0]?.text.trim() ?? '')
  if (!isOwned || CHOSEN.test(head)) return null
  return { owner: ownerIn(head), list }
}

/** A list without a heading of its own: "the project: type (website, app), budget". */
export function withoutHeading(list: string): string {
  const [, heading = '', things = ''] = COLON.exec(list) ?? []
  const [first = '', other] = splitList(things).map(({ text }) => text)
  return other !== undefined && hasOwnChoices(first) && isNaming(heading) ? things : list
}

/** What two things are called, of which the one may be taken for the other: a child's "full name", a parent's "name". */
function called(said: string): string {
  const words = plain(said)
  return NAMES.test(words) ? 'name' : words
}

/** Is somebody else than the customer, of whom things may have been asked before. */
const SECOND =
  /\b(?:emergency|contacto? de|guardian|parent|spouse|partner|beneficiary|reference|co-?signer|next of kin|witness|companion|emergencia|tutora?|conyuge|beneficiari[oa]|aval|referencia|acompanante)\b/

/** Says nothing by itself. */
const NUMBER = /^(?:number|numero)$/

type Named = { said: string; owner?: Owner }

/**
 * Whose each of some things is, where that tells it from another thing with the same name; '' for the others. Under a
 * heading, something that was asked for before without one is only named again, unless there is a name among it.
 */
export function ownersNeeded(things: Named[]): string[] {
  const owners = new Map<string, Set<string>>()
  for (const { said, owner } of things) {
    const known = owners.get(called(said)) ?? new Set()
    owners.set(called(said), known.add(plain(owner?.of ?? '')))
  }
  const ownersOf = ({ said }: Named) => owners.get(called(said)) ?? new Set()
  return things.map((one) => {
    const { owner } = one
    if (!owner || (!owner.isHeading && ownersOf(one).size < 2)) return ''
    const isSecond =
      owner.isHeading && SECOND.test(plain(owner.of)) && things[0]?.owner?.of !== owner.of
    if (isSecond || NUMBER.test(plain(one.said))) return owner.of
    const own = things.filter((other) => other.owner?.of === owner.of && ownersOf(other).size > 1)
    const isOfTwo = own.some((other) => ownersOf(other).size > (ownersOf(other).has('') ? 2 : 1))
    const isMeant = own.length > 1 || own.some(({ said }) => NAMES.test(plain(said)))
    return isOfTwo || !owner.isHeading || isMeant ? owner.of : ''
  })
}
