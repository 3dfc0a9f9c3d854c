import { remarkIn } from './hints.ts'
import { splitList, withoutBrackets } from './lists.ts'
import { markOf, OTHERWISE_SAID } from './marks.ts'
import { ASKING, TELLING } from './sentences.ts'
import { kindNamed } from './words.ts'

const PEOPLE = 'they|you|we|i|it|he|she|customers?|users?|clients?|guests?|people'
const VERB =
  'ask|collect|request|get|include|show|display|add|need|require|enter|provide|give|specify|tell|upload'
const IF =
  '(?:only |just |s[oó]lo )?(?:if|when|whenever|in case(?: of| that)?|(?<unless>unless|a menos que)|si|cuando|en caso de(?: que)?|(?:only|s[oó]lo) (?:for|para))'
/** Says of something itself, or of those who want it, whether it is to be answered: no condition of anything else. */
const OPEN =
  '(?:any|possible|applicable|available|needed|necessary|relevant|known|different|(?:you|they|customers) (?:want|like|wish|prefer)(?= to\\b|[,.;)]|$)|(?:lo )?desean?\\b|es posible|procede|aplica|(?:los? |las? )?(?:tienen?|hay|existen?)(?=[,.;)]|$))'
const CONDITION = `(?!${OPEN}|(?:${PEOPLE}),? (?:${VERB})\\b)[^,;:.?!()"“”\\n]{1,60}?`
const ASKS = `(?:(?:then|also|please|we|i|they|you|will|must|should|need to|have to|can|entonces|tambi[eé]n) ){0,4}(?:ask(?: (?:them|him|her|(?:the )?(?:customers?|users?|clients?|guests?|people)))?(?: also)?(?: (?:for|about|to (?:enter|give|provide|tell us|upload|choose|specify|leave|say)))?|tell us|(?:${VERB})(?: us)?|pid[ae]n?|pedir|pregunt[ae]r?(?: por(?! qu))?|solicit[ae]r?|mostrar|muestra|ingresar)(?: also| tambi[eé]n)?`
const SO = 'yes|so|not?|s[ií]|es as[ií]|tienen?'
const QUESTION =
  'what|which|how|when|where|why|who|qu[eé]|cu[aá]l|cu[aá]nt|c[oó]mo|cu[aá]ndo|d[oó]nde|por qu[eé]'
/** What is asked for behind "if so", which no comma needs to tell from that. */
const FURTHER = `(?:${QUESTION}|(?:the|their|an?|your|el|la|su) |please|describe|explain|list|number|describ|explic|indi[cq])`
const START =
  '(?<=(?:^|[.?!;\\n])\\s{0,3}(?:(?<=(?:^|\\n)\\s{0,3})[-*•–] )?|[.?)] )(?:(?<=[.?!;\\n]\\s{0,3})(?:and|but|then|y|pero) )?'
const END = '(?=[.;\\n]|$)'

/** "If they are a company, also ask for its name and the tax id." */
const SENTENCE = new RegExp(
  `${START}(?:${IF}|(?<of>for|para)) (?<condition>${CONDITION})[,:]? ${ASKS}:? (?<things>[^.;\\n?]{1,200}?\\??)${END}`,
  'gimu',
)
/** "…, otherwise for the address", "Otherwise, ask for the address." */
const OTHERWISE = new RegExp(
  `(?<=[\\p{L}\\d)'"?])[,.;](?: (?:and|y))? (?:otherwise|or else|else|de lo contrario|en caso contrario),? (?:${ASKS}:? )?(?:for )?(?<things>[^.;\\n?]{1,200}?\\??)${END}|(?<=, )(?<thing>[^,.;:?()\\n]{1,60}) otherwise${END}`,
  'gimu',
)
/** "Do you smoke? (yes/no): if yes, how many?" */
const ARROW = /(?<=\)): (?=(?:if|si) )/giu
/** "(price, quality, other - please specify)" */
const OTHER =
  /(?<choices>\([^()\n]{0,300}?(?<![\p{L}])(?<other>others?|otr[oa]s?)) ?[-–—:,(]? ?(?:please |por favor,? )?(?:specify|describe|explain|(?<spanish>especifi(?:car|que)|indicar|indique))(?: (?:which|it|below|cu[aá]l))?\)?\)(?<end> (?=[\p{L}¿]))?/giu
/** "Scores under 7: ask why" */
const SCORES =
  /(?<before>(?:^|[.;\n])\s{0,3})(?:scores?|ratings?|answers?|notas?|puntuaci[oó]n(?:es)?) (?:(?:of|from|between|de) )?(?=[^,;:.?!()\n]{0,20}\d[^,;:.?!()\n]{0,10}[:,] ?(?:ask|pregunt|pide))/gimu
/** "Whether they smoke (if yes: how many)" */
const ASIDE =
  / ?\((?<so>if (?:yes|so)|si (?:es así|sí))[:,]? (?:ask (?:for )?|pedir )?(?<things>[^()?\n]{2,60})\)/giu
/** "If yes, which ones?", "If phone: the number" */
const BRIEF = new RegExp(
  `${START}${IF} (?:(?<so>${SO})(?:[,:]|(?= ${FURTHER}))|(?<condition>${CONDITION})[,:]) ?(?<things>[^.;:\\n?]{1,200}\\??)(?=[.;\\n]|$|(?<=\\?) )`,
  'gimu',
)
/** "…, and if it is below 7 ask why", "…; if so, the date" */
const INNER = new RegExp(
  `(?:(?<=[\\p{L}\\d)'"?])[,;](?: (?:and|but|then|y|pero))?| (?:and|but|y|pero)) ${IF} (?:(?<condition>${CONDITION}),? ${ASKS}:? |(?<so>${SO})(?:[,:]|(?= ${FURTHER})) |(?<brief>(?!${OPEN})[^\\s,;:.?!()"]{1,30}(?: [^\\s,;:.?!()"]{1,30}){0,2}?)(?:[,:]| then) )(?<things>(?:[^,;:.\\n?()]{1,60}: (?=[^;.\\n?]*,)[^;.\\n?]{1,100})|[^,;.\\n?]{1,100}\\??)`,
  'giu',
)
/** "The address is only needed for delivery.", "Show the address only when delivery is chosen." */
const SAID = new RegExp(
  `(?<=(?:^|[.;\\n])\\s{0,3})(?:(?:the )?(?<one>[^,;:.?!()\\n]{1,60}?) (?:field |question )?(?:is|are|should be|must be|will be) (?:only )?(?:asked(?: for)?|shown|displayed|visible|needed|required|necessary|relevant|mandatory)|(?:only |just )?(?:show|display|ask(?: for| about)?|request|collect|require|include) (?:the )?(?<other>[^,;:.?!()\\n]{1,60}?)(?: field| question)?|(?<hide>hide) (?:the )?(?<hidden>[^,;:.?!()\\n]{1,60}?)(?: field| question)?)(?<!\\b(?:and|or|but))(?: only| just)? (?:if|when|(?<of>for)|in case of|(?<unless>unless)) (?<condition>${CONDITION})${END}`,
  'gimu',
)
/** "(only if delivery)", "(for companies only)", "(required if they drive)" */
const BRACKETED = new RegExp(
  `(?:\\(|[,;] (?=[^()\\n]{0,80}\\))(?=(?:only|just|required|needed|shown?|s[oó]lo) ))(?:(?:(?:only|just|required|needed|mandatory|show(?:n)?|visible|s[oó]lo|obligatori[oa]) )*(?:if|when|for|si|cuando|para) (?<condition>${CONDITION})|(?:for )?(?<alone>(?!${OPEN})[^,;:.?!()\\n]{1,40}?) only|(?:only|s[oó]lo) (?<only>(?!${OPEN})[^,;:.?!()\\n]{1,40}))\\)`,
  'giu',
)
/** Before an "if" that asks, "ask them if they smoke", or one that goes with another thing. */
const WHETHER =
  'ask|asks|asking|know|say|tell us|see|check|indicate|confirm|wonder|specify|pregunta|preguntar|saber|indica|indicar|diga'
const JOINED = 'whether|and|or|but|also|even|as|what|y|o'
/** "The number of guests if attending" */
const BEHIND = new RegExp(
  `(?=,? (?:but|only|just|s[oó]lo|if|when|in|si|cuando|en|required|mandatory|needed|necessary|obligatori[oa]s?) )(?<=[\\p{L}\\d)'"])(?<!\\b(?:(?:${WHETHER})(?: (?!for\\b)[\\p{L}'’]{1,30}){0,2}|${JOINED}))(?<wish> (?:required|mandatory|needed|necessary|obligatori[oa]s?))?(?:,? (?:but )?(?:only|just|s[oó]lo) (?:if|when|for|si|cuando|para)| (?:if|when|in case of|si|cuando|en caso de)) (?<condition>${CONDITION})(?=[,.;\\n]|$| (?:and|y) (?:the |an? |their )?\\p{L}{1,30}(?: \\p{L}{1,30}){0,2}(?:[,.;\\n]|$))`,
  'gimu',
)

type Found = Record<string, string | undefined>

/** A text in which what is asked only of some customers has a mark that tells of whom. */
export function withConditions(text: string): string {
  return text
    .replace(ARROW, '\n')
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

/** Each of some things with the mark of a condition; a question is one thing. */
function marked(things: string, mark: string, isAnswer = false): string {
  const bare = things.trim()
  if (bare.endsWith('?')) return `"${bare.replaceAll('"', '')}" (${mark})`
  if (isAnswer && QUESTION_WORD.test(bare)) {
    const [first = '', ...others] = bare.split(/, ?/)
    return [`"${first}?" (${mark})`, ...others].join(', ')
  }
  if (bare.includes(':')) return `${bare.replace(/:\s*(.*)$/, ' ($1)')} (${mark})`
  return splitList(bare)
    .map((part) => `${part.text.trim()} (${mark})`)
    .join(', ')
}

/** On a line of its own that names what is asked for, unless it has one already. */
function onLine(list: string, all: unknown[]): string {
  const [at, text] = all.slice(-3) as [number, string]
  return LIST_MARK.test(text.slice(Math.max(0, at - 10), at)) ? list : `\nFields: ${list}`
}

const LIST_MARK = /(?:^|\n|[).?!:;] )\s*(?:\(?(?:\d{1,2}|[a-j])[.)]|(?<=(?:^|\n)\s*)[-*•–]) ?$/iu

function groupsOf(all: unknown[]): Found {
  return all.at(-1) as Found
}

function conditionOf({ condition, so, brief, unless }: Found): string {
  return `${unless === undefined ? '' : 'not '}${condition ?? so ?? brief ?? ''}`
}

const SPANISH = /^\W*(?:y |pero )?(?:s[oó]lo )?(?:si|cuando)\b/i
/** Speaks of customers, who are not told so. */
const OF_PEOPLE = new RegExp(`^(?:the )?(?:${PEOPLE})\\b|^(?:el|la|los|las) `, 'iu')

/** The mark of a condition that stands before what is asked for; a short one may be told to customers. */
function ahead(all: unknown[]): string {
  const condition = conditionOf(groupsOf(all))
  const isTold = !OF_PEOPLE.test(condition) && /^\S+$/.test(condition)
  const so = new RegExp(`^(?:${SO})$`, 'iu').test(condition)
  const word = SPANISH.test(String(all[0])) ? 'si' : 'if'
  return markOf({ condition, ...(isTold && !so && { behind: `${word} ${condition}` }) })
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
  return things === undefined ? marked(thing, mark) : `\nFields: ${marked(things, mark)}`
}

function brief(all: unknown[]): string {
  const { things = '', ...found } = groupsOf(all)
  // "When it is late, apologise"
  const isVerb = !/\s/.test(things.trim()) && kindNamed(things) === null
  if (found.so === undefined && (isVerb || !isAskedFor(things))) return String(all[0])
  const condition = conditionOf(found)
  const words = String(all[0]).slice(0, -things.length)
  const before = `${words.replace(/[\s,:]+$/, '')}, `
  return onLine(marked(things, markOf({ condition, before }), found.so !== undefined), all)
}

function inner(all: unknown[]): string {
  const { things = '', ...found } = groupsOf(all)
  if (found.brief !== undefined && !isAskedFor(things)) return String(all[0])
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
  /^(?:it|this|that|they|all|everything|each|nothing|these|those|which|who|what)\b/i
const ONLY = /\b(?:only|just)\b/i

function said(all: unknown[]): string {
  const { one, other, hidden, hide, unless, of, condition = '' } = groupsOf(all)
  const things = one ?? other ?? hidden ?? ''
  const whole = String(all[0])
  // "Ask them if they smoke"
  const isOpen = (of !== undefined || /^ask (?!for|about)/i.test(whole)) && !ONLY.test(whole)
  if (NOTHING_SAID.test(things) || isOpen) return whole
  const isNot = (hide !== undefined) !== (unless !== undefined)
  return onLine(marked(things, markOf({ condition: `${isNot ? 'not ' : ''}${condition}` })), all)
}
