import { type FieldKind, plain } from '../forms/form.ts'
import { JOINED, readChoices, readScale } from './lists.ts'
import { readSeries } from './series.ts'
import { kindNamed, readWish, type Wish } from './words.ts'

/** "And/or", "his/her", "niño/a" */
const NO_CHOICE =
  /^(?:and\s?\/\s?or|y\s?\/\s?o|s?he\s?\/\s?s?he|s\/he|his\s?\/\s?hers?|(?:apartment|apt|unit|suite|ste|floor|state|province|region|zip|postal|post ?code|city|town|county|street)\s?\/\s?(?:apartment|apt|unit|suite|ste|floor|state|province|region|zip|postal|post ?code|city|town|county|street)|him\s?\/\s?her)$|\p{L}{3}\/(?:as?|os?|e[ns]?|x|s)$/iu

/** Choices written as one word: "small/medium/large". */
export function readInline(head: string): { choices: string[]; rest: string } | null {
  // Starts only at the beginning of a word, in any script; otherwise the search would start again at each
  // letter.
  const [whole] =
    /(?<![\p{L}\d])[\p{L}\d]+(?:\s?[/|]\s?[\p{L}\d]+)+(?!\p{L}|\s(?:names?|phones?|e-?mails?|contacts?|numbers?|address(?:es)?|details|info(?:rmation)?|signature|needs|requirements|restrictions|conditions|history|issues|concerns|notes)\b)/u.exec(
      head,
    ) ?? []
  if (whole === undefined || NO_CHOICE.test(whole)) return null
  return {
    choices: readChoices(whole),
    rest: head.replace(whole, ' ').replace(/\s(?:from|between|out of|entre|de entre)\s+$/i, ' '),
  }
}

const ASIDE =
  /^\s*(?:e\.?g\.?|for example|such as|ej\.?|por ejemplo|if (?:yes|so|not?)|si es así)(?!\p{L})/iu
const BOUND = /^\s*(?:max|min|up to|hasta)(?!\p{L})/iu
/** How a date is to be written: "DD/MM/YYYY". */
const FORMAT = /^\s*(?:[dmya]{1,4}[/.\- ]){1,2}[dmya]{1,4}\s*$/i

/** What stands in brackets or after a colon: a wish, or the choices. */
export function readGroups(groups: string[]): { wish: Wish; choices: string[] } {
  const wish: Wish = { isOptional: false, isRequired: false, style: null }
  let choices: string[] = []
  for (const group of groups) {
    if (ASIDE.test(group) || (BOUND.test(group) && readChoices(group).length === 0)) continue
    if (FORMAT.test(group)) continue
    // Among choices, these are no wish: "(defective, not needed, other)".
    const isList = readChoices(group).length > TYPES_MAX
    const read = readWish(isList ? group.replace(NOT, `not${JOINED} $1`) : group)
    wish.isOptional ||= read.wish.isOptional
    wish.isRequired ||= read.wish.isRequired
    wish.style ??=
      read.wish.style ??
      (isType(read.rest) || UPLOAD.test(read.rest) || MEASURED.test(read.rest)
        ? kindOfType(read.rest)
        : null)
    const whole = readChoices(read.whole)
    const several = whole.length > TYPES_MAX ? whole : readChoices(read.rest)
    const range = several.length > 0 ? null : (readScale(read.rest) ?? readSeries(read.rest))
    const listed = range?.choices ?? several
    const isFew = listed.length <= TYPES_MAX
    const isTypes =
      isFew && listed.every(isType) && listed.some((one) => MERE_TYPES.test(plain(one)))
    const file = fileOf(listed)
    wish.style ??= file
    if (listed.length > 0 && !isTypes && file === null)
      choices = listed.map((one) => one.replaceAll(JOINED, ''))
  }
  return { wish, choices }
}

const NOT = /\bnot (needed|necessary|required|applicable)\b/gi

/** Of more, one is to choose, although all are words for a kind: "phone, email, text". */
const TYPES_MAX = 2
const TYPES =
  /^(text|string|number|numeric|email|phone|date|photo|document|file|texto|numero|correo|telefono|fecha|foto|documento|archivo)$/

/** "Proof of purchase (upload)" */
const UPLOAD =
  /^\s*(?:(?:file )?upload|receipt|proof|comprobante|pdf|docx?|attach(?:ment)?|to upload|subir|adjuntar)\s*$/iu

const MERE_TYPES = /^(text|string|number|numeric|texto|numero)$/

/** Whether a word only says what kind of data something is: "age: number". */
export function isType(text: string): boolean {
  return TYPES.test(plain(text.trim()))
}

/** "Experience (in years)" */
const MEASURED =
  /^\s*(?:in|en) (?:years|months|weeks|days|hours|minutes|kg|kilos|lbs|pounds|cm|met(?:er|re)s|km|miles|usd|eur|euros|dollars|a[nñ]os|meses|semanas|d[ií]as|horas|minutos|metros|pesos|d[oó]lares)\s*$|^\s*\p{L}+ (?:per|an?|each|por|al?) (?:day|week|month|year|hour|d[ií]a|semana|mes|a[nñ]o|hora)\s*$/iu

function kindOfType(text: string): FieldKind | null {
  if (UPLOAD.test(text)) return 'document'
  if (/^n[uú]m(?:ber|ero|eric)$/i.test(text.trim())) return 'number'
  if (MEASURED.test(text)) return 'number'
  const kind = kindNamed(text)
  return kind === 'rating' ? null : kind
}

const PICTURE = /^(?:photos?|pictures?|images?|jpe?g|png|fotos?|imagen(?:es)?)$/
const FILE = /^(?:pdf|documents?|docx?|files?|documentos?|archivos?)$/

/** The picker for what may be one of several kinds of files; null for other choices. */
function fileOf(listed: string[]): FieldKind | null {
  const kinds = listed.map(plain)
  const isFile = kinds.every((one) => PICTURE.test(one) || FILE.test(one))
  if (listed.length === 0 || !isFile) return null
  return kinds.every((one) => PICTURE.test(one)) ? 'photo' : 'document'
}
