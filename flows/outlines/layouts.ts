import { withoutBrackets } from '../words/lists.ts'
import { ASKING, BULLET, isIntroducing } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'

const BOX = '(?:\\(\\s?\\)|\\[\\s?\\]|[☐□◻▢○◯⬜])'
const ANSWER = `${BOX}[ \\t]*([^()[\\]☐□◻▢○◯⬜\\n]{1,60})`
/** "Plan: ( ) Free ( ) Pro", "Topics: [ ] News [ ] Offers" */
const BOXES = new RegExp(`(${ANSWER}){2,20}`, 'gu')
const ANSWERS = new RegExp(ANSWER, 'gu')
const BOX_AT = new RegExp(`${BOX}[ \\t]*`, 'gu')
/** Of round ones, a form lets one choose a single one. */
const ROUND = /^[(○◯]/
/** Answers with boxes on lines of their own, below what they answer. */
const BOX_LINES = new RegExp(
  `^([^\\n]*)((?:(?:\\n|(?<![^\\n]))[ \\t]*${ANSWER}(?=\\n|$)){2,20})`,
  'gmu',
)
/** What is to be filled in by hand. */
const BLANK = /:?[ \t]*(?:\[[ \t]{2,}\]|\([ \t]{2,}\)|_{3,}|\.{4,})(?=[ \t]*$)/gm
/** "The questions below" */
const BELOW =
  /(?<=\b(?:questions|fields|details|information|preguntas|campos|datos) )(?:below|a continuación|siguientes)[.:]?(?=[ \t]*\n)/giu

/** A prompt in which the boxes of a paper form are brackets and lists. */
export function withoutBoxes(prompt: string): string {
  return prompt
    .replace(BLANK, '')
    .replace(BELOW, ':')
    .replace(BOX_LINES, (found, head: string, lines: string) => {
      const isList = head.trim() === '' || isIntroducing(head)
      return isList
        ? found.replace(BOX_AT, '- ')
        : `${head.replace(/[ \t:]*$/, '')} ${bracketed(lines)}`
    })
    .replace(BOXES, bracketed)
}

function answersIn(boxes: string): string[] {
  return [...boxes.matchAll(ANSWERS)].map(([, answer = '']) => answer.trim())
}

function bracketed(boxes: string): string {
  const several = ROUND.test(boxes.trim()) ? '' : 'multiple choice: '
  return `(${several}${answersIn(boxes).join(', ')})`
}

const WORDS_MAX = 5
const LINES_LEAST = 3
/** Ends a prompt, or divides it. */
const CLOSING =
  /^(?:(?:section|part|sección|parte) (?:[a-j]|\d{1,2})|thanks?|thank you|please|submit|send|cheers|regards|gracias|enviar|saludos)\b/i

/** A line that may be the name of a thing, and nothing else. */
function isBare(line: string): boolean {
  const words = withoutBrackets(line).trim()
  const isShort = words !== '' && words.split(/\s+/).length <= WORDS_MAX
  return isShort && !/[.:;,!|"“]/.test(words) && !ASKING.test(words) && !CLOSING.test(words)
}

const TITLE = /^#[ \t]/
const HEADING = /^#{1,6}[ \t]+([^\n:]{1,60}?)[ \t]*$/u

/** The lines, with a colon behind headings of Markdown below which things are listed. */
function withHeadings(lines: string[]): string[] {
  const isTitled = lines.filter((line) => TITLE.test(line)).length === 1
  return lines.map((line, at) => {
    if (isTitled && TITLE.test(line)) return line
    const [, heading] = HEADING.exec(line) ?? []
    const next = lines.slice(at + 1, at + 3).find((one) => one.trim() !== '') ?? ''
    return heading !== undefined && (isBare(next) || BULLET.test(next)) ? `${heading}:` : line
  })
}

/**
 * A prompt in which things on lines of their own are marked as such, where most of the lines around them name
 * something known. The first may be a heading.
 */
export function withBullets(prompt: string): string {
  const lines = withHeadings(prompt.split('\n'))
  for (let from = 0; from < lines.length; from++) {
    let end = from
    while (end < lines.length && isBare(lines[end] ?? '')) end++
    const together = lines.slice(from, end)
    const known = together.filter((line) => kindNamed(line) !== null)
    const isList = together.length >= LINES_LEAST && known.length >= together.length / 2
    for (let at = from + 1; isList && at < end; at++) {
      const line = lines[at] ?? ''
      if (kindNamed(line) === null && !BULLET.test(line)) lines[at] = `- ${line.trim()}`
    }
    from = Math.max(from, end - 1)
  }
  return lines.join('\n')
}
