import { type Condition, type Field, plain } from '../forms/form.ts'
import { OTHERWISE_SAID } from '../words/condition-words.ts'
import { wordsOf } from '../words/words.ts'

/** What one chooses from, as far as a condition may be about it. */
export type Chosen = Pick<Field, 'label' | 'kind' | 'choices'> & { when?: Answered | Condition }
/** Some of its choices. */
export type Answered = { of: Chosen; among: string[] }

const YES =
  /^(?:yes|so|true|(?:they|you|he|she|it|i) (?:do|does|are|is|have|has|did|will|would|can)|si|es asi|asi es|lo es|afirmativo|(?:lo |la )?tienen?)$/
const NO =
  /^(?:no|not|false|(?:they|you|he|she|it|i) (?:do|does|are|is|have|has|did|will|would|can)(?:n't| not)|no es asi|no lo es)$/
const ANSWER =
  /^(?:(?:the |their |your )?(?:answer|response|reply) (?:is|was)|la respuesta es|(?:(?:they|customers?) )?(?:answer|say|respond|reply|choose|select|responde|dice|contesta|elige|selecciona)[sn]?(?= (?:yes|no|si)$)) /
const NEGATION =
  /^unless |^a menos que |\b(?:is|are|do|does|did|was|were|have|has|will|would)(?:n't| not)\b|\bnot?\b|\b(?:other|different) than\b|\banything (?:but|except)\b|\bdistint[oa]s? de\b/

/**
 * The choices that fulfil a condition, of what was described last of all that it may be about: "yes" of a question,
 * "they are a company", "below 7", "attending". Null where nothing described has such an answer.
 */
export function answered(condition: string, described: readonly Chosen[]): Answered | null {
  const said = barely(condition)
  const offered = described.filter(({ kind }) => kind === 'one_of').toReversed()
  if (YES.test(said)) return yesOrNo(offered, true)
  if (NO.test(said)) return yesOrNo(offered, false)
  if (said === OTHERWISE_SAID) {
    const before = described.flatMap(({ when }) => (when && 'of' in when ? [when] : []))
    return opposite(before.at(-1))
  }
  const isNegated = NEGATION.test(said)
  const words = isNegated ? said.replace(NEGATION, ' ').trim() : said
  if (YES.test(words)) return yesOrNo(offered, !isNegated)
  const found =
    compared(words, offered) ?? chosen(words, offered) ?? affirmed(words, offered, isNegated)
  if (found === null) return null
  const meant = isNegated ? opposite(found) : found
  return meant && meant.among.length < meant.of.choices.length ? meant : null
}

/** All other choices. */
function opposite(answer: Answered | undefined): Answered | null {
  if (!answer) return null
  const { of, among } = answer
  const others = of.choices.filter((choice) => !among.includes(choice))
  return others.length === 0 ? null : { of, among: others }
}

/** Whether a condition is about what stands before it, and names no answer of its own: "if yes". */
export function isOfLast(condition: string): boolean {
  const said = barely(condition)
  return said === OTHERWISE_SAID || YES.test(said) || NO.test(said)
}

function barely(condition: string): string {
  return plain(condition)
    .replace(/["“”«»]|^\W+|\W+$/g, '')
    .replace(/’/g, "'")
    .replace(ANSWER, '')
}

function isYes(choice: string): boolean {
  return /^(?:yes|si)(?!\w)/.test(plain(choice))
}

function isNo(choice: string): boolean {
  return /^no(?!\w)/.test(plain(choice))
}

function isYesOrNo({ choices }: Chosen): boolean {
  return choices.some(isYes) && choices.some(isNo)
}

function yesOrNo(offered: Chosen[], isAffirmed: boolean): Answered | null {
  const of = offered.find(isYesOrNo)
  return of ? { of, among: of.choices.filter(isAffirmed ? isYes : isNo) } : null
}

const BELOW =
  'below|under|less than|lower than|fewer than|smaller than|worse than|menor(?: (?:a|que))?|menos de|por debajo de|inferior a'
const ABOVE =
  'above|over|more than|higher than|greater than|better than|mayor(?: (?:a|que))?|mas de|por encima de|superior a'
const COMPARISON = new RegExp(
  `(?:(?<below>${BELOW})|(?<above>${ABOVE})|(?<least>at least|minimum|al menos|minimo)|(?<most>at most|up to|maximum|como maximo|maximo|hasta))(?: de)? (?<number>\\d{1,4})(?!\\d)|(?<from>\\d{1,4}) ?(?:-|–|to|and|a|y) ?(?<to>\\d{1,4})(?!\\d)|(?<just>\\d{1,4}) (?:(?:stars?|points?|estrellas?|puntos?) )?(?:or|o|y|and) (?:(?<fewer>less|lower|below|fewer|under|worse|menos|menor)|(?<more>more|higher|above|over|better|mas|mayor))`,
)

/** "The rating is 3 or lower": of choices that are all numbers. */
function compared(said: string, offered: Chosen[]): Answered | null {
  const groups = COMPARISON.exec(said)?.groups
  const of = groups && offered.find(({ choices }) => choices.every((one) => /^\d+$/.test(one)))
  if (!of) return null
  const { below, above, least, most, number, from, to, just, fewer, more } = groups
  const bound = Number(number ?? just)
  const isMet = (value: number) =>
    from !== undefined
      ? value >= Number(from) && value <= Number(to)
      : (below !== undefined && value < bound) ||
        (above !== undefined && value > bound) ||
        ((least ?? more) !== undefined && value >= bound) ||
        ((most ?? fewer) !== undefined && value <= bound)
  const among = of.choices.filter((choice) => isMet(Number(choice)))
  return among.length === 0 ? null : { of, among }
}

/** Says nothing of what was chosen; each as the words are compared, without a plural's end. */
const EMPTY = new Set(
  'a an the i you they he she it we is are was were be been do does did have has had will would can could only just if when for in of to at by on with their your his her its this that these those any some want wants need needs like likes prefer prefers choose chooses chose chosen choosing pick picks picked select selects selected selecting opt opts say says said answer answers answered check checks checked tick ticked option choice customer customers user users client clients guest guests person people someone one who el la los las un una unos unas es son eres ser de del en con por para al su sus si se que quiere quieren necesita necesitan prefiere prefieren elige eligen eligio elegir elegido elegida selecciona seleccionan seleccionado seleccionada escoge escogen marca marcan responde responden respondio dice cliente clientes usuario usuarios persona fue sea'
    .split(' ')
    .flatMap(wordsOf),
)

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !EMPTY.has(word))
    .map((word) => word.replace(/ie$/, 'y').replace(/(?<=\w{3})(?:ing|ed|er|e)$/, ''))
}

function areAmong(words: string[], others: string[]): boolean {
  return words.length > 0 && words.every((word) => others.includes(word))
}

const BOTH = /\s(?:and|y|e)\s/

/** "They are a company", "size is L", "card or transfer": of choices whose words these are. */
function chosen(said: string, offered: Chosen[]): Answered | null {
  const parts = said.split(/\s(?:or|o|u)\s|,|\//).map(stemsOf)
  // Of two conditions, one alone would be too little.
  const ways = BOTH.test(said) ? [isExactly] : [isExactly, isAlike]
  for (const isMeant of ways) {
    for (const of of offered) {
      const about = stemsOf(of.label)
      const among = parts.map((part) => {
        const without = part.filter((word) => !about.includes(word))
        const words = without.length > 0 ? without : part
        const meant = of.choices.filter((choice) => isMeant(stemsOf(choice), words))
        return meant.length === 1 ? meant[0] : undefined
      })
      if (among.every((choice) => choice !== undefined)) return { of, among }
    }
  }
  return null
}

function isExactly(choice: string[], words: string[]): boolean {
  return areAmong(choice, words) && choice.length === words.length
}

/** "Home delivery", where it is said of "delivery", or the other way round. */
function isAlike(choice: string[], words: string[]): boolean {
  return areAmong(choice, words) || areAmong(words, choice)
}

/** "Attending", "they own a car": of a question for a yes or a no in which these words are. */
function affirmed(said: string, offered: Chosen[], isNegated: boolean): Answered | null {
  const words = stemsOf(said)
  if (BOTH.test(said)) return null
  const of = offered.filter(isYesOrNo).find(({ label }) => {
    const about = stemsOf(label)
    return areAmong(words, about) || areAmong(about, words)
  })
  if (!of) return null
  // What else may be answered, "maybe", is no yes and no "no".
  const among = isNegated ? of.choices.filter((choice) => !isNo(choice)) : of.choices.filter(isYes)
  return { of, among }
}
