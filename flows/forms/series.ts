import { plain } from './form.ts'

const SIZES = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL']
const DAYS = [
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
]
const SERIES = [SIZES, ...DAYS]
const RANGE =
  /(?<![\p{L}\d])(?:(?:from|de) )?(\p{L}{1,10}) ?(?:-|–|to|through|a) ?(\p{L}{1,10})(?![\p{L}\d])/giu

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
  return null
}

/** Whether all of some choices are days of the week. */
export function areDays(choices: string[]): boolean {
  const days = DAYS.flat().map(plain)
  return choices.length > 0 && choices.every((choice) => days.includes(plain(choice)))
}
