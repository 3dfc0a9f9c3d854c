import { remarkIn } from '../words/hints.ts'
import { splitList, withoutBrackets } from '../words/lists.ts'
import { markOf } from '../words/marks.ts'
import { ASKING, TELLING } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'
import { namedInFull } from './pairs.ts'

import {
  AFFIRMED,
  ARROW,
  ASIDE,
  BEHIND,
  BRACKETED,
  BRIEF,
  CHAIN,
  HEADED,
  IN_THAT_CASE,
  INNER,
  OTHER,
  OTHERWISE,
  OTHERWISE_SAID,
  PEOPLE,
  QUESTION,
  SAID,
  SCORES,
  SENTENCE,
  SO,
  SUBJECT,
  WHO,
} from '../words/condition-words.ts'

type Found = Record<string, string | undefined>

/** A text in which what is asked only of some customers has a mark that tells of whom. */
export function withConditions(text: string): string {
  return text
    .replace(ARROW, '\n')
    .replace(CHAIN, '. $<lead> $<condition> ask ')
    .replace(IN_THAT_CASE, (...all) => (groupsOf(all).es === undefined ? 'if so, ' : 'si es así, '))
    .replace(AFFIRMED, (...all) => `si ${groupsOf(all).no === undefined ? 'sí' : 'no'}`)
    .replace(HEADED, (...all) => headed(all))
    .replace(SUBJECT, (...all) => ofThose(all))
    .replace(OTHER, (...all) => other(all))
    .replace(SCORES, '$<before>if ')
    .replace(ASIDE, ', $<so>, $<things>')
    .replace(OTHERWISE, (...all) => otherwise(all))
    .replace(SAID, (...all) => said(all))
    .replace(SENTENCE, (...all) => sentence(all))
    .replace(BRIEF, (...all) => brief(all))
    .replace(INNER, (...all) => inner(all))
    .replace(BRACKETED, (...all) => bracketed(all))
    .replace(BEHIND, (...all) => behind(all))
}

function other(all: unknown[]): string {
  const { choices = '', other: condition = '', spanish, end } = groupsOf(all)
  const label = spanish === undefined ? 'Please specify' : 'Especifique'
  const asked = `"${label}" (${markOf({ condition })})`
  return end === undefined ? `${choices}), ${asked}` : `${choices})\nFields: ${asked}\n`
}

/** What stands below the name of a choice that was offered before. */
function headed(all: unknown[]): string {
  const { choice = '', of, things = '' } = groupsOf(all)
  const [at, text] = all.slice(-3) as [number, string]
  const before = text.slice(0, at)
  const isAnswer = /^(?:yes|no|s[ií])$/i.test(choice) && before.includes('?')
  const isThing = of === undefined && !['text', null].includes(kindNamed(choice))
  if (isThing || !(isAnswer || isOffered(choice, before))) return String(all[0])
  return `if ${choice}: ${things.replace(/^ask (?:for )?/i, '')}`
}

/** What those give who chose something: "businesses give the company name". */
function ofThose(all: unknown[]): string {
  const { choice = '', things = '' } = groupsOf(all)
  const [at, text] = all.slice(-3) as [number, string]
  const singulars = [choice, choice.replace(/s$/i, ''), choice.replace(/es$/i, '')]
  const one = singulars.find((name) => isOffered(name, text.slice(0, at)))
  return one === undefined ? String(all[0]) : `if ${one}: ${things}`
}

/** Whether one may choose something, as far as a text tells: "(card, transfer)", "card or transfer". */
function isOffered(choice: string, before: string): boolean {
  const name = choice.replace(/[^\p{L}\d ]/gu, '.')
  const offered = new RegExp(
    [
      `\\((?:[^()]*[,/] ?)?(?:or )?${name}(?: ?[,/][^()]*)?\\)`,
      `(?<![\\p{L}\\d])${name} ?(?:/|or|o) ?\\p{L}`,
      `(?<=\\p{L} ?)(?:/ ?|or (?:an? )?|o (?:una? )?)(?:[^.:;\\n]{1,20}/ ?)?${name}(?![\\p{L}\\d])`,
      `: (?:[^.:;\\n]*, )?${name},`,
    ].join('|'),
    'iu',
  )
  return offered.test(before)
}

/** "If not, skip." */
const SKIPPING =
  /^(?:(?:then|just|please) )*(?:skip|continue|proceed|stop|end|finish|ignore|go (?:to|on|straight)|(?:do )?nothing|move on|jump|salta|termina|nada)\b/i

const WORDS_MAX = 6

/** Whether what follows a condition is asked for, and not told: "if you have questions, we are here to help". */
function isAskedFor(things: string): boolean {
  if (things.endsWith('?')) return true
  const isTold = TELLING.test(things) || ASKING.exec(things)?.index === 0
  const areShort = splitList(things).every(
    ({ text }) => withoutBrackets(text).trim().split(/\s+/).length <= WORDS_MAX,
  )
  return !isTold && areShort
}

const QUESTION_WORD = new RegExp(`^(?:${QUESTION})`, 'iu')

/** "How did they hear about us": who answers is asked. */
const OF_THEM = /\b(do|did|would|are|were|have|will|can|could) they\b(?![^"]*")/giu

/** Each of some things with the mark of a condition; a question is one thing. */
function marked(things: string, mark: string, isAnswer = false): string {
  const bare = things.trim().replace(OF_THEM, '$1 you')
  if (bare.endsWith('?')) return `"${bare.replaceAll('"', '')}" (${mark})`
  if (isAnswer && QUESTION_WORD.test(bare)) {
    const [first = '', ...others] = bare.split(/, ?/)
    return [`"${first}?" (${mark})`, ...others].join(', ')
  }
  if (bare.includes(':')) return `${bare.replace(/:\s*(.*)$/, ' ($1)')} (${mark})`
  return splitList(namedInFull(bare))
    .map((part) => `${part.text.trim()} (${mark})`)
    .join(', ')
}

/** On a line of its own that names what is asked for, unless it has one already. */
function onLine(list: string, all: unknown[]): string {
  const [at, text] = all.slice(-3) as [number, string]
  return LIST_MARK.test(text.slice(Math.max(0, at - 10), at)) ? list : `\nFields: ${list}`
}

const LIST_MARK =
  /(?:^|\n|[).?!:;] )\s*(?:\(?(?:\d{1,2}|[a-j])[.)]|[QP]\d{1,2}[:.)]|(?<=(?:^|\n)\s*)[-*•–]) ?$/iu

function groupsOf(all: unknown[]): Found {
  return all.at(-1) as Found
}

function conditionOf({ condition, so, brief, unless }: Found): string {
  return `${unless === undefined ? '' : 'not '}${condition ?? so ?? brief ?? ''}`
}

const SPANISH = /^\W*(?:y,? |pero )?(?:s[oó]lo )?(?:si|cuando)\b/i
/** Speaks of customers, who are not told so. */
const OF_PEOPLE = new RegExp(`^(?:the )?(?:${PEOPLE})\\b|^(?:el|la|los|las) `, 'iu')

/** The mark of a condition that stands before what is asked for, with those of its words that tell customers of it. */
function ahead(all: unknown[]): string {
  const condition = conditionOf(groupsOf(all))
  const said = `${wordOf(all)} ${condition}`
  if (IS_IF.test(String(all[0])) && WHO.test(said))
    return markOf({ condition, before: `${said}, ` })
  const so = new RegExp(`^(?:${SO})$`, 'iu').test(condition)
  const isTold = !so && !OF_PEOPLE.test(condition) && /^\S+$/.test(condition)
  return markOf({ condition, ...(isTold && { behind: said }) })
}

const IS_IF = /^\W*(?:(?:and|but|then|y|pero),? )?(?:if|si) /i

function wordOf(all: unknown[]): string {
  return SPANISH.test(String(all[0])) ? 'si' : 'if'
}

function sentence(all: unknown[]): string {
  const { things = '', of, condition = '' } = groupsOf(all)
  // "For our records, ask for the date" is no condition where nothing is called so.
  const mark = of === undefined ? ahead(all) : markOf({ condition, before: ' ' })
  return onLine(marked(things, mark), all)
}

function otherwise(all: unknown[]): string {
  const { things, thing = '' } = groupsOf(all)
  const mark = markOf({ condition: OTHERWISE_SAID })
  if (SKIPPING.test(things ?? thing)) return ''
  return things === undefined ? marked(thing, mark) : `\nFields: ${marked(things, mark)}`
}

function brief(all: unknown[]): string {
  const { things = '', ...found } = groupsOf(all)
  // "When it is late, apologise"
  const isVerb = !/\s/.test(things.trim()) && kindNamed(things) === null
  if (SKIPPING.test(things)) return ''
  if (found.so === undefined && (isVerb || !isAskedFor(things))) return String(all[0])
  const words = String(all[0]).slice(0, -things.length)
  // "If you could change one thing, what would it be?"
  const isPart = found.so !== undefined || things.endsWith('?')
  const before = `${words.replace(/[\s,:]+$/, '')}, `
  const mark = isPart ? markOf({ condition: conditionOf(found), before }) : ahead(all)
  return onLine(marked(things, mark, found.so !== undefined), all)
}

function inner(all: unknown[]): string {
  const { things = '', ...found } = groupsOf(all)
  if (SKIPPING.test(things)) return ''
  // "Ask if they smoke, if they drink": another question, and no condition.
  const isQuestion = OF_PEOPLE.test(found.brief ?? '') && !/^;|^ \S+,| then /i.test(String(all[0]))
  const isOther = isQuestion || !isAskedFor(things)
  if (found.brief !== undefined && isOther) return String(all[0])
  return `, ${marked(things, ahead(all), found.so !== undefined)}`
}

function bracketed(all: unknown[]): string {
  const { condition, alone, only } = groupsOf(all)
  const whole = String(all[0])
  const content = whole.replace(/^[(,;]\s*|\)$/g, '')
  const told = `(${remarkIn(content)?.mark ?? content})`
  const isWish = /^(?:required|needed|mandatory|obligatori)/i.test(content)
  const isOnly =
    /^(?:(?:only|just|shown?|visible|s[oó]lo) )*(?:if|si)\b|^(?:only|just|s[oó]lo) (?:when|for|para|cuando)\b/i.test(
      content,
    )
  const behind = isWish ? '' : isOnly ? `${told} (optional)` : told
  const mark = markOf({ condition: condition ?? alone ?? only ?? '', behind })
  return whole.startsWith('(') ? `(${mark})` : `) (${mark})`
}

function behind(all: unknown[]): string {
  const { condition = '', wish } = groupsOf(all)
  const words = wish === undefined ? String(all[0]).trim() : ''
  return ` (${markOf({ condition, behind: words })})`
}

const NOTHING_SAID =
  /^(?:it|this|that|they|all|everything|each|nothing|these|those|which|who|what|only|just|also)\b/i
/** Says that it depends, where "the date when it arrives" and "the phone for updates" do not. */
const SHOWN = /\b(?:only|just)\b|^(?:show|display|hide)\b/i

function said(all: unknown[]): string {
  const { one, other, hidden, hide, unless, of, condition = '' } = groupsOf(all)
  const things = one ?? other ?? hidden ?? ''
  const whole = String(all[0])
  // "Ask them if they smoke"
  const isOpen = (of !== undefined || /^ask (?!for|about)/i.test(whole)) && !SHOWN.test(whole)
  if (NOTHING_SAID.test(things) || isOpen) return whole
  const isNot = (hide !== undefined) !== (unless !== undefined)
  return onLine(marked(things, markOf({ condition: `${isNot ? 'not ' : ''}${condition}` })), all)
}
