import { cleaned } from './items.ts'
import { splitList } from './lists.ts'
import { withSections } from './sections.ts'
import { ASKING } from './sentences.ts'
import { kindNamed } from './words.ts'

const BOLD = /\*\*(.+?)\*\*/g
const SPELLINGS: readonly [RegExp, string][] = [
  // What is looked for is ahead at first, and only then what stands before it: that is read from the line's start.
  [/(?= [-–—] )(?<=^[^?\n]*[^\s?:]) [-–—] ([^-–—\n:;.?!()]+) [-–—] /gm, ' ($1) '],
  [
    /,? (?:each|all|cada un[oa]|todos)(?: of them)? (?:rated|scored|graded|calificad[oa]s?)(?: on a scale)?(?: from| of| del?)? (\d{1,2}) ?(?:-|–|to|a|al) ?(\d{1,2})\b/giu,
    ' (each from $1 to $2)',
  ],
  [
    /\b(?:up to|at most|hasta) \d{1,2} (\p{L}{1,30}(?: \p{L}{1,30})?) (?:from|out of|de|entre):? ([^;.:()\n]{1,300})/giu,
    '$1 (multiple choice: $2)',
  ],
  // "A form for parents - name, email": what stands behind the first dash is asked for.
  [
    /^([^-–—:,.?!\n]{0,80}\b(?:form|flow|survey|poll|quiz|questionnaire|get|collect|gather|ask for|formulario|encuesta|cuestionario|flujo)\b[^-–—:,.?!\n]{0,60}) [-–—] (?=[^\n]*,)/iu,
    '$1: ',
  ],
  [/\b(?:one|uno) (?:to|a) (?:five|cinco)\b/gi, '1 to 5'],
  [/\b(?:one|uno) (?:to|a) (?:ten|diez)\b/gi, '1 to 10'],
  [
    /\b(?:(?:with|con) )?(?:out of|up to|hasta|sobre) (\d{1,2})(?= (?:stars?|points?|estrellas|puntos)\b)/gi,
    'from 1 to $1',
  ],
  [
    /\b(?:with|using|con|usando) (?:an? |una? )?(\d{1,2})\s?(?:-|–|to|a)\s?(\d{1,2})\b/gi,
    'from $1 to $2',
  ],
  [/(?<=\p{L})\s(yes|sí) (?:or|o) (no)\b/giu, ' ($1/$2)'],
  // What is said of all fields, or of one alone, behind a list of them.
  [
    /[;,] (?=(?:all|everything|todos|todas|todo)\b[^.;,\n]{0,40}\b(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '\n',
  ],
  [
    /,? (?:where|but|and|donde|pero|y) (?=(?:only|just|solo|sólo)\b[^.;,\n]{1,60} (?:is|are|es|son) (?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '\n',
  ],
  // "The email is required, the name optional."
  [
    /(?<=\b(?:is|are|es|son) (?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?),? (?:(?:and|but|y|pero) )?)((?:the |el |la )?[\p{L}'’]{1,30}(?: [\p{L}'’]{1,30}){0,2}) (?=(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)\b)/giu,
    '$1 is ',
  ],
  [/\b(asks?|asking|know|tell us|say) if\b(?! you\b)/gi, '$1 whether'],
  // Choices behind a bracket that says that several may be chosen, or behind a dash: "size - S, M, L".
  [
    /\([^()\n]*\b(?:several|multiple|more than one|all that apply|(?:up to|at most|hasta) \d{1,2}|as many|varias|varios)\b[^()\n]*\):\s*([^:;.?!()\n]+)/giu,
    '(multiple choice: $1)',
  ],
  [
    /(?<=\p{L}) [-–—] ((?:[A-Z\d]{1,3}, )+(?:(?:or|and|o|y) )?[A-Z\d]{1,3})(?![\p{L}\d])/gu,
    ' ($1)',
  ],
  [
    /(?<=[\p{L}\d]) [-–—] ((?:[^-–—,:;.?!()\n]{1,40}, ){0,20}[^-–—,:;.?!()\n]{1,40},? (?:or|o) [^-–—,:;.?!()\n]{1,40})(?=[.?!]|$)/gmu,
    ' ($1)',
  ],
  // A bracket that says which data are meant, and not what one may choose between.
  [
    /(?<![\p{L}'’])(?:[\p{L}'’]{1,30} ){0,3}(?:data|details|info|information|datos|información)(?: (?:of|about|del?|sobre)(?: [\p{L}'’]{1,30}){1,3})?(?: (?:personales|generales|needed|required))? ?\((?![^()\n]* (?:or|o) )([^()\n]*(?:, | and | y )[^()\n]*)\)/giu,
    '$1',
  ],
]

/** A prompt as it would be written out: what one may choose between in brackets, each thing said in full. */
export function spelled(prompt: string): string {
  const divided = withSections(prompt.replace(BOLD, '$1'))
  return SPELLINGS.reduce(
    (text, [pattern, other]) => text.replace(pattern, other),
    divided,
  ).replace(CHOICE, bracketed)
}

const WORD = '(?!(?:or|and|o|u|y)\\b)[^\\s,;:.?!()"“”]{1,30}'
const WORDS = `${WORD}(?: ${WORD}){0,3}`
/** What one is to choose between, without a name for it: "choose chicken, fish or salad". */
const CHOICE = new RegExp(
  `\\b(?:(?:(?:if|whether) (?:they|you)(?: would|['’]d)? (?:want|like|need|prefer)|si (?:quieren|prefieren|desean))|(?<verb>choose|select|pick|elegir|elija|elige))(?: (?:to|from|between|entre))? (?!(?:one|either|up|de|the following)\\b)(?:an? |the |una? )?(?<list>${WORDS}(?:, ${WORDS}){0,8},? (?:or|o) ${WORDS})(?=[,;.?!\\n]|$| (?:and|y) )`,
  'giu',
)

function bracketed(found: string, ...rest: unknown[]): string {
  const { verb = '', list = '' } = rest.at(-1) as Record<string, string | undefined>
  const choices = splitList(list).map(({ text }) => text)
  if (choices.some((one) => kindNamed(one) !== null || ASKING.test(one))) return found
  return `${verb} "${list}" (${choices.map(cleaned).join(', ')})`
}
