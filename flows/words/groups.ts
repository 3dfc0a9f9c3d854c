import { plain } from '../forms/form.ts'
import { CHOSEN, FIRST, FORM, owned, ownerOf, singular } from './owners.ts'

/** "Sender (name, phone)": words, and what may be the things of whom or what they name. */
const GROUP =
  /(?<![\p{L}\p{N}'’])((?:[\p{L}\d][\p{L}\d'’-]{0,29} ){0,4}[\p{L}][\p{L}'’-]{0,29}(?: \d{1,2})?) ?\(([^()\n:"“]{3,200})\)(?: ?\((optional|required|opcional|obligatori[oa])\))?/giu
/** Stands before the name of whom or what a group is about. */
const BEFORE =
  /^(?:.*\s)?(?:an?|the|their|your|our|his|her|its|each|of|for|with|about|and|or|both|please|collects?|asks?|get|gathers?|add|includes?|enters?|provides?|needs?|wants?|captures?|el|la|los|las|una?|su|sus|con|para|sobre|y|e|o|pide|pedir|solicita|recoge|incluye)\s+/iu
const COUNTED = /^(?:(two|2|dos)|(?:three|3|tres)) (\p{L}+(?: \p{L}+)?)$/iu
const PART =
  /^(?!(?:optional|required|mandatory|integer|string|text|opcional|obligatori[oa]|texto)$)\p{L}[\p{L}\p{N}'’./ -]{0,39}\??$/u
const PART_WORDS_MAX = 4
/** Says that a form, and nobody, has what is in the brackets. */
const WHOLE =
  /(?:^|\s)(?:fields?|questions?|form|flow|survey|campos?|preguntas?|formulario|encuesta)$/iu
const SPANISH = /^(?:nombres?|n[uú]mero|marca|aseguradora|placa|matr[ií]cula)\b/iu

/** "Billing details (…)", "delivery address (…)": whose things they are goes without saying, where there is one such. */
const PLAIN =
  /(?:^|\s)(?:data|details|info|information|datos|información)(?: personales| generales| básicos| de contacto)?(?: (?:of|about|del?|de la|sobre) [\p{L} ]+)?$/iu
const ADDRESS_PART =
  '(?:(?:house |street |building )?(?:number|no)|street(?: name| address)?|city|town|zip(?: ?code)?|post ?code|postal code|state|province|country|apartment|unit|floor|calle|n[uú]mero|ciudad|c[oó]digo postal|colonia|provincia|estado|pa[ií]s|piso)'
/** "Shipping address with street, city and zip" */
const ADDRESS_WITH = new RegExp(
  `(?<=(?:address|dirección(?: de \\p{L}{2,20})?)) (?:with|including|con|incluyendo) (${ADDRESS_PART}(?:(?:,? (?:and|y) |, )${ADDRESS_PART}){1,8})(?!\\p{L})`,
  'giu',
)
const DATA_OF = /(?<!\p{L})(?:los )?(?:datos|información)(?: \p{L}+)? (?:del?|de la) $/iu
const ADDRESS = /(?:^|\s)(?:address|dirección(?: de \p{L}{2,20})?)$/iu
/** "Moving from (city, floor)" */
const PLACE =
  /(?:^|\s)(?:from|to|origin|destination|pick-?up|drop-?off|origen|destino|desde|hasta)$/iu
const IN_ADDRESS = new RegExp(`^${ADDRESS_PART}$`, 'iu')

function partsOf(list: string): string[] {
  return list
    .split(/,? (?:and|&|y) |\s*[,;]\s*/u)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** "Billing contact - name, email", on a line of its own */
const DASHED =
  /(?<=^|[\n.;][ \t]{0,2})(\p{L}[\p{L}'’ ]{1,40}(?: (?:info|details)(?= [-–—])|(?= [-–—] (?:full )?name(?!\p{L})))) [-–—] (?=[^\n.]*,)/gimu
/** "Upload: passport, visa, photo" */
const UPLOADS =
  /(?<=^|[.;\n] ?)(?:please )?(?:upload|attach|subir|adjuntar)s?: ([^.;:()\n]{1,200},[^.;:()\n]{1,200})(?=[.;\n]|$)/giu
/** "Two references, each with name and phone", "three guests: name and email" */
const COUNTED_WITH =
  /(?<!\p{L})((?:two|2|three|3|dos|tres) (?:\p{L}{2,20} )?\p{L}{2,20}s|(?:two|2|three|3) (?:children|people))(?:(?:,? (?:each )?(?:with|con)|:)(?: (?:the|their|an?|su))? )((?:full )?name|nombre(?: completo)?)((?:, [^,\n.;:()?]{2,30}){0,6}?,? (?:and|y) [^,\n.;:()?]{2,30}(?=[,.;\n]|$)|(?:, [^,\n.;:()?]{2,30}){1,6}(?=[.;\n]|$))/gimu
/** "Contact details for three guests" */
const DATA_FOR = /(?:contact )?(?:data|details|info|information) (?:for|of|about) $/iu
/** "Sender: name, phone; recipient: name, phone" */
const FURTHER =
  /(?<=(?:^|[\n;.])[ \t]*(?:[-*•–] )?(?:[^\n:;,.]{1,60}:[ \t]+){1,2}(?:(?:full |first )?names?|nombres?)(?!\p{L})[^\n:;]{0,200});[ \t]+(?=[^\n:;,]{1,40}:[ \t])/giu

/** "Line of business, billing contact: name, email" */
const LAST =
  /(?<=,[^\n:;()]{0,200}), (?:and )?((?:\p{L}{2,20} ){0,3}\p{L}{2,20}: (?:full |first )?(?:name|nombre)s?,)/giu

/** A text in which the things of a person, an object or an address in brackets are named one by one. */
export function withGroups(text: string): string {
  const bracketed = text
    .replace(UPLOADS, (_, list: string) =>
      partsOf(list)
        .map((one) => `upload ${one}`)
        .join(', '),
    )
    .replace(ADDRESS_WITH, ' ($1)')
    .replace(COUNTED_WITH, '$1 ($2$3)')
    .replace(DASHED, '$1: ')
    .replace(FURTHER, '\n')
    .replace(LAST, '\n$1')
  const shared = sharedIn(bracketed)
  return bracketed.replace(GROUP, (found, head: string, list: string, wish?: string) => {
    const parts = partsOf(list)
    const owners = ownersIn(head, parts, shared)
    const [before = ''] = BEFORE.exec(head) ?? []
    return owners === null
      ? found
      : before.replace(DATA_OF, '').replace(DATA_FOR, '') + listed(owners, parts, wish)
  })
}

/** What is asked for in more than one pair of brackets: of a seller's and a buyer's name, each is to be told. */
function sharedIn(text: string): Set<string> {
  const groups = [...text.matchAll(GROUP)].filter(([, head = '']) => isPlain(head))
  const parts = groups.flatMap(([, , list = '']) => partsOf(list).map(plain))
  return new Set(parts.filter((part, at) => parts.indexOf(part) < at))
}

/** Whose things stand in brackets, '' where that goes without saying; null for choices and remarks. */
function ownersIn(head: string, parts: string[], shared: Set<string>): string[] | null {
  const about = head.replace(BEFORE, '')
  if (isPlain(head)) {
    const owner = parts.some((part) => shared.has(plain(part))) ? ownerOf(about) : ''
    return owner !== '' || (ADDRESS.test(head) && areOfAddress(parts)) ? [owner] : null
  }
  if (!isGroup(about, parts)) return null
  if (FORM.test(about)) return ['']
  const [, isTwo, things = ''] = COUNTED.exec(about) ?? []
  if (things === '') return [singular(about)]
  const numbers = isTwo === undefined ? [1, 2, 3] : [1, 2]
  return numbers.map((number) => `${singular(things)} ${number}`)
}

function isPlain(head: string): boolean {
  return PLAIN.test(head) || ADDRESS.test(head)
}

function areOfAddress(parts: string[]): boolean {
  return parts.length > 1 && parts.every((part) => IN_ADDRESS.test(part))
}

function isGroup(about: string, parts: string[]): boolean {
  const areNamed = parts.every(
    (part) => PART.test(part) && part.split(' ').length <= PART_WORDS_MAX,
  )
  return parts.length > 1 && areNamed && isOwned(about, parts)
}

function isOwned(about: string, [first = '']: string[]): boolean {
  const isPlace = PLACE.test(about) && IN_ADDRESS.test(first)
  return (FIRST.test(first) || isPlace) && !CHOSEN.test(about) && !WHOLE.test(about)
}

function listed(owners: string[], parts: string[], wish?: string): string {
  const language = SPANISH.test(parts[0] ?? '') ? 'es' : 'en'
  const said = wish === undefined ? '' : ` (${wish})`
  return owners
    .flatMap((owner) =>
      parts.map((part) => {
        const thing = owner === '' ? part : owned(owner, part, language)
        // "Moving from (city, elevator?)"
        const answers = language === 'es' ? ' (sí/no)' : ' (yes/no)'
        return (thing.endsWith('?') ? thing.slice(0, -1) + answers : thing) + said
      }),
    )
    .join(', ')
}
