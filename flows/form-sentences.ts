import { plain } from './form.ts'
import { isWhole, readScale, splitList, withoutBrackets } from './form-lists.ts'
import { kindNamed, readWish } from './form-words.ts'

/** Words that ask for what follows them. */
export const ASKING =
  /\b(ask(?:s|ing)?(?: (?:the )?(?:customers?|users?|clients?|guests?|people|them|patients?))?(?: (?:for|about|to (?:enter|choose|select|give|provide|pick)))?|collect(?:s|ing)?|request(?:s|ing)?|gather(?:s|ing)?|captur(?:e|es|ing)|includ(?:e|es|ing)|contain(?:s|ing)?|with(?! (?:us|you)\b)|fields? for|needs?(?!\s*(?:[,;(]|$|and\b))|wants?|enter|fill in|provide|leave|choose|select|pick|upload|record(?:s|ing)?|get|has|have|pedir|pide|pida|pidiendo|solicit\w+|recog\w+|recopil\w+|incluy\w+|incluir|con(?! nosotros\b)|pregunt(?:e|a|ar)(?: por)?|elegir|elija|seleccion(?:e|ar)|registr(?:e|ar)|teng[ao]|que contenga|subir)\b:?/iu
/** Words about a form and its fields, which introduce a list of them. */
export const INTRO =
  /\b(fields?|questions?|ask|asks|asking|collect\w*|following|details|data|information|inputs?|campos?|preguntas?|datos|siguientes?|pide|pedir|solicit\w*|screen|page|step|pantalla|paso)\b/iu
/** The beginning of a prompt, before it names what the form asks for. */
export const PREFACE =
  /^[^,:;?]*?\b(?:form|flow|survey|quiz|questionnaire|formulario|encuesta|cuestionario|flujo)\b/iu
/** What a thing that has a line of its own begins with. */
export const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+/u
const REVIEWING =
  /\b(confirmation|confirm|review (?:screen|page|step)|summary|thank[- ]?you|confirmacion|confirmar|resumen|agradecimiento|pantalla final)\b/
/** The wish for a form without a screen that shows the answers once more. */
export const UNREVIEWED =
  /\b(without (?:a |any )?(?:confirmation|review|summary)|no (?:confirmation|review|summary)|(?:single|one|una sola|una unica)[ -](?:screen|page|pantalla)|sin (?:pantalla de )?(?:confirmacion|resumen|revision))\b/
/** Begins what only says when something is to be done. */
export const CLAUSE =
  /^(?:when|once|if|after|before|while|as|at|on|in|for|cuando|si|tras|al|antes|después|en|para)\s/i

const NUMBER = /(?<=^|\s)(?:(?:and|y|e)\s)?\(?(\d{1,2})[.)]\s+/giu

/** A text with each numbered thing on a line of its own: "1. Name 2. Email". */
export function withLines(text: string): string {
  const items: string[] = []
  let end = 0
  for (const { index, 0: found, 1: number } of text.matchAll(NUMBER)) {
    if (Number(number) !== items.length + 1) continue
    items.push(text.slice(end, index))
    end = index + found.length
  }
  const [head = '', ...others] = [...items, text.slice(end)]
  const line = head.slice(head.lastIndexOf('\n') + 1).replace(PREFACE, '')
  // What is numbered behind the name of a thing may be its choices.
  const isIntroduced = isIntroducing(line.trim()) && kindNamed(line) === null
  const isList = isIntroduced || isOfKnown(others.join(', '))
  return others.length > 1 && isList ? [head, ...others].join('\n- ') : text
}

/** The sentences, with the answers that follow a question in brackets: "Which plan? (Basic or Pro)". */
export function withAnswers(sentences: string[]): string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const question = joined.at(-1)
    if (!question?.endsWith('?') || !isAnswer(sentence)) joined.push(sentence)
    else joined[joined.length - 1] = `${question} (${withoutBrackets(sentence)})`
  }
  return joined
}

const ANSWER_WORDS_MAX = 4

/** Whether a sentence only says how the question before it can be answered. */
function isAnswer(sentence: string): boolean {
  const { rest } = readWish(sentence)
  if (rest === '' || readScale(rest)?.rest.trim() === '') return true
  const isOther = [/[:?]/, BULLET, ASKING, TELLING].some((pattern) => pattern.test(sentence))
  if (isOther || isScreen(sentence)) return false
  const parts = splitList(withoutBrackets(rest))
  const isShort = parts.every(({ text }) => text.trim().split(/\s+/).length <= ANSWER_WORDS_MAX)
  const isChoice = parts.at(-1)?.after === 'or' || isWhole(rest)
  const isUnknown = parts.every(({ text }) => kindNamed(text) === null)
  return isShort && (isChoice || (parts.length > 1 && isUnknown))
}

const QUESTION =
  /^\s*(?:¿|(?:what|how|why|which|where|when|who|would|do|does|did|are|is|was|were|have|has|can|could|will|should|may)\b)/i

/** Whether a sentence is one question, and no list that ends with one: "Name, email, how did you find us?" */
export function isQuestion(text: string): boolean {
  if (!withoutBrackets(text).trimEnd().endsWith('?')) return false
  const parts = splitList(text).map((part) => part.text)
  const last = parts.pop() ?? ''
  if (QUESTION.test(text) || !QUESTION.test(last)) return true
  const isNamed = parts.every((part) => isNaming(part) && kindNamed(part) !== null)
  return ASKING.exec(text)?.index !== 0 && (CLAUSE.test(text) || !isNamed)
}

const SAID_OF = /\s(?:of|for|from|about|in|on|at|de|del|para|sobre|en)\s/i
const DETERMINED = /^(?:an?|the|their|his|her|el|la|los|las|una?|su)\s/i
const TELLING =
  /^(?:we|i|you|they|it|this|that|there)\b|\b(?:is|are|was|were|be|has|have|will|should|must|can|es|son|debe|tiene)\b/i

/** Whether some words only name a thing, without saying anything about it: "The photo of the damage". */
export function isNaming(text: string): boolean {
  const words = (readScale(text)?.rest ?? text).trim()
  const countOf = (some: string) => some.trim().split(/\s+/).length
  if (countOf(words) <= 4) return true
  const [thing = ''] = words.split(SAID_OF)
  const isShort = countOf(thing) <= (DETERMINED.test(words) ? 4 : 2)
  return isShort && kindNamed(thing) !== null && !TELLING.test(words)
}

/**
 * Whether the part after a colon lists things to ask for; otherwise it lists the choices of what stands before
 * it.
 */
export function isIntroduction(head: string, rest: string): boolean {
  return isIntroducing(head) || isOfKnown(rest)
}

function isIntroducing(head: string): boolean {
  return head === '' || INTRO.test(head)
}

/** Whether most of what is listed is known or a question. */
function isOfKnown(list: string): boolean {
  const parts = splitList(list).map(({ text }) => withoutBrackets(text).trim())
  const known = parts.filter((text) => kindNamed(text) !== null || text.endsWith('?'))
  return !isWhole(parts[0] ?? '') && known.length > parts.length / 2
}

/** Words about screens that exist in any case. */
export function isScreen(text: string): boolean {
  const words = plain(text)
  return REVIEWING.test(words) || UNREVIEWED.test(words)
}
