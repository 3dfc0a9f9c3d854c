import { withoutBrackets } from '../words/lists.ts'
import { isOfKnown } from '../words/sentences.ts'
import { kindNamed, withoutAddresses } from '../words/words.ts'

const APOSTROPHES = /(?<![\p{L}\d])'([^'\n]{1,80}(?:'\p{L}[^'\n]{0,80}){0,3})'(?![\p{L}\d])/gu

/** A text in which what is quoted with apostrophes is quoted with quotation marks. */
export function withQuotationMarks(text: string): string {
  return text.replace(APOSTROPHES, '"$1"')
}

const NESTED = '((?:[^()\\n]|\\([^()\\n]*\\))*)'
const IN_BRACKETS = new RegExp(`^\\s*\\(${NESTED}\\)\\s*$`, 'u')
/** "A booking form (name, date)" */
const FORM_OF = new RegExp(
  `\\b(form|flow|survey|questionnaire|formulario|encuesta|cuestionario|flujo) ?\\(${NESTED}\\)`,
  'giu',
)
/** A name as programs write it: `email_address`, `emailAddress`. What is quoted is matched first, and kept. */
const PROGRAMMED =
  /"[^"\n]*"|(?<=\p{L})_(?=\p{L})|(?<![\p{L}\d])[a-z]{2,30}(?:[A-Z][a-z]{1,30}){1,4}(?![\p{L}\d])/gu

function inWords(name: string): string {
  if (name.startsWith('"')) return name
  return name.replace('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** No quotes: `6", 8"`. What is quoted is matched first. */
const INCHES = /(?<![\p{L}\d])(\d{1,3}(?:\.\d)?)"|"[^"\n]*"/gu

/** Words that people shorten. */
const SHORT: Record<string, string> = {
  ...{ fname: 'first name', lname: 'last name', addr: 'address', qty: 'quantity', amt: 'amount' },
  ...{ msg: 'message', ph: 'phone', dept: 'department', dt: 'date' },
}
const SHORTENED = new RegExp(
  `"[^"\\n]*"|(?<![\\p{L}\\d.@-])(${Object.keys(SHORT).join('|')})(?![\\p{L}\\d@-])\\.?`,
  'giu',
)

function inLength(found: string, word?: string): string {
  // The acidity is none of a phone.
  return word === undefined || word === 'pH' ? found : (SHORT[word.toLowerCase()] ?? found)
}

/** "Make the company size a choice between 1-50, 51-200 and 200+." */
const CHOICE_BETWEEN =
  /(?<=^|[.;\n]\s{0,2})make (?:the |their )?((?:\p{L}{1,20} ){0,2}?\p{L}{1,20}) (?:an? )?(?:choice|drop-?down|list|select(?:ion)?) (?:between|of|with|from) ([^.;:()\n]{3,200})(?=[.;\n]|$)/giu
/** "A flow for an inquiry (type: a, b; event date; location)" */
const WHOLE_IN_BRACKETS = /(?<=^[^:()\n]{1,100}) \(([^()\n]*;[^()\n]*;[^()\n]*)\)[.\s]*$/u
/** "Reason (damaged, other), if other please specify" */
const IF_OTHER =
  /(\([^()\n]*,[^()\n]*\b(?:others?|otr[oa]s?))\)[,;.]? (?:and |y )?(?:if|si) (?:es |eligen? |marcan? |they (?:choose|select|pick) )?["“]?(?:other|otr[oa])["”]?,? (?:then |please |por favor,? )?(?:ask (?:them )?to )?(specify|describe|explain|especifi(?:car|que)|indi(?:car|que))(?: (?:which(?: one)?|it|what|cu[aá]l))?(?=[,.;\n]|$)/giu
/** "[ ] Small", "[x] Large" */
const CHECK_BOX = /\[\s*x?\s*\]\s*/gi

/** "### Step 1" */
const STEP_HEADING = /^#{1,6}[ \t]+(?=(?:screen|page|step|pantalla|página|paso)\b)/gimu

/** "Form fields -> name, phone" */
const ARROW = /^([^\n:,]{1,40}?) ?(?:->|=>|→) ?/gm
const DASH = / [-–—] (?![^()]*\))/
const DASHED_WORDS_MAX = 4
const DASHED_LEAST = 4

/** A line with dashes between many things: "Product (mug, cap) - colour - name - address". */
function withoutDashes(line: string): string {
  const things = line.split(DASH)
  const isShort = (thing: string) =>
    !/[,;:.?]/.test(withoutBrackets(thing)) &&
    withoutBrackets(thing).trim().split(/\s+/).length <= DASHED_WORDS_MAX
  const behind = things.slice(1)
  if (behind.length > 1 && behind.every((thing) => thing.includes('?'))) return things.join('\n- ')
  return things.length >= DASHED_LEAST && behind.every(isShort) ? things.join(', ') : line
}

/** "{name}", "email {optional}", "size {S, M}" */
const BRACES = /(?<!\{)\{([^{}\n]{1,200})\}(?!\})/g

function inBrackets(_found: string, inside: string): string {
  const isName = !inside.includes(',') && kindNamed(inside) !== null
  return isName ? inside : `(${inside})`
}

/** Types of data, as programs call them, and what forms call them. */
const TYPES: Record<string, string> = {
  ...{ string: 'text', str: 'text', integer: 'number', int: 'number', float: 'number' },
  ...{ decimal: 'number', boolean: 'yes/no', bool: 'yes/no' },
}
const TYPE = Object.keys(TYPES).join('|')
/** "name:string", "age: integer" */
const TYPED = new RegExp(`(?<=\\p{L})\\s?:\\s?(${TYPE})\\b`, 'giu')
/** "name (string, required)" */
const TYPED_IN_BRACKETS = new RegExp(`\\((${TYPE})(?=[,)])`, 'giu')
/** "plan: enum(basic, pro)" */
const ENUM = /(\p{L})\s?:\s?enum\s?[([]([^)\]\n]+)[)\]]/giu

/** "name - text", "plan - choice (free, pro)" */
const DASHED_TYPE = new RegExp(
  `^([ \\t]*(?:[-*•–] )?\\p{L}[\\p{L} ]{0,30}) [-–—] (choices?|drop-?down|text|number|email|phone|date|${TYPE})(?= *(?:\\(|$))`,
  'gimu',
)

function typed(type: string): string {
  return /^(?:choice|drop)/i.test(type) ? '' : ` (${nameOf(type)})`
}

function nameOf(type: string): string {
  return TYPES[type.toLowerCase()] ?? type
}

/** A line with slashes, bars or arrows between things: "First name / Last name / Email". */
function withoutSlashes(line: string): string {
  const [, head = '', things = ''] =
    /^((?:[^:\n]*:\s)?)(.*)$/u.exec(line.replace(ARROW, '$1: ')) ?? []
  const list = things.split(/ (?:[/|→]|->|=>) /)
  const isWithin = list.some(
    (part) => part.split('(').length !== part.split(')').length || /\?\s/.test(part),
  )
  return list.length > 2 && !isWithin && isOfKnown(list.join(', ')) ? head + list.join(', ') : line
}

/** "Goal: weight loss / muscle / general fitness" */
const LIST_OF_SLASHES =
  /(?<=[.;\n] ?(?:\p{L}{1,20} ){0,2}\p{L}{1,20}: )[^:,.;()?\n/]{2,40}(?: \/ [^:,.;()?\n/]{2,40}){2,8}(?=[.;\n]|$)/gmu

/** "With options billing, sales, other and if other a text" */
const AND_IF_OTHER =
  /\bwith (?:the )?(?:options|choices):? ([^.;:()\n]*,[^.;:()\n]*?\bothers?),? (?:and )?if other,? (?:then )?(?:a |an )?(?:free )?(?:text(?: field)?|comment|specify|please specify|explain|ask (?:which|what|them)[^,.;\n]{0,30})(?=[,.;\n]|$)/gimu

/** "Section A: About you", on a line of its own */
const LETTERED = /^[ \t]*(?:section|part|sección|parte) ([a-j]|\d{1,2})(?=[ \t]*:)/gimu

/** A text whose lettered sections, where there are several, are screens. */
function withNumberedSections(text: string): string {
  if ([...text.matchAll(LETTERED)].length < 2) return text
  return text.replace(LETTERED, (_, mark: string) => {
    const number = /\d/.test(mark) ? mark : 'abcdefghij'.indexOf(mark.toLowerCase()) + 1
    return `Screen ${number}`
  })
}

/**
 * A prompt in one notation, however it was written: names and types as programs write them in words, what is between
 * dashes, slashes or square brackets as in a list.
 */
export function inOneNotation(prompt: string): string {
  return (
    withNumberedSections(withQuotationMarks(withoutAddresses(prompt)))
      .replace(PROGRAMMED, inWords)
      .replace(SHORTENED, inLength)
      .replace(
        /(?<=\b(?:customers?|users?|clients?|guests?|people|they|leads?|patients?|to|should|must) )(tell|let) me\b(?! about)/gi,
        '$1 us',
      )
      .replace(/(?<=\p{L}) ?\/ ?(?=in person\b)|(?<=\bin person) ?\/ ?(?=\p{L})/giu, ' or ')
      .replace(/ (?:from|using|with|via) an? (?:date ?picker|calendar picker|time ?picker)\b/gi, '')
      .replace(/(?<=\?)\s?[-–—] (?=(?:if|si) (?:so|yes|not?|s[ií]|es as[ií])[,:])/giu, ' ')
      .replace(/ [-–—] (?=(?:if|si) (?:so|yes|not?|s[ií]|es as[ií])[,:])/giu, '; ')
      .replace(/\bcheck ?box(?: ?(?:group|list)|es group)\b/gi, 'checkboxes')
      .replace(/\bradio(?: button)?s? ?(?:group|list)\b/gi, 'radio buttons')
      .replace(
        /\bfree[- ]?(?:text|form) (?=(?:suggestion|comment|feedback|answer|note|remark|message|opinion|response)s?\b)/gi,
        '',
      )
      .replace(/\b(flujo|formulario|encuesta) (?:de|para|por) whatsapp\b/gi, '$1')
      .replace(WHOLE_IN_BRACKETS, ': $1')
      // "From 1 (terrible) to 5 (excellent)"
      .replace(
        /(?<!\d)(\d) \(\p{L}[^()\n]{1,30}\) (to|and|-|–|al?|y) (\d{1,2}) \(\p{L}[^()\n]{1,30}\)/giu,
        '$1 to $3',
      )
      .replace(LIST_OF_SLASHES, (list) => list.replaceAll(' / ', ', '))
      .replace(IF_OTHER, '$1 - $2)')
      .replace(AND_IF_OTHER, '($1 - please specify)')
      .replace(/#\s?of\b/gi, 'number of')
      .replace(/\(opt\.?\)/gi, '(optional)')
      .replace(/\(req\.?\)/gi, '(required)')
      .replace(/\b(fields?|questions?|campos?) ?= ?(?=\p{L})/giu, '$1: ')
      .replace(CHOICE_BETWEEN, '\n$1 ($2)')
      .replace(CHECK_BOX, '')
      .replace(STEP_HEADING, '')
      .replace(/\[([^[\]()\n]*)\]/g, '($1)')
      .replace(BRACES, inBrackets)
      .replace(IN_BRACKETS, '$1')
      .replace(DASHED_TYPE, (_, thing: string, type: string) => thing + typed(type))
      .replace(ENUM, '$1 ($2)')
      .replace(TYPED, (_, type: string) => typed(type))
      .replace(TYPED_IN_BRACKETS, (_, type: string) => `(${nameOf(type)}`)
      .replace(/(?<=\p{L}):(?=\p{L})/gu, ': ')
      .replace(/\?\s?\*/g, '? (required)')
      .replace(/^.*$/gm, withoutSlashes)
      .replace(FORM_OF, (found, form: string, list: string) =>
        isOfKnown(list) ? `${form}: ${list}\n` : found,
      )
      .replace(ARROW, '$1: ')
      .replace(/^.*$/gm, withoutDashes)
      .replace(INCHES, (found, size?: string) => (size === undefined ? found : `${size}″`))
  )
}
