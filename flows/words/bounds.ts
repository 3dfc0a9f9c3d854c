import {
  capitalised,
  HINT_CHARACTERS,
  type Field,
  type FieldKind,
  type Language,
  plain,
  shortened,
} from '../forms/form.ts'
import type { Amount, Limit, Unit } from './marks.ts'

/** What a form keeps of the limits of a field. */
export type Bounds = Pick<Field, 'least' | 'most' | 'hint' | 'initial'>

const NOUNS: Record<Language, Record<Unit, string>> = {
  en: { characters: 'characters', digits: 'digits', words: 'words', value: '', count: '' },
  es: { characters: 'caracteres', digits: 'dígitos', words: 'palabras', value: '', count: '' },
}
const TEXTS: readonly FieldKind[] = ['text', 'email', 'number', 'password', 'paragraph']
const COUNTED: readonly FieldKind[] = ['one_of', 'some_of', 'photo', 'document']

/** How much of something a thing may be, where its limits tell. */
export function amountOf(limits: Limit[], unit: Unit): Amount | undefined {
  return limits.find((limit): limit is Amount => 'of' in limit && limit.of === unit)
}

/**
 * What limits mean for a field of a kind: characters, choices or files that the channel counts; what it cannot check,
 * such as how large a number is, becomes a hint in words.
 */
export function boundsOf(
  { kind, choices }: Pick<Field, 'kind' | 'choices'>,
  limits: Limit[],
  language: Language,
): Bounds {
  const hints: string[] = []
  const bounds: Bounds = {}
  for (const limit of limits) {
    if ('hint' in limit) hints.push(capitalised(limit.hint))
    else if ('condition' in limit) continue
    else if ('initial' in limit) Object.assign(bounds, initially(kind, choices, limit.initial))
    else if (isCounted(kind, limit)) Object.assign(bounds, given(limit))
    else if (isTold(kind, limit)) hints.push(inWords(limit, language))
  }
  // A text of several lines has no minimum at the channel.
  if (kind === 'paragraph' && bounds.least !== undefined) {
    hints.push(inWords({ of: 'characters', least: bounds.least, most: null }, language))
    delete bounds.least
  }
  if (hints.length > 0) bounds.hint = shortened(hints.join('. '), HINT_CHARACTERS)
  return bounds
}

const INITIAL: Partial<Record<FieldKind, RegExp>> = {
  text: /^.{1,80}$/su,
  paragraph: /^.{1,600}$/su,
  email: /^\S+@\S+\.\S+$/,
  phone: /^\+?[\d ().-]{3,30}$/,
  number: /^-?\d{1,15}(?:\.\d{1,10})?$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

/** What is given beforehand, where it is such an answer; nobody agrees beforehand. */
function initially(kind: FieldKind, choices: string[], initial: string): Bounds {
  const choice = choices.find((one) => plain(one) === plain(initial))
  if (kind === 'one_of' || kind === 'some_of')
    return choice === undefined ? {} : { initial: choice }
  return INITIAL[kind]?.test(initial) ? { initial } : {}
}

function given({ least, most }: Amount): Bounds {
  if (least !== null && most !== null && least > most) return {}
  return { ...(least !== null && { least }), ...(most !== null && { most }) }
}

/** Of a text, a smaller number counts something else: "name (max 2)". */
const SHORTEST_TEXT = 10

/** Whether the channel can count it. */
function isCounted(kind: FieldKind, { of, most }: Amount): boolean {
  if (COUNTED.includes(kind)) return of === 'count'
  // "Name (max 50)" counts characters.
  const isOfText = of === 'count' && kind !== 'number' && (most ?? 0) >= SHORTEST_TEXT
  return (isOfText || of === 'characters' || of === 'digits') && TEXTS.includes(kind)
}

/** Whether customers can be told it; people write phone numbers with spaces. */
function isTold(kind: FieldKind, { of }: Amount): boolean {
  if (COUNTED.includes(kind) || kind === 'consent') return false
  return (
    of === 'words' || kind === 'number' || (of === 'value' ? kind === 'text' : kind === 'phone')
  )
}

function inWords({ of, least, most }: Amount, language: Language): string {
  const said = { en: ['From', 'to', 'At least', 'At most'], es: ['De', 'a', 'Mínimo', 'Máximo'] }
  const [from = '', to = '', atLeast = '', atMost = ''] = said[language]
  const amount =
    least === null
      ? `${atMost} ${most}`
      : most === null
        ? `${atLeast} ${least}`
        : least === most
          ? String(least)
          : `${from} ${least} ${to} ${most}`
  return `${amount} ${NOUNS[language][of]}`.trim()
}
