import { plain } from '../forms/form.ts'

const SIZES = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL']
const DAYS = [
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
]
/** The levels of the Common European Framework of Reference for Languages. */
const LEVELS = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2']
const SERIES = [SIZES, LEVELS, ...DAYS]
const RANGE =
  /(?<![\p{L}\d])(?:(?:from|de) )?(\p{L}[\p{L}\d]{0,9}) ?(?:-|–|to|through|a) ?(\p{L}[\p{L}\d]{0,9})(?![\p{L}\d])/giu

/** "S1-S4", "Q1 to Q4", "1° a 6°" */
const NUMBERED =
  /(?<![\p{L}\d])([A-Z]{1,2})?([0-9])([°º])? ?(?:-|–|to|al?) ?\1([1-9]\d?)\3(?![\p{L}\d])/u

/** Scales of words that are said by their ends. */
const SCALES: readonly string[][] = [
  ['strongly agree', 'agree', 'neutral', 'disagree', 'strongly disagree'],
  ['very likely', 'likely', 'neutral', 'unlikely', 'very unlikely'],
  ['terrible', 'poor', 'fair', 'good', 'excellent'],
  ['very poor', 'poor', 'fair', 'good', 'excellent'],
  ['very poor', 'poor', 'fair', 'good', 'very good'],
  ['poor', 'fair', 'good', 'very good', 'excellent'],
  ['bad', 'fair', 'good', 'very good', 'excellent'],
  ['never', 'rarely', 'sometimes', 'often', 'always'],
  ['beginner', 'intermediate', 'advanced'],
  ['beginner', 'intermediate', 'advanced', 'fluent'],
  ['basic', 'intermediate', 'advanced', 'fluent'],
  ['totalmente de acuerdo', 'de acuerdo', 'neutral', 'en desacuerdo', 'totalmente en desacuerdo'],
  ['malo', 'regular', 'bueno', 'muy bueno', 'excelente'],
  ['pésimo', 'malo', 'regular', 'bueno', 'excelente'],
  ['nunca', 'rara vez', 'a veces', 'a menudo', 'siempre'],
  ['principiante', 'intermedio', 'avanzado'],
]
/** "Very satisfied to very dissatisfied" */
const VERY =
  /(?<!\p{L})(?:(?:from|de) )?(very|muy|extremely) (\p{L}{3,20}) (?:to|through|a|hasta|-|–) \1 (\p{L}{3,20})(?!\p{L})/iu
const WORD_SCALES = SCALES.flatMap((scale) => [scale, scale.toReversed()]).map((scale) => ({
  scale,
  pattern: new RegExp(
    `(?<!\\p{L})(?:(?:from|de) )?${scale[0]} (?:to|through|a|hasta|-|–) ${scale.at(-1)}(?!\\p{L})`,
    'iu',
  ),
}))

/** The levels of a scale of words of which the ends are said: "poor to excellent". */
function readWordScale(text: string): { choices: string[]; rest: string } | null {
  const [found = '', very = '', one = '', other = ''] = VERY.exec(text) ?? []
  if (found !== '') {
    const choices = [`${very} ${one}`, one, 'neutral', other, `${very} ${other}`]
    return {
      choices: choices.map((choice) => choice.toLowerCase()),
      rest: text.replace(found, ' '),
    }
  }
  for (const { scale, pattern } of WORD_SCALES) {
    const [whole] = pattern.exec(text) ?? []
    if (whole !== undefined) return { choices: scale, rest: text.replace(whole, ' ') }
  }
  return null
}

const NUMBERED_MAX = 20

/** The choices from one to another, such as "XS-XL" or "Monday to Friday"; `rest` is the text without them. */
export function readSeries(text: string): { choices: string[]; rest: string } | null {
  for (const [whole, from = '', to = ''] of text.matchAll(RANGE)) {
    for (const series of SERIES) {
      const places = [from, to].map((end) => series.findIndex((one) => plain(one) === plain(end)))
      const [first = -1, last = -1] = places
      if (first < 0 || last <= first) continue
      return { choices: series.slice(first, last + 1), rest: text.replace(whole, ' ') }
    }
  }
  const scale = readWordScale(text)
  if (scale) return scale
  const [whole = '', letter = '', from, degree = '', to] = NUMBERED.exec(text) ?? []
  const count = Number(to) - Number(from) + 1
  if (whole === '' || letter + degree === '' || count < 2 || count > NUMBERED_MAX) return null
  const choices = Array.from({ length: count }, (_, at) => `${letter}${Number(from) + at}${degree}`)
  return { choices, rest: text.replace(whole, ' ') }
}

/** Whether all of some choices are days of the week. */
export function areDays(choices: string[]): boolean {
  const days = DAYS.flat().map(plain)
  return choices.length > 0 && choices.every((choice) => days.includes(plain(choice)))
}
