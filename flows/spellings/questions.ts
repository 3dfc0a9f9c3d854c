import { splitList } from '../words/lists.ts'
import { withoutMarks } from '../words/marks.ts'
import { BULLET, isNaming, QUESTION, SAID_OF } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'

const AUXILIARIES = "is|are|was|were|do|does|did|have|has|can|could|will|would|should|may|[’']s"
const PRONOUNS = 'you|we|they|it|he|she|i'
/** Before the second of two questions: "How was it and would you come again?" */
const SECOND = new RegExp(
  `,?\\s+(?:and|y|e)\\s+(?=(?:what|how|which|where|when|who|why)(?:\\s+(?!(?:${PRONOUNS})\\b)[\\p{L}'’-]+){0,3}?(?:\\s+|(?=['’]))(?:${AUXILIARIES})\\b|(?:${AUXILIARIES})\\s+(?:${PRONOUNS}|your|our|their|the|this|that|there)\\b|(?:why|por qué|how|cómo)\\?|(?:por qué|qué|cómo|cuál(?:es)?|cuándo|dónde|quién(?:es)?|cuánt[oa]s?)\\s)`,
  'iu',
)
const YOURS = /^\s*¿?(?:what(?:['’]s| is| are)|cuál(?:es)? (?:es|son)) (?:your|sus?|tus?)\s/iu

const HEADED = /^[^:?]{1,60}:\s+/

/** The questions of one sentence: "How was it and why?", "What is your name and email?" */
export function questionsOf(sentence: string): string[] {
  if (!sentence.endsWith('?')) return [sentence]
  const [first = '', second] = sentence.split(SECOND)
  const isFirst =
    QUESTION.test(first.replace(BULLET, '').replace(HEADED, '')) && /\s\S/.test(first.trim())
  if (second !== undefined && isFirst) {
    return [`${first}?`, first.includes('¿') ? `¿${second}` : second]
  }
  if (!YOURS.test(sentence)) return [sentence]
  const things = splitList(sentence.replace(YOURS, '').slice(0, -1)).map(({ text }) => text.trim())
  const isThing = (text: string) =>
    isNaming(text) && kindNamed(text) !== null && !SAID_OF.test(text)
  return things.length > 1 && things.every(isThing) ? things : [sentence]
}

const YES_OR_NO = /^(?:[^:?]{1,60}:\s+)?(?:do|does|did|have|has|are|is)\b[^?]*\?$/iu
const BRIEF =
  /^(?!(?:and|or|if|any|preferred|favou?rite|best|main|desired|ideal|y|o|si)\b)(?:\p{L}+ ){0,3}\p{L}+\?$/iu

/** "Pets? If yes, what kind?": the answer to the first question is a yes or a no. */
const IF_SO = /^(?:if )?(?:yes|so|not?|es así|sí)$/iu
const UNSAID =
  /^(?!(?:[^:?]*:\s+)?¿?\s*(?:what|which|how|why|who|when|where|qu[eé]|cu[aá]l|c[oó]mo)(?!\p{L}))[^()]*\?$/iu

/** The sentences, with what each question that goes on with another asks: "Do you have a fever? Cough?" */
export function inFull(sentences: string[]): string[] {
  let answers = ''
  return sentences.map((sentence, at) => {
    const { limits } = withoutMarks(sentences[at + 1] ?? '')
    const isMeant = limits.some((one) => 'condition' in one && IF_SO.test(one.condition))
    if (isMeant && UNSAID.test(sentence)) {
      return `${sentence} ${sentence.includes('¿') ? '(Sí/No)' : '(Yes/No)'}`
    }
    const isBrief = BRIEF.test(sentence) && !QUESTION.test(sentence) && kindNamed(sentence) === null
    if (isBrief) return `${sentence}${answers}`
    const isSpanish = sentence.includes('¿')
    answers = YES_OR_NO.test(sentence) ? (isSpanish ? ' (Sí/No)' : ' (Yes/No)') : ''
    return sentence
  })
}
