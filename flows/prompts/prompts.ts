import { inFull, questionsOf } from '../spellings/questions.ts'
import { spelled } from '../spellings/spellings.ts'
import { asksYesOrNo } from '../words/answers.ts'
import { isSeveral } from '../words/choosing.ts'
import { readScale, splitList, splitSentences } from '../words/lists.ts'
import { hasOwnChoices, isWhole, type Part, readChoices, withoutBrackets } from '../words/lists.ts'
import { isScreen } from '../words/screen-words.ts'
import { ASKING, BULLET, isIntroducing, isNaming, isOfKnown } from '../words/sentences.ts'
import { PREFACE, TELLING } from '../words/sentences.ts'
import { kindNamed, readWish } from '../words/words.ts'

/** What stands before a dash and a list at the beginning of a prompt. */
const HEADING =
  /^(?!(?:how|what|which|when|where|who)\s[^\n]*\?)(\p{L}[^\n:;,.()]{2,60}?)\s[-–—]\s(?![^\n]*\s(?:or|o)\s[^\n]*\s[-–—]\s)(?=([^\n.]*))(?=[^\n:]*,|[^\n]*;)/iu

/** "Gym membership - name, phone", "Size - S, M": but "Email - required, name" says only more of the first thing. */
function withHeading(prompt: string): string {
  return prompt.replace(HEADING, (whole, heading: string, list: string) => {
    const known = splitList(list).filter(({ text }) => kindNamed(withoutBrackets(text)) !== null)
    return known.length === 1 ? whole : `${heading}: `
  })
}

/**
 * The sentences of a prompt. What people write in ways of their own is written out in them: answers on lines
 * below a question, two questions in one, a scale that is said once for many things.
 */
export function sentencesOf(prompt: string): string[] {
  const text = MARKS.reduce(withLists, spelled(withHeading(prompt)))
  const sentences = withWishes(splitSentences(text)).map(withoutColon).map(withSeveral)
  return inFull(withScales(withAnswers(sentences).flatMap(questionsOf)))
}

/** "Genres people like: fiction, fantasy. Let them choose many.": what is listed are choices. */
function withSeveral(sentence: string, index: number, sentences: string[]): string {
  if (!isSeveral(sentences[index + 1] ?? '')) return sentence
  const [, head = '', list = ''] =
    /^(?:.*\b(?:about|on|for|over|sobre|acerca de) )?([^:()]+): ([^:()?]*,[^:()?]*?)\.?$/iu.exec(
      sentence,
    ) ?? []
  return list === '' ? sentence : `Fields: ${head} (multiple choice: ${list})`
}

const WISHED =
  /^(?:(?:fields|questions|campos|datos) )?(optional|required|mandatory|opcional(?:es)?|obligatori[oa]s)(?: (?:fields|questions|campos|datos|ones))?(?:\s*:| are| son)\s*(.*)$/isu

/** The sentences with what is said of a list at each of its things: "Optional: phone, company". */
function withWishes(sentences: string[]): string[] {
  let wish = ''
  return sentences.flatMap((sentence) => {
    const [, said = '', list = ''] = WISHED.exec(sentence) ?? []
    if (said !== '' && list !== '') {
      wish = ''
      const things = splitList(list).map(({ text }) => `${text.replace(/\.$/, '')} (${said})`)
      return [`Fields: ${things.join(', ')}`]
    }
    wish = said !== '' ? said : BULLET.test(sentence) ? wish : ''
    return wish !== '' && said === '' ? [`${sentence} (${wish})`] : [sentence]
  })
}

/** A line of a blank form is a thing of its own: "Name:", where another such line follows, or nothing. */
function withoutColon(sentence: string, index: number, sentences: string[]): string {
  const isBlank = sentence.endsWith(':') && (sentences[index + 1] ?? ':').endsWith(':')
  const isThing = !isIntroducing(sentence) && kindNamed(sentence) !== null
  return isBlank && isThing ? `- ${sentence.slice(0, -1)}` : sentence
}

/** What the things of a list begin with: letters, dashes on lines of their own, or numbers. */
const MARKS = [
  /(?<=^|\s)(?:(?:and|or|y|e|o)\s)?\(?([a-j])\)\s+/giu,
  /(?<=^|\n)[ \t]*([-*•–])[ \t]+/gu,
  /(?<=^|\s)(?:(?:and|or|y|e|o)\s)?\(?(\d{1,2})[.)]\s+/giu,
]

/** A text with each marked thing on a line of its own, and with marked answers in brackets. */
function withLists(text: string, mark: RegExp): string {
  const lists: { at: number; from: number }[][] = []
  for (const { index: at, 0: found, 1: sign = '' } of text.matchAll(mark)) {
    const list = lists.at(-1) ?? []
    const order = /\d/.test(sign) ? Number(sign) : '-abcdefghij'.indexOf(sign.toLowerCase())
    const isNextLine = order < 1 && !text.slice(list.at(-1)?.from, at).trimEnd().includes('\n')
    const thing = { at, from: at + found.length }
    if (list.length > 0 && (isNextLine || order === list.length + 1)) list.push(thing)
    else if (order <= 1) lists.push([thing])
  }
  let done = text.slice(0, lists[0]?.[0]?.at)
  for (const [index, list] of lists.entries()) {
    const end = lists[index + 1]?.[0]?.at
    const things = list.map(({ from }, at) => text.slice(from, list[at + 1]?.at ?? end))
    done = withList(done, things, text.slice(list[0]?.at, end))
  }
  return done
}

const ANSWER_END = /[,;]?\s*(?:\n|[.!]\s|\s¿|\s\(?\d{1,2}[.)]\s|$)/u

function withList(before: string, things: string[], written: string): string {
  const head = before.trimEnd()
  const line = head
    .slice(head.lastIndexOf('\n') + 1)
    .replace(PREFACE, '')
    .trim()
  const texts = things.map((thing) => thing.slice(0, thing.search(ANSWER_END)).trim())
  // What is listed behind the name of a thing may be its choices.
  const isIntroduced = isIntroducing(line)
    ? kindNamed(line) === null
    : /:$/.test(line) && RATE.test(line)
  // "Preferred contact: a) phone b) email"
  const isLettered = /^\s*\(?[a-j]\)/i.test(written) && /:$/.test(line) && !isIntroducing(line)
  if (things.length < 2) return before + written
  if (isIntroduced || (!isLettered && isOfKnown(texts.join(', ')))) {
    const colon = isIntroduced && /[\p{L}\d]$/u.test(line) ? ':' : ''
    return /^\s*[-*•–]/.test(written) ? before + written : [head + colon, ...things].join('\n- ')
  }
  const isAsked =
    line.endsWith('?') || isLettered || (line.endsWith(':') && kindNamed(line) !== null)
  if (!isAsked || texts.some((text) => /[:?]/.test(text))) return before + written
  const answers = texts.map((text) => `"${withoutBrackets(text).replaceAll('"', '').trim()}"`)
  const last = things.at(-1) ?? ''
  return `${head.replace(/:$/, '')} (${answers.join(', ')})${last.slice(last.search(ANSWER_END))}`
}

const OPTIONS =
  /^(?:options|choices|possible answers|opciones|respuestas)(?::| (?:are|son):?)\s*([^()]+?)\s*(\((?:multiple|several|varias|varios)[^()]*\))?$/iu

/** The sentences, with the answers that follow a question in brackets: "Which plan? (Basic or Pro)". */
function withAnswers(sentences: string[]): string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const question = joined.at(-1)
    const [, options, several] = OPTIONS.exec(sentence) ?? []
    if (question !== undefined && options !== undefined) {
      joined[joined.length - 1] =
        `${question.replace(/[:.]$/, '')} (${several === undefined ? '' : 'multiple choice: '}${options})`
    } else if (!question?.endsWith('?') || !isAnswer(sentence)) joined.push(sentence)
    else joined[joined.length - 1] = `${question} (${withoutBrackets(sentence)})`
  }
  return joined
}

const ANSWER_WORDS_MAX = 4

/** Whether a sentence only says how the question before it can be answered. */
function isAnswer(sentence: string): boolean {
  const { rest } = readWish(sentence)
  if (rest === '' || readScale(rest)?.rest.trim() === '') return true
  if (hasOwnChoices(sentence) && /\p{L}/u.test(withoutBrackets(sentence))) return false
  const isOther = [/[:?]/, BULLET, ASKING, TELLING].some((pattern) => pattern.test(sentence))
  if (isOther || isScreen(sentence)) return false
  const parts = splitList(withoutBrackets(rest))
  const whole = isWhole(rest) ? readChoices(rest) : parts.map(({ text }) => text.trim())
  const isShort = whole.every((text) => text.split(/\s+/).length <= ANSWER_WORDS_MAX)
  const isChoice = parts.at(-1)?.after === 'or' || isWhole(rest)
  // "Haircut, colour, styling"
  const known = parts.map(({ text }) => kindNamed(text)).filter((kind) => kind !== null)
  const isUnknown = known.length < parts.length / 2 && known.every((kind) => kind === 'text')
  return isShort && (isChoice || (parts.length > 1 && isUnknown))
}

const RATE =
  /^[^:]*\b(?:rate|ratings? (?:of|for)|califi(?:ca(?!ci)|que)\w*|(?:calificaci[oó]n|valoraci[oó]n|puntuaci[oó]n)(?:es)? del?|valor[ae](?!ci)\w*|puntúe?\w*|evalúe?\w*)\b/iu
const RATINGS = /(?:\bstars? )?\bratings?\s*(\([^()]*\))\s*(?:for|of)\s/i
const EACH_SCALE = /\((?:each|all|cada un[oa]) [^()]*\d\)|\([^()]*\d (?:each|cada un[oa])\)/i
const EACH = /\(?\s*\b(?:each|all|cada un[oa])\b\s*\)?|\(\s*\)/gi
const SCALE_FIRST = /\d{1,2}\s+(?!(?:stars?|points?|estrellas|puntos|to|through|a|al)\b)\p{L}/iu
const UNRATED = /^(?:email|phone|password|photo|document|date|paragraph|consent)$/

/** Is answered in words, even behind things that are rated: "What could we improve?" */
const IN_WORDS = /^\s*(?:¿\s*)?(?:what|why|which|who|qu[eé]|por qu[eé]|cu[aá]l(?:es)?)(?=\s).*\?/iu

/** The sentences with a scale at each thing that is rated: "Rate from 1 to 5: food, service". */
function withScales(sentences: string[]): string[] {
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
    if (headed) return `Fields: ${rated(splitList(listed), headed)}`
    const isOther = listed.includes(':') || splitList(listed)[0]?.text.includes('?')
    return isOther ? sentence : `${head}: ${withScale(listed)}`
  }
  if (!scale || (given === undefined && !RATE.test(first))) return sentence
  const isSaidFirst = given !== undefined || SCALE_FIRST.test(first)
  const last = parts.findIndex(({ text }, at) =>
    isSaidFirst ? at > 0 && !isRated({ text }) : readScale(text) !== null,
  )
  const count = isSaidFirst ? (last < 0 ? parts.length : last) : last + 1
  const alike = parts.slice(0, count)
  if (count < 2 || !alike.every(isRated)) return sentence
  return [rated(alike, scale), ...parts.slice(count).map(({ text }) => text)].join(', ')
}

function isRated({ text }: Pick<Part, 'text'>): boolean {
  const hasOther = ASKING.test(text) || UNRATED.test(kindNamed(text) ?? '')
  return (
    !hasOther &&
    !IN_WORDS.test(text) &&
    (readScale(text) !== null || !hasOwnChoices(text)) &&
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
