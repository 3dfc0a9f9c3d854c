import { FLOW_TOKEN, nameFor } from '../forms/form.ts'
import { owned, ownersNeeded } from '../words/owners.ts'
import { kindNamed } from '../words/words.ts'

/** One thing that a prompt asks for, as programs and tables tell of it. */
export type Row = {
  label: string
  /** Whose it is; none where the data do not tell. */
  owner?: string
  /** The name of the answer; null when none was given besides the label. */
  name: string | null
  /** What kind of data it is, in words; '' when that was not said. */
  type: string
  isRequired: boolean | null
  /** What one may choose between, as a list in words; '' for no choices. */
  choices: string
  /** How much the answer may be, in words: "max 200 characters". */
  limits: string[]
  /** What customers are told of it; '' for nothing. */
  hint: string
  /** The answer until they change it; '' for none. */
  initial: string
}

/** A prompt in sentences and lines, and the names of answers that it gives, by those that they would have otherwise. */
export type Outline = { text: string; names: ReadonlyMap<string, string> }

/** A name as programs write it: `email_address`, `emailAddress`. */
const PROGRAMMED = /^[a-z]\w*$/i
/** What may be the name of an answer. */
const NAME = /^[a-z]\w{0,39}$/i

/** Says of a thing that one chooses, without saying between what. */
const ONE_OF =
  /^(?:select|radio|drop-?down|enum|choice|list|single[ -]?(?:choice|select)|lista|opci[oó]n)$/i
const SEVERAL =
  /^(?:array|check-?box(?:es)?(?: group)?|tags|multi-?(?:select|choice)|multiple(?: choice)?|selecci[oó]n m[uú]ltiple)$/i
/** What programs call kinds of data, and what forms call them; texts are of the kind that their labels tell. */
const TYPES: readonly [RegExp, string][] = [
  [/^(?:string|str|varchar|char|(?:short |free |single[ -]line )?text|texto(?: corto)?)$/, ''],
  [ONE_OF, ''],
  [/^(?:ur[il]|uuid|time|object|any|hora)$/, ''],
  [/^(?:text-?area|multi-?line|paragraph|(?:long|multi-?line) text|texto largo)$/, 'long text'],
  [/^(?:int(?:eger)?|float|double|decimal|numeric|n[uú]mero)$/, 'number'],
  [/^(?:tel|tel[eé]fono|telephone)$/, 'phone'],
  [/^(?:date-?time|timestamp|fecha)$/, 'date'],
  [/^(?:upload|file|attachment|archivo)$/, 'document'],
  [/^(?:image|picture|foto|imagen)$/, 'photo'],
]
const YES_OR_NO = /^(?:bool(?:ean)?|check-?box|toggle|switch|yes ?\/ ?no|s[ií] ?\/ ?no)$/i
const RATING = /^(?:rating|stars?|scale|valoraci[oó]n|estrellas)$/i

const YES = /^(?:y|yes|true|required|mandatory|x|✓|✔|✅|\*|s[ií]?|obligatori[oa]|1)$/i
const NO = /^(?:n|no|false|optional|opcional|0|✗|✘|❌)$/i

/** What a word says of whether something is required; null for other words. */
export function wishOf(word: string): boolean | null {
  return YES.test(word) ? true : NO.test(word) ? false : null
}

/** Whether a type of data is one that people choose from a list. */
export function isChoosing(type: string): boolean {
  return ONE_OF.test(type) || SEVERAL.test(type)
}

/** The line of a list that asks for the same: `- "Size" ("S", "M") (required)`. */
export function lineOf(row: Row): string {
  const wish = row.isRequired === null ? '' : row.isRequired ? ' (required)' : ' (optional)'
  const limits = row.limits.map((limit) => ` (${inOneGroup(limit)})`).join('')
  const initial = row.initial === '' ? '' : ` (default "${quotable(row.initial)}")`
  const hint = row.hint === '' ? '' : ` with the hint "${quotable(row.hint)}"`
  return `- "${labelOf(row)}"${kindOf(row)}${wish}${limits}${initial}${hint}`
}

function kindOf({ label, type, choices }: Row): string {
  const said = type.trim().toLowerCase()
  if (choices !== '') return SEVERAL.test(said) ? ` (multiple choice: ${choices})` : ` (${choices})`
  if (YES_OR_NO.test(said)) return kindNamed(label) === 'consent' ? '' : ' (yes/no)'
  if (RATING.test(said)) return ' (1-5)'
  const known = TYPES.find(([pattern]) => pattern.test(said))?.[1] ?? inOneGroup(type)
  return known === '' ? '' : ` (${known})`
}

function labelOf({ label }: Row): string {
  return quotable(inWords(label))
}

function quotable(text: string): string {
  return text.replace(/["“”«»]/g, '’').replace(/\s+/g, ' ')
}

/** A name as programs write it, in words. */
export function inWords(name: string): string {
  if (!PROGRAMMED.test(name)) return name
  const inParts = name.replaceAll('_', ' ')
  return inParts.replace(/(?<=[a-z\d])[A-Z]+/g, (start) =>
    start.length > 1 ? ` ${start}` : ` ${start.toLowerCase()}`,
  )
}

/** A text that may stand in brackets: "Choice (S, M)" as "Choice: S, M". */
export function inOneGroup(text: string): string {
  return text
    .replace(/\s*[([]/g, ': ')
    .replace(/[)\]]/g, '')
    .trim()
}

/** The rows of each screen, with the names that tell them from others which are called the same: "sender phone". */
export function withOwners(screens: Row[][]): Row[][] {
  const things = screens.flat().map(({ label, owner }) => ({
    said: inWords(label),
    ...(owner !== undefined && { owner: { of: inWords(owner), isHeading: true } }),
  }))
  const owners = ownersNeeded(things).values()
  return screens.map((rows) =>
    rows.map((row) => {
      const owner = owners.next().value ?? ''
      if (owner === '') return row
      const name = row.name === null ? null : `${row.owner}_${row.name}`
      return { ...row, name, label: owned(owner, inWords(row.label), 'en') }
    }),
  )
}

/** The names that rows give to their answers, by those made of their labels. */
export function namesOf(rows: Row[]): Map<string, string> {
  const given = rows.filter(({ name }) => name !== null && name !== FLOW_TOKEN && NAME.test(name))
  return new Map(given.map((row) => [nameFor(labelOf(row), []), row.name ?? '']))
}
