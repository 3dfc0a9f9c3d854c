import { AMOUNT, FEWER, type Found, limitFrom, MORE, NUMBER, numberFrom } from '../words/amounts.ts'
import { amountOf } from '../words/bounds.ts'
import { remarkIn, withHints } from '../words/hints.ts'
import { RANGE_MAX } from '../words/lists.ts'
import { type Limit, markOf, type Unit, withoutMarks } from '../words/marks.ts'
import { kindNamed } from '../words/words.ts'
import { withConditions } from './condition-spellings.ts'
import { withDefaults } from './defaults.ts'

const LETTERS = 'characters?|chars?|letters?|caracteres|caracter|letras'
const DIGITS = 'digits?|d[ií]gitos?|cifras?'
const FILES =
  'photos?|photographs?|pictures?|images?|screenshots?|capturas?(?: de pantalla)?|files?|documents?|pdfs?|attachments?|fotos?|fotograf[ií]as?|im[aá]gen(?:es)?|archivos?|documentos?'
const PICK =
  'choose|select|pick|tick|check|choosing|selecting|picking|elige|elegir|elija|escoge|escoja|escoger|seleccione?|seleccionar|marca|marque|marcar'

/** Joins a limit to the thing that it is said of: "of", ", with", "that must have". */
const JOINT =
  '(?:(?<joint>,? ?(?<!\\p{L})(?:(?:that|which|que) )?(?:of|with|having|in|using|(?:must|should|can|may) (?:be|have|contain)|is|are|has|have|de|con|en|(?:debe|puede)n? (?:tener|ser)|tenga))|,)?(?: |(?<=^|\\n))'
const SIZED_AMOUNT = `${AMOUNT}[ -]?(?:(?<letters>${LETTERS})|(?<digits>${DIGITS})|(?<words>words|palabras))(?:,? (?:(?<fewer>${FEWER})|(?<more>${MORE}))(?!\\p{L}))?(?: long| in length)?(?!\\p{L})(?! of recommendation)`
const SIZED = new RegExp(JOINT + SIZED_AMOUNT, 'giu')
const SIZED_GROUP = new RegExp(
  `(?:[;,] ?|with |con |must be |must have |debe tener )?${SIZED_AMOUNT}`,
  'giu',
)
/** A number of characters or digits: "4 digits". */
export const SIZE = `${NUMBER}[ -](?:${LETTERS}|${DIGITS})(?!\\p{L})`
/** "A 4-digit PIN" */
const SIZED_THING = new RegExp(
  `(?<![\\p{L}\\d])(?<just>${NUMBER})[ -](?:(?<letters>character|letter)|(?<digits>digit)) (?<thing>(?:(?!(?:and|or|of|for)\\b)\\p{L}{1,30} ){0,2}(?!(?:and|or|of|for)\\b)\\p{L}{1,30})`,
  'giu',
)
/** "Up to 3 photos of the damage" */
const FILED = new RegExp(
  `(?<![\\p{L}\\d(])${AMOUNT} (?<thing>(?:(?:clear|recent|good|more) )?(?:${FILES}))(?:,? (?:(?<fewer>${FEWER})|(?<more>${MORE})))?(?!\\p{L})(?!,? (?:or|o) \\d)`,
  'giu',
)
/** "Choose up to 2 toppings: ham, olives" */
const PICKED = new RegExp(
  `(?<![\\p{L}\\d])(?<verb>(?:${PICK}) )?(?<!\\d )${AMOUNT} ?(?:of (?:the following|these) ?)?(?<thing>(?:(?!(?:from|of|out|among|de|entre|and|or|y|o)\\b)\\p{L}{1,30} ?){0,3}?)(?:(?:(?: ?(?:from|out of|among|of|de|entre)(?! the\\b))? ?: ?| ?(?:from|out of|among|de entre|entre) (?!(?:the|our)\\b))(?<list>[^:;.?!()\\n]*,[^:;.?!()\\n]*)|(?<group> ?\\([^()\\n]*,[^()\\n]*\\)))`,
  'giu',
)
/** Within brackets, or behind the choices in them: "max 2", "choose up to 3". */
const COUNTED = new RegExp(
  `(?:^|[;,] ?|[-–—] )\\s*(?<verb>(?:please )?(?:(?:${PICK}) )(?:only |just |s[oó]lo )?)?${AMOUNT}(?: ?(?<files>${FILES}|options?|choices?|items?|opciones))?(?: (?:(?<fewer>${FEWER})|(?<more>${MORE}|or (?:older|over|above)|years(?: old)?(?: or older| or over)?|years? and over|o mayor|a[nñ]os(?: o m[aá]s)?)))?(?=\\s*(?:$|[;:,]| [-–—] ))`,
  'iu',
)
/** "Edad mínima 18", "minimum age of 18" */
const AGED =
  /\b(?:(?<one>edad|age) (?:m[ií]nima|minimum|min\.?)|minimum (?<other>age))(?: (?:of|de))?:? (?<just>\d{1,3})(?!\d)/giu
/** "Min 10, max 500" */
const BOTH =
  /\bm[ií]n(?:imum|imo)?\.?:? (?<from>\d{1,6})(?:[,;]| and| to| y)? ?m[aá]x(?:imum|imo)?\.?:? (?<to>\d{1,6})(?![\p{L}\d])/iu
/** "They can choose up to 2", "(ham, olives), pick two" */
const PICKING = new RegExp(
  `(?<=^|[.;\\n)]|, )(?:,? ?)(?:(?:(?:they|you|people|(?:the )?(?:customers?|users?|clients?|guests?)|se) )?(?:can|may|must|should|could|pueden?|deben?) )?(?:only )?(?:${PICK}) ${AMOUNT}(?: (?:of (?:them|these|those)|options?|choices?|opciones|de ell[oa]s))?(?=[.;,\\n]|$)`,
  'giu',
)
/** A limit, and behind it what it is a limit of: "Extras (choose up to 3): wifi, parking" */
const LISTED =
  /(?<question>\?\s*)?\((?<marks>[\u{F0000}-\u{FFFFF}]+)\)(?<colon>:)?\s*(?<list>[^:;.?!()\n]*,[^:;.?!()\n]*)/gu
/** "Age between 18 and 99", where a scale would have too many choices. */
const VALUED = new RegExp(
  `(?<=[\\p{L})]),? (?:between|from|del?|entre) (?<from>\\d{1,6}) ?(?:-|–|to|and|al?|y) ?(?<to>\\d{1,6})(?: (?:years(?: old)?|a[nñ]os))?(?=[,.;)\\n]|$| (?:and|y) )`,
  'giu',
)

/** "Photos, max 3" */
const BEHIND_COMMA =
  /(?:(?<=[\p{L})]), |(?<=\b(?:photos|pictures|images|files|documents|fotos|im[aá]genes|archivos|documentos)) )((?:max(?:imum)?|min(?:imum)?|up to|at (?:most|least)|m[aá]x(?:imo)?|m[ií]n(?:imo)?|hasta) \d{1,4})(?=[,;.\n]|$| (?:and|y) )/giu

/** A text in which what is said of how much an answer may be, or of what customers are told of it, stands as marks. */
export function withLimits(text: string): string {
  const bare = withoutMarks(text).text.replace(BEHIND_COMMA, ' ($1)')
  return withDefaults(withConditions(withHints(bare)))
    .replace(/\(([^()\n]*)\)/g, inBrackets)
    .replace(AGED, (...found) => aged(groupsOf(found)))
    .replace(SIZED_THING, (...found) => sizedThing(groupsOf(found)))
    .replace(SIZED, (...found) => sized(found))
    .replace(PICKED, (...found) => picked(found))
    .replace(PICKING, (...found) => picking(groupsOf(found)))
    .replace(LISTED, (...found) => listed(found))
    .replace(FILED, (...found) => filed(found))
    .replace(VALUED, (...found) => valued(found))
}

function groupsOf(found: unknown[]): Found {
  return found.at(-1) as Found
}

function inBrackets(whole: string, content: string): string {
  const marks: string[] = []
  const rest = content
    .replace(BOTH, (...found) => {
      marks.push(markOf(limitFrom(groupsOf(found), 'count')))
      return ''
    })
    .replace(SIZED_GROUP, (...found) => {
      marks.push(markOf(limitFrom(groupsOf(found), unitOf(groupsOf(found)))))
      return ''
    })
    .replace(COUNTED, (...found) => {
      const limit = countIn(groupsOf(found), content)
      if (limit === null) return String(found[0])
      marks.push(markOf(limit))
      return ''
    })
  const bare = rest.replace(/^[\s,;:–—-]+|[\s,;–—-]+$/g, '')
  const remark = remarkIn(bare)
  if (remark !== null) marks.push(remark.mark)
  if (marks.length === 0) return whole
  const left = remark?.rest ?? bare
  return `${left === '' ? '' : `(${left}) `}(${marks.join('')})`
}

/** A number alone is no limit, and of choices that are numbers none is one. */
function countIn(found: Found, content: string): Limit | null {
  const { verb, from, just, plus, more, files } = found
  const isBare =
    just !== undefined && verb === undefined && plus === undefined && more === undefined
  const others = content.split(/[;,:]| [-–—] /).length > 1
  if (isBare || (others && verb === undefined && /\d.*[;,:].*\d/.test(content))) return null
  const isScale = from !== undefined && verb === undefined && files === undefined
  return isScale && !isWide(found) ? null : limitFrom(found, isScale ? 'value' : 'count')
}

function isWide({ from, to }: Found): boolean {
  return numberFrom(to) - numberFrom(from) >= RANGE_MAX
}

const NEGATED = /^ (?:can|should|must|may)(?: ?not|n['’]t)/iu

function sized(all: unknown[]): string {
  const [whole, found] = [String(all[0]), groupsOf(all)]
  const isVague = ['plus', 'fewer', 'more', 'exactly'].every((key) => found[key] === undefined)
  // "Send 2 letters" asks for letters.
  const isDigits = found.digits !== undefined && whole.startsWith(',')
  if (found.just !== undefined && isVague && found.joint === undefined && !isDigits) return whole
  // "The PIN must have 4 digits" says it of something that may be named elsewhere.
  const verb = /^,? ?(?:must|should|can|may|is|are|has|have|debe|puede)\b/.exec(found.joint ?? '')
  const isSaid = (verb !== null || NEGATED.test(whole)) && !isInList(all)
  return `${isSaid ? (found.joint ?? ' must have') : ''} (${markOf(limitFrom(found, unitOf(found)))})`
}

/** Whether others are listed before it, in the same sentence. */
function isInList(all: unknown[]): boolean {
  const [at, text] = all.slice(-3) as [number, string]
  return /[,:]/.test(
    text
      .slice(0, at)
      .split(/[.;\n]/)
      .at(-1) ?? '',
  )
}

function sizedThing(found: Found): string {
  return `${found.thing} (${markOf(limitFrom(found, unitOf(found)))})`
}

function aged({ one, other = '', just }: Found): string {
  const least = numberFrom(just)
  return `${one ?? other} (${markOf({ of: 'value', least, most: null })})`
}

function filed(all: unknown[]): string {
  const found = groupsOf(all)
  // "One photo" is a photo.
  const isSingle = found.just !== undefined && numberFrom(found.just) < 2
  if (isSingle || found.from === '0') return String(all[0])
  return `${found.thing} (${markOf(limitFrom(found, 'count'))})`
}

function picked(all: unknown[]): string {
  const found = groupsOf(all)
  const { verb, thing = '', list, group = '', just, from } = found
  const isLimit = verb !== undefined || (thing !== '' && just === undefined && from === undefined)
  if (!isLimit || (just !== undefined && numberFrom(just) < 2)) return String(all[0])
  // What has no name of its own is called as it was asked for: "Choose up to 2".
  const named = /^(?:options?|choices?|opciones|items?|things?)?$/iu.test(thing.trim())
    ? `"${String(all[0])
        .split(/:|\(| (?:from|out of|among|de entre|entre) /)[0]
        ?.trim()}"`
    : thing.trim()
  const [choices, rest] = list === undefined ? [group.replace(/^ ?\(|\)$/g, ''), ''] : endOf(list)
  return `${verb ?? ''}${named} (${markOf(limitFrom(found, 'count'))}multiple choice: ${choices.trim()})${rest}`
}

/** A list of choices, and what follows it: the choices end with an "or", or where something known is asked for. */
function endOf(list: string): [choices: string, rest: string] {
  const parts = list.split(/(?=,)/)
  const or = parts.findIndex((part) => /\b(?:or|o|u)\s/i.test(part))
  const known = parts.findIndex((part, at) => at > 1 && kindNamed(part) !== null)
  const end = or > 0 ? or + 1 : known > 0 ? known : parts.length
  return [parts.slice(0, end).join(''), parts.slice(end).join('')]
}

function picking(found: Found): string {
  return ` (${markOf(limitFrom(found, 'count'))})`
}

function listed(all: unknown[]): string {
  const { question = '', marks = '', colon, list = '' } = groupsOf(all)
  const isOfList = question !== '' || colon !== undefined
  const { limits } = withoutMarks(marks)
  return isOfList && amountOf(limits, 'count')
    ? `${question}(${marks}multiple choice: ${list.trim()})`
    : String(all[0])
}

function valued(all: unknown[]): string {
  const found = groupsOf(all)
  return isWide(found) ? ` (${markOf(limitFrom(found, 'value'))})` : String(all[0])
}

function unitOf({ digits, words }: Found): Unit {
  return digits !== undefined ? 'digits' : words !== undefined ? 'words' : 'characters'
}
