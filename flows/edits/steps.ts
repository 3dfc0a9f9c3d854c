import { type Field, type Form, plain } from '../forms/form.ts'
import { withQuotationMarks } from '../spellings/notations.ts'
import { NTH, numberOf, WISHED } from './edit-words.ts'

const VERBS =
  '(?:call|name|label) it|add|limit|restrict|limita|limitar|show|muestra|remove|delete|drop|get rid of|take out|leave out|use|rename|make|change|set|replace|mark|insert|put|require|release|move|keep|turn|convert|allow|ask|agrega|agregar|añade|añadir|quita|quitar|elimina|eliminar|borra|borrar|renombra|renombrar|cambia|cambiar|haz|pon|marca|exige|exigir|libera|liberar|mueve|mover|reemplaza|reemplazar|convierte|pide'
/** Not behind what an instruction depends on: "if they are a company, ask …" */
const AFTER_IF =
  '(?<!(?:^|[.;\\n]\\s{0,3})(?:if|when|si|cuando) [^,.;]{1,60},?\\s(?:(?:then|and)\\s)?)'
/** Separates one instruction from the next. */
const NEXT = new RegExp(
  `\\n+|(?<=\\b${WISHED}),?\\s+(?:(?:and|but|y|e|pero)\\s+)?(?=[^\\s,;.][^,;.]*\\s(?:is|are|es|son|should be|must be)\\s${WISHED})|(?<=[.;])\\s+|;\\s*|,?\\s+(?:and|then|and then|y|luego)\\s+(?:instead\\s+)?(?=(?:${VERBS})\\b)${AFTER_IF}|,\\s+(?=(?:${VERBS})\\b)${AFTER_IF}`,
  'iu',
)

/** Nothing that is quoted begins another step. */
const QUOTED = /["“«]([^"”»]*)["”»]/g

/** What an instruction asks for, one thing after the other, without words of politeness. */
export function stepsIn(instruction: string): string[] {
  const quoted: string[] = []
  return withQuotationMarks(instruction.normalize('NFC'))
    .replace(QUOTED, (found) => `"${quoted.push(found) - 1}"`)
    .split(NEXT)
    .map((step) => step.replace(QUOTED, (_, at: string) => quoted[Number(at)] ?? ''))
    .map((step, at, [first = '']) => {
      const asked = requested(
        step
          .replace(/[.!;,\s]+$/, '')
          .replace(PURPOSE, '')
          .trim(),
      )
      // The question mark of a request that is put as a question.
      const isFurther = at > 0 && REQUEST.test(first) && !/[:"“«]/.test(asked)
      return isFurther ? asked.replace(/\?$/, '') : asked
    })
    .filter((step) => step !== '')
}

/** Tells why, and not what. */
const PURPOSE =
  /,? so (?:that )?(?:people|they|customers|users|clients|we) (?:can|may|could)\b[^"“«]*$/i

const REQUEST =
  /^(?:(?:please|por favor|could (?:you|we)|can (?:you|we)|would you|will you|i(?:['’]d| would) like(?: you)? to|(?:i|we) (?:also )?(?:want|need)(?: you)? to|let['’]s|make (?:it so|sure)(?: that)?|puedes?|podrías?)(?: please| also)?,? (?:also )?)+/i

/** What is asked for in an instruction that is put politely: "Could you remove the date?" */
function requested(step: string): string {
  const asked = step.replace(REQUEST, '').replace(/,? (?:please|por favor)\??$/i, '')
  return asked === step ? step : asked.replace(/(?<!["”»])\?$/, '')
}

const IT = /(?<=^(?:make|mark|set|move|put|rename) )it(?= )/i
/** "Add a rating before the size, call it …" */
const CALLED = /^(?:call|name|label) it:? /i
/** "Rename size to T-shirt size and add 3XL" */
const SIZE = /^add ([A-Z\d]{1,4})$/
const SIZES = /^[A-Z\d]{1,4}$/
const PLACED = new RegExp(
  `(?<!\\p{L})(?:the |la |el )?(?:(?:(last|últim[oa])|(${NTH})) (?:question|field|pregunta|campo)|(?:question|field|pregunta|campo) (?:number |no\\.? ?|#)?([1-9]\\d?))(?![\\p{L}\\d])`,
  'giu',
)

/** "Make the email the first question": here it is a place. */
const AS_PLACE = /^(?:make|move|put|change)\b.* (?:first|last) (?:question|field)$/i

/**
 * A step with the labels of the fields that it means: "it" is the one that was `touched` before, "the second question"
 * the one that stands there.
 */
export function withLabels(step: string, { fields }: Form, touched: Field | undefined): string {
  const isAgreed = ({ kind }: Field) => kind === 'consent'
  const asked = [...fields.filter((one) => !isAgreed(one)), ...fields.filter(isAgreed)]
  const words = step
    .replace(/\s+/g, ' ')
    .replace(IT, (found) => (touched ? `"${touched.label}"` : found))
    .replace(CALLED, (found) => (touched ? `rename "${touched.label}" to ` : found))
    .replace(SIZE, (found, size: string) =>
      touched?.choices.every((choice) => SIZES.test(choice)) && touched.choices.length > 0
        ? `add the option ${size} to "${touched.label}"`
        : found,
    )
  if (AS_PLACE.test(words)) return words
  return words.replace(PLACED, (found, last?: string, nth?: string, number?: string) => {
    const field = last === undefined ? asked[numberOf(nth ?? number) - 1] : asked.at(-1)
    const isLabel = fields.some(({ label }) => plain(label) === plain(found))
    return field && !isLabel ? `"${field.label}"` : found
  })
}
