import { inFull, questionsOf } from '../spellings/questions.ts'
import { spelled } from '../spellings/spellings.ts'
import { isSeveral } from '../words/choosing.ts'
import { readScale, splitList, splitSentences } from '../words/lists.ts'
import { hasOwnChoices, isWhole, readChoices, withoutBrackets } from '../words/lists.ts'
import { isTitle } from '../words/purposes.ts'
import { isScreen } from '../words/screen-words.ts'
import { ASKING, BULLET, isIntroducing, isOfKnown } from '../words/sentences.ts'
import { PREFACE, TELLING } from '../words/sentences.ts'
import { readSeries } from '../words/series.ts'
import { kindNamed, readWish } from '../words/words.ts'
import { RATE, withScales } from './scales.ts'

/** What stands before a dash and a list at the beginning of a prompt. */
const HEADING =
  /^(?!(?:how|what|which|when|where|who|do|does|did|are|is|was|were|have|has|can|will|would)\s[^\n]*\?)(\p{L}[^\n:;,.()[\]{}]{2,60}?)\s[-–—]\s(?!(?:required|mandatory|optional|opcional|obligatori[oa])\b)(?![^\n]*\s(?:or|o)\s[^\n]*\s[-–—]\s)(?![^\n]*\s[-–—]\s(?:and|y)\s)(?=([^\n.]*))(?=[^\n:]*,|[^\n]*;)/iu

/** What stands in brackets behind a heading says more of what the form is for: "Booking form (spa): name, date". */
const QUALIFIED =
  /^(\p{L}[^\n:;,.()?]{2,60}?) \((?!(?:optional|required|mandatory|multi\w*|choose|select|pick|tick|check|several|many|single|drop-?down|radio|eli[gj]\w*|marc\w*|seleccion\w*|vari[ao]s|m[uú]ltiple|text|number|date|any|all|opcional|obligatori[oa]|texto|número)\b)(?![^()\n]*\b(?:or|o|and|y)\b)[^(),;/|\n\d]{2,60}\)(?=: [^\n]*,)/iu

function withoutQualifier(prompt: string): string {
  return prompt.replace(QUALIFIED, (whole, heading: string) =>
    isTitle(heading) || kindNamed(heading) === null ? heading : whole,
  )
}

/** "Gym membership - name, phone", "Size - S, M": but "Email - required, name" says only more of the first thing. */
function withHeading(prompt: string): string {
  return prompt.replace(HEADING, (whole, heading: string, list: string) => {
    const known = splitList(list).filter(({ text }) => kindNamed(withoutBrackets(text)) !== null)
    return known.length === 1 && kindNamed(heading) !== null ? whole : `${heading}: `
  })
}

/**
 * The sentences of a prompt. What people write in ways of their own is written out in them: answers on lines
 * below a question, two questions in one, a scale that is said once for many things.
 */
export function sentencesOf(prompt: string): string[] {
  const text = MARKS.reduce(withLists, spelled(withHeading(withoutQualifier(prompt))))
  const sentences = withWishes(splitSentences(text).map(withoutAnd))
    .map(withoutColon)
    .map(withSeveral)
  return inFull(withScales(withAnswers(sentences).flatMap(questionsOf)))
}

/** "And the phone." */
function withoutAnd(sentence: string): string {
  return sentence.replace(/^(?:and|also|plus)\s+(?=\p{Ll})(?!if\b)/iu, '')
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
  /^(?:(?:fields|questions|inputs|campos|datos) )?(optional|required|mandatory|opcional(?:es)?|obligatori[oa]s)(?: (?:fields|questions|inputs|details|info(?:rmation)?|campos|datos|ones))?(?:\s*:| are| son)\s*(.*)$/isu

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
    } else if (!question?.endsWith('?') || !isAnswer(sentence, question)) joined.push(sentence)
    else joined[joined.length - 1] = `${question} (${withoutBrackets(sentence)})`
  }
  return joined
}

const ANSWER_WORDS_MAX = 4

/** Whether a sentence only says how the question before it can be answered. */
function isAnswer(sentence: string, question: string): boolean {
  const { rest } = readWish(sentence)
  if (rest === '' || [readScale, readSeries].some((read) => read(rest)?.rest.trim() === ''))
    return true
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
  const isOneOf = /^which of\b/i.test(question)
  return isShort && (isChoice || (parts.length > 1 && (isUnknown || isOneOf)))
}
