import { ownerOf } from '../words/owners.ts'
import { ASKING, isOfKnown } from '../words/sentences.ts'

/** Stands on a line of its own before what a prompt wants on the next screen. */
export const SECTION = '\u2063'

const ORDINAL =
  'first|second|third|fourth|fifth|sixth|next|last|final|other|primera?|segund[ao]|tercera?|cuart[ao]|quint[ao]|siguiente|últim[ao]|otr[ao]'
/** What a screen is called, in English and Spanish. */
export const PLACE = 'screen|page|step|pantalla|página|pagina|paso'
const COUNT = '\\d{1,2}|one|two|three|four|five|six|una?|uno|dos|tres|cuatro|cinco|seis'
const THEN = '(?:and|then|finally|y|luego|finalmente)'
const BEFORE = `(?:(?<=^|[\\n.;:,?!][ \\t]{0,3})(?:[ \\t]{0,8}(?:[-*•–]|\\(?\\d{1,2}[.)])[ \\t]+)?|[ \\t]${THEN},?[ \\t])(?:${THEN},?[ \\t]){0,2}(?:(?:on|in|en)[ \\t])?`
const ASKS =
  '(?:should |must |will |debe )?(?:ask|collect|request|gather|captur|ha[sv]e?\\b|contain|includ|need|get|pid|pedir|pregunt|solicit|recog|recopil|tiene|incluy)'
const FOR = '(?:is |es )?(?:for|with|about|para|con)'
/** What is looked at of a line, to tell what it is about. */
const LINE_CHARACTERS = 300
/** What follows: a colon behind a heading or none, a dash, the end of the line, or what is asked for. */
const AFTER = `(?:(?<heading>[ \\t]?(?:[-–—][ \\t]?[\\p{L}\\d'’ ]{1,40}|\\([^()\\n]{1,40}\\)|["“«][^"”»\\n]{1,40}["”»]))?[ \\t]?:|[ \\t]?[-–—.)](?=[ \\t])|(?=[ \\t]*\\n)|,?[ \\t]+(?:(?<asks>(?=${ASKS}))|${FOR}(?=[ \\t]))|,[ \\t]+(?=(?:the|an?|their|el|la|los|las|una?|su)[ \\t]))[ \\t]*`

const PLACED = new RegExp(
  `${BEFORE}(?:(?:the|la|el|an?|una?)[ \\t])?(?:(?:${ORDINAL}) (?:${PLACE})|(?:${PLACE}) (?:${COUNT})(?: (?:of|de) \\d)?)${AFTER}`,
  'giu',
)
/** "The first asks for", "a second with": in a prompt that tells of screens. */
const SHORT = new RegExp(
  `${BEFORE}(?:the|an?|la|el|una?) (?:${ORDINAL})(?: one)?,?[ \\t]+(?:(?<asks>(?=${ASKS}))|${FOR}(?=[ \\t]))[ \\t]*`,
  'giu',
)
/** "First screen the name, second screen the address" */
const LOOSE = new RegExp(
  `${BEFORE}(?:(?:the|la|el)[ \\t])?(?:${ORDINAL}) (?:${PLACE})(?: (?:is|has|es|tiene))?[ \\t]+(?=\\p{L})`,
  'giu',
)
/** "Two screens: on the first name and email, on the second the plan" */
const SHORT_LOOSE = new RegExp(
  `(?<=^|[\\n.;:,?!][ \\t]{0,3})(?:${THEN},?[ \\t])?(?:on|in|en) (?:the|la|el) (?:${ORDINAL})(?: one)?,?[ \\t]+(?=\\p{L})`,
  'giu',
)
const SCREENS = new RegExp(`\\b(?:${PLACE})s\\b|\\b(?:${COUNT})[ -](?:${PLACE})\\b`, 'iu')
/** "A 3 step form. First: name. Second: company" */
const COUNTED =
  /(?<=^|[\n.;!?][ \t]{0,3})(?:first|second|third|fourth|fifth|sixth|primero|segundo|tercero|cuarto|quinto):[ \t]*/giu
/** "The name on the first screen, the address on the second": the screen ends here. */
const BEHIND = new RegExp(
  `(?<=[\\p{L}\\d)])[ \\t](?:on|in|en) (?:the|la|el) (?:${ORDINAL})(?: one| (?:${PLACE}))?(?:[,;.]?[ \\t]${THEN}[ \\t]|[,;.](?=\\s|$)|(?=\\n|$))`,
  'giu',
)
const NAMED = new RegExp(`\\b(?:on|in|en) (?:the|la|el) (?:${ORDINAL}) (?:${PLACE})\\b`, 'iu')

const HEADING = '\\p{L}[^:;,.()\\n]{1,40}?'
/** "With steps: 1) Contact: email, phone 2) Shipping: address" */
const STEPS = new RegExp(
  `\\b(?:${PLACE})s:?\\s+(?=\\(?1[.)] ${HEADING}: [^\\n]{1,300}\\s\\(?2[.)] ${HEADING}: )`,
  'iu',
)
const STEP = new RegExp(`(?<=\\s)\\(?(\\d{1,2})[.)] (?:(?=(${HEADING}): )|(?=\\p{L}))`, 'gu')
/** What stands in brackets, with the choices of a thing in brackets of their own. */
const INNER = '(?:[^()\\n]|\\([^()\\n]{0,150}\\)){2,300}'
/** "Three screens: Contact (email, phone), Shipping (name, address)" */
const NAMED_STEPS = new RegExp(
  `\\b(?:${PLACE})s: ?((?:${HEADING} \\(${INNER}\\)(?:[,;]? (?:(?:and|then|y) )?|(?=[.\\n]|$))){2,8})(?<last>(?<=[,;]? (?:(?:and|then|y) )?)\\p{L}[^:;,().\\n]{1,80}(?=[.\\n]|$))?`,
  'giu',
)
const NAMED_STEP = new RegExp(`(${HEADING}) \\((${INNER})\\)(?:[,;]? (?:(?:and|then|y) )?)?`, 'giu')

/** "Two screens: (name, phone) and (date, guests)" */
const BARE_STEPS = new RegExp(
  `\\b(?:${PLACE})s:? ?((?:\\([^()\\n]{2,200}\\)(?:,? (?:(?:and|then|y) )?|(?=[.\\n]|$))){2,8})`,
  'giu',
)
const GROUP = /\(([^()\n]{2,200})\)/g
/** "Page 1 - contact (name, phone)" */
const PLACED_GROUP = new RegExp(
  `(?<=^|[\\n.;,] ?)(?:${PLACE}) (\\d{1,2})(?: [-–—]|:) (${HEADING}) \\(([^()\\n]{2,200})\\)[.,;]?`,
  'gimu',
)

/** Says that what follows are things, and no choices. */
const DATA = /(?:details|data|info(?:rmation)?|datos|información)$/iu

/** A prompt whose steps have names, with the words for steps before each. */
export function withSteps(prompt: string): string {
  const at = STEPS.exec(prompt)?.index ?? prompt.length
  const numbered =
    prompt.slice(0, at) +
    prompt
      .slice(at)
      .replace(
        STEP,
        (_, number: string, name?: string) =>
          `\nStep ${number}${name === undefined ? ': ' : ' - '}`,
      )
  return numbered
    .replace(BARE_STEPS, (_, groups: string) =>
      [...groups.matchAll(GROUP)].map(([, things], at) => `\nStep ${at + 1}: ${things}`).join(''),
    )
    .replace(PLACED_GROUP, (found, number: string, name: string, things: string) =>
      isOfKnown(things) ? `\nStep ${number} - ${name}: ${things}\n` : found,
    )
    .replace(NAMED_STEPS, (_, list: string, last = '') => {
      const steps = [...list.matchAll(NAMED_STEP)].map(([, name = '', things = '']) =>
        DATA.test(name) && !isOfKnown(things) ? `: ${things}` : ` - ${name}: ${things}`,
      )
      if (last !== '') steps.push(`: ${last}`)
      return steps.map((step, at) => `\nStep ${at + 1}${step}`).join('')
    })
}

/** A prompt with a mark before what it wants on the next screen: "Screen 1: name. Screen 2: address." */
export function withSections(prompt: string): string {
  const isLoose = [...prompt.matchAll(LOOSE)].length > 1
  const exact = prompt.replace(PLACED, mark)
  const placed = isLoose ? exact.replace(LOOSE, `\n${SECTION}\nFields: `) : exact
  const isTold = SCREENS.test(prompt) || placed !== prompt
  const short = isTold
    ? placed.replace(SHORT, mark).replace(COUNTED, `\n${SECTION}\nFields: `)
    : placed
  // The first of them may have been found already.
  const found = [...short.matchAll(SHORT_LOOSE)].length + Number(short.includes(SECTION))
  const isShort = isTold && found > 1
  const marked = isShort ? short.replace(SHORT_LOOSE, `\n${SECTION}\nFields: `) : short
  const titled = marked.replace(TITLED, withoutTitle).replace(HEADED, '')
  const isBehind = marked === prompt && NAMED.test(prompt)
  return isBehind ? prompt.replace(BEHIND, `\n${SECTION}\nFields: `) : titled
}

/** What a screen is called, on a line of its own before a list. */
const HEADED = new RegExp(
  `(?<=${SECTION}\\nFields: )[^\\n,:;?()]{1,40}(?=\\n[ \\t]*(?:[-*•–]|\\d{1,2}[.)])[ \\t])`,
  'gu',
)

/** What a screen is called, before what it asks for: "Welcome - collect the name". */
const TITLED = new RegExp(
  `(?<=${SECTION}\\nFields: )[\\p{L}\\d'’ ]{1,40} [-–—] ([^\\n]{1,${LINE_CHARACTERS}})`,
  'gu',
)

function withoutTitle(found: string, things: string): string {
  return ASKING.exec(things)?.index === 0 || isOfKnown(things) ? things : found
}

function mark(found: string, ...rest: unknown[]): string {
  const [offset, text, groups] = rest.slice(-3) as [number, string, Record<string, string>]
  const { heading, asks } = groups
  if (asks !== undefined) return `\n${SECTION}\n`
  // A heading that no things follow, but choices, is a thing itself: "Step 1 - Size: S, M".
  const isTitle = heading === undefined || /[("“«]/.test(heading)
  const isThing = !isTitle && !isOfKnown(lineAt(text, offset + found.length))
  const name = heading?.replace(/^[\s–—-]+/, '') ?? ''
  if (!isTitle && !isThing && ownerOf(name) !== '') return `\n${SECTION}\n${name}: `
  return `\n${SECTION}\nFields: ${isThing ? `${name}: ` : ''}`
}

function lineAt(text: string, start: number): string {
  return text.slice(start, start + LINE_CHARACTERS).split(/[\n.]/, 1)[0] ?? ''
}
