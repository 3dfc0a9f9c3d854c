import type { Limit, Unit } from './marks.ts'

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const PALABRAS = [
  'una?',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'diez',
]
export const NUMBER = `(?:\\d{1,6}|${[...WORDS, ...PALABRAS].join('|')})(?![\\p{L}\\d.,]*\\d)`
const MOST =
  "(?:a )?max(?:imum)?\\.?(?: of)?:?|at (?:the )?most|up to|(?:can|should|must|may)(?: ?not|n['’]t) (?:be (?:longer|more|over) than|be over|exceed|have more than|contain more than)|not? (?:more|longer) than|limit(?:ed)? (?:to|of)|(?:un )?m[aá]x(?:imo)?\\.?(?: de)?:?|hasta|no m[aá]s de|como m[aá]ximo|a lo sumo|[≤<]=?"
const LEAST =
  '(?:a )?min(?:imum)?\\.?(?: of)?:?|at least|not? (?:less|fewer|shorter) than|(?:un )?m[ií]n(?:imo)?\\.?(?: de)?:?|al menos|como m[ií]nimo|por lo menos|[≥>]=?'
export const FEWER = 'max(?:imum)?|or (?:less|fewer)|at most|m[aá]x(?:imo)?|como m[aá]ximo|o menos'
export const MORE =
  'min(?:imum)?|or (?:more|longer)|at least|m[ií]n(?:imo)?|como m[ií]nimo|o m[aá]s'
/** How much: "between 8 and 20", "at most 200", "exactly 4", "8+". */
export const AMOUNT = `(?:(?:between |from |entre |del? )?(?<from>${NUMBER}) ?(?:-|–|to|and|al?|y) ?(?<to>${NUMBER})|(?:${MOST}) ?(?<most>${NUMBER})|(?:${LEAST}) ?(?<least>${NUMBER})|(?<exactly>exactly |exactamente )?(?<just>${NUMBER})(?<plus>\\+)?)`

/** The groups that a pattern with `AMOUNT` finds. */
export type Found = Record<string, string | undefined>

/** The limit that an amount says; `fewer` and `more` are groups for what follows it: 'or more'. */
export function limitFrom(found: Found, of: Unit): Limit {
  const { from, to, most, least, just, plus, fewer, more } = found
  if (from !== undefined) return { of, least: numberFrom(from), most: numberFrom(to) }
  const isLeast = plus !== undefined || more !== undefined
  return {
    of,
    least: fewer !== undefined || most !== undefined ? null : numberFrom(least ?? just),
    most: isLeast || least !== undefined ? null : numberFrom(most ?? just),
  }
}

/** The number that digits or a word say. */
export function numberFrom(said = ''): number {
  const places = [WORDS, PALABRAS].map((words) =>
    words.findIndex((word) => new RegExp(`^(?:${word})$`, 'iu').test(said)),
  )
  const place = Math.max(...places)
  return place >= 0 ? place + 1 : Number(said)
}

const COUNT = new RegExp(
  `^${AMOUNT} (?:(?:choices|options|selections|answers|opciones) (?:of|for|in|on|de|para|en) )?(?<thing>\\S.*)$`,
  'iu',
)

/** How many of something a text says that there may be, and of what: "up to 2 toppings". */
export function readCount(text: string): { limit: Limit; of: string } | null {
  const found = COUNT.exec(text)?.groups
  return found ? { limit: limitFrom(found, 'count'), of: found.thing ?? '' } : null
}
