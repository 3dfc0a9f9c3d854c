import { asksYesOrNo } from '../words/answers.ts'
import { hasOwnChoices, type Part, readScale, splitList } from '../words/lists.ts'
import { ASKING, BULLET, isNaming } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'

/** Says that what follows is to be rated. */
export const RATE =
  /^[^:]*\b(?:rate|ratings? (?:of|for)|califi(?:ca(?!ci)|que)\w*|(?:calificaci[oó]n|valoraci[oó]n|puntuaci[oó]n)(?:es)? del?(?! (?:prospectos?|leads?|clientes? potenciales|riesgos?|cr[eé]ditos?)(?!\p{L}))|valor[ae](?!ci)\w*|puntúe?\w*|evalúe?\w*)\b/iu
const RATINGS = /(?:\bstars? )?\bratings?\s*(\([^()]*\))\s*(?:for|of)\s/i
const EACH_SCALE =
  /\((?:each|all|cada un[oa]|tod[oa]s) [^()]*\d(?: (?:stars?|points?|estrellas|puntos))?\)|\([^()]*\d (?:each|cada un[oa])\)/i
const EACH = /\(?\s*\b(?:each|all|cada un[oa]|tod[oa]s)\b\s*\)?|\(\s*\)/gi
const SCALE_FIRST =
  /\d{1,2}\s+(?:(?:stars?|points?|estrellas|puntos)\s+)?(?!(?:stars?|points?|estrellas|puntos|to|through|a|al)\b)\p{L}/iu
const UNRATED = /^(?:email|phone|password|photo|document|date|paragraph|consent)$/

/** Is rated, and no date here: "rate the check-in" */
const STAY = /\bcheck-?(?:in|out)\b/gi

/** Is answered in words, even behind things that are rated: "What could we improve?" */
const IN_WORDS = /^\s*(?:¿\s*)?(?:what|why|which|who|qu[eé]|por qu[eé]|cu[aá]l(?:es)?)(?=\s)/iu

/** Says a scale of all that stands before it, and not only of the last thing. */
const IN_FULL = /\b(?:from|del?) \d{1,2} (?:to|al?) \d{1,2}\b/i
/** "Course evaluation: content, instructor, facilities from 1 to 5" */
const EVALUATING = /\b(?:evalua\p{L}+|feedback|survey|encuesta|satisf\p{L}+|reviews?)\b/iu

/** The sentences with a scale at each thing that is rated: "Rate from 1 to 5: food, service". */
export function withScales(sentences: string[]): string[] {
  let scale: string[] | null = null
  return sentences.map((sentence) => {
    if (scale && BULLET.test(sentence)) return rated([{ text: sentence, after: '' }], scale)
    scale = sentence.endsWith(':') ? scaleOf(sentence) : null
    return withScale(sentence)
  })
}

/** "5 questions from 1 to 5: food, service" */
const MANY_RATED =
  /\b(?:questions|aspects|statements|items|preguntas|aspectos|afirmaciones|puntos)\b/iu

/** "Course code, rate the following from 1 to 5: clarity, fairness; strengths" */
const WITHIN =
  /^(?:(?<before>[^:]+?)[,;] (?:and |y )?(?=(?:rate|calif\p{L}{1,5}|eval[uú]\p{L}{1,4}) (?:(?:each of )?(?:the following|these)|lo siguiente|l[oa]s siguientes)))?(?<rate>(?:rate|calif\p{L}{1,5}|eval[uú]\p{L}{1,4}|punt[uú]\p{L}{1,3})\b[^:;]{0,40}): (?<things>[^:;]+)(?:; (?<after>.+))?$/iu

/** The scale on which a heading has things rated: "Rate these from 1 to 3". */
function scaleOf(head: string): string[] | null {
  const scale = readScale(head)?.choices
  const isOfMany = scale !== undefined && MANY_RATED.test(head)
  return RATE.test(head) || isOfMany ? (scale ?? ['1', '2', '3', '4', '5']) : null
}

function withScale(sentence: string): string {
  // "Ask about food and service (each from 1 to 5)": what stands before the list stays as it is.
  const asking = ASKING.exec(sentence)
  const start = asking === null ? 0 : asking.index + asking[0].length
  const [before, asked] = [sentence.slice(0, start), sentence.slice(start)]
  const isToRate = RATE.test(asked) || RATINGS.test(asked)
  if (!RATE.test(before)) {
    if (asking && isToRate && !asked.includes(':')) {
      return `${before} ${withScale(asked.trimStart())}`
    }
    if (!isToRate && EACH_SCALE.test(sentence) && !asked.includes(':')) {
      return before + withScale(`Rate ${asked}`).replace('Rate', '')
    }
  }
  const [, head = '', listed = ''] = /^([^:]*):\s*(.+)$/s.exec(sentence) ?? []
  const [, given] = RATINGS.exec(sentence) ?? []
  const parts = splitList(given === undefined ? sentence : sentence.replace(RATINGS, ''))
  const scale = readScale(given ?? parts.find(({ text }) => readScale(text))?.text ?? '')?.choices
  const first = parts[0]?.text ?? ''
  const headed = scaleOf(head)
  if (listed !== '') {
    const within = WITHIN.exec(listed)?.groups
    const own = scaleOf(within?.rate ?? '') ?? readScale(within?.rate ?? '')?.choices
    if (!headed && within && own) {
      const { before = '', things = '', after = '' } = within
      const all = [before, rated(splitList(things), own), after].filter((part) => part !== '')
      return `${head}: ${all.join(', ')}`
    }
    if (headed) return `Fields: ${rated(splitList(listed), headed)}`
    const all = splitList(listed)
    const last = all.findIndex(({ text }) => IN_FULL.test(text) && !text.includes('('))
    const areRated = all
      .slice(0, last)
      .every((part) => isRated(part) && kindNamed(part.text) === null)
    if (EVALUATING.test(head) && last > 0 && areRated && scale) {
      const others = textsOf(all.slice(last + 1))
      return `${head}: ${[rated(all.slice(0, last + 1), scale), ...others].join(', ')}`
    }
    const isOther = listed.includes(':') || splitList(listed)[0]?.text.includes('?')
    return isOther ? sentence : `${head}: ${withScale(listed)}`
  }
  if (!scale || (given === undefined && !RATE.test(first))) return sentence
  const isSaidFirst = given !== undefined || SCALE_FIRST.test(first)
  const last = parts.findIndex(({ text }, at) =>
    isSaidFirst ? at > 0 && !isRated({ text }) : readScale(text) !== null,
  )
  const count = isSaidFirst ? (last < 0 ? parts.length : last) : last + 1
  const unrated = parts.slice(0, count).findLastIndex((part) => !isRated(part))
  // "Name, food and service (each from 1 to 5)"
  const from = isSaidFirst || !EACH_SCALE.test(sentence) ? 0 : unrated + 1
  if (count - from < 2 || unrated >= from) return sentence
  const alike = rated(parts.slice(from, count), scale)
  return [...textsOf(parts.slice(0, from)), alike, ...textsOf(parts.slice(count))].join(', ')
}

function textsOf(parts: Part[]): string[] {
  return parts.map(({ text }) => text)
}

function isRated({ text }: Pick<Part, 'text'>): boolean {
  const hasOther = ASKING.test(text) || UNRATED.test(kindNamed(text.replace(STAY, ' ')) ?? '')
  return (
    !hasOther &&
    !IN_WORDS.test(text) &&
    !/\b(?:names?|nombres?)\b/i.test(text) &&
    (!hasOwnChoices(text) || (readScale(text) !== null && !/\([^()]*,[^()]*\)/.test(text))) &&
    !asksYesOrNo(text.trim()) &&
    isNaming(text.replace(EACH, ' '))
  )
}

function rated(parts: Part[], scale: string[]): string {
  const range = `(${scale[0]}-${scale.at(-1)})`
  return parts
    .map((part) => {
      const bare = (readScale(part.text)?.rest ?? part.text).replace(EACH, ' ').trim()
      return isRated(part) ? `${bare} ${range}` : part.text
    })
    .join(', ')
}
