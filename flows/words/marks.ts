/** How much an answer may be, and of what. */
export type Amount = { of: Unit; least: number | null; most: number | null }

/**
 * Of whom something is asked only, and the words around it that said so: where nothing is known of the condition,
 * these are a part of what is asked for.
 */
export type Conditional = { condition: string; before?: string; behind?: string }

/**
 * What a prompt says of an answer besides its kind: how much it may be, what customers are told of it, what it is
 * until they change it, or who is asked.
 */
export type Limit = Amount | { hint: string } | { initial: string } | Conditional

const UNITS = { c: 'characters', d: 'digits', w: 'words', v: 'value', n: 'count' } as const
/** `value`: how large a number may be; `count`: how many of what is answered. */
export type Unit = (typeof UNITS)[keyof typeof UNITS]

/** A plane for private use, whose characters no rule of words reads, matches or takes for letters. */
const HIDDEN = 0xf0000
const RUN = /[\u{F0000}-\u{FFFFF}]+/gu
const WRITTEN = /^([cdwvn])(\d*)-(\d*)$/

/** A limit as a mark, which stands in a prompt beside the thing that it is said of until that is read. */
export function markOf(limit: Limit): string {
  if ('hint' in limit) return hidden(`"${limit.hint}`)
  if ('condition' in limit) {
    const { condition, before = '', behind = '' } = limit
    return hidden(['?', condition, before, behind].join('\n'))
  }
  return hidden('initial' in limit ? `=${limit.initial}` : writtenOut(limit))
}

function writtenOut({ of, least, most }: Amount): string {
  const letter = Object.entries(UNITS).find(([, unit]) => unit === of)?.[0] ?? ''
  return `${letter}${least ?? ''}-${most ?? ''}`
}

function hidden(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => HIDDEN + text.charCodeAt(at))
  // A space ends each mark.
  return String.fromCodePoint(...units, HIDDEN)
}

/** A text without marks, and what they say. */
export function withoutMarks(text: string): { text: string; limits: Limit[] } {
  const limits: Limit[] = []
  const bare = text.replace(RUN, (run) => {
    const codes = [...run].map((letter) => (letter.codePointAt(0) ?? HIDDEN) - HIDDEN)
    const said = String.fromCharCode(...codes)
    limits.push(...said.split('\0').flatMap(readMark))
    return ''
  })
  return { text: limits.length > 0 ? bare.replace(/\(\s*\)/g, ' ') : bare, limits }
}

function readMark(said: string): Limit[] {
  if (said.startsWith('"')) return [{ hint: said.slice(1) }]
  if (said.startsWith('=')) return [{ initial: said.slice(1) }]
  if (said.startsWith('?')) {
    const [, condition = '', before = '', behind = ''] = said.split('\n')
    return [{ condition, before, behind }]
  }
  const [, letter = '', least = '', most = ''] = WRITTEN.exec(said) ?? []
  const of = UNITS[letter as keyof typeof UNITS] as Unit | undefined
  if (of === undefined) return []
  const bound = (digits: string) => (digits === '' ? null : Number(digits))
  return [{ of, least: bound(least), most: bound(most) }]
}
